"""Compare each participant's times in the order in which people pass the pages, lobbies and plays.

A contradiction is only a note, because an honest server can write it. Lobbies, and in earlier
releases the pages too, use a clock that starts at the machine's time when the server starts; all
other times are on the machine's clock itself, which can be set at any time, and goes on while the
machine sleeps (`server.clock`). Practice decisions are left out, because their times are on the
plays' clock, which starts at 0 (`server.play_clock`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.data import Problem
from mixed_company.analysis.reading import place
from mixed_company.files import parsed
from mixed_company.table.export import Row
from mixed_company.table.export.participants import PARTICIPANTS, Stage
from mixed_company.table.lobby import stay_ms

Options = Mapping[str, Any]

SLACK_MS = 15_000
"""Largest difference between the two clocks that causes no note. After a restart, a play's time on
the machine's clock is up to ten seconds ahead, until the pages have reconnected."""
_WAIT_SLACK_MS = 1_000
_OF_LOBBY = "arrived"
"""Beginning of the names of times on a lobby's clock."""
_CLOCK = "the machine's clock was changed, or somebody changed the times"


class Times:
    """The times of all participants; adds at most one note of each kind per session.

    end_ms   time at which the export was made; infinite if it is unknown
    """

    def __init__(self, end_ms: float, findings: Findings) -> None:
        self._end_ms, self._findings = end_ms, findings
        self._noted: set[tuple[str, str]] = set()

    def check_order(self, row: Row, stages: Mapping[int, Stage]) -> None:
        """Add a note if a time in this row of `participants`, or in the person's rows of
        `outcomes`, is earlier than one that should precede it."""
        latest: dict[bool, tuple[float, str]] = {}
        ends = (("the export", self._end_ms),)
        for name, time_ms in chain(_ordered(row, stages), ends):
            of_lobby = name.startswith(_OF_LOBBY)
            late = [
                (latest_ms, earlier)
                for clock, (latest_ms, earlier) in latest.items()
                if time_ms < latest_ms - (0 if clock == of_lobby else SLACK_MS)
            ]
            if late:
                self._note(row, f"{max(late)[1]} is later than {name}", _CLOCK)
            latest[of_lobby] = max(latest.get(of_lobby, (time_ms, name)), (time_ms, name))

    def check_wait(self, row: Row, number: int, stage: Stage, options: Options) -> None:
        """Add a note if a person waited for longer than a lobby with these options keeps anybody,
        or than from the arrival until the play began or, without a play, until the export."""
        waited_ms = stage.outcome.get("waited_ms") or 0
        end_ms = self._end_ms if stage.began_ms == "" else float(stage.began_ms)
        arrived_ms = row.get(f"arrived_ms_{number}", "")
        if arrived_ms != "" and waited_ms > max(end_ms - arrived_ms, 0.0) + _WAIT_SLACK_MS:
            wait = f"waited {waited_ms:.0f} ms in the lobby of block {number}"
            self._note(row, f"{wait}, which is longer than from arriving to playing", _CLOCK)
        seconds = options.get("lobby_seconds")
        if isinstance(seconds, int | float) and waited_ms > stay_ms(seconds) + SLACK_MS:
            wait = f"waited {waited_ms / 60_000:.0f} minutes in the lobby of block {number}"
            rule = f"although lobby_seconds = {seconds:g}"
            why = "the server was down, or somebody changed the times"
            self._note(row, f"{wait}, {rule}", why)

    def _note(self, row: Row, contradiction: str, why: str) -> None:
        session = row["session"]
        if (session, why) not in self._noted:
            self._noted.add((session, why))
            message = f"session {session}, participant {row['participant']}: {contradiction}: {why}"
            where = place("", PARTICIPANTS, row["row"])
            self._findings.problems.append(Problem("unknown", message, where, session))


def _ordered(row: Row, stages: Mapping[int, Stage]) -> Iterator[tuple[str, float]]:
    """Yield the names and values of a person's times in order.

    In a later block, a person's group can begin to play while the person is still in the block
    before (`table.meeting`). So the times of such a play have no place in the order.
    """
    named: list[tuple[str, Any]] = [("first_seen_ms", row.get("first_seen_ms", ""))]
    for number, stage in stages.items():
        outcome = stage.outcome
        named.append((f"consented_ms of block {number}", outcome.get("consented_ms", "")))
        if number == min(stages):
            named.append(("assigned_ms", row.get("assigned_ms", "")))
        named.append((f"disclosed_ms of block {number}", outcome.get("disclosed_ms", "")))
        attempts = _attempted(outcome.get("quiz_log"))
        named += [(f"an attempt in quiz_log of block {number}", time_ms) for time_ms in attempts]
        if number == 1 or row.get(f"arrived_ms_{number}", "") != "":
            names = (f"{kind}_ms_{number}" for kind in ("arrived", "began", "ended"))
            named += [(name, row.get(name, "")) for name in names]
    return ((name, float(time_ms)) for name, time_ms in named if time_ms != "")


def _attempted(log: Any) -> list[Any]:
    """Return the times of the quiz attempts; empty if the log is invalid, which `before`
    reports."""
    try:
        entries = parsed(log or "[]")
        times = [entry["at_ms"] for entry in entries if "at_ms" in entry]
        return times if all(type(time_ms) in (int, float) for time_ms in times) else []
    except (ValueError, RecursionError, TypeError, KeyError):
        return []
