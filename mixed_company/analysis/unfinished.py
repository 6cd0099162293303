"""Unfinished parts of sessions: groups that have not ended, and people who never played.

They are not faults of the tables, but an analysis should take them into account.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from mixed_company.analysis.data import GROUP, Data, Problem
from mixed_company.analysis.kept import Group, keys_of

_PARTED = {
    "arriving": "did not reach the lobby",
    "waiting": "waits in the lobby",
    "left": "left in the lobby",
    "released": "was released without a group",
}


def unfinished(data: Data) -> list[Problem]:
    """Return the groups that have not ended (`unfinished`), and the people without a group
    (`left`)."""
    return [*_groups(data), *_people(data)]


def _groups(data: Data) -> Iterator[Problem]:
    played = data.periods.groupby(GROUP)["period"].nunique().to_dict()
    over = set(data.periods.loc[data.periods["ended"] != "", GROUP].itertuples(index=False))
    ended = {(session, group) for session, group in over}
    stopped = _stopped(data)
    for session, group in data.config[GROUP].drop_duplicates().itertuples(index=False):
        periods = played.get((session, group), 0)
        if (session, group) in ended:
            continue
        name = f"group {group} of session {session}"
        message = f"{name} is still playing after {periods} periods"
        if (session, group) in stopped:
            why = stopped[session, group]
            message = f"{name} was ended {why} after {periods} periods"
        elif not periods:
            message = f"{name} never started"
        yield Problem("unfinished", message, "", str(session), int(group))


def not_ended(data: Data) -> tuple[list[Group], list[Group]]:
    """Return the groups that have not ended, and those that were stopped before the rules ended
    their play."""
    groups = data.groups[data.groups["ended"] == ""]
    stopped = _stopped(data)
    keys = keys_of(groups)
    return [key for key in keys if key not in stopped], [key for key in keys if key in stopped]


def leavers(data: Data) -> pd.DataFrame:
    """Return the session and number of each group in which somebody dropped out, so that a bot took
    the seat, the seat stayed empty, or the play ended."""
    rows = [
        data.seats.loc[data.seats["reason"] == "dropout", GROUP],
        data.outcomes.loc[data.outcomes["status"] == "left", GROUP].dropna(),
        pd.DataFrame(
            [key for key, why in _stopped(data).items() if why != _MANAGER], columns=GROUP
        ),
    ]
    return pd.concat(rows).drop_duplicates().astype({"session": "str", "group": "int64"})


_MANAGER = "by the manager"


def _stopped(data: Data) -> dict[Group, str]:
    """Return the groups that were stopped before the rules ended their play, with the reason."""
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
    without = data.outcomes[data.outcomes["seat"].isna()]
    for row in without.to_dict("records"):
        message = f"participant {row['participant']} of session {row['session']} {_progress(row)}"
        yield Problem("left", message, "", str(row["session"]), None, str(row["participant"]))


def _progress(row: Mapping[Any, Any]) -> str:
    status = str(row["status"])
    if status == "arriving":
        tries = row["quiz_attempts"]
        if not pd.isna(tries) and tries > 0:
            return f"got no further than the quiz, which was submitted {tries} times"
        return "did not submit the quiz"
    return _PARTED.get(status, f"has no group; status {status!r}")
