"""Trends of a server's memory and of the cost of a decision.

Besides the wait for an acknowledgement, the server's CPU time per decision is measured, including
all background work. CPU time is comparable even on a busy machine.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tests.crowd.processes import held, worked
from tests.door.harness import Server

__all__ = ["Held", "figures", "watched"]

WINDOWS = 30
"""Number of time intervals for which the cost is computed."""

SETTLED = 3
"""Slopes skip the first 1/SETTLED of the time, while histories fill up."""

Pairs = Sequence[tuple[float, float]]
"""Pairs of a time (seconds of `time.perf_counter`) and a value."""


class Held(NamedTuple):
    """A server's usage at a point in time: MB of memory, and CPU seconds so far."""

    when: float
    megabytes: float
    seconds: float


async def watched(server: Server, end: float) -> list[Held]:
    """Measure every second until `end`."""
    looks = []
    while (now := time.perf_counter()) < end:
        looks.append(Held(now, held(server), worked(server)))
        await asyncio.sleep(1.0)
    return looks


def figures(looks: Sequence[Held], waits: Pairs) -> dict[str, object]:
    """Return the memory, and a decision's wait and cost, each with its slope. `waits` are in
    seconds."""
    times = [(when, 1000 * wait) for when, wait in waits]
    costs = _costs(looks, [when for when, _ in waits])
    return {
        "MB": f"{looks[-1].megabytes:.0f}",
        "MB/hour": f"{_slope([(look.when, look.megabytes) for look in looks]):+.1f}",
        "median ms": f"{_middle([wait for _, wait in times]):.1f}",
        "ms/hour": f"{_slope(times):+.1f}",
        "cost ms": f"{_middle([cost for _, cost in costs]):.2f}",
        "cost/hour": f"{_slope(costs):+.2f}",
    }


def _costs(looks: Sequence[Held], acks: Sequence[float]) -> Pairs:
    """Return (time, CPU ms per acknowledged decision) of each interval."""
    ends = looks[:: max(len(looks) // WINDOWS, 1)]
    return [
        (later.when, 1000 * (later.seconds - earlier.seconds) / count)
        for earlier, later in itertools.pairwise(ends)
        if (count := sum(earlier.when <= when < later.when for when in acks))
    ]


def _middle(values: Sequence[float]) -> float:
    return statistics.median(values) if values else float("nan")


def _slope(values: Pairs) -> float:
    """Return the growth of a value per hour, by least squares, after it has settled."""
    later = np.array(values[len(values) // SETTLED :])
    if len(later) < 2:
        return float("nan")
    return float(3600 * np.polyfit(later[:, 0], later[:, 1], 1)[0])
