"""Server side of the project: everything the apps share on oTree. Nothing here depends on a game.

pages      pages of participants, the same for all games, and their texts
blocks     several plays in a row in one session: apps, participants' ways, groups
open       tables and lobbies that are open in memory
keeping    their storage: one writer, journals and snapshots, a copy of the database
outside    access for agents that are not part of the server
gate       checks and limits of all requests; secret_key: whether the server may start;
           rest_key: the key of REST
fleet      several servers behind one address, each session on one of them
board      one page per session on which its manager sees everybody, and acts
archive    all tables of an export as one file, by command, link or REST
mends      all changes to oTree, and the one call that applies them
preflight  findings before a session: go or no go, in plain sentences
rehearse   policies take people's places: `mixed rehearse`

sessions   the session configs of all apps
session    creation of a session; session_form: the form for it; form_page: its address
columns    the columns of every app's models
memory     returns free memory to the system
clock      the time, and how long the server has served; play_clock: the clock of plays
sockets    the live channel of a page, and its limits
live       the live methods of lobby and play page, for oTree's own bots
live_state state of saving, and lateness of the server, for the admin
lateness   lateness of the server: its loop, its writer, and pages
paying     payments of participants; payroll: lists to print and sign, and files for panels
played     the groups that played, as an export reads them
export     rows of groups and participants; data_page: oTree's Data page
otree_bots oTree's own bots for these pages
process    oTree as a child process, started and ended
"""
