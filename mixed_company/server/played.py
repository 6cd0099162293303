"""Groups that have played, as exports read them: their people and journals.

Times are milliseconds since 1970: times of the play, and the corresponding times on the machine's
clock (`server.play_clock`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from mixed_company.server.blocks.apps import number_of
from mixed_company.server.blocks.way import block_shown
from mixed_company.server.keeping import storage
from mixed_company.server.play_clock import Stretch, stretches, wall_times
from mixed_company.table import voting
from mixed_company.table.export import Row, group_id
from mixed_company.table.export import played as of_journal
from mixed_company.table.journal import Entry
from mixed_company.table.setup import setup_from

GROUPS_AT_ONCE = 20
"""Number of groups with logs in memory at the same time."""


@dataclass(frozen=True)
class Played(of_journal.Played):
    """One group, its people by seat, and its session's config."""

    session: Mapping[str, Any] = field(default_factory=dict)
    people: Mapping[int, Any] = field(default_factory=dict)


def seated(players: Iterable[Any]) -> list[list[Any]]:
    """Return the people in every group that has taken its seats, in the order of sessions and
    groups."""
    by_session: dict[str, dict[int, list[Any]]] = {}
    for player in players:
        if player.seat >= 0:
            groups = by_session.setdefault(player.session.code, {})
            groups.setdefault(player.group_id, []).append(player)
    return [
        members
        for groups in by_session.values()
        for members in sorted(groups.values(), key=_number)
    ]


def _number(members: Sequence[Any]) -> int:
    return number_of(members[0].group)


def played(
    groups: Iterable[list[Any]], log: Any, kinds: Sequence[str] = storage.EXPORTED
) -> Iterator[Played]:
    """Yield these groups with their journals, limited to entries of `kinds` (all if empty)."""
    past: dict[int, list[Stretch]] = {}
    for _, part in groupby(enumerate(groups), lambda pair: pair[0] // GROUPS_AT_ONCE):
        wanted = {members[0].group_id: members for _, members in part}
        logs = storage.logs_of(log, wanted, kinds)
        for key, members in wanted.items():
            group, session = members[0].group, members[0].session
            if session.id not in past:
                past[session.id] = stretches(session.id)
            journal = logs.get(key, [])
            yield Played(
                _base(session, members),
                voting.played(setup_from(group.setup), journal),
                journal,
                {player.seat: player.participant.code for player in members},
                _wall_times(past[session.id], int(group.shift_ms), journal),
                session=session.config,
                people={player.seat: player for player in members},
            )


def _base(session: Any, members: Sequence[Any]) -> Row:
    """Return the columns that all rows of a group have in common."""
    number = _number(members)
    return {
        "session": session.code,
        "group": number,
        "group_id": group_id(session.code, number),
        "treatment": members[0].group.treatment or str(session.config["name"]),
        "block": block_shown(members[0]),
    }


def _wall_times(
    past: list[Stretch], shift_ms: int, log: Sequence[Entry]
) -> Callable[[int], int | None]:
    """Return a function that converts a time of the play, with its pauses, to the machine's
    clock.
    """
    stood = [(entry["at_ms"], entry["stood_ms"]) for entry in log if "stood_ms" in entry]
    wall_at = wall_times(past, shift_ms)
    return lambda at_ms: wall_at(at_ms + sum(ms for when, ms in stood if when < at_ms))
