"""Language models as outside agents, on any server that offers OpenAI's chat interface.

model       interface to models, which uses the `openai` package; a recorded run can replace it
treatment   a prompt file: persona, chain of thought, universalisation, memory
player      a player for one seat: its questions, memory and decisions
calls       the table of all calls, and the budget
stub        a server with the same interface but without a model, which answers well, badly, slowly
            or not at all
offline     plays among models, without oTree
"""
