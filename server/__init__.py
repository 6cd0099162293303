"""What the apps share on the oTree side. Nothing here knows a particular game.

    rules      what the instructions say of order, roles, layers, time and payment
    results    what is said of points at the end
    mends      everything that is changed of oTree, and the one call that does it
    clock      what time it is
    storage    a table in the database: one JSON field and append-only log rows
    group      people become a group at a table; a finished table becomes points and pay
    live       the live methods of the play page and the lobby; showing: what they send a page
    session    what happens when a session is created
    guide      what the pages ask of a game, and the files of its app; columns: its models
    pages      the five pages of every app; texts: what they say
    sessions   the session configs of all apps; data_page: the tables on oTree's Data page
    export     the tables of the export; archive: all of them as one file, by command, link or REST
    otree_bots oTree's own bots for these pages

From outside, through a server of its own:

    process    oTree as a process of its own, started and ended
    rehearse   policies take people's places: `mixed rehearse`
"""
