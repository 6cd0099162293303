"""A message of a page comes to a table: what the page is answered, and who gets a new view."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bots.policy import Answer as PolicyAnswer
from language import gettext as _
from table.directives import Directive
from table.protocol import Ack, Message, Refusal, View
from table.table import Table
from table.view import seen_by_all, view

__all__ = ["Exchange", "answered", "exchange", "looked_at", "managed"]


_SHOWN = ("sync", "tick", "back", "ready", "choose")
"""What a page is shown its view after, whatever happened."""


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
        seats = [seat] if message.kind in _SHOWN else []
    return Exchange(answer, {seat: view(table, seat, now) for seat in seats})


def answered(table: Table, seat: int, period: int, answer: PolicyAnswer, now: int) -> Exchange:
    """A policy that was asked elsewhere in a period has answered for its seat."""
    before = seen_by_all(table)
    table.answered(seat, period, answer, now)
    changed = seen_by_all(table) != before
    return Exchange(None, {person: view(table, person, now) for person in table.people if changed})


def looked_at(table: Table, now: int, most: float = math.inf) -> Exchange:
    """Nobody sent anything, but the time has passed: at most so many periods are settled."""
    before = seen_by_all(table)
    table.advance(now, most)
    changed = seen_by_all(table) != before
    return Exchange(None, {seat: view(table, seat, now) for seat in table.people if changed})


def managed(
    table: Table, directive: Directive, now: int, most: float = math.inf
) -> tuple[Ack | Refusal, dict[int, View]]:
    """The manager has something done, after what was due, at most so many periods: what he or she
    is answered, and the views of those who are shown something."""
    if not table.advance(now, most):
        reason = "the game is catching up with the time; please try again"
        return Refusal(reason, directive.id), {}
    before = seen_by_all(table)
    answer = table.manage(directive, now)
    everybody = directive.seat is None or seen_by_all(table) != before
    seats = table.people if everybody else [directive.seat]
    shown = {seat: view(table, seat, now) for seat in seats if seat is not None}
    return answer, shown if isinstance(answer, Ack) else {}


def _answer(
    table: Table, seat: int, message: Message, now: int, most: float
) -> Ack | Refusal | None:
    caught_up = table.advance(now, most)
    if message.kind in ("act", "choose"):
        if not caught_up:
            reason = _("the game is catching up with the time; please choose again")
            return Refusal(reason, message.id)
        take = table.act if message.kind == "act" else table.choose
        return take(seat, message, now)
    if caught_up and message.kind == "back":
        return table.back(seat, message, now)
    if caught_up and message.kind == "ready":
        return table.ready(seat, message, now)
    if caught_up and not table.to_confirm(seat):
        table.hear(seat, now)
    return None
