"""A person at a table answers a question of the period (`table.questions`), and what it wins.

An answer can be changed until the decision of the period counts; what is open then stays open. It
is about the period: what is true of it is known when that is over, and a prize is won then, by who
has the seat (`table.beliefs`). Nothing of it is known to the rules of the game.
"""

from __future__ import annotations

from typing import Any

from mixed_company.language import gettext as _
from mixed_company.table import items
from mixed_company.table.beliefs import Facts, judged
from mixed_company.table.items import Item
from mixed_company.table.journal import Entry
from mixed_company.table.protocol import Message
from mixed_company.table.questions import items_in
from mixed_company.table.state import State
from mixed_company.table.writing import log

__all__ = ["follow", "missing", "settle", "shown", "why_not"]


def shown(table: State, seat: int) -> dict[str, Any] | None:
    """What the page of a seat asks in this period: name -> the answer so far; None: nothing."""
    if not table.options.questions or table.parted(seat):
        return None
    asked_for = _items(table, seat)
    given = table.replies.of(seat)
    return {item.name: given.get(item.name) for item in asked_for} or None


def why_not(table: State, seat: int, message: Message) -> str | None:
    """Why an answer that comes in its period is not taken; None: it is."""
    known = {item.name: item for item in _items(table, seat)}
    if message.question not in known:
        return _("this is not a question of period {now}").format(now=table.episode.period + 1)
    if seat in table.decided:
        return _("you have decided already in this period")
    if table.replies.too_many(seat, message.period):
        return _("you have answered too often in this period; the last answer stays")
    if message.value is None:
        return None
    return items.problem(known[message.question], message.value)


def follow(table: State, seat: int, message: Message, time_ms: int) -> None:
    """An answer that was not refused counts."""
    content = {name: getattr(message, name) for name in ("id", "period", "question", "value")}
    log(table, "answered", time_ms, seat=seat, **content)
    table.replies.take(seat, message.id, message.period, message.question, message.value)


def missing(table: State, seat: int) -> str | None:
    """Why the person on a seat cannot decide yet: a question that must be answered is open."""
    if not table.options.questions:
        return None
    given = table.replies.of(seat)
    if all(item.name in given for item in _items(table, seat) if item.required):
        return None
    return _("please answer the question first")


def settle(table: State, line: Entry, occupants: list[str]) -> None:
    """A period is over, of which this is the entry: prizes are won, and no question is open."""
    if not table.options.questions:
        return
    facts, period = Facts(occupants, line["used"], line["state"]), int(line["period"])
    points = table.replies.points
    for seat, given in table.replies.given.items():
        own = [item for item in items_in(table.options, seat, period) if item.name in given]
        beliefs = (
            judged(item, given[item.name], seat, facts, table.episode.seed, period) for item in own
        )
        points[seat] = table.replies.won(seat) + sum(belief.points or 0.0 for belief in beliefs)
    table.replies.given = {}


def _items(table: State, seat: int) -> list[Item]:
    return items_in(table.options, seat, table.episode.period)
