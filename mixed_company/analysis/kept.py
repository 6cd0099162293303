"""What of an export can be measured, and which groups are left out of that, by name.

A group is measured if it has a configuration that can be played. One that never started is kept,
without any number.

    kept(data)       the tables without the groups that cannot be measured
    measured(data)   the same, and a warning that names them
    left_out(data)   all groups without measures, and why
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import pandas as pd

from mixed_company.analysis.data import GROUP, Data

__all__ = ["LeftOutWarning", "kept", "left_out", "measured"]


class LeftOutWarning(UserWarning):
    """Groups that cannot be measured; the rest is."""


def kept(data: Data) -> Data:
    """The tables without the rows of groups that cannot be played; people and seats stay."""
    keys = pd.MultiIndex.from_tuples(list(data.games), names=GROUP)
    tables = {}
    for name in ("decisions", "periods", "pairs", "config"):
        frame = getattr(data, name)
        if frame is not None:
            own = pd.MultiIndex.from_frame(frame[GROUP]).isin(keys)
            if not own.all():
                tables[name] = frame[own].reset_index(drop=True)
    return replace(data, **tables) if tables else data


def measured(data: Data) -> Data:
    """What is kept; every group that is not is named in a LeftOutWarning."""
    able = kept(data)
    there = {*_keys(data.config), *_keys(data.decisions), *_keys(data.periods)}
    gone = there - set(_keys(able.config))
    reasons = [
        f"group {row['group']} of session {row['session']}: {row['why']}"
        for row in left_out(data).to_dict("records")
        if (row["session"], row["group"]) in gone
    ]
    if reasons:
        warnings.warn(f"Left out: {'; '.join(reasons)}", LeftOutWarning, stacklevel=4)
    return able


def left_out(data: Data) -> pd.DataFrame:
    """The groups without measures, one row each, and why."""
    known, games = _keys(data.config), data.games
    started = set(_keys(data.periods))
    everywhere = [*known, *_keys(data.decisions), *_keys(data.periods), *_keys(data.outcomes)]
    rows = []
    for key in dict.fromkeys(everywhere):
        if key not in known:
            why = "it is not in the table config, so that its rules are not known"
        elif key not in games:
            why = "its configuration describes no game that can be played"
        elif key not in started:
            why = "it never started: no period was played"
        else:
            continue
        rows.append({"session": key[0], "group": key[1], "why": why})
    return pd.DataFrame(rows, columns=["session", "group", "why"])


def _keys(frame: pd.DataFrame) -> list[tuple[str, int]]:
    """The groups of a table; rows without one are of participants who were in none."""
    known = frame[GROUP].dropna().drop_duplicates()
    return [(str(session), int(group)) for session, group in known.itertuples(index=False)]
