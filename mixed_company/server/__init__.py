"""What the apps share on the oTree side. Nothing here knows a particular game.

pages      what people see: five pages, the same for all games, and what they say
blocks     several plays in a row in one session: apps, ways, who meets whom
open       what is open here and lives in memory: tables and lobbies
keeping    how it is kept: one writer, journals and snapshots, a copy of the database
outside    the door for agents that are no part of the server
gate       what comes from outside passes here first; secret_key: whether it may at all;
           rest_key: who may use REST
fleet      several servers behind one address, each session on one of them
board      one page per session on which its manager sees everybody, and acts
archive    all tables of an export as one file, by command, link or REST
mends      everything that is changed of oTree, and the one call that does it
preflight  before a session: go or no go, in plain sentences
rehearse   policies take people's places: `mixed rehearse`

sessions   the session configs of all apps
session    what happens when a session is created; session_form: the form for it; form_page: its
           address
columns    the columns of every app's models
memory     what is free is given back to the system
clock      what time it is, and how long the server has served; play_clock: what plays go by
sockets    the live channel of a page, and how much of it one page may use
live       the live methods of lobby and play page, for who has no socket
live_state whether everything is saved, and how late the server is, for the admin
lateness   how late the server is: its loop, what is to be saved, and pages
paying     who is paid, and how much; payroll: lists to print and sign, and files for panels
played     the groups that played, as an export reads them
export     their rows; outcome, answered: those of participants; data_page: oTree's Data page
otree_bots oTree's own bots for these pages
process    oTree as a process of its own, started and ended
"""
