"""Contributions: at the baseline, clamped, defection by one seat and by all, and a return to the
baseline.
"""

# Responses are exactly -1, 0 and 1, and the good has no logarithm. The last digit of numpy's tanh
# and log depends on the processor, and a golden record must hold on all processors.
CONFIG = {
    "archetype": "source",
    "seats": 3,
    "periods": 6,
    "endowment": [100.0, 100.0, 80.0],
    "dependence": [[0.0, 0.5, 0.25], [0.5, 0.0, 0.25], [0.5, 0.5, 0.0]],
    "production": "public_good",
    "eta": 2.0,
    "kappa": 4.0,
    "memory": 2,
    "instrumentation": {"verbose": True, "seat": 1},
}

SCRIPT = [
    {"contribution": [40, 40, 40]},
    {"contribution": [120, 70, 90]},
    {"contribution": [0, 40, 40]},
    {"contribution": [0, 40, 80]},
    {"contribution": [-1, 0, 0]},
    {"contribution": [40, 40, 40]},
]
