"""Replay a group from its `decisions` rows. All parts of the analysis use this module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.table.export import sent_of

Rows = Sequence[Mapping[str, Any]]


def columns(decisions: pd.DataFrame) -> list[str]:
    """Return the columns of `decisions` that are needed to replay a group."""
    names = map(str, decisions.columns)
    return ["decided_by", *(name for name in names if name.startswith("sent_"))]


def sent(
    game: Game[Any], periods: Iterable[Rows]
) -> Iterator[tuple[dict[str, list[Any]], list[int]]]:
    """Yield the actions sent in each period, and the seats that drop out in that period. `periods`
    has each period's rows of `decisions`, by seat.

    A seat drops out in the first period in which its `decided_by` is `absent`.
    """
    gone: set[int] = set()
    for rows in periods:
        absent = [seat for seat, row in enumerate(rows) if row["decided_by"] == "absent"]
        yield sent_of(game, rows), [seat for seat in absent if seat not in gone]
        gone.update(absent)


def played(episode: Episode, periods: Iterable[Rows]) -> Iterator[Period]:
    """Replay recorded periods in a new play, and yield each period. `periods` has the same form as
    in `sent`.

    It reads one period's rows at a time, so the caller can inspect the play before each period.
    Raises EngineError if the rows cannot be played.
    """
    leaving: dict[int, list[int]] = {}

    def actions() -> Iterator[Mapping[str, Any]]:
        for taken, left in sent(episode.game, periods):
            leaving[episode.period] = left
            yield taken

    return episode.again(actions(), leaving)
