"""Write frames as an export: simulated, joined or loaded data in one file that `load` can read.

save(simulated("commons_game", people=["greedy"] * 4, groups=20, seed=1), "simulated.zip")
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from mixed_company import engine
from mixed_company.analysis.data import Data
from mixed_company.table.export import OPTIONAL, TABLES, Column, columns, spread
from mixed_company.table.export.archive import PROJECT, Writer, code_hash, software

__all__ = ["save"]

PART = 2_000
"""Number of rows held as objects at any time."""


def save(data: Data, path: str | Path) -> None:
    """Write the tables as a zip, with codebook and manifest; `load` returns the same frames.

    The same tables and the same code give the same bytes. Raises OSError.
    """
    games = list(dict.fromkeys(data.games.values())) or [engine.make(data.game_id)]
    with Writer(Path(path), _manifest(data)) as archive:
        for name in (*TABLES, *OPTIONAL):
            frame = getattr(data, name)
            if frame is not None and name not in data.unread:
                declared = spread(column for game in games for column in columns(name, game))
                by_label = {
                    label: replace(column, name=label, shape=())
                    for label, column in declared.items()
                }
                header = [by_label.get(label, _unknown(frame, label)) for label in frame.columns]
                archive.table(data.game_id, name, header, _rows(frame))


def _manifest(data: Data) -> dict[str, Any]:
    """Return the manifest of the data, completed with this code's entries."""
    entries = {
        key: value
        for key, value in data.manifest.items()
        if key not in ("format", "tables", "sealed")
    }
    defaults = {
        "project": PROJECT,
        "made": "",
        "software": software("numpy"),
        "code": code_hash(),
        "games": {data.game_id: engine.find(data.game_id).version},
        "sessions": _sessions(data),
    }
    return {**defaults, **entries}


def _sessions(data: Data) -> dict[str, Any]:
    names = dict(zip(data.config["session"], data.config["session_config"], strict=True))
    people = data.outcomes["session"].value_counts().to_dict()
    return {
        str(code): {"session_config": names.get(code, ""), "participants": people.get(code, 0)}
        for code in dict.fromkeys([*data.config["session"], *data.outcomes["session"]])
    }


def _unknown(frame: pd.DataFrame, name: str) -> Column:
    """Return a column that the data's games do not have, with the type that pandas infers."""
    kinds = {"f": "real", "i": "whole", "u": "whole", "b": "flag"}
    return Column(name, kinds.get(getattr(frame[name].dtype, "kind", "O"), "text"), "")


def _rows(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield plain values, exact to the last digit; missing values are empty."""
    names = [str(name) for name in frame]
    for first in range(0, len(frame), PART):  # as objects a table takes many times as much memory
        part = frame.iloc[first : first + PART]
        plain = [part[name].astype(object).where(part[name].notna(), "") for name in part]
        for values in zip(*(column.tolist() for column in plain), strict=True):
            yield dict(zip(names, values, strict=True))
