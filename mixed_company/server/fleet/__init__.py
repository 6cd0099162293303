"""Several servers behind one address, on one PostgreSQL database: `mixed serve --servers 4`.

An open table is in the memory of one process. Each session therefore has one server, its owner,
which answers all requests for the session's tables.

    owners       finds the server that owns a session, from the last letter of its code
    entrance     routing table, and the addresses that a proxy listens on and forwards to
    parted       sessions split into parts, each on its own server
    proxy        finds a proxy, Caddy or nginx, writes its file and checks it
    keeper       starts, restarts and ends the processes; held: ends the proxy when its parent
                 process ends
    serving      runs the whole fleet until it is stopped

The first server answers requests that do not concern a single session: lists, exports, rooms. It
also handles arrivals and creates sessions, one at a time. The patches to oTree are in
`server.mends.fleet`.
"""
