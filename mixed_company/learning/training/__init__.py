"""Training and judging policies; the only package that imports torch.

    plan           the plan of a training run, and the policy's card
    learning       training with Stable-Baselines3's PPO, and checkpoints; also trains a network
                   that replies to a policy
    rounds         training against replies: in every round, the best replies join the deviators
    classroom      the training environments: observations, memory and reward
    imitation      a network learns to imitate a scripted policy
    scaling        observations rescaled for a network
    paths          distances to things around a seat on the grid
    export         the network as an ONNX model
    graph          a builder of ONNX graphs
    crossplay      policies from several training seeds play with each other
    judge          a trained policy is compared with scripted policies

`mixed train` and `mixed judge` are its commands. Training, but not judging, needs the `training`
extra, in an environment without oTree.
"""
