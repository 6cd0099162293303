"""What the apps share on the oTree side. Nothing here knows a particular game.

Read in this order:

    options    the keys of a session config, checked by one schema
    seating    a seat and the timeline of who sat on it
    protocol   the messages a page may send
    table      one group's play: seats, clock, periods (no oTree in it)
    lobby      who plays with whom (no oTree in it)
    storage    a table in the database: one JSON field and append-only log rows
    live       the live methods of the play page and the lobby
    session, pages, pay, export   the rest of an app, page by page and table by table
"""
