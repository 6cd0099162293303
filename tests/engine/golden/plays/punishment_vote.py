"""Votes, and moves onto resources, into walls and seats, and by two seats onto one resource."""

CONFIG = {
    "seats": 3,
    "turns": 8,
    "height": 6,
    "width": 7,
    "vision": 1,
    "map_memory": True,
    "punishment": "lottery",
    "initial_resources": 7,
    "spawn_probability": 0.1,
    "initial_level": 0.5,
    "instrumentation": {"verbose": True, "seat": 1},
}

SCRIPT = [
    {"action": [3, 1, 0]},
    {"action": [2, 4, 4]},
    {"action": [3, 2, 1]},
    {"action": [3, 5, 2]},
    {"action": [5, 5, 5]},
    {"action": [0, 0, 1]},
    {"action": [2, 5, 5]},
    {"action": [4, 2, 6]},
]
