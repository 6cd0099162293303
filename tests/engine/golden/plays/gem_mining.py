"""Choices: every village at home, neighbours together, three at one mine, both ends of the row."""

# Bonus and truncation need no rounding, because the last digit of numpy's functions depends on the
# processor, and a golden record must hold on all processors.
CONFIG = {
    "seats": 4,
    "gem_types": 3,
    "periods": 5,
    "worker_bonus": 1.5,
    "truncation": 0.75,
    "weights": [1.0, 2.0, 0.5],
    "information": "all",
    "known_probabilities": True,
    "instrumentation": {"verbose": True, "seat": 1},
}

SCRIPT = [
    {"mine": [0, 1, 2, 3]},
    {"mine": [1, 1, 3, 3]},
    {"mine": [1, 2, 2, 4]},
    {"mine": [0, 2, 2, 3]},
    {"mine": [1, 2, 3, 4]},
]
