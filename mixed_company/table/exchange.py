"""Message exchange: a page's message to a table, the reply, and the views that change."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from mixed_company.language import gettext as _
from mixed_company.policies.policy import Answer as PolicyAnswer
from mixed_company.table import outside
from mixed_company.table.directives import Directive
from mixed_company.table.protocol import Ack, Message, Refusal, View
from mixed_company.table.table import Table
from mixed_company.table.talk import parsing
from mixed_company.table.talk.seen import reached_since, written
from mixed_company.table.view import seen_by_all, views

_SHOWN = ("sync", "tick", "back", "ready", "choose", "done")
"""Kinds of messages that are always answered with a view."""


@dataclass(frozen=True)
class Exchange:
    """Reply and views to be sent after a message, once its effects are saved.

    answer   reply to the page that sent the message, sent before its view
    views    seat -> view, for every page that has something new to show
    """

    answer: Ack | Refusal | None
    views: dict[int, View]


def exchange(
    table: Table, seat: int, message: Message, now: int, max_periods: float = math.inf
) -> Exchange:
    """Handle a message from the person in a seat, after settling at most `max_periods` due periods.

    If more are due, the page shows no time left and sends the message again.
    """
    before = _seen(table)
    answer = _answer(table, seat, message, now, max_periods)
    seats = _changed_for(table, before)
    if message.kind in _SHOWN:
        seats.add(seat)
    return Exchange(answer, views(table, sorted(seats), now))


def answered(table: Table, seat: int, period: int, answer: PolicyAnswer, now: int) -> Exchange:
    """Handle the answer of a policy that the table's host asked, for a seat in a period."""
    before = _seen(table)
    table.answered(seat, period, answer, now)
    return Exchange(None, views(table, sorted(_changed_for(table, before)), now))


def looked_at(table: Table, now: int, max_periods: float = math.inf) -> Exchange:
    """Let time pass without a message: settle at most `max_periods` due periods."""
    before = _seen(table)
    table.advance(now, max_periods)
    return Exchange(None, views(table, sorted(_changed_for(table, before)), now))


def _seen(table: Table) -> tuple[tuple[Any, ...], int]:
    """Return a value that changes whenever pages have something new to show."""
    return seen_by_all(table), 0 if table.talk is None else written(table)


def _changed_for(table: Table, before: tuple[tuple[Any, ...], int]) -> set[int]:
    """Return the seats with something new to show, such as a message that has reached them."""
    if seen_by_all(table) != before[0]:
        return {*table.people, *table.agents}
    return reached_since(table, before[1])


def managed(
    table: Table, directive: Directive, now: int, max_periods: float = math.inf
) -> tuple[Ack | Refusal, dict[int, View]]:
    """Carry out a directive, after settling at most `max_periods` due periods.

    Return the reply to the manager, and the views that change.
    """
    if not table.advance(now, max_periods):
        reason = "the game is still catching up; please try again"
        return Refusal(reason, directive.id), {}
    before = seen_by_all(table)
    answer = table.manage(directive, now)
    everybody = directive.seat is None or seen_by_all(table) != before
    seats = [*table.people, *table.agents] if everybody else [directive.seat]
    shown = views(table, [seat for seat in seats if seat is not None], now)
    return answer, shown if isinstance(answer, Ack) else {}


def _answer(
    table: Table, seat: int, message: Message, now: int, max_periods: float
) -> Ack | Refusal | None:
    caught_up = table.advance(now, max_periods)
    if table.seats[seat].agent is not None:
        return outside.take(table, seat, message, now)
    takes = {"act": table.act, "answer": table.reply, "choose": table.choose}
    if message.kind in takes:
        if not caught_up:
            reason = _("the game is still catching up; please choose again")
            return Refusal(reason, message.id)
        return takes[message.kind](seat, message, now)
    if message.kind in parsing.KINDS:
        if not caught_up:
            return Refusal(_("the game is still catching up; please try again"), message.id)
        return table.say(seat, message, now)
    if caught_up and message.kind == "back":
        return table.back(seat, message, now)
    if caught_up and message.kind == "ready":
        return table.ready(seat, message, now)
    if caught_up and _is_there(table, seat, message):
        table.hear(seat, now)
    return None


def _is_there(table: Table, seat: int, message: Message) -> bool:
    """Return whether a message shows that the person in a seat is present.

    The first such message must come from a page that has been rendered, so that the person sees the
    first period begin. If `ready` is set, it must be the person's own confirmation.
    """
    if table.to_confirm(seat):
        return False
    return table.seats[seat].came or (message.drawn and message.kind != "shown")
