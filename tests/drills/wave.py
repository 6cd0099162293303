"""Waves of people who play every game while the server suffers one failure after another.

A wave has one session of each game, and the people play to the end and look at their results. Waves
follow each other until all failures have happened. At the end the export must contain:

* every acknowledged decision exactly once, as it was sent (`tests.crowd.promises`);
* every period once, with every number that follows from config, seed and actions
  (`analysis.audit`);
* the end of every play and the payment of every person: no page was stuck.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import requests

from mixed_company import engine
from mixed_company.analysis.audit import audited
from mixed_company.analysis.audit.wording import wrong
from mixed_company.analysis.data import Data
from mixed_company.analysis.reading import load
from tests.crowd.page import Page
from tests.crowd.places import config_of, lasting, seated, session
from tests.crowd.promises import Promised, Promises
from tests.crowd.visitor import Visitor
from tests.door.harness import Server
from tests.drills.drill import Report

__all__ = ["Person", "Size", "Wave", "by_clock", "differences", "struck", "to_results"]

PATIENCE_SECONDS = 300.0
RETRY_SECONDS = 0.3
COMING_SECONDS = (0.5, 4.0)

Blow = Callable[[], Awaitable[None]]
"""Function that causes one failure of a server, and returns when the server can continue."""


@dataclass(frozen=True)
class Size:
    """Amount of play in a wave.

    groups    groups per game, of two people and bots
    periods   periods per play
    think     minimum and maximum number of seconds from a view to a decision
    pause     minimum and maximum number of seconds between recovery and the next failure
    turn      seconds for a decision in games with a clock; other games have no limit
    spare     places that remain free in each session
    grace     seconds without contact before a person counts as gone
    """

    groups: int = 2
    periods: int = 30
    think: tuple[float, float] = (0.05, 0.3)
    pause: tuple[float, float] = (0.05, 1.5)
    turn: float = 0.5
    spare: int = 0
    grace: float = 600.0


@dataclass(frozen=True)
class Person:
    """Participant, with the page that he or she plays on."""

    game_id: str
    visitor: Visitor
    page: Page

    @property
    def code(self) -> str:
        """oTree's code of the participant."""
        return self.visitor.code

    @property
    def promises(self) -> Promises:
        """Messages that this person sent, and their acknowledgements."""
        return self.page.promises

    @property
    def raised(self) -> int:
        """Number of errors in code that ran for this person."""
        return self.page.raised


@dataclass
class Wave:
    """Sessions and people in a wave."""

    sessions: list[dict[str, Any]] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)

    @classmethod
    async def begin(
        cls, server: Server, size: Size, draw: random.Random, patient: bool = False
    ) -> Wave:
        """Let everyone arrive, meet and take their seats, and then start deciding together.

        If `patient`, keep trying while the server is down.
        """
        wave = cls()
        for game_id in sorted(
            engine.game_ids(), key=by_clock
        ):  # last, because a clock starts without waiting
            changes = {
                **lasting(game_id, size.periods),
                "people_per_group": 2,
                "grace_seconds": size.grace,
                "decision_seconds": size.turn if by_clock(game_id) else 0.0,
            }
            people = 2 * size.groups
            places = people + size.spare
            create = partial(session, server, game_id, places, **changes)
            created = await (_created(create) if patient else asyncio.to_thread(create))
            wave.sessions.append(created)
            for visitor in await seated(created["session_wide_url"], people, patient):
                page = _page(visitor, random.Random(draw.getrandbits(32)), size.think)
                page.holds = True
                wave.people.append(Person(game_id, visitor, page))
                await _open(page)
        for person in wave.people:
            person.page.holds = False
            person.page.next()
        return wave

    async def back(self) -> None:
        """Wait until every page has a view again."""
        for person in self.people:
            while not (person.page.seen.is_set() or person.page.over.is_set()):
                await asyncio.sleep(0.01)

    async def end(self) -> None:
        """Wait until all plays are over and everyone sees the results."""
        await asyncio.gather(*(person.page.over.wait() for person in self.people))
        for person in self.people:
            person.page.close()
        await asyncio.gather(*(to_results(person.visitor) for person in self.people))


def by_clock(game_id: str) -> bool:
    """Return whether the periods of this game's session end by the clock."""
    return bool(config_of(game_id).get("pace") == "clock")


