"""How a server's memory, and what it takes for a decision, change while time passes.

Beside the wait for an acknowledgement stands what the server uses of a processor for one, with all
that goes on beside it: on a machine with other work that is what can be compared.
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
"""So many parts of the time have each a cost of their own."""

SETTLED = 3
"""The slopes are those after the first part in so many: until then histories fill."""

Pairs = Sequence[tuple[float, float]]
"""(when, how much): seconds of `time.perf_counter`, and a number."""


class Held(NamedTuple):
    """What a server held when: MB of memory, and seconds of a processor used so far."""

    when: float
    megabytes: float
    seconds: float


async def watched(server: Server, end: float) -> list[Held]:
    """Look every second, until `end`."""
    looks = []
    while (now := time.perf_counter()) < end:
        looks.append(Held(now, held(server), worked(server)))
        await asyncio.sleep(1.0)
    return looks


def figures(looks: Sequence[Held], waits: Pairs) -> dict[str, object]:
    """Memory, wait and cost of a decision, each with its slope; `waits` in seconds, by time."""
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
    """(when, ms of a processor for an acknowledged decision) of each part of the time."""
    ends = looks[:: max(len(looks) // WINDOWS, 1)]
    return [
        (later.when, 1000 * (later.seconds - earlier.seconds) / count)
        for earlier, later in itertools.pairwise(ends)
        if (count := sum(earlier.when <= when < later.when for when in acks))
    ]


def _middle(values: Sequence[float]) -> float:
    return statistics.median(values) if values else float("nan")


def _slope(values: Pairs) -> float:
    """By how much a value grows in an hour, by least squares, once it has settled."""
    later = np.array(values[len(values) // SETTLED :])
    if len(later) < 2:
        return float("nan")
    return float(3600 * np.polyfit(later[:, 0], later[:, 1], 1)[0])
