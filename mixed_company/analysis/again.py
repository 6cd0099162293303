"""A group played again from its rows of `decisions`: the one way in which the analysis does it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period
from mixed_company.table.export import sent_of

__all__ = ["played"]

Rows = Sequence[Mapping[str, Any]]


def played(episode: Episode, periods: Iterable[Rows]) -> Iterator[Period]:
    """The periods that the rows of `decisions` give, one list per period in the order of seats.

    A seat that is `absent` in `decided_by`, and has not left before, leaves. The rows are read as
    the play goes on: who wants to look at the play before a period does so where they are handed
    out. Raises EngineError where they cannot be played.
    """
    leaving: dict[int, list[int]] = {}

    def sent() -> Iterator[Mapping[str, Any]]:
        for rows in periods:
            absent = [seat for seat, row in enumerate(rows) if row["decided_by"] == "absent"]
            leaving[episode.period] = [seat for seat in absent if seat not in episode.absent]
            yield sent_of(episode.game, rows)

    return episode.again(sent(), leaving)
