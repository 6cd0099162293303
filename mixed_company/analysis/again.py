"""Replay of a group from its rows of `decisions`, as the whole analysis does it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.table.export import sent_of

__all__ = ["played"]

Rows = Sequence[Mapping[str, Any]]


def played(episode: Episode, periods: Iterable[Rows]) -> Iterator[Period]:
    """Yield the periods that rows of `decisions` give, one list per period in the order of seats.

    A seat that is `absent` in `decided_by`, and has not left before, leaves. The rows are read as
    the play goes on, so a caller can look at the play before a period when its rows are taken.
    Raises EngineError if they cannot be played.
    """
    leaving: dict[int, list[int]] = {}

    def sent() -> Iterator[Mapping[str, Any]]:
        for rows in periods:
            absent = [seat for seat, row in enumerate(rows) if row["decided_by"] == "absent"]
            leaving[episode.period] = [seat for seat in absent if seat not in episode.absent]
            yield sent_of(episode.game, rows)

    return episode.again(sent(), leaving)
