"""Notes on an export: rehearsals, interrupted plays, groups that have not ended, and people who
never played.

These are not faults in the tables, but an analysis should take them into account.

An interruption is a stretch of time in which the machine's clock advanced further than the play's
clock. People may have thought for longer than the play's clock shows. The `late` event records that
the server was late, and how long the play was stopped. If there is no such event, the server was
down or the machine's clock was changed. A manager's pause is not an interruption, because it has
its own events.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from mixed_company.analysis.data import GROUP, Data, Problem
from mixed_company.analysis.kept import Group, keys_of
from mixed_company.experiment.comparisons import counted
from mixed_company.table.journal import LATE

REHEARSED = "The export comes from a rehearsal: policies played in place of people."

LEAST_MS = 1000
"""Minimum length of an interruption. Shorter differences arise because clocks drift and are
corrected."""

NOTICED_MS = 10_000
"""Maximum time between a delay and the server's record that the clocks diverged."""

_SECONDS = ("late_s", "stood_s", "for_s")
_AWAY = "the server was down, or somebody changed the machine's clock"

_WHEN = {"seats": "at_ms", "periods": "settled_ms", "decisions": "received_ms"}


def interruptions(data: Data) -> Iterator[Problem]:
    """Yield a note (`interrupted`) each time the two clocks of a group diverged."""
    times = pd.concat([_times(getattr(data, name), column) for name, column in _WHEN.items()])
    times = times.dropna().drop_duplicates().sort_values([*GROUP, "at", "wall"])
    _leave_out_pauses(times, data.events)
    groups = [times[name] for name in GROUP]
    times["apart"] = (times["wall"] - times["at"]).groupby(groups).diff()
    times["since"] = times["at"].groupby(groups).shift()
    apart = times[times["apart"].abs() > LEAST_MS]
    settled, late = _settled(data), _late(data)
    for session, group, since, time_ms, ms in apart[
        [*GROUP, "since", "at", "apart"]
    ].values.tolist():
        period = bisect_left(settled.get((session, group), []), time_ms)
        where = f"group {group} of session {session}, period {period}"
        words = _words(ms, since, time_ms, late.get((session, group), ()))
        yield Problem("interrupted", f"{where}: {words}", "", session, group)


