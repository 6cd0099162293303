"""Golden play with clamped contributions, and points for one seat, for all seats and for none."""

CONFIG = {
    "archetype": "lab",
    "seats": 3,
    "periods": 4,
    "marginal_return": 0.5,
    "instrumentation": {"verbose": True, "seat": 1},
}

SCRIPT = [
    {"contribution": [20, 20, 0], "assign": [[0, 0, 2], [0, 0, 3], [0, 0, 0]]},
    {"contribution": [10, 30, -5], "assign": [[0, 0, 10], [0, 0, 0], [1, 1, 0]]},
    {"contribution": [8, 8, 8], "assign": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]},
    {"contribution": [0, 20, 20], "assign": [[0, 4, 4], [4, 0, 4], [4, 4, 0]]},
]
