"""Rehearsal of a session: policies take people's places on a real server, through the real pages.

mixed rehearse commons_two_people --groups 20 --simulated noisy_person,noisy_person

    server        oTree in its own folder, with its own database
    participant   a participant without a browser: pages by HTTP, the live channel by socket
    person        a policy that reads, answers the quiz, waits in the lobby and plays
    speaking      a policy that talks
    whole         a whole rehearsal: every group, and the export at the end

A policy gets what a page gets and nothing else: the observation of its seat and the limits of its
actions. The seed determines seats, random events, bots and all decisions; only times and the codes
of participants depend on the machine. The manifest of the export contains `rehearsed`, with the
policies that took people's places.
"""
