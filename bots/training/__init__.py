"""How trained policies are made and judged; the only place that imports torch.

    ppo            PPO of Stable-Baselines3, as a command
    plan           what is to be trained, and the card of it
    learning       the training, and checkpoints of it
    classroom      the environments that it learns in: what it sees and remembers, and its reward
    imitation      how a network learns to do as a written policy does
    scaling        observations in units of their fields as numbers that a network can take
    paths          how near things are on the cells around a seat
    export         the network as an ONNX model
    judge          how a policy does beside the scripted ones, as a command

Needs the extra `training`, in an environment of its own; judging does not.
"""
