"""Reject an export that cannot be analysed because its keys or configurations are impossible.

`mixed check` reports such faults together with all others. An analysis cannot use such rows: a
repeated group, for example, has two configurations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from mixed_company.analysis.data import GROUP, UNPLAYABLE, Data
from mixed_company.analysis.files import ExportError
from mixed_company.engine.contract.config import MOST_SEATS
from mixed_company.engine.contract.errors import short
from mixed_company.table.export.describing import file_of

MOST_GROUPS = 10**9
"""Largest possible group number."""


def check_keys(data: Data, keys: Mapping[str, tuple[str, ...]]) -> None:
    """Raise ExportError for an export that cannot be analysed.

    `keys` are the key columns of each table (`reading.KEYS`).
    """
    for fault in _faults(data, keys):
        raise ExportError(fault)


def _faults(data: Data, keys: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    config = file_of(data.game_id, "config")
    if data.config.empty and not (data.seats.empty and data.periods.empty):
        yield f"{config}: no rows, but there should be one per group"
    for row in data.config.index[data.config.duplicated(GROUP)]:
        session, group = data.config.loc[row, GROUP]
        rule = f"session {short(session)} has another row for this group"
        yield f"{config}, line {row + 2}, group = {group}: {rule}"
    games = data.games.values()
    unplayable = [problem for problem in data.problems if problem.kind == UNPLAYABLE]
    if not games and unplayable:
        yield f"no group can be replayed: {unplayable[0]}"
    seats = max((game.seats for game in games), default=MOST_SEATS) - 1
    periods = max((game.horizon for game in games), default=1) - 1
    ranges = {"group": (1, MOST_GROUPS), "period": (0, periods)}
    ranges |= dict.fromkeys(("seat", "partner"), (0, seats))
    for table, columns in keys.items():
        frame = getattr(data, table, None)
        if frame is None:
            continue
        for column in (name for name in columns if name in ranges):
            place = f"{file_of(data.game_id, table)}, line"
            yield from _out_of_range(frame, place, column, *ranges[column])
    without = data.outcomes.empty and "outcomes" not in data.unread
    if without and (data.seats["participant"] != "").any():
        outcomes = file_of(data.game_id, "outcomes")
        yield f"{outcomes}: no rows, but there should be one per participant"


def _out_of_range(
    frame: pd.DataFrame, place: str, column: str, low: int, high: int
) -> Iterator[str]:
    """Yield a sentence about the first value outside a range."""
    values = frame[column]
    wrong = values[((values < low) | (values > high)).fillna(value=False)]
    for row, value in wrong.head(1).items():
        yield f"{place} {int(str(row)) + 2}, {column} = {value}: should be from {low} to {high}"
