"""Groups of an export that can be measured, and the groups that are left out.

A group is measured if its configuration can be played. A group that never started is kept, but all
its measures are missing.

    kept(data)       the tables without the groups that cannot be measured
    measured(data)   the same, with a warning that names the groups left out
    left_out(data)   all groups without measures, with the reasons
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import pandas as pd

from mixed_company.analysis.data import GROUP, Data


class LeftOutWarning(UserWarning):
    """Warning that names groups that cannot be measured; all other groups are measured."""


def kept(data: Data) -> Data:
    """Drop unplayable groups from every table except `outcomes` and `seats`."""
    games, tables = data.games, {}
    for name in ("decisions", "periods", "pairs", "config"):
        frame = getattr(data, name)
        if frame is not None and not games.keys() >= {*_keys(frame)}:
            keys = pd.MultiIndex.from_tuples(list(games), names=GROUP)
            playable = pd.MultiIndex.from_frame(frame[GROUP]).isin(keys)
            tables[name] = frame[playable].reset_index(drop=True)
    return replace(data, **tables) if tables else data


def measured(data: Data) -> Data:
    """Return the tables of `kept`; warn about all other groups (LeftOutWarning)."""
    able = kept(data)
    if able is data:
        return data
    present = {*_keys(data.config), *_keys(data.decisions), *_keys(data.periods)}
    gone = present - set(_keys(able.config))
    if not gone:
        return able
    reasons = [
        f"group {row['group']} of session {row['session']}: {row['why']}"
        for row in left_out(data).to_dict("records")
        if (row["session"], row["group"]) in gone
    ]
    warnings.warn(f"Left out: {'; '.join(reasons)}", LeftOutWarning, stacklevel=4)
    return able


def left_out(data: Data) -> pd.DataFrame:
    """Return one row per group without measures, with the reason (`why`)."""
    configured, games = _keys(data.config), data.games
    started = set(_keys(data.periods))
    everywhere = [*configured, *_keys(data.decisions), *_keys(data.periods), *_keys(data.outcomes)]
    rows = []
    for key in dict.fromkeys(everywhere):
        if key not in configured:
            why = "it is not in the table config, so its rules are unknown"
        elif key not in games:
            why = "its configuration does not describe a playable game"
        elif key not in started:
            why = "it never started: no period was played"
        else:
            continue
        rows.append({"session": key[0], "group": key[1], "why": why})
    return pd.DataFrame(rows, columns=["session", "group", "why"])


def _keys(frame: pd.DataFrame) -> list[tuple[str, int]]:
    """Return the groups in a table, ignoring rows of participants without a group."""
    keys = frame.groupby(GROUP, sort=False).size().index
    return [(str(session), int(group)) for session, group in keys]