async def _created(create: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Create a session. If there is no response, try again, which may create a second one."""
    while True:
        try:
            return await asyncio.to_thread(create)
        except (requests.RequestException, RuntimeError):
            await asyncio.sleep(RETRY_SECONDS)


def _page(visitor: Visitor, draw: random.Random, think: tuple[float, float]) -> Page:
    return Page(visitor.live_url(), draw, lambda: draw.uniform(*think))


async def _open(page: Page) -> None:
    """Connect, trying as often as necessary while the server is down."""
    while not page.messages:
        try:
            await page.open()
        except (OSError, TimeoutError):
            await asyncio.sleep(RETRY_SECONDS)


async def to_results(visitor: Visitor) -> None:
    """Go on to the results, trying as often as necessary while the server is down."""
    while visitor.name != "Results" or visitor.page.status != 200:
        try:
            await visitor.next()
        except (OSError, TimeoutError, IndexError):
            await asyncio.sleep(RETRY_SECONDS)
        if visitor.page.status != 200:
            await asyncio.sleep(RETRY_SECONDS)


async def struck(
    server: Server,
    blow: Blow,
    blows: int,
    size: Size,
    seed: int,
    begun: Callable[[Wave], Awaitable[None]] | None = None,
    coming: bool = False,
) -> Report:
    """Cause this many failures, in as many waves as necessary; call `begun` at the start of each.

    If `coming`, cause up to half of them while sessions are created and people arrive. Raise
    RuntimeError with the end of the server's log if pages are stuck.
    """
    draw = random.Random(seed)
    waves: list[Wave] = []
    away: list[float] = []
    while len(away) < blows:
        beginning = asyncio.create_task(Wave.begin(server, size, draw, patient=coming))
        while coming and not beginning.done() and len(away) < blows // 2:
            await asyncio.wait([beginning], timeout=draw.uniform(*COMING_SECONDS))
            start = time.perf_counter()
            await blow()
            away.append(time.perf_counter() - start)
        wave = await asyncio.wait_for(beginning, PATIENCE_SECONDS)
        waves.append(wave)
        if begun is not None:
            await begun(wave)
        playing = asyncio.create_task(wave.end())
        while len(away) < blows:
            await asyncio.wait([playing], timeout=draw.uniform(*size.pause))
            if playing.done():
                break
            start = time.perf_counter()
            await blow()
            await _soon(wave.back(), server)
            away.append(time.perf_counter() - start)
        await _soon(playing, server)
    codes = [created["code"] for wave in waves for created in wave.sessions]
    people = [person for wave in waves for person in wave.people]
    faults = await asyncio.to_thread(lambda: list(differences(server, codes, people)))
    pages = [person.page for person in people]
    figures = {
        "database": "SQLite" if server.database_url is None else "PostgreSQL",
        "disruptions": len(away),
        "plays": len(people) // 2,
        "acked": sum(len(page.promises.acknowledged) for page in pages),
        "max outage s": f"{max(away):.1f}",
        "max wait s": f"{max(wait for page in pages for _, wait in page.acks):.1f}",
    }
    return Report(figures, faults)


async def _soon(awaited: Awaitable[None], server: Server) -> None:
    try:
        await asyncio.wait_for(awaited, PATIENCE_SECONDS)
    except TimeoutError:
        ended = server.process is None or server.process.poll() is not None
        state = "has ended" if ended else "runs"
        raise RuntimeError(
            f"pages are stuck; the server {state}:\n{server.log()[-4000:]}"
        ) from None


def differences(
    server: Server, codes: Sequence[str], people: Sequence[Promised], over: bool = True
) -> Iterator[str]:
    """Yield the differences between what happened in these sessions and their export.

    over   whether all plays have ended with everyone present
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.zip"
        path.write_bytes(server.archive(*codes))
        codes_of_people = {"", *(person.code for person in people)}
        for game_id in engine.game_ids():
            data = load(path, game_id)
            audit = audited(data)
            # drills interrupt plays on purpose, and some people and places have no seat
            others = [
                problem
                for problem in audit.problems
                if problem.kind not in ("interrupted", "unopened")
                and "have no seat; only the server's key" not in problem.what
                and problem.participant in codes_of_people
            ]
            problems = others if over else wrong(audit)
            yield from (f"{game_id}: {problem}" for problem in problems)
            for person in people:
                if person.game_id == game_id:
                    yield from _broken(person, data, over)


def _broken(person: Promised, data: Data, over: bool) -> Iterator[str]:
    """Yield the promises to a person that the export breaks."""
    own_decisions = data.decisions[data.decisions["participant"] == person.code]
    name = f"{person.game_id}, {person.code}"
    for line in person.promises.differences(own_decisions.to_dict("records"), over):
        yield f"{name}: {line}"
    if person.raised:
        yield f"{name}: code raised {person.raised} times"
