"""Dropout `pause`: a group waits for a participant who has left, but no longer than announced.

If a person's page does not respond for the grace time, the rest of the group waits for
`pause_seconds`, and the time for the missing decision is extended accordingly. A person who comes
back gets the full time again, but only once per period. Otherwise a policy takes over and gets time
to answer. Meanwhile, everyone else can decide.

Two events report this. Each has `extra_ms`, the time added to the decision:

awaited   the wait for a person began; logged again for each later period prolonged by the wait
met       the person came back; extra time that is no longer needed is subtracted (a negative value)
"""

from __future__ import annotations

from mixed_company.table.answers import LATE_MS
from mixed_company.table.seating import Seat
from mixed_company.table.state import State
from mixed_company.table.writing import log_event


def await_person(table: State, seat: int, time_ms: int) -> None:
    """Start waiting for a person who has left."""
    chair = table.seats[seat]
    chair.gaps += 1
    chair.awaited_ms = time_ms
    _log(table, chair, "awaited", time_ms, _missing(table, chair))


def await_still(table: State, time_ms: int) -> None:
    """Extend the time for a decision that begins while people are waiting for someone."""
    for chair in table.seats:
        chair.awaited_extra_ms = 0
        extra = _missing(table, chair)
        if extra:
            _log(table, chair, "awaited", time_ms, extra)


def meet(table: State, chair: Seat, time_ms: int) -> None:
    """Stop waiting for a person who has been heard from again."""
    chair.awaited_ms = None
    end, extra = table.deadline_ms, 0
    if end is not None and _holds_up(table, chair):
        answers = [decision.at_ms for decision in table.answers.values()]
        others = [_until(table, other) for other in table.seats if _holds_up(table, other)]
        earliest = [time_ms + (table.limit_ms or 0), end - chair.awaited_extra_ms]
        extra = max(*earliest, *answers, *others) - end
    chair.met_period = table.episode.period
    _log(table, chair, "met", time_ms, extra)


def _log(table: State, chair: Seat, event: str, time_ms: int, extra: int) -> None:
    if extra:
        table.extensions.append((time_ms, extra))
        chair.awaited_extra_ms += extra
    log_event(table, event, time_ms, seat=chair.seat, extra_ms=extra)


def _missing(table: State, chair: Seat) -> int:
    """Return how many milliseconds to add to the deadline so that a replacement can answer."""
    end = table.deadline_ms
    if end is None or not _holds_up(table, chair):
        return 0
    return max(_until(table, chair) - end, 0)


def _until(table: State, chair: Seat) -> int:
    """Return the time by which a replacement will have answered after the wait; 0 if there is no
    wait."""
    return 0 if chair.awaited_ms is None else chair.awaited_ms + table.pause_ms + LATE_MS


def _holds_up(table: State, chair: Seat) -> bool:
    """Return whether the group may wait for this seat's decision; it waits at most once per
    period."""
    return table.decides(chair.seat) and chair.met_period != table.episode.period
