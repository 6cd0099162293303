"""How trained policies are made and judged; the only place that imports torch.

    plan           what is to be trained, and the card of it
    learning       the training with PPO of Stable-Baselines3, and checkpoints of it; a network that
                   learns to reply to a policy
    classroom      the environments that it learns in: what it sees and remembers, and its reward
    imitation      how a network learns to do as a written policy does
    scaling        observations in units of their fields as numbers that a network can take
    paths          how near things are on the cells around a seat
    export         the network as an ONNX model
    crossplay      how policies of several training seeds do among each other
    judge          how a policy does beside the scripted ones

`mixed train` and `mixed judge` are its commands. Training needs the extra `training`, in an
environment without oTree; judging does not.
"""
