"""What people see: the five pages of every app, and what they say.

pages      the five pages; frame: what oTree puts around them
questions  pages of questions; asking: what is said of questions, and how they are paid
practice   some periods before the lobby; practising: what the instructions say of them
guide      what the pages ask of a game, and the files of its app
texts      what all pages say; plain: what layers and roles leave as a game's core says it
rules      what the instructions say of order, roles, layers, time and payment
results    what is said of points at the end
modules    the scripts of a page
"""
