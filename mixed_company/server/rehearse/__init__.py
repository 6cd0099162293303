"""A session rehearsed: policies take people's places on a real server, through the real pages.

mixed rehearse commons_two_people --groups 20 --simulated noisy_person,noisy_person

    server        oTree in a folder of its own, with a database of its own
    participant   a participant without a browser: pages by HTTP, the live channel by socket
    person        a policy that reads, answers the quiz, waits in the lobby and plays
    speaking      how it talks
    whole         a whole rehearsal: every group, and the file of its export at the end

A policy sees what a page gets and nothing else: the observation of its seat and the limits of what
it may do. Which seats, worlds and bots there are follows from the seed, and so does every decision;
what depends on the machine are times and the codes of participants. The manifest of the export says
`rehearsed`, with the policies that sat in people's places.
"""
