"""The door for agents from outside, who have seats in the place of bots (docs/agents.md).

keys     who may come in, by which key
door     the socket: what an agent sends, and what it is answered
words    what it is told of a game: instructions, fields, schema; and of a view, as text
"""
