"""Programs outside a server that play in its seats, only through its socket (docs/agents.md).

client      client in one file, to copy; client.mjs: the same in JavaScript
llm         language models
"""
