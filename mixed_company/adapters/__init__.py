"""Adapters that connect the games, unchanged, to reinforcement-learning libraries.

    plays           many plays at once, as plain functions; numpy only
    batch           a batch of learners, one per seat of many plays; numpy only
    spaces, play    Gymnasium spaces, and a play that uses them
    rendering       pictures of the state, as text and pixels
    gymnasium       one seat, with policies in the other seats
    gymnasium_vector  many plays at once as a vector environment
    pettingzoo      all seats, together (parallel) or one after the other (AEC)
    momaland        all seats, with rewards as vectors, one number per component
    registered      every game by its id, for Gymnasium and PettingZoo
    vector          every seat of many plays as one Stable-Baselines3 environment

`policies.flat` converts observations and actions to flat numbers. It is not in this package because
trained policies need it too. A library is needed only by the module named after it (`spaces`,
`play` and `registered` need Gymnasium, `vector` needs Stable-Baselines3). The `adapters` and
`training` extras include them all.
"""
