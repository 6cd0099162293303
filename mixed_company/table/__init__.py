"""People, policies and agents at one table: no oTree, no database, no clock of its own.

options    the keys of a session config that are the same for all games; manual: all keys, in groups
setup      a session's config, resolved and checked: the game and the options
seating    a seat, the timeline of who sat on it, and who sits where
pay        what people are credited with and paid, and how their part ends
timing     how long people have, and when a decision counts
thinking   how long a bot takes to answer; answers: what it decides, and when it says so
protocol   what pages and tables say to each other
state      what a table holds; due: what happens by itself; settling: what then becomes of it
table      one group's play, opened, and told what pages send
exchange   a message comes: what is answered, and who gets a new view
items      a question that people are asked; questions: those of a session, and their files
beliefs    what an answer was about turned out to be so or so, and what it is paid
replies    what was answered in a period; replying: a person answers, and wins
view       what the page of one seat shows
directives what the manager of a session can have done; managing: what follows
journal    what the log of a table holds; rebuilding: a table built anew from it
lobby      who plays with whom
export     plays as tables: columns, rows, codebook, archive
"""
