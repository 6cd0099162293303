"""People play every game while a server is struck again and again.

A wave is a session of each game, all of whose people play to the end and look at their results.
While there are blows left, wave follows on wave. In the end the export has to hold all of it:

* every decision that was acknowledged, once, as it was sent (`tests.crowd.promises`);
* every period once, and every number as config, seed and actions give it (`analysis.audit`);
* every play to its end, and every person paid: no page stood still.
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
"""What is done to a server once; it returns when the server could go on."""


@dataclass(frozen=True)
class Size:
    """How much is played in a wave.

    groups    of each game, of two people and bots
    periods   of each play
    think     least and most seconds from a view to a decision
    pause     least and most seconds from when all are back to the next blow
    turn      seconds for a decision where periods end by the clock; elsewhere there is no limit
    spare     places of each session that nobody of them takes
    grace     seconds that a person may not be heard of
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
    """Who plays: a participant, and the page that he or she plays at."""

    game_id: str
    visitor: Visitor
    page: Page

    @property
    def code(self) -> str:
        """oTree's code of the participant."""
        return self.visitor.code

    @property
    def promises(self) -> Promises:
        """What was sent, and what was promised."""
        return self.page.promises

    @property
    def raised(self) -> int:
        """How often code failed that this person came by."""
        return self.page.raised


@dataclass
class Wave:
    """The sessions and the people of a wave."""

    sessions: list[dict[str, Any]] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)

    @classmethod
    async def begin(
        cls, server: Server, size: Size, draw: random.Random, patient: bool = False
    ) -> Wave:
        """Everybody comes, meets, and sits down, and when all have, they begin to decide.

        `patient`: also where the server is away meanwhile.
        """
        wave = cls()
        for game_id in sorted(engine.game_ids(), key=by_clock):  # a clock waits for nobody
            changes = {
                **lasting(game_id, size.periods),
                "people_per_group": 2,
                "grace_seconds": size.grace,
                "decision_seconds": size.turn if by_clock(game_id) else 0.0,
            }
            people = 2 * size.groups
            places = people + size.spare
            create = partial(session, server, game_id, places, **changes)
            own = await (_created(create) if patient else asyncio.to_thread(create))
            wave.sessions.append(own)
            for visitor in await seated(own["session_wide_url"], people, patient):
                page = _page(visitor, random.Random(draw.getrandbits(32)), size.think)
                page.holds = True
                wave.people.append(Person(game_id, visitor, page))
                await _open(page)
        for person in wave.people:
            person.page.holds = False
            person.page.next()
        return wave

    async def back(self) -> None:
        """Wait until every page shows something again."""
        for person in self.people:
            while not (person.page.seen.is_set() or person.page.over.is_set()):
                await asyncio.sleep(0.01)

    async def end(self) -> None:
        """Wait until all plays are over, and everybody sees the results."""
        await asyncio.gather(*(person.page.over.wait() for person in self.people))
        for person in self.people:
            person.page.close()
        await asyncio.gather(*(to_results(person.visitor) for person in self.people))


def by_clock(game_id: str) -> bool:
    """Do the periods of this game's session end by the clock?"""
    return bool(config_of(game_id).get("pace") == "clock")


async def _created(create: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """A session; who is told nothing asks again, and may get two."""
    while True:
        try:
            return await asyncio.to_thread(create)
        except (requests.RequestException, RuntimeError):
            await asyncio.sleep(RETRY_SECONDS)


def _page(visitor: Visitor, draw: random.Random, think: tuple[float, float]) -> Page:
    return Page(visitor.live_url(), draw, lambda: draw.uniform(*think))


async def _open(page: Page) -> None:
    """Open it, as often as it takes: the server may be away."""
    while not page.messages:
        try:
            await page.open()
        except (OSError, TimeoutError):
            await asyncio.sleep(RETRY_SECONDS)


async def to_results(visitor: Visitor) -> None:
    """Go on, as often as it takes: the server may be away."""
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
    """Strike so often, in as many waves as it takes; `begun` is told when one has begun.

    `coming`: also while sessions are created and people come, up to half of the times.

    Raises RuntimeError, with the end of the server's log, where pages stand still.
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
    codes = [own["code"] for wave in waves for own in wave.sessions]
    people = [person for wave in waves for person in wave.people]
    faults = await asyncio.to_thread(lambda: list(differences(server, codes, people)))
    pages = [person.page for person in people]
    figures = {
        "database": "SQLite" if server.database_url is None else "PostgreSQL",
        "blows": len(away),
        "plays": len(people) // 2,
        "acked": sum(len(page.promises.acknowledged) for page in pages),
        "most away s": f"{max(away):.1f}",
        "most wait s": f"{max(wait for page in pages for _, wait in page.acks):.1f}",
    }
    return Report(figures, faults)


async def _soon(awaited: Awaitable[None], server: Server) -> None:
    try:
        await asyncio.wait_for(awaited, PATIENCE_SECONDS)
    except TimeoutError:
        ended = server.process is None or server.process.poll() is not None
        state = "has ended" if ended else "runs"
        raise RuntimeError(
            f"pages stand still; the server {state}:\n{server.log()[-4000:]}"
        ) from None


def differences(
    server: Server, codes: Sequence[str], people: Sequence[Promised], over: bool = True
) -> Iterator[str]:
    """What of all that was played in these sessions is not in their export as it should be.

    over   have all plays come to their end, with everybody there
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.zip"
        path.write_bytes(server.archive(*codes))
        known = {"", *(person.code for person in people)}
        for game_id in engine.game_ids():
            data = load(path, game_id)
            audit = audited(data)
            # that a play stood still is what a drill is about, and some places are nobody's
            others = [
                each
                for each in audit.problems
                if each.kind != "interrupted" and each.participant in known
            ]
            problems = others if over else wrong(audit)
            yield from (f"{game_id}: {problem}" for problem in problems)
            for person in people:
                if person.game_id == game_id:
                    yield from _broken(person, data, over)


def _broken(person: Promised, data: Data, over: bool) -> Iterator[str]:
    """The promises to a person that an export does not hold."""
    own = data.decisions[data.decisions["participant"] == person.code]
    name = f"{person.game_id}, {person.code}"
    for line in person.promises.differences(own.to_dict("records"), over):
        yield f"{name}: {line}"
    if person.raised:
        yield f"{name}: code raised {person.raised} times"
