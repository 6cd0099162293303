"""Messages from an outside agent to a table: its decisions and its talk.

Like a person, an agent receives its seat's views (`table.view`). It decides once per period, while
its views are in the `decide` phase, and has the same deadline. Its decision takes effect no sooner
than a bot's decision would after thinking (`bot_delay`). An agent can also give up, which counts as
a fault; the default is then used.
"""

from __future__ import annotations

from mixed_company.engine.contract.errors import ActionError
from mixed_company.language import gettext as _
from mixed_company.policies.policy import Answer
from mixed_company.table.protocol import Ack, Message, Refusal, in_words
from mixed_company.table.table import Table
from mixed_company.table.talk import parsing

GIVE_UP = "give_up"
"""Kind of message that an agent sends to give up a decision; `value` says why."""


def take(table: Table, seat: int, message: Message, now: int) -> Ack | Refusal | None:
    """Handle an agent's message after settling everything due by `now`; None means no reply."""
    if message.kind in parsing.KINDS:
        return table.say(seat, message, now)
    if message.kind not in ("act", GIVE_UP):
        return None
    chair, period = table.seats[seat], table.episode.period
    if message.id in chair.ids:
        return Ack(message.id, chair.ids[message.id])
    reason = _why_not(table, seat, message)
    if reason is not None:
        return Refusal(reason, message.id, period)
    try:
        answer = _answer(table, seat, message)
    except ActionError as error:
        return Refusal(in_words(error), message.id, period)
    table.answered(seat, period, answer, now, message.id)
    return Ack(message.id, period)


def _why_not(table: Table, seat: int, message: Message) -> str | None:
    """Return why the agent cannot decide now, or None if it can."""
    closed = table.why_closed(seat, message)
    if closed is not None or seat in table.pending:
        return closed
    if table.episode.turn not in (None, seat):
        return _("it is Player {n}'s turn").format(n=table.episode.turn + 1)
    return _("you have already made your decision")


def _answer(table: Table, seat: int, message: Message) -> Answer:
    """Return the policy's answer from a message. Raises ActionError."""
    allowed, memory = table.episode.allowed(seat), table.seats[seat].memory
    if message.kind == GIVE_UP:
        return Answer(allowed.default_action(), memory, f"gave up: {message.value}")
    return Answer(allowed.plain(message.action), memory)
