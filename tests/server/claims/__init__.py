"""Claims that the instructions and quiz of each game make, and checks of them against plays.

A module per game has `VARIANTS`, configurations in addition to the archetypes, and `CLAIMS`, pairs
of a pattern of a sentence (or of a question with its right answer) and `check(played, *groups)`.
The check gets plays of that game and the groups of the pattern. A sentence without a claim fails
the test.
"""
