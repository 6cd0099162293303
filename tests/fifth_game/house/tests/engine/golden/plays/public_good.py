"""Golden play with one and two lowest seats, equal contributions, and punishment that is clamped,
forbidden or aimed at oneself.
"""

CONFIG = {
    "archetype": "lab",
    "seats": 3,
    "periods": 6,
    "marginal_return": 0.5,
    "instrumentation": {"verbose": True, "seat": 1},
}

SCRIPT = [
    {"contribution": [20, 20, 0], "punishment": [0, 0, 0]},
    {"contribution": [10, 30, -5], "punishment": [2, 9, 3]},
    {"contribution": [5, 5, 20], "punishment": [1, 0, 0]},
    {"contribution": [0, 20, 20], "punishment": [1, 2, 4]},
    {"contribution": [8, 8, 8], "punishment": [5, 0, 1]},
    {"contribution": [20, 20, 20], "punishment": [5, 5, 5]},
]
