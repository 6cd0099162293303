"""What a participant is paid in money, and where each cent comes from (`table.ledger`).

Nobody who never came, has not passed the quiz or went from the lobby is in any list or total, and
nobody whose part is not over (`table.pay.is_paid`). Where a session has several games, the fee is
in the ledger of the first that pays; of the blocks of a plan in that of the last that somebody came
to. What other apps pay is in none, and in the payment.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from otree.currency import RealWorldCurrency

from mixed_company.experiment.assignment import drawn_block, paid_block
from mixed_company.experiment.planned import Planned
from mixed_company.server.blocks.way import earlier, goes_on, players_of, reached_by
from mixed_company.server.treatments import planned_of, setup_of
from mixed_company.table.ledger import Ledger, Stay, Terms, ledger, rounded_up, total
from mixed_company.table.options import Options
from mixed_company.table.pay import is_paid

__all__ = [
    "beyond_fee",
    "currency",
    "ledger_of",
    "paid_number",
    "paid_to",
    "payment",
    "terms_of",
    "whole_ledger",
]


def terms_of(session: Any, options: Options) -> Terms:
    """What a session pays for."""
    return Terms.of(*_money(session), options.model_dump())


def _money(session: Any) -> tuple[float, float]:
    """Fee and rate."""
    keys = ("participation_fee", "real_world_currency_per_point")
    fee, rate = (float(session.config[key]) for key in keys)
    return fee, rate


def ledger_of(player: Any) -> Ledger:
    """What the game of a player pays him or her, part by part."""
    session = player.session
    planned = planned_of(player.subsession)
    if planned is not None and planned.blocks:
        return _of_block(player, planned)
    options = setup_of(player).options
    terms = terms_of(session, options)
    parts = ledger(terms, stay(player))
    if _alone(session) or not parts["fee"] or _pays_first(player):
        return parts
    without_fee = Terms.of(0.0, terms.rate, options.model_dump())
    return ledger(without_fee, stay(player))


def _of_block(player: Any, planned: Planned) -> Ledger:
    """What a block of a plan pays. The fee, and what the whole is rounded up by, are in the ledger
    of the block in which somebody's part ended; of a block that is not paid, no points."""
    before = earlier(player)
    if any(other.status != "finished" for other in before):
        return ledger(Terms(0.0, 0.0), Stay("arriving", seated=False))
    session, options, own = player.session, setup_of(player).options, stay(player)
    fee, rate = _money(session)
    ends = not goes_on(player, planned)
    counts = own.seated and paid_number(player, planned) in (None, planned.number)
    terms = Terms.of(fee if ends else 0.0, rate if counts else 0.0, options.model_dump())
    share = (len(before) + own.share) / len(planned.blocks)
    whole = replace(own, seated=own.seated or bool(before), share=share)
    parts = ledger(replace(terms, rounding=0.01), whole)
    if ends and is_paid(own.status, whole.seated):
        exact = total(parts) + sum((total(ledger_of(other)) for other in before), Decimal(0))
        parts["rounding"] += rounded_up(exact, terms.rounding) - exact
    return parts


def whole_ledger(player: Any) -> Ledger:
    """What is shown part by part at the end: of a plan with blocks, what all of them pay."""
    planned = planned_of(player.subsession)
    if planned is None or not planned.blocks:
        return ledger_of(player)
    parts = [ledger_of(one) for one in players_of(player.participant)]
    return {name: sum((own[name] for own in parts), Decimal(0)) for name in parts[0]}


def paid_number(player: Any, planned: Planned) -> int | None:
    """The number (from 1) of the one block that a participant is paid; 0: none of those that he or
    she played; None: all are paid."""
    if planned.course.pay_blocks == "all":
        return None
    come = [one for one in reached_by(player.participant) if one.subsession.plan]
    drawn = drawn_block(planned.seed, come[0].slot, len(planned.blocks))
    number = paid_block(drawn, [(one.status, one.seat >= 0) for one in come])
    return 0 if number is None else number + 1


def payment(player: Any) -> Any:
    """What the participant is to get, of all apps of the session, in its currency; nothing for
    whom this game does not pay."""
    own = total(ledger_of(player))
    if _alone(player.session) or not (own or player.subsession.plan):
        return currency(own)
    return paid_to(player.participant)


def paid_to(person: Any) -> Any:
    """What a participant is to get; None: no app of the session is one of ours."""
    players = players_of(person)
    if not players:
        return None
    own = sum((total(ledger_of(player)) for player in players), Decimal(0))
    if _alone(person.session) or not own:
        return currency(own)
    elsewhere = person.payoff - sum(player.payoff for player in players)
    return currency(own + Decimal(elsewhere.to_real_world_currency(person.session)))


def beyond_fee(person: Any) -> Any:
    """What a participant is to get beside the fee: what panels call a bonus. None: as above."""
    whole = paid_to(person)
    if whole is None:
        return None
    fees = sum((ledger_of(player)["fee"] for player in players_of(person)), Decimal(0))
    return currency(Decimal(whole) - fees)


def currency(amount: Decimal) -> Any:
    """An amount as oTree writes it."""
    return RealWorldCurrency(amount)


def stay(player: Any) -> Stay:
    """How the part of a player went, as far as it is paid for."""
    return Stay(
        player.status,
        player.seat >= 0,
        player.points,
        player.played_share,
        player.waited_ms,
        player.question_points,
    )


def _alone(session: Any) -> bool:
    return len(session.config["app_sequence"]) == 1


def _pays_first(player: Any) -> bool:
    """Return whether this, which pays a fee, is the first of the participant's games that does."""
    paying = (
        other
        for other in players_of(player.participant)
        if ledger(terms_of(other.session, setup_of(other).options), stay(other))["fee"]
    )
    return bool(next(paying) == player)
