"""A message of a page comes to a table: what the page is answered, and who gets a new view."""

from __future__ import annotations

import math
from dataclasses import dataclass
from gettext import gettext as _

from table.protocol import Ack, Message, Refusal, View
from table.table import Table
from table.view import seen_by_all, view

__all__ = ["Exchange", "exchange"]


@dataclass(frozen=True)
class Exchange:
    """What goes out after a message, once all that has happened is saved.

    answer   to the page that sent it, before its view
    views    seat -> its view, for everybody whose page is to show something new
    """

    answer: Ack | Refusal | None
    views: dict[int, View]


def exchange(
    table: Table, seat: int, message: Message, now: int, most: float = math.inf
) -> Exchange:
    """Take a message of the person on a seat, and settle what was due: at most so many periods.

    If more are due, the page sees that no time is left, and sends again.
    """
    before = seen_by_all(table)
    answer = _answer(table, seat, message, now, most)
    if seen_by_all(table) != before:
        seats = table.people
    else:
        seats = [seat] if message.kind in ("sync", "tick") else []
    return Exchange(answer, {seat: view(table, seat, now) for seat in seats})


def _answer(
    table: Table, seat: int, message: Message, now: int, most: float
) -> Ack | Refusal | None:
    caught_up = table.advance(now, most)
    if message.kind == "act":
        if not caught_up:
            reason = _("the game is catching up with the time; please choose again")
            return Refusal(reason, message.id)
        return table.act(seat, message, now)
    if caught_up:
        table.hear(seat, now)
    return None
