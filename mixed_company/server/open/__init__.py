"""Tables and lobbies that are open on this server, that is, in its memory.

tables     all open tables, and the only way to reach them; open_table: one table
lobbies    all open lobbies, and the only way to reach them; open_lobby: one lobby
practices  practice tables before the lobby, without a journal
asking     asks slow policies outside the event loop
outgoing   messages to pages, which wait for their commit, and the latency of pages
showing    a page's history, and values derived from what its seat saw
group      turns people into a group at a table, and a finished table into points and pay
going_on   reopens unfinished plays after a restart
places     a browser's place in a session
"""
