"""Programs that take seats on a server, connected only by a socket (docs/agents.md).

client      client in one file, for copying; client.mjs is its JavaScript version
llm         language models
"""
