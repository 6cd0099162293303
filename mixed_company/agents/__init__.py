"""Programs that have seats from outside: they know a server by its socket alone (docs/agents.md).

client      a client of one file, for programs of one's own; client.mjs: the same in JavaScript
llm         language models
"""
