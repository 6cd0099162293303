"""Many people at play pages, from one process: for drills and for benchmarks.

wire       a web socket and nothing else, cheap enough for a thousand of them
page       what a play page does: it asks, shows, decides, sends again, comes back
promises   what was sent and acknowledged, and whether an export holds it
places     a server with one of the databases, sessions of every game, and the way to their pages
visitor    the other pages, by HTTP
processes  what the server takes of the machine meanwhile
clients    so many pages for so long, and what they waited
"""
