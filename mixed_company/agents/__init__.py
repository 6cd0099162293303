"""Programs outside a server that play in its seats, through its socket only (docs/agents.md).

client      client in one file, to copy; client.mjs: the same in JavaScript
llm         language models
"""
