"""Waiting times when forty people request a page within the same second.

    python -m benchmarks.loads [database [people]]

The pages are the first page of each game (with all files that it links to), the questions, and the
results of a two-period play. A wait is the time from the request to the last byte, redirects
included. `cost` is the server's CPU time per request; `oTree` is the cost of an empty oTree page
(`bare`, as the first or a later page) as a share of this cost.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable, Sequence

from benchmarks.served import BARE, arguments, bare_session, served
from mixed_company import engine
from tests.crowd.clients import percentile
from tests.crowd.page import Page
from tests.crowd.places import lasting, seated, session
from tests.crowd.processes import worked
from tests.crowd.visitor import Visitor, fetch
from tests.door.harness import Server

HEAD = "page                            p50 ms   p95 ms   max ms   cost ms   oTree"
FILES_AT_ONCE = 6
"""Number of parallel downloads in a browser."""


async def _at_once(
    server: Server, loads: Sequence[Callable[[], Awaitable[object]]]
) -> tuple[list[float], float]:
    """Start all loads within a second. Return the time of each load and the server's CPU time per
    load, in ms."""
    waits: list[float] = []

    async def start_load(load: Callable[[], Awaitable[object]]) -> None:
        await asyncio.sleep(random.random())
        start = time.perf_counter()
        await load()
        waits.append(1000 * (time.perf_counter() - start))

    used = worked(server)
    await asyncio.gather(*(start_load(load) for load in loads))
    return sorted(waits), 1000 * (worked(server) - used) / len(loads)


async def _first(visitor: Visitor, link: str) -> None:
    """Load the first page and the files that it links to."""
    await visitor.follow(link)
    files = sorted(set(re.findall(r'(?:src|href)="(/static/[^"]+)"', visitor.page.text)))
    for start in range(0, len(files), FILES_AT_ONCE):
        base = visitor.page.url.split("/p/")[0]
        await asyncio.gather(*(fetch(base + path) for path in files[start:][:FILES_AT_ONCE]))


async def _played(server: Server, game_id: str, people: int) -> list[Visitor]:
    """Return people who finished a two-period play but have not requested the results yet."""
    changes = {**lasting(game_id, 2), "pace": "answers", "people_per_group": 1}
    created = await asyncio.to_thread(session, server, game_id, people, **changes)
    visitors = await seated(created["session_wide_url"], people)
    pages = [Page(visitor.live_url(), random.Random(1), lambda: 0.0) for visitor in visitors]
    for page in pages:
        await page.open()
        await page.over.wait()
        page.close()
    return visitors


async def _measure(server: Server, people: int) -> None:
    link = (await asyncio.to_thread(bare_session, server, people))["session_wide_url"]
    comers = [Visitor() for _ in range(people)]
    waits, first = await _at_once(server, [lambda v=v: _first(v, link) for v in comers])  # type: ignore[misc]
    _show(f"{BARE}, first", waits, first, first)
    waits, later = await _at_once(server, [v.next for v in comers])
    _show(f"{BARE}, later", waits, later, later)
    for game_id in engine.game_ids():
        changes = {"people_per_group": 1, "quiz": True}
        created = await asyncio.to_thread(session, server, game_id, people, **changes)
        link = created["session_wide_url"]
        comers = [Visitor() for _ in range(people)]
        loads: list[Callable[[], Awaitable[None]]]
        loads = [lambda v=v, link=link: _first(v, link) for v in comers]  # type: ignore[misc]
        _show(f"{game_id}, instructions", *await _at_once(server, loads), first)
        _show(f"{game_id}, quiz", *await _at_once(server, [v.next for v in comers]), later)
        comers = await _played(server, game_id, people)
        _show(f"{game_id}, results", *await _at_once(server, [v.next for v in comers]), later)


def _show(page: str, waits: Sequence[float], cost: float, bare: float) -> None:
    middle, late, longest = percentile(waits, 50), percentile(waits, 95), waits[-1]
    print(
        f"{page:30s} {middle:7.0f} {late:8.0f} {longest:8.0f} {cost:9.1f} "
        f"{100 * bare / cost:6.0f}%",
        flush=True,
    )


def main() -> None:
    name, (people, *_) = arguments(40)
    with served(name) as server:
        print(f"{name}: {people:g} people in the same second\n{HEAD}")
        asyncio.run(_measure(server, int(people)))


if __name__ == "__main__":
    main()
