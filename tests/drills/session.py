"""Run a realistic session: people refuse, fail, leave and return, and everyone is paid to the cent.

In every game people arrive through labelled links, agree, answer the quiz, meet and play. One
person per game uses a real browser. One person refuses consent, one fails the quiz, and two come
twice. Some people in each game leave, and some of those return. The manager releases one person,
ends a group and pauses another game, and the server is killed. At the end every play must be over.
Everyone must see the ledger's payment on the last page, the payment list must have the export's
total, and the audit must find nothing. `--pictures` takes pictures of the boards on two screens.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mixed_company import engine
from tests.crowd.page import Page
from tests.crowd.places import DATABASES, met, running
from tests.crowd.visitor import Visitor
from tests.door.harness import Server
from tests.drills import manager
from tests.drills.drill import Report
from tests.drills.rooms import Room, faults, opened, wrong
from tests.drills.wave import Person, by_clock, to_results
from tests.drills.windows import Watch, Window, chromium
from tests.loops import complete

__all__ = ["Size", "configure", "on", "run"]

PATIENCE_SECONDS = 400.0
GRACE_SECONDS = 10.0
REFUSES, FAILS = 0, 1
"""Numbers of the people in the first room who never get a seat."""


@dataclass(frozen=True)
class Size:
    """Numbers of people per game (even), of people who leave, and of periods.

    browsers   number of games with a person in a real browser
    turn       seconds for a decision in games with a clock
    think      minimum and maximum number of seconds from a view to a decision
    pictures   folder for pictures of the boards; None for no pictures
    """

    people: int = 10
    leavers: int = 2
    periods: int = 40
    browsers: int = 0
    turn: float = 1.5
    think: tuple[float, float] = (0.3, 1.0)
    pictures: Path | None = None


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--people", type=int, default=10, help="people per game")
    parser.add_argument(
        "--browsers", type=int, default=4, help="number of games with a person in a browser"
    )
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the boards")
    parser.add_argument("--database", choices=DATABASES, default="sqlite")


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    size = Size(people=chosen.people, browsers=chosen.browsers, pictures=chosen.pictures)
    with running(chosen.database) as server:
        return on(server, chosen.seed, size)


def on(server: Server, seed: int, size: Size | None = None) -> Report:
    """Run a session of every game, with everything that can happen."""
    return complete(_run(server, random.Random(seed), size or Size()))


async def _run(server: Server, draw: random.Random, size: Size) -> Report:
    async with AsyncExitStack() as stack:
        games = sorted(
            engine.game_ids(), key=by_clock
        )  # last, because a clock starts without waiting
        rooms = [await asyncio.to_thread(_room, server, game, size) for game in games]
        watch = Watch([], None)
        if size.browsers or size.pictures:
            browser = await stack.enter_async_context(chromium())
            watch = await Watch.begin(browser, size.pictures)
            for room in rooms[: size.browsers]:
                page = await (await browser.new_context()).new_page()
                generator = random.Random(draw.getrandbits(32))
                room.windows.append(Window(room.game_id, page, generator))
        drill = _Drill(server, rooms, draw, size, watch)
        returned = await drill.run()
        problems = await asyncio.to_thread(lambda: list(faults(server, rooms)))
    played = [person for room in rooms for person in room.played]
    figures = {
        "people": sum(len(room.visitors) + len(room.windows) for room in rooms),
        "in browsers": sum(len(room.windows) for room in rooms),
        "seated": len(played),
        "left": size.leavers * len(rooms),
        "returned": returned,
        "acked": sum(len(person.promises.acknowledged) for person in played),
    }
    return Report(figures, problems)


def _room(server: Server, game_id: str, size: Size) -> Room:
    seconds = size.turn if by_clock(game_id) else 0.0
    times = {"decision_seconds": seconds, "grace_seconds": GRACE_SECONDS}
    return opened(server, game_id, size.people, size.periods, **times)


class _Drill:
    """Run of the session, from the first arrival to the last results."""

    def __init__(
        self, server: Server, rooms: list[Room], draw: random.Random, size: Size, watch: Watch
    ) -> None:
        self.server, self.rooms, self.draw, self.size = server, rooms, draw, size
        self.watch = watch

    @property
    def people(self) -> list[Person]:
        return [person for room in self.rooms for person in room.people]

    async def run(self) -> int:
        """Run the session, and return how many of those who left came back."""
        for number, room in enumerate(self.rooms):
            await self._arrive(room, first=number == 0, twice=number < 2)
        await self._look("arrived")
        for room in self.rooms:
            await self._sit(room)
        returned = await asyncio.wait_for(self._play(), PATIENCE_SECONDS)
        await manager.no_group_plays(self.server, [room.code for room in self.rooms])
        for room in self.rooms:
            for person in room.people:
                person.page.close()
                await to_results(person.visitor)
            texts = {visitor.code: visitor.page.text for visitor in room.visitors}
            room.seen_last = texts | room.seen_last
        await self._look("over")
        return returned

    async def _look(self, name: str) -> None:
        for room in self.rooms:
            board_url = manager.address(self.server, room.code)
            await self.watch.look(board_url, f"{room.game_id}-{name}")

    # -- before the play ----------------------------------------------------------------------

    async def _arrive(self, room: Room, *, first: bool, twice: bool) -> None:
        """Take everyone to the lobby, except two people in the first room.

        In the first two rooms one person comes twice. People in browsers come last.
        """
        by_sockets = self.size.people - len(room.windows)
        for number in range(by_sockets):
            visitor = await Visitor().follow(room.link(number))
            room.visitors.append(visitor)
            refuses, fails = first and number == REFUSES, first and number == FAILS
            await visitor.next(consented="no" if refuses else "yes")
            if not refuses:
                await visitor.next()
                answers = wrong(visitor, room) if fails else room.right
                await visitor.next(quiz_answers=json.dumps(answers))
            if refuses or fails:
                room.lost.append(visitor)
        if twice:
            again = await Visitor().follow(room.link(by_sockets - 1))
            if again.code != room.visitors[-1].code:
                raise RuntimeError(f"{room.game_id}: somebody came twice and got two places")
        for window in room.windows:
            await window.arrive(room.link(by_sockets), room.right)

    async def _sit(self, room: Room) -> None:
        """Let people meet and open their play pages."""
        waiting = [visitor for visitor in room.visitors if visitor not in room.lost]
        windows = [window.meet() for window in room.windows]
        room.people = list(
            await asyncio.gather(*(self._seated(room, visitor) for visitor in waiting))
        )
        await asyncio.gather(*windows)

    async def _seated(self, room: Room, visitor: Visitor) -> Person:
        await met(visitor.live_url())
        await visitor.walk_to("Play")
        page = self._page(visitor.live_url())
        page.holds = True  # nobody plays before everyone is seated
        await page.open()
        return Person(room.game_id, visitor, page)

    def _page(self, url: str) -> Page:
        generator = random.Random(self.draw.getrandbits(32))
        return Page(url, generator, lambda: generator.uniform(*self.size.think))

    # -- the play -----------------------------------------------------------------------------

    async def _play(self) -> int:
        """Run everything that happens during play, and return the number of people who came
        back."""
        at_browsers = [
            asyncio.create_task(self._at_a_browser(room, window))
            for room in self.rooms
            for window in room.windows
        ]
        leavers = [
            person for room in self.rooms for person in room.people[: 2 * self.size.leavers : 2]
        ]
        for person in leavers:
            person.page.close(self.draw.choice(("close", "abort")))
        ending, pausing, releasing = self.rooms[:3]
        self._begin([pausing, *self.rooms[3:]])
        await self._direct(pausing, "pause")  # a group there is waiting for the person who left
        await self._look("paused")
        await self._direct(pausing, "go_on")
        await self._end_and_release(ending, releasing, leavers)
        self._begin([ending, releasing])
        codes = [room.code for room in self.rooms]
        await manager.taken_over(self.server, codes, {person.code for person in leavers})
        await self._look("taken_over")
        back = leavers[1::3]  # without the first, whose group was ended
        for room in self.rooms:
            room.people = [
                self._again(person) if person in back else person for person in room.people
            ]
        returned = {person.code for person in back}
        coming = [person for person in self.people if person.code in returned]
        await asyncio.gather(*(person.page.open() for person in coming))
        await asyncio.to_thread(self.server.stop, signal.SIGKILL)
        await asyncio.to_thread(self.server.start)
        gone = {person.code for person in leavers} - returned
        staying = [person for person in self.people if person.code not in gone]
        await asyncio.gather(*(person.page.over.wait() for person in staying), *at_browsers)
        return len(back)

    async def _at_a_browser(self, room: Room, window: Window) -> None:
        room.seen_last[window.code] = await window.play(self.size.think)

    def _again(self, person: Person) -> Person:
        """Return the person with a new page that keeps the same promises."""
        page = self._page(person.page.url)
        page.promises, page.acks = person.page.promises, person.page.acks
        return Person(person.game_id, person.visitor, page)

    def _begin(self, rooms: Sequence[Room]) -> None:
        for page in [person.page for room in rooms for person in room.people]:
            page.holds = False
            page.next()

    async def _end_and_release(
        self, ending: Room, releasing: Room, leavers: Sequence[Person]
    ) -> None:
        """End a group and release a person, each in a group that a person has left."""
        group, _ = await self._beside(ending, leavers)
        await self._direct(ending, "end", group=group)
        group, seat = await self._beside(releasing, leavers)
        await self._direct(releasing, "release", group=group, seat=seat)

    async def _beside(self, room: Room, leavers: Sequence[Person]) -> tuple[int, int]:
        """Return the group of a person who left a room, and the first seat of a person who is still
        there.
        """
        gone = next(person.code for person in leavers if person.game_id == room.game_id)
        return await asyncio.to_thread(manager.first_seat_beside, self.server, room.code, gone)

    async def _direct(self, room: Room, kind: str, **more: Any) -> None:
        await asyncio.to_thread(manager.direct, self.server, room.code, kind, **more)
