"""The groups that played, as an export reads them: their people, and what their journals say.

Times are milliseconds since 1970: those of the play, and what the machine's clock showed then
(`server.play_clock`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from mixed_company.server.blocks.apps import number_of
from mixed_company.server.blocks.way import block_shown
from mixed_company.server.keeping import storage
from mixed_company.server.play_clock import Stretch, stretches, wall_times
from mixed_company.table import voting
from mixed_company.table.export import Row, group_id
from mixed_company.table.journal import Entry
from mixed_company.table.setup import Setup, setup_from

__all__ = ["Played", "played", "seated"]

GROUPS_AT_ONCE = 20
"""The number of groups whose logs are read together, and then forgotten."""


@dataclass(frozen=True)
class Played:
    """One group: its people by seat, and what its journal says.

    session   the config of the session
    wall_at   at a time of the play: what the machine's clock showed; None: nobody knows
    """

    base: Row
    session: Mapping[str, Any]
    people: dict[int, Any]
    setup: Setup
    log: list[Entry]
    wall_at: Callable[[int], int | None]

    def wall(self, at_ms: int) -> int | str:
        """Return the time of the machine's clock at a time of the play; empty: unknown."""
        known = self.wall_at(at_ms)
        return "" if known is None else known

    @cached_property
    def seed(self) -> int:
        """Return the seed of the play."""
        return int(next(self.entries("start"))["seed"])

    @cached_property
    def periods(self) -> list[Entry]:
        """Return the periods that are over."""
        return list(self.entries("period"))

    def code(self, seat: int) -> str:
        return self.people[seat].participant.code if seat in self.people else ""

    def entries(self, kind: str) -> Iterator[Entry]:
        """Return the entries of the journal that are of a kind."""
        return (entry for entry in self.log if entry["kind"] == kind)


def seated(players: Iterable[Any]) -> list[list[Any]]:
    """Return the people of every group that was seated, in order of session and group."""
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


def played(groups: Iterable[list[Any]], log: Any) -> Iterator[Played]:
    """Yield the plays of these groups, one after the other."""
    past: dict[int, list[Stretch]] = {}
    for _, some in groupby(enumerate(groups), lambda pair: pair[0] // GROUPS_AT_ONCE):
        wanted = {members[0].group_id: members for _, members in some}
        logs = storage.logs_of(log, wanted)
        for key, members in wanted.items():
            group, session = members[0].group, members[0].session
            if session.id not in past:
                past[session.id] = stretches(session.id)
            yield Played(
                _base(session, members),
                session.config,
                {player.seat: player for player in members},
                voting.played(setup_from(group.setup), logs.get(key, [])),
                logs.get(key, []),
                _wall_times(past[session.id], int(group.shift_ms), logs.get(key, [])),
            )


def _base(session: Any, members: Sequence[Any]) -> Row:
    """Return the columns that all rows of a group have."""
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
    """Return the machine's clock as a function of the time of a play that may have been paused."""
    stood = [(entry["at_ms"], entry["stood_ms"]) for entry in log if "stood_ms" in entry]
    wall_at = wall_times(past, shift_ms)
    return lambda at_ms: wall_at(at_ms + sum(ms for when, ms in stood if when < at_ms))
