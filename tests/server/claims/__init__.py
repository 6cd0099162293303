"""Claims that the instructions and quiz of each game make, and checks of them against plays.

Each game has a module. Its `VARIANTS` are configurations in addition to the archetypes. Its
`CLAIMS` are pairs of a pattern and `check(played, *groups)`. A pattern matches a sentence, or a
question with its correct answer. The check receives plays of that game and the groups of the
pattern. A sentence without a claim fails the test.
"""
