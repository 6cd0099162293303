"""The parts of the sanctions game (`engine.games.sanctions`): its parameters and its equations."""
