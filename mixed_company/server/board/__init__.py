"""Board: one page per session where its manager sees everyone and takes action.

people     the participants of a session, from the database
groups     the groups at play, from the memory of this server
alarms     sentences about problems that a manager should look at
seen       all data of the board
looking    the view-only link for an assistant
acting     the manager's directives to tables (`table.directives`) and to people without a seat
words      texts of the page
addresses  the page and its requests; the same over REST
"""
