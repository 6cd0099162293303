"""What is open in this server: tables and lobbies, which live in its memory while they are.

tables     the open tables, and the one door to them; open_table: one of them
lobbies    the open lobbies, and their door; open_lobby: one of them
practices  what people practise before the lobby: tables without a journal
asking     policies that could keep others waiting, asked beside the loop
showing    what a page is told of the past, and what follows from what it saw
group      people become a group at a table; a finished table becomes points and pay
going_on   after a start: plays that are not over are opened, and go on by themselves
places     a browser's place in a session
"""
