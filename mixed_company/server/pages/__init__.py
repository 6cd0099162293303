"""Pages of every app, and their texts.

pages         the pages of an app, in order; play: the pages of the lobby, practice and play
shared        base class of all pages, and reasons why forms were rejected; notice: pages for people
              outside a game
questions     pages of questions; quiz: questions on the rules; asking: texts about the questions
blocks        the page between two blocks of a session, and texts about its parts
guide         interface for a game's own texts and pictures, and the files of its app
instructions  the instructions' screens, and the texts that all games share
rules         roles and layers in words; plain: rules of a game's core that they leave unchanged
texts         numbers and sentences on all pages; wording: texts that scripts fill in
money         value of points in money; results: texts of the results page
"""
