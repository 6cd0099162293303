"""Many people on play pages, from one process, for drills and benchmarks.

wire       minimal web socket, cheap enough for a thousand of them
page       play page: it requests, shows, decides, sends again, reconnects
promises   messages sent and acknowledged, compared with an export
places     server with one of the databases, sessions of every game, and the way to their pages
visitor    the other pages, over HTTP
processes  the server's use of the machine
clients    many pages for some time, and their waits
"""
