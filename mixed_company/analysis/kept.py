"""Groups of an export that can be measured, and groups that are left out.

A group is measured if its configuration can be played and its tables contain only seats and periods
that its game has. Groups that never started are kept, but all their measures are missing.

    kept(data)       the tables without the groups that cannot be measured
    measured(data)   the same, with a warning that names the groups left out
    left_out(data)   all groups without measures, with the reasons
    without(data, groups)   the tables without these groups
"""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import replace

import pandas as pd

from mixed_company.analysis.data import GROUP, Data

Group = tuple[str, int]
"""A group, identified by its session and number."""

_PLAYED = ("decisions", "periods", "pairs", "config")
"""Tables with rows for groups that played."""

_PLACES = {"period": "horizon", "seat": "seats", "partner": "seats"}
"""Columns with period or seat numbers, and the game's attribute that says how many there are."""


class LeftOutWarning(UserWarning):
    """A warning that names the groups that cannot be measured. All other groups are measured."""


def kept(data: Data) -> Data:
    """Drop groups that cannot be measured from every table except `outcomes` and `seats`."""
    frames = [getattr(data, name) for name in _PLAYED]
    present = {key for frame in frames if frame is not None for key in keys_of(frame)}
    return without(data, (present - data.games.keys()) | impossible(data).keys())


def impossible(data: Data) -> dict[Group, str]:
    """Return the groups with rows for a seat or period that their game does not have, each with the
    first such value."""
    wrong: dict[Group, str] = {}
    for name in _PLAYED:
        frame = getattr(data, name)
        columns = [] if frame is None else [key for key in _PLACES if key in frame]
        if not columns:
            continue
        ends = frame.groupby(GROUP)[columns].agg(["min", "max"])
        for key, row in zip(ends.index.tolist(), ends.to_numpy().tolist(), strict=True):
            game = data.games.get(key)
            for column, low, high in zip(columns, row[::2], row[1::2], strict=True):
                last = 0 if game is None else getattr(game, _PLACES[column]) - 1
                if game is not None and not 0 <= low <= high <= last:
                    value = low if low < 0 else high
                    rule = f"{name}.{column} = {value:g}: should be from 0 to {last}"
                    wrong.setdefault(key, rule)
    return wrong


def without(data: Data, groups: Collection[Group]) -> Data:
    """Drop these groups from every table except `outcomes` and `seats`."""
    tables = {}
    for name in _PLAYED if groups else ():
        frame = getattr(data, name)
        if frame is not None:
            dropped = pd.MultiIndex.from_frame(frame[GROUP]).isin(list(groups))
            tables[name] = frame[~dropped].reset_index(drop=True)
    return replace(data, **tables) if tables else data


def keys_of(frame: pd.DataFrame) -> list[Group]:
    """Return the groups in a table; rows of participants without a group are ignored."""
    keys = frame[GROUP].dropna().drop_duplicates()
    return [(str(session), int(group)) for session, group in keys.itertuples(index=False)]


def measured(data: Data) -> Data:
    """Return the tables of `kept`, and warn about all other groups (LeftOutWarning)."""
    able = kept(data)
    if able is data:
        return data
    present = {*keys_of(data.config), *keys_of(data.decisions), *keys_of(data.periods)}
    gone = present - set(keys_of(able.config))
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
    configured, games, wrong = keys_of(data.config), data.games, impossible(data)
    decided, started, people = map(keys_of, (data.decisions, data.periods, data.outcomes))
    everywhere, rows = [*configured, *decided, *started, *people], []
    for key in dict.fromkeys(everywhere):
        if key not in configured:
            why = "it is not in the table config, so its rules are unknown"
        elif key not in games:
            why = "its configuration does not describe a playable game"
        elif key in wrong:
            why = wrong[key]
        elif key not in started:
            why = "it never started: no period was played"
        else:
            continue
        rows.append({"session": key[0], "group": key[1], "why": why})
    return pd.DataFrame(rows, columns=["session", "group", "why"])
