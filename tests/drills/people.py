"""Those who play while accidents happen to them, and what they expect.

Every other person is on a slow line, and decides at the last moment by the own page's clock, where
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
"""A turn is over 0.5 s after its view has come on such a line; what is decided then comes later."""

IN_TIME_SECONDS = 0.35
"""Who decided so long before the end has time enough on a machine that has other work."""

SLOWER_SECONDS = 2.5
"""A decision that took longer to be refused was on a line that was slower than it had been."""

SPARE = 4
"""Places of each session for those who open a link and never come again."""

Accident = Callable[["People"], Awaitable[None]]
"""Something that happens to somebody."""


class People:
    """Those who play, and what they do besides.

    counts   how often each accident happened
    faults   what they did not expect
    slow     the pages on slow lines
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
        """A wave has begun: every other person goes to where the line is slow."""
        self.waves.append(wave)
        for person in wave.people[::2]:
            page = person.page
            page.url = self.line.url(page.url)
            if by_clock(person.game_id):
                page.think = lambda: self.draw.uniform(*LAST_MOMENT)
            self.slow.append(page)
            page.cut()

    async def act(self) -> None:
        """The next accident; all of them once before any comes again."""
        if not self._left:
            self._left = self.draw.sample(self.accidents, len(self.accidents))
        accident = self._left.pop()
        self.counts[accident.__name__.replace("_", " ")] += 1
        try:
            await asyncio.wait_for(accident(self), PATIENCE_SECONDS)
        except (OSError, TimeoutError, requests.RequestException) as error:
            self.faults.append(f"{accident.__name__}: {type(error).__name__}: {error}")

    async def part(self) -> list[str]:
        """All plays are over: what second tabs show in the end, and which places are free."""
        faults = [fault for wave in self.waves for fault in await self._too_late(wave)]
        for person, tab in self._tabs.values():
            await asyncio.wait_for(tab.over.wait(), PATIENCE_SECONDS)
            tab.close()
            if _last(tab) != _last(person.page):
                faults.append(f"{person.page.url}: two tabs show another end")
        for own in (own for wave in self.waves for own in wave.sessions):
            free, left = 0, SPARE - self._strays[own["code"]]
            while "/p/" in (await Visitor().follow(own["session_wide_url"])).page.url:
                free += 1
            if free != left:
                faults.append(f"{own['app']}: {free} places are free, nobody has opened {left}")
        return faults

    async def _too_late(self, wave: Wave) -> list[str]:
        """The decisions that were pressed in time by the own page's clock and did not count, though
        the server knew how slow the line was."""
        own = next(each for each in wave.sessions if by_clock(each["app"]))
        seats = {row["participant"]: _seat(row) for row in await self._rows("outcomes", own)}
        events = await self._rows("events", own)
        waits = [row for row in events if row["event"] == "slow_line"]

        def waited(person: Person, period: int) -> int:
            known = [row for row in waits if _seat(row) == seats[person.visitor.code]]
            known = [row for row in known if int(row["period"]) <= period]
            return int(json.loads(known[-1]["detail"])["wait_ms"]) if known else 0

        return [
            f"{person.visitor.code}: {late}, and the line was known to be slow"
            for person in wave.people
            if person.page in self.slow and by_clock(person.game_id)
            for late in person.page.late
            if waited(person, late.period) >= 1000 * LINE_SECONDS
            and late.left > LINE_SECONDS + IN_TIME_SECONDS  # a view is on its way for as long
            and late.wait < SLOWER_SECONDS
        ]

    async def _rows(self, name: str, session: dict[str, Any]) -> list[dict[str, str]]:
        text = await asyncio.to_thread(self.server.table, name, session)
        return list(csv.DictReader(io.StringIO(text)))

    # -- what they need for it ----------------------------------------------------------------

    def somebody(self) -> Person:
        """One of those who play now."""
        playing = [each for each in self.waves[-1].people if not each.page.over.is_set()]
        return self.draw.choice(playing or self.waves[-1].people)

    def somewhere(self) -> dict[str, Any]:
        """One of the sessions that are played now."""
        return self.draw.choice(self.waves[-1].sessions)

    async def look(self, person: Person, url: str, form: dict[str, str] | None = None) -> None:
        """Load a page, or hand it in again: whoever plays is at the table after that."""
        table = person.visitor.page.url
        answer = await fetch(url, form)
        if person.page.over.is_set():
            return
        if answer.status != 200 or answer.url != table:
            self.faults.append(f"{url}: {answer.status}, {answer.url} and not {table}")

    def tab(self, person: Person) -> Page:
        """A second tab of a person; the one there was is closed."""
        if person.visitor.code in self._tabs:
            self._tabs[person.visitor.code][1].close("abort")
        looks = by_clock(person.game_id)  # there the choice that comes last counts, of either
        think = (lambda: math.inf) if looks else person.page.think
        tab = Page(person.page.url, random.Random(self.draw.getrandbits(32)), think)
        tab.promises = person.page.promises
        self._tabs[person.visitor.code] = person, tab
        return tab

    def stray(self, code: str) -> bool:
        """May one more open the link of a session and never come again? Then that is counted."""
        may = self._strays[code] < SPARE
        self._strays[code] += may
        return may


def _seat(row: dict[str, str]) -> tuple[str, str]:
    return row["group"], row["seat"]


def _last(page: Page) -> dict[str, Any]:
    """What a page shows now, whenever it was sent."""
    whenever = ("sent_ms", "remaining_ms", "history", "shown")
    return {name: each for name, each in (page.view or {}).items() if name not in whenever}
