"""Board: one page per session, where the manager sees everyone and takes action.

people     the participants of a session, from the database
groups     groups that are playing, from this server's memory
alarms     sentences about problems that the manager should look at
seen       all data that the board shows
acting     the manager's directives to tables (`table.directives`) and to people without a seat
words      text of the page
addresses  the page, its view-only link for an assistant, its requests, and the same over REST
"""
