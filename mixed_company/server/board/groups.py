"""Groups of a session that are playing, read from this server's memory."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import shorten
from typing import Any
from weakref import WeakKeyDictionary

from mixed_company.server.board.people import Person
from mixed_company.server.open.open_table import OpenTable
from mixed_company.server.open.tables import OpenTables
from mixed_company.table import voting
from mixed_company.table.export.ruled import group_fields
from mixed_company.table.seating import block_and_number
from mixed_company.table.state import State

Row = dict[str, Any]

DETAIL_CHARACTERS = 100
"""Maximum length of a policy error on the board; the `events` table in exports has the full text.
"""

_glances: WeakKeyDictionary[OpenTable, tuple[tuple[int, str], Row]] = WeakKeyDictionary()


def open_tables(tables: OpenTables, session_id: int) -> list[OpenTable]:
    """Return the session's unfinished tables that are open on this server, in order."""
    in_session = [opened for opened in tables if opened.clock.session_id == session_id]
    return sorted(
        (opened for opened in in_session if not (opened.gone or opened.table.over)),
        key=lambda opened: opened.key,
    )


def glance(table: State) -> Row:
    """Return the number that best describes a group's state: {name, value, unit}. This is the
    game's first real-valued quantity for the whole group, such as the stock. If there is none, it
    is the last period's earnings.
    """
    real = [field for field in group_fields(table.game) if field.kind == "real" and not field.shape]
    if real:
        field = real[0]
        value = table.episode.state_record()[field.name]
        return {"name": field.name.replace("_", " "), "value": value, "unit": field.unit}
    earned = None if table.last is None else sum(table.last.rewards)
    return {"name": "earned", "value": earned, "unit": "points"}


def group_name(number: int) -> str:
    """Return the name of a group by its number; blocks are called parts, as on pages."""
    block, within = block_and_number(number)
    return f"Group {within}" if block == 1 else f"Part {block}, group {within}"


def group_row(opened: OpenTable, people: Mapping[int, Person], number: int) -> Row:
    """Return the board's row for a group; `people` maps seats to people."""
    table, now = opened.table, opened.now_ms()
    return {
        "app": opened.key[0],
        "group": number,
        "name": group_name(number),
        "treatment": next((person.treatment for person in people.values()), ""),
        "period": table.episode.period,
        "periods": table.game.horizon,
        "started": table.started_ms is not None,
        "choosing": voting.is_open(table),
        "paused": table.paused,
        "left_ms": _left_ms(table, now),
        "in_period_ms": max(now - table.turn_ms, 0),
        "glance": _glance(opened),
        "saving": opened.unsaved,
        "seats": [_seat_row(opened, seat, people, now) for seat in range(table.game.seats)],
    }


def _glance(opened: OpenTable) -> Row:
    """Return the number from `glance`, which is cached for the period because it needs the whole
    state.
    """
    now = opened.table.episode.period, opened.table.setup.rule
    cached = _glances.get(opened)
    if cached is None or cached[0] != now:
        _glances[opened] = cached = now, glance(opened.table)
    return cached[1]


def _left_ms(table: State, now: int) -> int | None:
    end = table.ends_ms if table.started_ms is not None else table.opened_ms + table.come_ms
    if voting.is_open(table):
        end = voting.ends_ms(table)
    return None if end is None else max(end - now, 0)


def _seat_row(opened: OpenTable, seat: int, people: Mapping[int, Person], now: int) -> Row:
    table = opened.table
    chair = table.seats[seat]
    row: Row = {
        "seat": seat,
        "occupant": chair.occupant,
        "policy": chair.policy_id or "",
        "decided": seat in table.decided,
        "deciding": table.started_ms is not None and table.decides(seat) and not table.out(seat),
        "points": chair.seat_points,
        "fault": _shown(chair.fault),
        "talk_fault": _shown(chair.talk_fault),
    }
    person = people.get(seat)
    if person is not None:
        seen = chair.last_seen_ms
        row |= {
            "name": person.name,
            "participant": person.code,
            "points": chair.points,
            "connected": bool(opened.listeners[seat]),
            "silent_ms": None if seen is None else max(now - seen, 0),
            "idle": chair.idle,
            "held": chair.held,
            "returning": chair.returning,
            "parted": table.parted(seat),
        }
    return row


def _shown(fault: Row | None) -> Row | None:
    """Return a policy's last failure with a shortened reason; None if it never failed."""
    if fault is None:
        return None
    return {**fault, "detail": shorten(fault["detail"], DETAIL_CHARACTERS, placeholder=" ...")}
