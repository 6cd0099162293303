"""Language models as an agent from outside, over any server with the chat interface of OpenAI.

model       asking a model: by the package `openai`, or what a recorded run answered
treatment   a prompt file: persona, chain of thought, universalisation, memory
player      one seat: what it asks, remembers and decides
calls       the table of all calls; budget: what they may cost
stub        a server with that interface which answers well, badly, slowly or not at all
offline     plays of models among themselves, without oTree
"""