def _times(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the rows' times on the play's clock and on the machine's clock."""
    times = frame[[*GROUP, column, "wall_ms"]].set_axis([*GROUP, "at", "wall"], axis=1)
    return times.astype({"at": "Int64", "wall": "Int64"})


def _leave_out_pauses(times: pd.DataFrame, events: pd.DataFrame) -> None:
    """Subtract a play's earlier pauses from the machine's time."""
    ends = events[events["event"] == "resumed"]
    for session, group, ended, detail in ends[[*GROUP, "at_ms", "detail"]].itertuples(index=False):
        numbers = _numbers(detail, ("stood_ms",))
        if numbers is not None and not pd.isna(ended):
            later = (times["session"] == session) & (times["group"] == group)
            times.loc[later & (times["at"] > ended), "wall"] -= round(numbers[0])


def _settled(data: Data) -> dict[tuple[str, int], list[int]]:
    """Return when each group's periods were settled, in ascending order."""
    times = data.periods[[*GROUP, "settled_ms"]].dropna().sort_values("settled_ms")
    by_group: dict[tuple[str, int], list[int]] = {}
    for session, group, time_ms in times.itertuples(index=False):
        by_group.setdefault((session, group), []).append(int(time_ms))
    return by_group


@dataclass
class _Late:
    """A stretch during which the server was late, on the play's clock. `left_ms` is how long the
    play was stopped during it, minus the time already attributed to interruptions."""

    since_ms: int
    until_ms: int
    worst_ms: int
    left_ms: int

    def take(self, ms: int, since: int, until: int) -> int:
        """Return how much of an interruption between two times the server's lateness explains, and
        deduct this time from `left_ms`."""
        if until <= self.since_ms or since > self.until_ms:
            return 0
        taken = min(ms, self.left_ms)
        self.left_ms -= taken
        return taken


def _late(data: Data) -> dict[tuple[str, int], list[_Late]]:
    """Return the stretches in which the server was late, in order, by group."""
    events = data.events[data.events["event"] == LATE]
    by_group: dict[tuple[str, int], list[_Late]] = {}
    for session, group, time_ms, detail in events[[*GROUP, "at_ms", "detail"]].itertuples(
        index=False
    ):
        seconds = seconds_late(detail)
        if seconds is not None and not pd.isna(time_ms):
            late, stood, lasted = (round(1000 * number) for number in seconds)
            spell = _Late(int(time_ms) - lasted, int(time_ms) + NOTICED_MS, late, stood)
            by_group.setdefault((session, group), []).append(spell)
    return by_group


def seconds_late(detail: Any) -> list[float] | None:
    """Return three durations in an event's detail, in seconds: how late the server was, how long
    the play was stopped, and how long the stretch lasted. Return None if any is missing."""
    return _numbers(detail, _SECONDS)


def _numbers(detail: Any, names: Sequence[str]) -> list[float] | None:
    """Return the named numbers in an event's detail; None if any is missing or invalid."""
    try:
        content = json.loads(detail)
        numbers = [float(content[name]) for name in names]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None  # `mixed check` reports this
    return numbers if all(0 <= number < math.inf for number in numbers) else None


def _words(ms: int, since: int, until: int, spells: Iterable[_Late]) -> str:
    if ms < 0:
        return f"the machine's clock was set back by {-ms / 1000:.1f} s"
    explained = worst = 0
    for spell in spells:
        taken = spell.take(ms - explained, since, until)
        explained += taken
        worst = max(worst, spell.worst_ms if taken else 0)
    stood = f"the play stopped for {ms / 1000:.1f} s"
    if not explained:
        return f"{stood}: {_AWAY}"
    # the rest can come from an earlier spell, because clocks less than a second apart are not
    # reported
    if ms - explained < 2 * LEAST_MS:
        return f"{stood} because the server was late, by up to {worst / 1000:.1f} s"
    late = f"for {explained / 1000:.1f} s, the server was late, by up to {worst / 1000:.1f} s"
    return f"{stood}: {late}; for the rest {_AWAY}"


# -- groups that have not ended, and people who never played -------------------------------------


_PARTED = {
    "arriving": "did not reach the lobby",
    "waiting": "waits in the lobby",
    "left": "left in the lobby",
    "released": "was released without a group",
}


def unfinished(data: Data) -> list[Problem]:
    """Return the groups that have not ended (`unfinished`), the people without a group (`left`),
    and the places that nobody opened (`unopened`)."""
    return [*_groups(data), *_people(data)]


def _groups(data: Data) -> Iterator[Problem]:
    played = data.periods.groupby(GROUP)["period"].nunique().to_dict()
    over = set(data.periods.loc[data.periods["ended"] != "", GROUP].itertuples(index=False))
    ended = {(session, group) for session, group in over}
    reasons = stopped(data)
    for session, group in data.config[GROUP].drop_duplicates().itertuples(index=False):
        periods = played.get((session, group), 0)
        if (session, group) in ended:
            continue
        name = f"group {group} of session {session}"
        message = f"{name} is still playing after {periods} periods"
        if (session, group) in reasons:
            why = reasons[session, group]
            message = f"{name} was ended {why} after {periods} periods"
        elif not periods:
            message = f"{name} never started"
        yield Problem("unfinished", message, "", str(session), int(group))


def not_ended(data: Data) -> tuple[list[Group], list[Group]]:
    """Return the groups that have not ended, and the groups that were stopped before the rules
    ended their play."""
    groups = data.groups[data.groups["ended"] == ""]
    reasons = stopped(data)
    keys = keys_of(groups)
    return [key for key in keys if key not in reasons], [key for key in keys if key in reasons]


def leavers(data: Data) -> pd.DataFrame:
    """Return the session and number of each group in which somebody dropped out and, as a result, a
    bot took the seat, the seat stayed empty, or the play ended."""
    rows = [
        data.seats.loc[data.seats["reason"] == "dropout", GROUP],
        data.outcomes.loc[data.outcomes["status"] == "left", GROUP].dropna(),
        pd.DataFrame([key for key, why in stopped(data).items() if why != _MANAGER], columns=GROUP),
    ]
    return pd.concat(rows).drop_duplicates().astype({"session": "str", "group": "int64"})


_MANAGER = "by the manager"


def stopped(data: Data) -> dict[Group, str]:
    """Return the groups that were stopped before the rules ended their play, with the reasons."""
    if "events" in data.unread:
        return {}
    rows = data.events.loc[data.events["event"] == "ended", [*GROUP, "seat"]]
    return {
        (str(session), int(group)): _MANAGER if pd.isna(seat) else "because somebody left"
        for session, group, seat in rows.itertuples(index=False)
    }


def _people(data: Data) -> Iterator[Problem]:
    if "outcomes" in data.unread:
        return
    without = data.arrived[data.arrived["seat"].isna()]
    for row in without.to_dict("records"):
        message = f"participant {row['participant']} of session {row['session']} {_progress(row)}"
        yield Problem("left", message, "", str(row["session"]), None, str(row["participant"]))
    for session, count in Counter(session for session, _ in sorted(data.unopened)).items():
        yield Problem("unopened", f"session {session}: {places(count)}", "", session)


def places(count: int) -> str:
    """Return a phrase about places that nobody opened."""
    return f"places that nobody opened: {count}"


def _progress(row: Mapping[Any, Any]) -> str:
    status = str(row["status"])
    if status == "arriving":
        tries = row["quiz_attempts"]
        if not pd.isna(tries) and tries > 0:
            return f"got no further than the quiz, which was submitted {counted(tries, 'time')}"
        return "did not submit the quiz"
    return _PARTED.get(status, f"has no group; status {status!r}")
