"""Training and judging of policies; the only package that imports torch.

    plan           the plan of a training, and the policy's card
    learning       the training with PPO of Stable-Baselines3, and its checkpoints; a network that
                   learns to reply to a policy
    classroom      the training environments: observations, memory and reward
    imitation      imitation of a scripted policy by a network
    scaling        observations in units of their fields, rescaled for a network
    paths          proximity of things on the cells around a seat
    export         the network as an ONNX model
    crossplay      policies of several training seeds playing with each other
    judge          a policy compared with the scripted ones

`mixed train` and `mixed judge` are its commands. Training needs the extra `training`, in an
environment without oTree; judging does not.
"""
