"""Names of the plays of repeated blocks, which exports have and `Data.by_block` replaces."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pandas as pd

from mixed_company.analysis.data import Data
from mixed_company.experiment.blocks import blocks_of_plays
from mixed_company.experiment.manifest import course


def as_exported(data: Data) -> Data:
    """Return the data with each play under its own name instead of its block's, as before
    `Data.by_block`."""
    if "play" not in data.config:
        return data
    names = {
        (session, block): [play for play, name in plays.items() if name == block]
        for session, entry in data.manifest.get("sessions", {}).items()
        if (plays := blocks_of_plays(course(entry)))
        for block in plays.values()
    }
    config = data.config
    numbers = {
        (session, int(group)): int(play)
        for session, group, play in config[["session", "group", "play"]].itertuples(index=False)
    }
    frames: dict[str, Any] = {}
    for attribute in fields(data):
        frame = getattr(data, attribute.name)
        if isinstance(frame, pd.DataFrame) and "block" in frame:
            frames[attribute.name] = frame.assign(block=_named(frame, names, numbers))
    frames["config"] = frames["config"].drop(columns="play")
    return replace(data, **frames)


def _named(
    frame: pd.DataFrame,
    names: dict[tuple[str, str], list[str]],
    numbers: dict[tuple[str, int], int],
) -> pd.Series[Any]:
    """Return the name of each row's play. A person without a group was about to begin a play: the
    one after the last play for which the person has a row."""
    begun: dict[tuple[str, str, str], int] = {}
    people = frame["participant"] if "participant" in frame else [""] * len(frame)
    plays = []
    keys = zip(frame["session"], frame["group"], frame["block"], people, strict=True)
    for session, group, block, person in keys:
        place = (session, block, person)
        number = begun.get(place, 0) if pd.isna(group) else numbers.get((session, int(group)), 0)
        begun[place] = number + 1
        listed = names.get((session, block), [])
        plays.append(listed[number] if number < len(listed) else block)
    return pd.Series(plays, frame.index, dtype=object).astype(frame["block"].dtype)
