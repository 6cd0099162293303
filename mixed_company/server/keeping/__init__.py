"""How what is open is kept: nothing is acknowledged before it is in the database.

writer     commits what tables and lobbies have written, in groups; unsaved: what waits for it
saving     the writer's connection; saving_rows and saving_lobby: what is written
storage    a table in the database: append-only rows of its journal, now and then a snapshot
backup     a copy of the whole database in one file: `mixed backup`
"""
