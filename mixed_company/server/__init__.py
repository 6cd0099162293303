"""Server side of the project: all code that the apps share. Nothing here depends on a single game.

pages      participants' pages, the same for all games, and their texts
blocks     several plays in a row in one session: apps, participants' paths, groups
open       tables and lobbies that are open in memory
keeping    their storage: one writer, journals, snapshots and database backups
outside    connections to agents that run outside the server
gate       checks and limits for all requests; secret_key, rest_key: checks of the server's keys
fleet      several servers behind one address; each session runs on one of them
board      one page per session, where the manager sees everyone and takes action
archive    all tables of an export in one file, by command, link or REST
mends      all patches to oTree, and the one call that applies them
preflight  checks before a session: go or no-go, in plain sentences
rehearse   `mixed rehearse`: policies take the place of people

sessions   session configs of all apps
session    creation of a session; session_form: the form for it, and its address
columns    columns that the models of all apps share
memory     returns freed memory to the operating system
clock      the time, how long the server has served, and alarms; play_clock: the clock of plays
sockets    the live channel of a page, and its limits
live       live methods of the lobby and the play page, for oTree's own bots
live_state tells the admin whether data is being saved and how late the server is
lateness   how late the event loop, the writer and the pages are
paying     participants' payments; payroll: lists to print and sign, files for panels
played     groups that have played, with their people and journals; used by exports
export     rows of groups and participants; data_page: oTree's Data page
otree_bots oTree's own bots for these pages
process    starts and ends oTree as a child process
"""
