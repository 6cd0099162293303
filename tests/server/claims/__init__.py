"""What the instructions and the quiz of each game claim, and how plays show whether it is so.

A module per game: `VARIANTS`, configurations besides the archetypes, and `CLAIMS`, pairs of a
pattern of a sentence (of a question with its right answer) and `check(played, *groups)`, which is
given plays of that game and the groups of the pattern. A sentence without a claim fails the test.
"""
