"""Handling answers to a period's questions (`table.questions`), and their prizes.

An answer can be changed until the period's decision takes effect; after that, a question can still
be answered if it has no answer yet. When the period is over, the truth is known and the person in
the seat can win a prize (`table.beliefs`). Answers never affect the rules of the game.
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


def shown(table: State, seat: int) -> dict[str, Any] | None:
    """Return the questions on a seat's page: name -> the answer so far, or None."""
    if table.parted(seat):
        return None
    questions = _items(table, seat)
    answers = table.replies.of(seat)
    return {item.name: answers.get(item.name) for item in questions} or None


def why_not(table: State, seat: int, message: Message) -> str | None:
    """Return why an answer for the current period is refused, or None if it is accepted."""
    questions = {item.name: item for item in _items(table, seat)}
    if message.question not in questions:
        return _("this question is not from period {now}").format(now=table.episode.period + 1)
    if seat in table.decided:
        return _("you have already made your decision")
    if table.replies.too_many(seat, message.period):
        return _(
            "you have changed your answer too many times in this period; your last answer counts"
        )
    if message.value is None:
        return None
    return items.problem(questions[message.question], message.value)


def follow(table: State, seat: int, message: Message, time_ms: int) -> None:
    """Record an accepted answer."""
    content = {name: getattr(message, name) for name in ("id", "period", "question", "value")}
    log(table, "answered", time_ms, seat=seat, **content)
    table.replies.take(seat, message.id, message.period, message.question, message.value)


def missing(table: State, seat: int) -> str | None:
    """Return why the person cannot decide yet (a required answer is missing), or None."""
    answers = table.replies.of(seat)
    if all(item.name in answers for item in _items(table, seat) if item.required):
        return None
    return _("please answer the question first")


def settle(table: State, line: Entry, occupants: list[str]) -> None:
    """Score and clear the answers for a finished period; `line` is the period's entry."""
    facts, period = Facts(occupants, line["used"], line["state"]), int(line["period"])
    points = table.replies.points
    for seat, answers in table.replies.given.items():
        questions = [item for item in items_in(table.options, seat, period) if item.name in answers]
        beliefs = (
            judged(item, answers[item.name], seat, facts, table.episode.seed, period)
            for item in questions
        )
        points[seat] = table.replies.won(seat) + sum(belief.points or 0.0 for belief in beliefs)
    table.replies.given = {}


def _items(table: State, seat: int) -> list[Item]:
    return items_in(table.options, seat, table.episode.period)
