"""Dropout `pause`: the others wait for a person who has left, and no longer than they are told.

A person who is not heard of for the grace time is awaited for `pause_seconds`. Until then the time
for what he or she has not decided is not up. Whoever comes back has the whole time for it once
more, and not again in the same period; whoever does not is followed by a policy, which has the
time to answer. Whoever is there can decide meanwhile.

Two events say so, each with `extra_ms`, by how much the time of the decision became longer:

awaited   somebody is waited for; again in each later period that is made longer by it
met       he or she has come back: what is not needed any more of the time is taken back (below 0)
"""

from __future__ import annotations

from mixed_company.table.answers import LATE_MS
from mixed_company.table.seating import Seat
from mixed_company.table.state import State
from mixed_company.table.writing import log_event

__all__ = ["await_person", "await_still", "meet"]


def await_person(table: State, seat: int, at: int) -> None:
    """A person has left, and is waited for from now on."""
    chair = table.seats[seat]
    chair.gaps += 1
    chair.awaited_ms = at
    _log(table, chair, "awaited", at, _missing(table, chair))


def await_still(table: State, at: int) -> None:
    """A decision begins: whoever is waited for has the time for it until that is over."""
    for chair in table.seats:
        chair.awaited_extra_ms = 0
        extra = _missing(table, chair)
        if extra:
            _log(table, chair, "awaited", at, extra)


def meet(table: State, chair: Seat, at: int) -> None:
    """Somebody is heard of, for whom the others perhaps waited."""
    if chair.awaited_ms is None:
        return
    chair.awaited_ms = None
    end, extra = table.deadline_ms, 0
    if end is not None and _holds_up(table, chair):
        answers = [decision.at_ms for decision in table.answers.values()]
        others = [_until(table, other) for other in table.seats if _holds_up(table, other)]
        least = [at + (table.limit_ms or 0), end - chair.awaited_extra_ms]
        extra = max(*least, *answers, *others) - end
    chair.met_period = table.episode.period
    _log(table, chair, "met", at, extra)


def _log(table: State, chair: Seat, event: str, at: int, extra: int) -> None:
    if extra:
        table.extensions.append((at, extra))
        chair.awaited_extra_ms += extra
    log_event(table, event, at, seat=chair.seat, extra_ms=extra)


def _missing(table: State, chair: Seat) -> int:
    """What is missing of the time until whoever follows has answered, milliseconds."""
    end = table.deadline_ms
    if end is None or not _holds_up(table, chair):
        return 0
    return max(_until(table, chair) - end, 0)


def _until(table: State, chair: Seat) -> int:
    """When the wait for a person is over, and whoever follows has answered; 0: nobody waits."""
    return 0 if chair.awaited_ms is None else chair.awaited_ms + table.pause_ms + LATE_MS


def _holds_up(table: State, chair: Seat) -> bool:
    """May the decision of this seat be waited for? Once in a period."""
    return table.decides(chair.seat) and chair.met_period != table.episode.period
