"""Access for outside agents, which have seats instead of bots (docs/agents.md).

keys     names and keys of the agents
door     the socket: an agent's messages, and their answers
words    descriptions for agents: of a game (instructions, fields, schema) and of a view, as text
"""
