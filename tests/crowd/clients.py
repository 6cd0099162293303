"""Many pages observed for some time: their waiting times, and what they cost the server.

    measured(server, urls, seconds=4)

The clients run in a separate process from the server. Two more measurements show whether
the clients limit the results: their CPU share, and the lag of their loop for short timers (95th
percentile).
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tests.crowd.page import Page
from tests.crowd.processes import Running, worked
from tests.loops import complete

__all__ = ["Crowd", "Measured", "measured", "percentile"]

PROBE_SECONDS = 0.005
AT_ONCE = 20
PATIENCE_SECONDS = 120.0


@dataclass(frozen=True)
class Crowd:
    """People who play, and how they play.

    urls      live channels, one per person
    think     minimum and maximum number of seconds from a view to the decision
    page      the page that they have open
    looking   live channels of people who only keep their page open and decide nothing
    """

    urls: Sequence[str]
    think: tuple[float, float] = (0.0, 0.0)
    page: type[Page] = Page
    looking: Sequence[str] = ()


class Measured(NamedTuple):
    """Measurements; times in ms, in the order of arrival.

    acks      waits from a decision to its reply
    turns     waits from the deadline of a period to the view of the next one
    rate      decisions per second
    sent      messages per second
    cost      CPU ms of the server per decision
    share     CPU share of the clients
    late      lag of the clients' event loop
    period    average period reached
    """

    acks: list[float]
    turns: list[float]
    rate: float
    sent: float
    cost: float
    share: float
    late: float
    period: float


def percentile(values: Sequence[float], percent: int) -> float:
    """Return a percentile, or NaN for fewer than two values."""
    if len(values) < 2:
        return float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def measured(
    server: Running, crowd: Crowd, seconds: float = 4.0, warm: float = 1.0, seed: int = 1
) -> Measured:
    """Measure for `seconds`. Start once everyone has had a reply and `warm` more seconds have
    passed.

    Raise RuntimeError if the server's code raised an exception, TimeoutError if it does not answer.
    """
    return complete(_measure(server, crowd, seconds, warm, seed))


async def _measure(
    server: Running, crowd: Crowd, seconds: float, warm: float, seed: int
) -> Measured:
    pages = _pages(crowd, random.Random(seed))
    for start in range(0, len(pages), AT_ONCE):
        await asyncio.gather(*(page.open() for page in pages[start : start + AT_ONCE]))
    for page in pages[: len(crowd.urls)]:
        await asyncio.wait_for(page.answered.wait(), PATIENCE_SECONDS)
    await asyncio.sleep(warm)
    begin, used, client_seconds = time.perf_counter(), worked(server), time.process_time()
    messages = sum(page.messages for page in pages)
    late = 1000 * percentile(await _lateness(seconds), 95)
    end, used, client_seconds = (
        time.perf_counter(),
        worked(server) - used,
        time.process_time() - client_seconds,
    )
    messages = sum(page.messages for page in pages) - messages
    for page in pages:
        page.close("abort")
    await asyncio.sleep(0)
    if any(page.raised for page in pages):
        raise RuntimeError("the server's code raised an exception; see its log")
    lasted, deciding = end - begin, pages[: len(crowd.urls)]
    acks = _waits([pair for page in deciding for pair in page.acks], begin, end)
    turns = _waits([pair for page in deciding for pair in page.turns], begin, end)
    cost = 1000 * used / max(len(acks), 1)
    period = statistics.mean(page.view["period"] if page.view else 0 for page in deciding)
    rates = len(acks) / lasted, messages / lasted
    return Measured(acks, turns, *rates, cost, client_seconds / lasted, late, period)


def _pages(crowd: Crowd, draw: random.Random) -> list[Page]:
    deciding = [
        crowd.page(url, random.Random(draw.getrandbits(32)), lambda: draw.uniform(*crowd.think))
        for url in crowd.urls
    ]
    looking = [Page(url, draw, lambda: float("inf")) for url in crowd.looking]
    return [*deciding, *looking]


def _waits(pairs: Sequence[tuple[float, float]], begin: float, end: float) -> list[float]:
    """Return the waits in ms that ended within this interval, from pairs (time, duration)."""
    return [1000 * wait for when, wait in sorted(pairs) if begin <= when < end]


async def _lateness(seconds: float) -> list[float]:
    """Return the lag of many short timers during this interval, in seconds."""
    end, late = time.perf_counter() + seconds, []
    while (start := time.perf_counter()) < end:
        await asyncio.sleep(PROBE_SECONDS)
        late.append(time.perf_counter() - start - PROBE_SECONDS)
    return late
