"""Training policies and judging them; the only package that imports torch.

    plan           the plan of a training, and the policy's card
    learning       training with PPO of Stable-Baselines3, and checkpoints; also of a network that
                   replies to a policy
    rounds         training against replies: the best replies join the deviators, round by round
    classroom      the training environments: observations, memory and reward
    imitation      a network learns to imitate a scripted policy
    scaling        observations rescaled for a network
    paths          how near things are on the cells around a seat
    export         the network as an ONNX model
    graph          an ONNX graph in the making
    crossplay      policies of several training seeds play with each other
    judge          a trained policy is compared with the scripted ones

`mixed train` and `mixed judge` are its commands. Training needs the extra `training`, in an
environment without oTree; judging does not.
"""
