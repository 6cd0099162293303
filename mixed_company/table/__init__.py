"""People, policies and agents at one table, without oTree, a database or a clock.

options    the keys of a session config that all games share; manual: all keys, in groups
setup      a session's config, resolved and checked: the game and the options
seating    seats, the timeline of their occupants, and the assignment of people to seats
pay        points credited and paid, and the final status of a participant
timing     time limits, and when a decision takes effect
thinking   how long a bot takes to answer; answers: its decision, and when it takes effect
protocol   messages between pages and tables
state      a table's state; due: its scheduled events; settling: their effects
table      the play of one group, and the messages its pages send
exchange   the reply to a message, and the views that it changes
items      a question for people; questions: a session's questions, and their files
beliefs    how an answer is scored and paid
replies    the answers in a period; replying: handling an answer
view       what a seat's page shows
directives commands of the session's manager; managing: their effects
journal    a table's log; rebuilding: rebuilding a table from its log
lobby      matching of people into groups
export     plays as tables: columns, rows, codebook, archive
"""
