"""Language models as outside agents, through any server with OpenAI's chat interface.

model       asks a model, with the package `openai`; a recorded run can take its place
treatment   a prompt file: persona, chain of thought, universalisation, memory
player      one seat: its questions, memory and decisions
calls       the table of all calls, and the budget
stub        a server with that interface that answers well, badly, slowly or not at all
offline     plays of models among themselves, without oTree
"""
