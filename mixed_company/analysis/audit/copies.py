"""Check that no group is a copy of another: the same human decisions at the same times, to the
millisecond.

Only people's decisions count, because bots can decide by chance and then decide differently in a
copy with another seed. Times are measured from the first decision, so a copy is found even if all
of its times were shifted, or if people exchanged their seats. If policies acted in place of people
(a rehearsal), two groups can have the same times by chance. Such groups count as copies only if the
machine's clock shows the same times as well.

Imported tables may lack times, and individual groups of strangers can be identical by chance, so
imported sessions are compared as a whole.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from operator import itemgetter
from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.experiment.digests import has_server
from mixed_company.table.export.column import places

_FEWEST = 4
"""Minimum number of timed human decisions that identify a copy; fewer can match by chance."""

_FEWEST_OTHER = 20
"""Minimum number of decisions that differ from the most frequent one, for an imported session to
count as a copy. With fewer, for example if nearly everybody gives everything, two sessions can be
identical by chance."""


class Copies:
    """The groups checked so far, by the digest of their decisions."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, tuple[str, int]] = {}
        self._imported: dict[str, list[list[Hashable]]] = {}

    def check(self, group: Group, findings: Findings) -> None:
        """Report the group if it is a copy of an earlier one."""
        if "imported" in group.options and "decisions" in group.tables:
            self._imported.setdefault(group.config["session"], []).append(_actions(group))
        played = _played(group)
        if played is None:
            return
        here = group.config["session"], group.config["group"]
        session, number = self._seen.setdefault(played, here)
        if (session, number) != here:
            message = f"is a copy of group {number} of session {session}: the same decisions by "
            findings.tell("config", group.config["row"], f"{message}people at the same times")

    def check_sessions(self, findings: Findings) -> None:
        """Report imported sessions that are copies of an earlier one."""
        findings.session, findings.group = "", None
        seen: dict[Hashable, str] = {}
        for session, groups in self._imported.items():
            if _others(action for group in groups for action in group) < _FEWEST_OTHER:
                continue
            first = seen.setdefault(tuple(sorted(map(repr, groups))), session)
            if first != session:
                message = f"session {session} is a copy of session {first}: "
                findings.tell("config", None, f"{message}the same actions in all groups")


def _actions(group: Group) -> list[Hashable]:
    """Return a group's actions, ordered by period and seat."""
    columns = group.tables["decisions"].columns
    names = [name for name in columns if name.startswith("sent_")]
    return list(zip(*(columns[name] for name in names), strict=True))


def _others(actions: Iterable[Hashable]) -> int:
    """Return the number of actions that differ from the most frequent one."""
    counts = Counter(actions)
    return counts.total() - max(counts.values(), default=0)


def _played(group: Group) -> Hashable | None:
    """Return a digest of the decisions that people made in a group, and of their times. It does not
    depend on the numbers of the seats. Return None if people made too few decisions."""
    if "decisions" not in group.tables or not has_server(group.options):
        return None
    decisions = sorted(_of_people(group), key=itemgetter(0, 1))
    if len(decisions) < _FEWEST:
        return None
    start, _, clock, *_ = decisions[0]
    by_seat: dict[int, list[Hashable]] = {}
    for at_ms, seat, _, *action in decisions:
        by_seat.setdefault(seat, []).append((at_ms - start, *action))
    rehearsed = group.config.get("rehearsed", "") not in ("", False)
    actions = sorted(map(repr, by_seat.values()))
    return hashlib.sha256(repr((actions, clock if rehearsed else "")).encode()).digest()


def _of_people(group: Group) -> Iterator[tuple[Any, ...]]:
    """Yield the decisions that people made at a known time: its time, the seat, its time on the
    machine's clock, the period, the stage and the values sent. Bots' decisions are left out because
    bots can decide by chance, so a copy with another seed would differ."""
    columns = group.tables["decisions"].columns
    for number, stage in enumerate(group.game.stages.names):
        names = ("decided_by", "received_ms", "wall_ms")
        if number:
            names = (f"{stage}_by", f"{stage}_at_ms", f"{stage}_wall_ms")
        sent = (
            name
            for field in group.game.declaration.actions
            for name, _ in places(f"sent_{field.name}", field.shape)
            if field.stage == number
        )
        for by, at_ms, clock, seat, period, *values in zip(
            *(columns[name] for name in (*names, "seat", "period", *sent)), strict=True
        ):
            if by == "person" and at_ms != "":
                yield at_ms, seat, clock, period, number, *map(repr, values)
