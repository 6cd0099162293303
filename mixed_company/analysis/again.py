"""Replay of a group from its `decisions` rows, shared by all parts of the analysis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.table.export import sent_of

Rows = Sequence[Mapping[str, Any]]


def played(episode: Episode, periods: Iterable[Rows]) -> Iterator[Period]:
    """Replay a group, yielding each period. `periods` has each period's rows of `decisions`, by
    seat.

    A seat leaves the play when its `decided_by` is first `absent`. Rows are read one period at a
    time, so a caller can inspect the play before each period. Raises EngineError if the rows cannot
    be played.
    """
    leaving: dict[int, list[int]] = {}

    def sent() -> Iterator[Mapping[str, Any]]:
        for rows in periods:
            absent = [seat for seat, row in enumerate(rows) if row["decided_by"] == "absent"]
            leaving[episode.period] = [seat for seat in absent if seat not in episode.absent]
            yield sent_of(episode.game, rows)

    return episode.again(sent(), leaving)
