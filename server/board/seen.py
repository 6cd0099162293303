"""All that the board shows of a session, as plain JSON.

groups    those that play: period, clock, number at a glance, and each seat
lobby     who waits, since when, and how long at most
before    who has not come as far: on which page, since when, how often at the quiz
finished  whose part is over: how, points, pay
door      shut or open: is anybody new let in
alarms    sentences
"""

from __future__ import annotations

import time
from typing import Any

from server import clock
from server.board.alarms import alarms, over_budget
from server.board.groups import Row, group_row, open_tables
from server.board.people import Crowd, Person
from server.open.lobbies import Lobbies
from server.open.tables import OpenTables
from table.lobby import promise_ms

__all__ = ["board"]


def board(code: str, crowd: Crowd, tables: OpenTables, lobbies: Lobbies) -> dict[str, Any]:
    """What there is to be seen now; `crowd` may be a few seconds old."""
    people = crowd.people
    by_group: dict[tuple[str, int], dict[int, Person]] = {}
    for person in people:
        if person.seat >= 0:
            by_group.setdefault((person.app, person.group_id), {})[person.seat] = person
    groups = [
        group_row(opened, members, next(iter(members.values())).group)
        for opened in open_tables(tables, crowd.session_id)
        if (members := by_group.get(opened.key))
    ]
    before = [_before(person) for person in people if person.status == "arriving"]
    return {
        "session": code,
        "groups": sorted(groups, key=lambda group: (group["app"], group["group"])),
        "lobby": [_waiting(person, lobbies) for person in people if person.status == "waiting"],
        "before": before,
        "finished": [_finished(person) for person in people if _is_over(person)],
        "door": "shut" if crowd.shut else "open",
        "alarms": [
            *alarms(groups, before, tables.writer.trouble, time.monotonic()),
            *over_budget(crowd.budget, crowd.paid),
        ],
    }


def _is_over(person: Person) -> bool:
    return person.status not in ("arriving", "waiting", "seated")


def _named(person: Person) -> Row:
    return {"name": person.name, "participant": person.code, "treatment": person.treatment}


def _waiting(person: Person, lobbies: Lobbies) -> Row:
    now = clock.now_ms()
    row: Row = {**_named(person), "since_s": max(now - person.arrived_ms, 0) / 1000}
    opened = lobbies.opened(person.app, person.subsession_id)
    known = None if opened is None else opened.lobby.waiting.get(person.player_id)
    if opened is None or known is None:
        return {**row, "here": False, "left_s": None}
    left = promise_ms(known, opened.lobby.options_of(known)) - now
    return {**row, "here": known.here(now), "left_s": max(left, 0) / 1000}


def _before(person: Person) -> Row:
    since = max(time.time() - person.since_s, 0) if person.page else 0
    return {
        **_named(person),
        "page": person.page,
        "since_s": since,
        "quiz_tries": person.quiz_tries,
    }


def _finished(person: Person) -> Row:
    return {
        **_named(person),
        "group": person.group,
        "status": person.status,
        "points": person.points,
        "pay": person.payment,
    }
