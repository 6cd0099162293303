"""Columns of `outcomes`: how each participant's part ended, and the payment."""

from __future__ import annotations

from mixed_company.table.export.column import Column, Personal
from mixed_company.table.options import STATUSES

OF_QUESTIONS = ("question_points", "pay_questions", "questions_asked", "questions_answered")
"""Columns that an export includes only if a session asks questions."""

_SINCE = "milliseconds since 1970-01-01 UTC"

PAID = {
    "fee": "for taking part",
    "points": "for earned points",
    "questions": "for points won by answers to questions",
    "floor": "added to reach the minimum payment",
    "cap": "deducted above the maximum payment",
    "waiting": "for the minutes in the lobby",
    "rounding": "added to round the sum of these parts, in cents, up to a multiple of pay_rounding",
    "elsewhere": "from the session's other games and apps",
}
"""Parts of a payment: those of `table.ledger`, and payments from other apps."""


def outcome_columns() -> list[Column]:
    """Return a participant's columns after session, group and seat."""
    return [
        Column("participant", "text", "participant code", personal=Personal.CODE),
        Column(
            "label",
            "text",
            "participant label, if the session has labels",
            personal=Personal.CODE,
        ),
        _new("slot", "whole", "slot in the plan's order of treatments; empty: none"),
        _new(
            "assigned_ms",
            "whole",
            "when the treatment was assigned, on the machine's clock",
            _SINCE,
        ),
        Column("status", "text", f"arriving, waiting, seated, {', '.join(STATUSES[:-1])}"),
        Column(
            "points", "real", "points earned in the periods in which the person decided", "points"
        ),
        _new("question_points", "real", "points won by answers to questions", "points"),
        Column(
            "seat_points", "real", "points earned in the seat, no matter who occupied it", "points"
        ),
        Column(
            "paid_points",
            "real",
            "points that are paid, including those for answers, after floor and cap",
            "points",
        ),
        Column(
            "payment",
            "real",
            "total payment to the participant, including the fee; 0: the participant never came "
            "or has not finished",
            "currency",
        ),
        *(
            _new(f"pay_{name}", "real", f"part of the payment: {meaning}", "currency")
            for name, meaning in PAID.items()
        ),
        _new("waited_ms", "whole", "how long the participant waited in the lobby", "ms"),
        _new("disclosure", "text", "statement about bots that was shown; empty: none"),
        _new(
            "disclosed_ms",
            "whole",
            "when this statement was first shown, on the machine's clock",
            _SINCE,
        ),
        _new(
            "parameters",
            "text",
            "link parameters that the session keeps, as JSON",
            personal=Personal.PARAMETERS,
        ),
        Column("quiz_attempts", "whole", "number of attempts at the quiz"),
        Column("quiz_log", "text", "every attempt, as JSON: time, answers, wrong answers"),
        _new(
            "practised_periods",
            "whole",
            "number of practice periods in which the participant decided",
        ),
        _new("practice_log", "text", "every decision in practice, as JSON: time, period, action"),
        _new("consented", "text", "yes or no; empty: the participant was not asked"),
        _new(
            "consented_ms",
            "whole",
            "when consent was given or refused, on the machine's clock",
            _SINCE,
        ),
        _new("hidden_ms", "whole", "how long the play page was hidden; empty: not counted", "ms"),
        _new("hidden_times", "whole", "how many times the play page was hidden"),
        _new(
            "idle_ms",
            "whole",
            "how long the play page was visible without input, not counting the first 30 s",
            "ms",
        ),
        _new(
            "reaction_ms",
            "real",
            "median time from the start of a period to the person's decision",
            "ms",
        ),
        _new("comments", "text", "the participant's comments at the end", personal=Personal.TEXT),
        _new("messages_sent", "whole", "number of messages that the person wrote", since="0.9.0"),
        _new(
            "questions_asked",
            "whole",
            "number of questions that the person was shown: rows in answers",
            since="0.9.0",
        ),
        _new("questions_answered", "whole", "how many of them were answered", since="0.9.0"),
        Column(
            "disconnections", "whole", "number of disconnections over 15 s while a page was open"
        ),
        Column("bot_share", "real", "share of the periods played in which a policy decided"),
        _new(
            "managed",
            "text",
            "the manager's directives for a participant without a seat, with time and content, as "
            "JSON",
            personal=Personal.WORDS,
        ),
    ]


def _new(
    name: str,
    kind: str,
    meaning: str,
    unit: str = "",
    personal: Personal | None = None,
    since: str = "0.8.0",
) -> Column:
    return Column(name, kind, meaning, unit, since=since, personal=personal)
