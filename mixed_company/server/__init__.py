"""Server side of the project: all code that the apps share. Nothing here depends on a single game.

pages      pages of participants, the same for all games, and their texts
blocks     several plays in a row in one session: apps, participants' paths, groups
open       tables and lobbies that are open in memory
keeping    their storage: one writer, journals, snapshots and database backups
outside    access for agents that run outside the server
gate       checks and limits for all requests; secret_key, rest_key: checks of the server's keys
fleet      several servers behind one address; each session runs on one of them
board      one page per session where its manager sees everyone and takes action
archive    all tables of an export as one file, by command, link or REST
mends      all changes to oTree, and the one call that applies them
preflight  checks before a session: go or no-go, in plain sentences
rehearse   policies take people's places: `mixed rehearse`

sessions   the session configs of all apps
session    creation of a session; session_form: the form for it; form_page: its address
columns    the columns of every app's models
memory     returns free memory to the system
clock      the time, and how long the server has served; play_clock: the clock of plays
sockets    the live channel of a page, and its limits
live       the live methods of lobby and play page, for oTree's own bots
live_state for the admin: whether data is saved, and how late the server is
lateness   how late the server is: its loop, its writer and its pages
paying     payments of participants; payroll: lists to print and sign, and files for panels
played     groups that have played, with their people and journals, for exports
export     rows of groups and participants; data_page: oTree's Data page
otree_bots oTree's own bots for these pages
process    starts and ends oTree as a child process
"""
