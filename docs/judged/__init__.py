"""Populations judged on people to whom they were not fitted: docs/judged.md.

    python -m docs.judged --data DIR

DIR contains people's choices, which are not included in the project (`reading`).

    reading    the reply tables of people
    chains     types that stay or move: fitted to reply tables, and scored
    bots       the replies of the types of a population
    imitation  replies that depend on the gift, the last choice and the period
    shipped    the imitation as a policy in bots/trained
    judging    fits on half of the sessions, scores on the other half
    page       the tables of the page
"""
