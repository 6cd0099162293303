"""Access for outside agents, which take seats in place of bots (docs/agents.md).

keys     agents' names and keys
door     the socket: an agent's messages, and the responses to them
words    text for agents: descriptions of a game (instructions, fields, schema) and of a view
"""
