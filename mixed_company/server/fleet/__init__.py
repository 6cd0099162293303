"""Several servers behind one address, on one PostgreSQL: `mixed serve --servers 4`.

What holds it together is one rule: an open table lives in the memory of one process, so each
session has one server, its owner, and everything that touches its tables is answered there.

    owners       which server owns a session: the last letter of its code says so
    entrance     the routing table, and the addresses that a proxy connects
    parted       a session in parts, each on a server of its own
    proxy_files  a file for Caddy, and one for nginx
    proxy        finding a proxy, and checking its file
    keeper       the processes: started, started again, ended together; held: the proxy's end
    serving      all of it, until it is to end

The first server answers what belongs to no session: lists, exports, rooms. There people come in and
sessions are created, one at a time. What is changed of oTree for it: `server.mends.fleet`.
"""
