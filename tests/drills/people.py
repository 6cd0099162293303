"""People who play while mishaps happen to them, and what they expect.

Every other person has a slow connection, and decides at the last moment by the page's clock, if
there is one.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import math
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import requests

from tests.crowd.page import Page
from tests.crowd.visitor import Visitor, fetch
from tests.door.harness import Server
from tests.door.slow_line import SlowLine
from tests.drills.wave import Person, Wave, by_clock

__all__ = ["LINE_SECONDS", "PATIENCE_SECONDS", "SPARE", "TURN_SECONDS", "Accident", "People"]

PATIENCE_SECONDS = 300.0
LINE_SECONDS = 1.0
TURN_SECONDS = 1.5
LAST_MOMENT = (0.0, 0.1)
"""Seconds from a view to a decision on a slow connection. The turn ends 0.5 s after the view
arrives, so the decision reaches the server after its end."""

IN_TIME_SECONDS = 0.35
"""Remaining seconds that are enough for a decision, even on a busy machine."""

SLOWER_SECONDS = 2.5
"""Maximum time until a rejection. If it takes longer, the connection counts as slower than
before."""

SPARE = 4
"""Places in each session for people who open a link and never return."""

Accident = Callable[["People"], Awaitable[None]]
"""Function that causes one mishap."""


class People:
    """People who play, and their mishaps.

    counts   number of each mishap
    faults   results that people did not expect
    slow     pages on slow connections
    """

    def __init__(
        self, server: Server, line: SlowLine, draw: random.Random, accidents: Sequence[Accident]
    ) -> None:
        self.server, self.line, self.draw, self.accidents = server, line, draw, accidents
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.slow: list[Page] = []
        self.waves: list[Wave] = []
        self._tabs: dict[str, tuple[Person, Page]] = {}
        self._strays: Counter[str] = Counter()
        self._left: list[Accident] = []

    async def come(self, wave: Wave) -> None:
        """Move every other person of a new wave to the slow connection."""
        self.waves.append(wave)
        for person in wave.people[::2]:
            page = person.page
            page.url = self.line.url(page.url)
            if by_clock(person.game_id):
                page.think = lambda: self.draw.uniform(*LAST_MOMENT)
            self.slow.append(page)
            page.cut()

    async def act(self) -> None:
        """Cause the next mishap. Every mishap happens once before any is repeated."""
        if not self._left:
            self._left = self.draw.sample(self.accidents, len(self.accidents))
        accident = self._left.pop()
        self.counts[accident.__name__.replace("_", " ")] += 1
        try:
            await asyncio.wait_for(accident(self), PATIENCE_SECONDS)
        except (OSError, TimeoutError, requests.RequestException) as error:
            self.faults.append(f"{accident.__name__}: {type(error).__name__}: {error}")

    async def part(self) -> list[str]:
        """Return the faults found in second tabs and free places, after all plays are over."""
        faults = [fault for wave in self.waves for fault in await self._too_late(wave)]
        for person, tab in self._tabs.values():
            await asyncio.wait_for(tab.over.wait(), PATIENCE_SECONDS)
            tab.close()
            if _last(tab) != _last(person.page):
                faults.append(f"{person.page.url}: two tabs show different ends")
        for created in (session for wave in self.waves for session in wave.sessions):
            free, left = 0, SPARE - self._strays[created["code"]]
            while "/p/" in (await Visitor().follow(created["session_wide_url"])).page.url:
                free += 1
            if free != left:
                faults.append(
                    f"{created['app']}: {free} places are free, but nobody has opened {left}"
                )
        return faults

    async def _too_late(self, wave: Wave) -> list[str]:
        """Return the decisions made in time by the page's clock that did not count.

        They count as faults only if the server knew how slow the connection was.
        """
        created = next(entry for entry in wave.sessions if by_clock(entry["app"]))
        seats = {row["participant"]: _seat(row) for row in await self._rows("outcomes", created)}
        events = await self._rows("events", created)
        waits = [row for row in events if row["event"] == "slow_line"]

        def waited(person: Person, period: int) -> int:
            events = [row for row in waits if _seat(row) == seats[person.visitor.code]]
            events = [row for row in events if int(row["period"]) <= period]
            return int(json.loads(events[-1]["detail"])["wait_ms"]) if events else 0

        return [
            f"{person.visitor.code}: {late}, and the line was known to be slow"
            for person in wave.people
            if person.page in self.slow and by_clock(person.game_id)
            for late in person.page.late
            if waited(person, late.period) >= 1000 * LINE_SECONDS
            and late.left > LINE_SECONDS + IN_TIME_SECONDS  # a view takes that long
            and late.wait < SLOWER_SECONDS
        ]

    async def _rows(self, name: str, session: dict[str, Any]) -> list[dict[str, str]]:
        text = await asyncio.to_thread(self.server.table, name, session)
        return list(csv.DictReader(io.StringIO(text)))

    # -- helpers for the accidents --------------------------------------------------------------

    def somebody(self) -> Person:
        """Return one of the people who are playing now."""
        playing = [person for person in self.waves[-1].people if not person.page.over.is_set()]
        return self.draw.choice(playing or self.waves[-1].people)

    def somewhere(self) -> dict[str, Any]:
        """Return one of the sessions in play."""
        return self.draw.choice(self.waves[-1].sessions)

    async def look(self, person: Person, url: str, form: dict[str, str] | None = None) -> None:
        """Load or submit a page. A person who plays must be back at the table afterwards."""
        table = person.visitor.page.url
        answer = await fetch(url, form)
        if person.page.over.is_set():
            return
        if answer.status != 200 or answer.url != table:
            self.faults.append(f"{url}: {answer.status}, {answer.url} instead of {table}")

    def tab(self, person: Person) -> Page:
        """Open a second tab of a person, and close an existing one."""
        if person.visitor.code in self._tabs:
            self._tabs[person.visitor.code][1].close("abort")
        looks = by_clock(person.game_id)  # with a clock, the last choice of either tab counts
        think = (lambda: math.inf) if looks else person.page.think
        tab = Page(person.page.url, random.Random(self.draw.getrandbits(32)), think)
        tab.promises = person.page.promises
        self._tabs[person.visitor.code] = person, tab
        return tab

    def stray(self, code: str) -> bool:
        """Return whether another stray visitor may open a session's link, and count the visitor."""
        may = self._strays[code] < SPARE
        self._strays[code] += may
        return may


def _seat(row: dict[str, str]) -> tuple[str, str]:
    return row["group"], row["seat"]


def _last(page: Page) -> dict[str, Any]:
    """Return a page's content without time stamps."""
    whenever = ("sent_ms", "remaining_ms", "history", "shown")
    return {name: value for name, value in (page.view or {}).items() if name not in whenever}
