"""Small data frames for tests of the statistics."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd


def per_group(**treatments: Sequence[float]) -> pd.DataFrame:
    """Return one row per group with the values of each treatment."""
    rows = [(name, value) for name, values in treatments.items() for value in values]
    return pd.DataFrame(
        {
            "session": "s",
            "group": range(len(rows)),
            "treatment": [name for name, _ in rows],
            "points": [value for _, value in rows],
        }
    )


def clustered(
    seed: int,
    groups: Mapping[str, int],
    shift: float = 0.0,
    between: float = 1.0,
    seats: int = 4,
    periods: int = 5,
) -> pd.DataFrame:
    """Return decisions whose groups differ by `between`, and whose seats and periods differ by 1
    (standard deviations). `shift` is added to the second treatment."""
    rng = np.random.default_rng(seed)
    parts = []
    numbers = itertools.count()
    for place, (name, count) in enumerate(groups.items()):
        for _ in range(count):
            part = pd.DataFrame(
                itertools.product(range(seats), range(periods)), columns=["seat", "period"]
            )
            values = rng.normal(scale=between) + rng.normal(size=seats)[part["seat"]]
            part["points"] = values + rng.normal(size=len(part)) + place * shift
            parts.append(part.assign(session="s", group=next(numbers), treatment=name))
    return pd.concat(parts, ignore_index=True)
