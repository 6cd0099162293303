"""Scheduled talk events: policies' messages, and the end of a time for talk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mixed_company.table.state import State
from mixed_company.table.talk.memory import Conversation


def next_talk(
    table: State, talk: Conversation
) -> Iterator[tuple[int, Literal["say", "talk_over"], int]]:
    """Yield (time, kind, seat) of each scheduled event; the seat is -1 if it concerns none."""
    for seat, composed in talk.composed.items():
        yield composed.at_ms, "say", seat
    if talk.open_ms is not None:
        yield over_ms(table, talk, talk.open_ms), "talk_over", -1


def over_ms(table: State, talk: Conversation, open_ms: int) -> int:
    """Return when the time for talk is over.

    That is its end, or earlier if all people, outside agents, and unlabelled bots are ready.
    """
    end = table.ends_ms or open_ms
    people = [chair.seat for chair in table.seats if chair.occupant == "person" or chair.agent]
    if any(seat not in talk.done and not table.parted(seat) for seat in people):
        return end
    ready = [time_ms for seat, time_ms in talk.ready.items() if not table.out(seat)]
    return min(end, max([open_ms, *talk.done.values(), *ready]))
