"""Several servers behind one address, on one PostgreSQL database: `mixed serve --servers 4`.

An open table is in the memory of one process. So each session has one server, its owner, which
answers every request for the session's tables.

    owners       the server that owns a session, by the last letter of its code
    entrance     the routing table, and the addresses that a proxy listens on and forwards to
    parted       a session in parts, each on its own server
    proxy_files  configuration files for Caddy and nginx
    proxy        finding a proxy, and checking its file
    keeper       starts, restarts and ends the processes; held: ends the proxy when its parent ends
    serving      runs all of it until it is stopped

The first server answers requests that do not belong to a single session: lists, exports, rooms. It
also handles arrivals and creates sessions, one at a time. `server.mends.fleet` holds the changes to
oTree.
"""
