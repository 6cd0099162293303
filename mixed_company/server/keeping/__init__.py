"""Storage of open tables and lobbies: nothing is acknowledged until it is in the database.

writer     commits queued batches of tables and lobbies
saving     the writer's connection; saving_rows and saving_lobby: its SQL statements
storage    a table in the database: append-only rows of its journal, and occasional snapshots
backup     `mixed backup`: a copy of the whole database in one file
"""
