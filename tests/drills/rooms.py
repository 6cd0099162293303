"""Sessions in which anything can end early: how they are created, their people, and the
payments."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import requests

from mixed_company.server.pages import money
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.pages.instructions import questions
from mixed_company.server.rehearse.person import Quiz
from mixed_company.table.setup import resolve
from tests.crowd.places import lasting, session
from tests.crowd.promises import Promised
from tests.crowd.visitor import Visitor
from tests.door.harness import Server
from tests.drills import manager
from tests.drills.wave import Person, differences
from tests.drills.windows import Window

__all__ = ["Room", "faults", "opened", "wrong"]

OUTCOMES = {"finished", "left", "released", "ended", "quiz_failed", "no_consent"}


@dataclass
class Room:
    """Session of a game, and the people who came to it.

    right      correct answer to each quiz question
    people     people on sockets; `windows`: people in browsers
    lost       people without a seat because they refused consent or failed the quiz
    seen_last  text of the last page by participant code
    """

    game_id: str
    session: dict[str, Any]
    right: dict[str, str]
    visitors: list[Visitor] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    lost: list[Visitor] = field(default_factory=list)
    seen_last: dict[str, str] = field(default_factory=dict)

    @property
    def code(self) -> str:
        return str(self.session["code"])

    @property
    def played(self) -> list[Promised]:
        """Everyone who had a seat."""
        return [*self.people, *self.windows]

    def link(self, number: int) -> str:
        """Return the link for the person with this number."""
        label = f"{self.game_id}-{number}"
        return f"{self.session['session_wide_url']}?participant_label={label}"


def opened(server: Server, game_id: str, people: int, periods: int, **changes: Any) -> Room:
    """Create a session of a game for these people, in which anything can end early."""
    options = {
        **lasting(game_id, periods),
        "people_per_group": 2,
        "return_by_label": "always",
        "consent": "You can stop at any time.",
        "quiz": True,
        "quiz_tries": 1,
        "pay_rounding": 0.5,
        "pay_waiting": 0.1,
        "fee_pro_rata": True,
        **changes,
    }
    created = session(server, game_id, people, **options)
    shown = requests.get(f"{server.url}/api/sessions/{created['code']}", timeout=60).json()
    config = shown["config"]
    setup, _ = resolve(game_id, config, config)
    worth = money.question(SimpleNamespace(config=config), setup.options)
    listed = [*guide_of(game_id).quiz(setup.game, setup.options), *questions(setup), *worth]
    return Room(game_id, created, {question["name"]: question["right"] for question in listed})


def wrong(visitor: Visitor, room: Room) -> dict[str, str]:
    """Return answers that are all wrong."""
    options = Quiz(visitor.page.text).options
    return {
        name: next(text for text in options[name] if text != right)
        for name, right in room.right.items()
    }


def faults(server: Server, rooms: Sequence[Room]) -> Iterator[str]:
    """Yield the plays that did not end correctly and the payments that are wrong."""
    codes = [room.code for room in rooms]
    played = [person for room in rooms for person in room.played]
    yield from differences(server, codes, played, over=False)
    yield from (error for room in rooms for window in room.windows for error in window.errors)
    with zipfile.ZipFile(io.BytesIO(server.archive(*codes))) as export:
        sessions = json.loads(export.read("manifest.json"))["sessions"]
    ends: set[str] = set()
    for room in rooms:
        yield from _unpaid(server, room, sessions[room.code]["total"])
        finished = manager.board(server, room.code)["finished"]
        ends |= {row["status"] for row in finished}
        come = len(room.visitors) + len(room.windows)
        if len(finished) != come:
            yield f"{room.game_id}: {len(finished)} of {come} are done"
    if ends != OUTCOMES:
        yield f"people ended as {sorted(ends)}, and not as {sorted(OUTCOMES)}"


def _unpaid(server: Server, room: Room, total: float) -> Iterator[str]:
    """Yield the payments that differ between the ledger, the export and the last page."""
    file = f"{server.url}/session_payments/{room.code}/payments"
    *rows, last = csv.DictReader(io.StringIO(requests.get(file, timeout=60).text))
    if float(last["payment"]) != total:
        yield f"{room.game_id}: the list has {last['payment']}, the export {total}"
    for row in rows:
        amount = money.written(float(row["payment"]))
        if amount not in room.seen_last[row["participant"]]:
            yield f"{room.game_id}, {row['participant']}: the last page does not show {amount}"
