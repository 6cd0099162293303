"""Rehearsal of a session: policies play in place of people on a real server, through the real
pages.

mixed rehearse commons_two_people --groups 20 --simulated noisy_person,noisy_person

    server        oTree in its own folder, with its own database
    participant   a participant without a browser: pages over HTTP, the live channel over a socket
    person        a policy that reads, answers the quiz, waits in the lobby and plays
    deciding      a policy that decides and talks
    whole         a complete rehearsal: every group, and the export at the end

A policy gets only what a page gets: the observation of its seat and the limits of its actions. The
seed determines seats, random events, bots and all decisions; only times and participants' codes
depend on the machine. The export's manifest contains `rehearsed`, with the policies that played in
place of people.
"""
