"""What a participant is paid in money, and where each cent comes from (`table.ledger`).

Nobody who never came, has not passed the quiz or went from the lobby is in any list or total, and
nobody whose part is not over (`table.pay.is_paid`). Where a session has several games, the fee is
in the ledger of the first that pays; what other apps pay is in none, and in the payment.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from otree.currency import RealWorldCurrency

from server.blocks.way import players_of
from server.treatments import setup_of
from table.ledger import Ledger, Stay, Terms, ledger, total
from table.options import Options

__all__ = [
    "beyond_fee",
    "currency",
    "ledger_of",
    "paid_to",
    "payment",
    "terms_of",
]


def terms_of(session: Any, options: Options) -> Terms:
    """What a session pays for."""
    fee, rate = (
        float(session.config[key]) for key in ("participation_fee", "real_world_currency_per_point")
    )
    return Terms.of(fee, rate, options.model_dump())


def ledger_of(player: Any) -> Ledger:
    """What the game of a player pays him or her, part by part."""
    session = player.session
    options = setup_of(player).options
    terms = terms_of(session, options)
    parts = ledger(terms, _stay(player))
    if _alone(session) or not parts["fee"] or _pays_first(player):
        return parts
    without_fee = Terms.of(0.0, terms.rate, options.model_dump())
    return ledger(without_fee, _stay(player))


def payment(player: Any) -> Any:
    """What the participant is to get, of all apps of the session, in its currency; nothing for
    whom this game does not pay."""
    own = total(ledger_of(player))
    if _alone(player.session) or not own:
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


def _stay(player: Any) -> Stay:
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
    """Is this the first of the participant's games that pays a fee?"""
    for other in players_of(player.participant):
        options = setup_of(other).options
        if ledger(terms_of(other.session, options), _stay(other))["fee"]:
            return bool(other == player)
    return True
