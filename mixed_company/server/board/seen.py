"""Data that the board shows about a session, as plain JSON.

groups    groups that are playing: period, clock, the number from `glance`, and each seat
lobby     people who are waiting: since when, and their maximum waiting time
before    people who are not in the lobby yet: their page, since when, and quiz attempts
finished  people who are done: how their part ended, points, pay
door      `open` if new people are admitted, else `shut`
alarms    alarms, as sentences
"""

from __future__ import annotations

import time
from typing import Any

from mixed_company.server import clock
from mixed_company.server.board.alarms import (
    agents_away,
    alarms,
    late_server,
    near_limit,
    over_budget,
)
from mixed_company.server.board.groups import Row, group_name, group_row, open_tables
from mixed_company.server.board.people import Crowd, Person
from mixed_company.server.lateness import lateness
from mixed_company.server.open.lobbies import Lobbies
from mixed_company.server.open.tables import OpenTables
from mixed_company.table.lobby import Waiting, promise_ms


def board(code: str, crowd: Crowd, tables: OpenTables, lobbies: Lobbies) -> dict[str, Any]:
    """Return a session's current state; `crowd` can be a few seconds old."""
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
    now = clock.now_ms()
    waiting = [person for person in people if _is_in_lobby(person, lobbies)]
    before = [
        _before(person)
        for person in people
        if person.status == "arriving" and not _is_in_lobby(person, lobbies)
    ]
    return {
        "session": code,
        "groups": sorted(groups, key=lambda group: (group["app"], group["group"])),
        "lobby": [_waiting(person, lobbies) for person in waiting],
        "before": before,
        "finished": [_finished(person) for person in people if _is_over(person)],
        "door": "shut" if crowd.shut else "open",
        "alarms": [
            *late_server(lateness.late_ms(now), lateness.page_ms(now)),
            *alarms(groups, before, tables.trouble, time.monotonic()),
            *agents_away(crowd.agents, tables.agents.connected),
            *near_limit(_at_play(tables)),
            *over_budget(crowd.budget, crowd.paid),
        ],
    }


def _at_play(tables: OpenTables) -> int:
    """Return the number of people playing on this server, in all sessions."""
    here = [opened.table for opened in tables if not (opened.gone or opened.table.over)]
    return sum(len(table.people) for table in here)


def _is_over(person: Person) -> bool:
    return person.status not in ("arriving", "waiting", "seated")


def _named(person: Person) -> Row:
    return {"name": person.name, "participant": person.code, "treatment": person.treatment}


def _is_in_lobby(person: Person, lobbies: Lobbies) -> bool:
    """Return whether a person is waiting in the lobby, or has just opened the lobby's page."""
    if person.status != "arriving":
        return person.status == "waiting"
    return person.page == "Lobby" or _place(person, lobbies) is not None


def _place(person: Person, lobbies: Lobbies) -> Waiting | None:
    opened = lobbies.opened(person.app, person.subsession_id)
    return None if opened is None else opened.lobby.waiting.get(person.player_id)


def _waiting(person: Person, lobbies: Lobbies) -> Row:
    now = clock.now_ms()
    opened, waiting = lobbies.opened(person.app, person.subsession_id), _place(person, lobbies)
    if opened is None or waiting is None:
        since = person.arrived_ms or 1000 * person.since_s
        here, left = False, None
    else:
        since, here = waiting.arrived_ms, waiting.here(now)
        left = max(promise_ms(waiting, opened.lobby.options_of(waiting)) - now, 0) / 1000
    waited = max(now - since, 0) / 1000
    return {**_named(person), "since_s": waited, "here": here, "left_s": left}


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
        "group_name": group_name(person.group) if person.group else "",
        "status": person.status,
        "points": person.points,
        "pay": person.payment,
    }
