"""The games for libraries of reinforcement learning. Each module translates and changes nothing.

    rollout         many plays at once as plain functions; numpy alone
    batch           every seat of many plays as one learner of a batch; numpy alone
    spaces, play    Gymnasium spaces, and one play that is acted in through them
    gymnasium       one seat, policies in the others
    pettingzoo      all seats, together (parallel) or one after the other (AEC)
    momaland        rewards as vectors, one number per component
    registered      every game by its id, for both
    vector          every seat of many plays as one Stable-Baselines3 environment

What a seat sees and does as flat numbers is in `policies.flat`, since trained policies need it too.
Every library is needed only by the module that is named after it (`spaces`, `play` and `registered`
need Gymnasium, `vector` Stable-Baselines3); the extras `adapters` and `training` have them all.
"""
