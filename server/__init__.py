"""What the apps share on the oTree side. Nothing here knows a particular game.

Without oTree, in this order:

    options    the keys of a session config that are the same for all games
    setup      a session's config, resolved and checked: the game and the options
    seating    a seat and the timeline of who sat on it
    protocol   the messages a page may send
    thinking   how long a bot takes to answer; answers: what it decides, and when it says so
    table      one group's play: seats, clock, periods
    due        what happens at a table by itself, and when; journal: what its log keeps
    view       what the page of one seat shows
    lobby      who plays with whom
    rules      what the instructions say of order, roles, layers, time and payment
    manual     what the keys of a session config mean; results: what is said of points at the end

With oTree:

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
