"""Rates measured alternately in one run, with their ratios to the first."""

from __future__ import annotations

import statistics
from collections.abc import Callable

__all__ = ["compare"]

ROUNDS = 5


def compare(rows: dict[str, Callable[[], float]], theirs: str, rounds: int = ROUNDS) -> None:
    """Print the median rates of rows that alternate, with their ratios to the first row.

    `rows` maps a name to a function that measures steps per second; `theirs` names the first row.
    """
    measured: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, measure in rows.items():
            measured[name].append(measure())
    base = next(iter(measured.values()))
    heading = f"x {theirs}"
    print(f"{'':30s}{'steps/s':>14s}{'us/step':>10s}{heading:>16s}")
    for name, rates in measured.items():
        rate = statistics.median(rates)
        ratio = statistics.median(a / b for a, b in zip(rates, base, strict=True))
        print(f"{name:30s}{rate:14,.0f}{1e6 / rate:10.3f}{ratio:16.2f}")
