"""What people see: the pages of every app, and what they say.

pages         the pages of an app, in their order; play: those of the lobby, practice and play
shared        what all pages have; notice: pages for people who are on no page of a game
questions     pages of questions; quiz: questions on the rules; asking: what is said of questions
blocks        the page between two blocks of a session, and what is said of its parts
guide         what the pages ask of a game, and the files of its app
instructions  the screens of the instructions, and what all games say there
rules         roles and layers in words; plain: what they leave as a game's core says it
texts         numbers and sentences of all pages; wording: words that scripts fill in
money         what points are worth; results: what is said of points at the end
"""
