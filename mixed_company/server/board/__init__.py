"""The board: one page per session on which its manager sees everybody, and acts.

people     who is in a session, from the database
groups     the groups that play, from the memory of this server
alarms     what wants to be looked at, in sentences
looking    the link of an assistant, who sees it and does nothing
begin      can the session begin
acting     what the manager has done: at tables (`table.directives`), and for who has no seat
addresses  the page, what it asks for every second, what it sends; and the same by REST
"""
