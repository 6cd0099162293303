"""Programs that play seats from outside; they reach a server only by its socket (docs/agents.md).

client      client in one file, to copy; client.mjs: the same in JavaScript
llm         language models
"""
