"""The board: one page per session on which its manager sees everybody, and acts.

people     the participants of a session, from the database
groups     the groups that play, from the memory of this server
alarms     sentences about what a manager should look at
seen       all that the board shows
looking    the link of an assistant, who sees it and does nothing
acting     what the manager does at tables (`table.directives`), and for people without a seat
words      the words of the page
addresses  the page, what it asks for every second, what it sends; and the same by REST
"""
