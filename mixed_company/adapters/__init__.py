"""Adapters of the games for reinforcement-learning libraries. They translate and change nothing.

    rollout         many plays at once as plain functions; numpy alone
    batch           every seat of many plays as one learner of a batch; numpy alone
    spaces, play    Gymnasium spaces, and a play that is acted in through them
    gymnasium       one seat, policies in the others
    pettingzoo      all seats, together (parallel) or one after the other (AEC)
    momaland        rewards as vectors, one number per component
    registered      every game by its id, for both
    vector          every seat of many plays as one Stable-Baselines3 environment

Observations and actions as flat numbers are in `policies.flat`, because trained policies need them
too. Only the module named after a library needs it (`spaces`, `play` and `registered` need
Gymnasium, `vector` Stable-Baselines3). The extras `adapters` and `training` include them all.
"""
