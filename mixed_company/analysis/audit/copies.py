"""Check that no group is a copy of another: the same decisions by people, to the millisecond.

Times are compared from the beginning of the play, so a copy with all times shifted is found, too.
If policies acted in people's places (a rehearsal) or a clock ended the periods, two groups can have
the same times by chance. There, the time of the machine's clock must agree as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.experiment.digests import has_server

_FEWEST = 4
"""Minimum number of timed decisions by people that show a copy; fewer can agree by chance."""

_KEPT = ("period", "seat", "occupant", "decided_by")


class Copies:
    """Groups checked so far, by a digest of their decisions."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, tuple[str, int]] = {}

    def check(self, group: Group, findings: Findings) -> None:
        """Report a group that is the same as an earlier one."""
        played = _played(group)
        if played is None:
            return
        here = group.config["session"], group.config["group"]
        session, number = self._seen.setdefault(played, here)
        if (session, number) != here:
            message = f"is a copy of group {number} of session {session}: the same decisions by "
            findings.tell("config", group.config["row"], f"{message}people at the same moments")


def _played(group: Group) -> Hashable | None:
    """Return a digest of a group's decisions and times; None if people made too few decisions."""
    if "decisions" not in group.tables or not has_server(group.options):
        return None
    columns = group.tables["decisions"].columns
    timed = [
        (received, shown)
        for received, shown, by in zip(
            columns["received_ms"], columns["shown_ms"], columns["decided_by"], strict=True
        )
        if by == "person" and received != ""
    ]
    if len(timed) < _FEWEST:
        return None
    start = timed[0][1]
    moments = [received - start for received, _ in timed]
    names = [*_KEPT, *(name for name in columns if name.startswith("sent_"))]
    actions = [columns[name] for name in names]
    rehearsed = group.config.get("rehearsed", "") not in ("", False)
    by_clock = rehearsed or group.option("pace", "answers") == "clock"
    clock = columns["wall_ms"][:1] if by_clock else []
    return hashlib.sha256(repr((moments, actions, clock)).encode()).digest()
