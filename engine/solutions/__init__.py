"""What the best, the selfish and the reckless would do: one module per game."""
