"""How far sessions came: groups that have not ended, and people who never played.

Nothing here is wrong with the tables. Whoever reads them is to know it, by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from mixed_company.analysis.data import GROUP, Data, Problem

__all__ = ["unfinished"]

_PARTED = {
    "arriving": "did not come as far as the lobby",
    "waiting": "waits in the lobby",
    "left": "left in the lobby",
    "released": "was released without a group",
}


def unfinished(data: Data) -> list[Problem]:
    """The groups that have not ended (`unfinished`), and the people without a group (`left`)."""
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
        what = f"{name} still plays: {periods} periods are over, and none ended the play"
        if (session, group) in stopped:
            why = stopped[session, group]
            what = f"{name} was ended {why} after {periods} periods"
        elif not periods:
            what = f"{name} never started"
        yield Problem("unfinished", what, "", str(session), int(group))


def _stopped(data: Data) -> dict[tuple[Any, Any], str]:
    """The groups whose play was ended before its rules ended it, and why."""
    if "events" in data.unread:
        return {}
    rows = data.events.loc[data.events["event"] == "ended", [*GROUP, "seat"]]
    return {
        (session, group): "by the manager" if pd.isna(seat) else "as somebody left"
        for session, group, seat in rows.itertuples(index=False)
    }


def _people(data: Data) -> Iterator[Problem]:
    if "outcomes" in data.unread:
        return
    without = data.outcomes[data.outcomes["seat"].isna()]
    for row in without.to_dict("records"):
        what = f"participant {row['participant']} of session {row['session']} {_how(row)}"
        yield Problem("left", what, "", str(row["session"]), None, str(row["participant"]))


def _how(row: Mapping[Any, Any]) -> str:
    status = str(row["status"])
    if status == "arriving":
        tries = row["quiz_attempts"]
        if not pd.isna(tries) and tries > 0:
            return f"did not come further than the quiz, handed in {tries} times"
        return "did not come as far as handing in the quiz"
    return _PARTED.get(status, f"has no group; status {status!r}")
