"""Harvests and contributions: ordinary, clamped, and above the stock."""

CONFIG = {
    "archetype": "governed",
    "seats": 4,
    "periods": 8,
    "initial_wealth": 5.0,
    "stock_noise": 10.0,
    "instrumentation": {"verbose": True, "seat": 1},
}

SCRIPT = [
    {"harvest": [2, 3, 4, 5], "contribution": [0, 1, 2, 3]},
    {"harvest": [2.5, 2.5, 2.5, 2.5], "contribution": [0.5, 0.5, 0.5, 0.5]},
    {"harvest": [10, 10, 12, -1], "contribution": [0, 0, 99, -5]},
    {"harvest": [10, 10, 10, 10], "contribution": [0, 0, 0, 0]},
    {"harvest": [10, 10, 10, 10], "contribution": [0, 0, 0, 0]},
    {"harvest": [10, 10, 10, 10], "contribution": [10, 10, 0, 0]},
    {"harvest": [1, 0, 1, 0], "contribution": [1, 1, 1, 1]},
    {"harvest": [7, 7, 7, 7], "contribution": [0.1, 0.2, 0.3, 0.4]},
]
