"""Talk as a page shows it: only the messages that its seat can read."""

from __future__ import annotations

from typing import Any

from mixed_company.table.state import State
from mixed_company.table.talk.among import can_write
from mixed_company.table.talk.memory import RECENT
from mixed_company.table.talk.talking import is_open


def talk_seen(table: State, seat: int, now: int) -> dict[str, Any] | None:
    """Return the `talk` of a view, with the last RECENT messages; None if there is no talk."""
    talk, options = table.talk, table.options
    if talk is None:
        return None
    chair, labels = table.seats[seat], options.disclosure == "labels"
    active = (chair.occupant == "person" or chair.agent is not None) and not table.parted(seat)
    return {
        "open": active and is_open(table, now) and can_write(table.game, options, seat),
        "done": table.talking and seat in talk.done,
        "messages": [
            {
                "number": message.number,
                "period": message.period,
                "seat": message.seat,
                **({} if message.to is None else {"to": message.to}),
                "text": message.text,
                **({"occupant": message.occupant} if labels and message.seat != seat else {}),
                **({"reported": True} if seat in message.reported_by else {}),
            }
            for message in [sent for sent in talk.messages if seat in sent.readers][-RECENT:]
        ],
        **_closes(table, now),
    }


def _closes(table: State, now: int) -> dict[str, int]:
    """Return how long people can still write, if that time ends before the period does."""
    talk, options = table.talk, table.options
    if talk is None or options.talk_apart or not options.talk_seconds:
        return {}
    left_ms = talk.since_ms + round(1000 * options.talk_seconds) - now
    return {"remaining_ms": max(left_ms, 0)}


def written(table: State) -> int:
    """Return the number of messages sent so far."""
    return 0 if table.talk is None else len(table.talk.messages)


def reached_since(table: State, count: int) -> set[int]:
    """Return the seats of people and agents that can read any message after the first `count`."""
    new = [] if table.talk is None else table.talk.messages[count:]
    shown = {*table.people, *table.agents}
    return {seat for message in new for seat in message.readers if seat in shown}
