"""Payments to participants in money, to the cent (`table.ledger`).

Lists and totals omit people who never arrived, failed the quiz or left the lobby, and people who
are not done yet (`table.pay.is_paid`). In a session of several games, the fee is in the ledger of
the first game that pays; in a plan with blocks, it is in the ledger of the last block reached.
Other apps' payments are not in any ledger, but are part of the total payment.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from otree.currency import RealWorldCurrency

from mixed_company.experiment.assignment import drawn_block, paid_block
from mixed_company.experiment.payment import Part, of_blocks, of_games
from mixed_company.experiment.planned import Planned
from mixed_company.server.blocks.way import players_of, reached_by
from mixed_company.server.treatments import planned_of, setup_of
from mixed_company.table.ledger import Ledger, Stay, Terms, ledger, total
from mixed_company.table.options import Options


def terms_of(session: Any, options: Options) -> Terms:
    """Return a session's terms of payment."""
    return Terms.of(*_money(session), options.model_dump())


def _money(session: Any) -> tuple[float, float]:
    """Return the fee and the rate."""
    keys = ("participation_fee", "real_world_currency_per_point")
    fee, rate = (float(session.config[key]) for key in keys)
    return fee, rate


def ledger_of(player: Any) -> Ledger:
    """Return the parts of the payment from a player's game."""
    planned = planned_of(player.subsession)
    if planned is not None and planned.blocks:
        return _of_block(player, planned)
    if _alone(player.session):
        return ledger(*_of_player(player))
    players = players_of(player.participant)
    ledgers = of_games(Part(*_of_player(other)) for other in players)
    return ledgers[players.index(player)]


def _of_block(player: Any, planned: Planned) -> Ledger:
    """Return the parts of the payment from a plan's block; all are 0 if it was not reached."""
    reached = _blocks_of(player)
    if player not in reached:
        return ledger(Terms(0.0, 0.0), Stay("arriving", seated=False))
    return _of_reached(reached, planned)[reached.index(player)]


def _of_reached(reached: Sequence[Any], planned: Planned) -> list[Ledger]:
    """Return the ledgers of the blocks that a participant in a plan has reached."""
    parts = [Part(*_of_player(block)) for block in reached]
    drawn = None if planned.course.pay_blocks == "all" else _drawn(planned, reached)
    return of_blocks(parts, len(planned.blocks), drawn)


def _paid_by(players: Sequence[Any]) -> Decimal:
    """Return the total of a participant's ledgers, from the participant's players."""
    planned = next(
        (planned_of(player.subsession) for player in players if player.subsession.plan), None
    )
    if planned is None or not planned.blocks:
        return sum((total(ledger_of(player)) for player in players), Decimal(0))
    others = [total(ledger_of(player)) for player in players if not player.subsession.plan]
    blocks = _of_reached(_blocks_of(players[0]), planned)
    return sum([*others, *map(total, blocks)], Decimal(0))


def _blocks_of(player: Any) -> list[Any]:
    """Return a participant's players in the plan's blocks that the participant has reached."""
    return [reached for reached in reached_by(player.participant) if reached.subsession.plan]


def _drawn(planned: Planned, reached: Sequence[Any]) -> int:
    return drawn_block(planned.seed, reached[0].slot, len(planned.blocks))


def _of_player(player: Any) -> tuple[Terms, Stay]:
    """Return the terms of a player's game, and the facts that determine the payment."""
    return terms_of(player.session, setup_of(player).options), stay(player)


def whole_ledger(player: Any) -> Ledger:
    """Return the parts of the payment that are shown at the end; in a plan with blocks, they are
    summed over all blocks.
    """
    planned = planned_of(player.subsession)
    if planned is None or not planned.blocks:
        return ledger_of(player)
    parts = [ledger_of(block) for block in players_of(player.participant)]
    return {name: sum((part[name] for part in parts), Decimal(0)) for name in parts[0]}


def paid_number(player: Any, planned: Planned) -> int | None:
    """Return the number, counted from 1, of the only block that is paid; None if all blocks are.

    It is 0 if the participant did not play the paid block.
    """
    if planned.course.pay_blocks == "all":
        return None
    reached = _blocks_of(player)
    drawn = _drawn(planned, reached)
    number = paid_block(drawn, [(block.status, block.seat >= 0) for block in reached])
    return 0 if number is None else number + 1


def payment(player: Any) -> Any:
    """Return the participant's total payment from all apps, or zero if this game does not pay. The
    amount is in the session's currency.
    """
    amount = total(ledger_of(player))
    if _alone(player.session) or not (amount or player.subsession.plan):
        return RealWorldCurrency(amount)
    return paid_to(player.participant)


def paid_to(person: Any) -> Any:
    """Return a participant's total payment, or None if none of the apps is from this project."""
    players = players_of(person)
    if not players:
        return None
    amount = _paid_by(players)
    if _alone(person.session) or not amount:
        return RealWorldCurrency(amount)
    elsewhere = person.payoff - sum(player.payoff for player in players)
    return RealWorldCurrency(amount + Decimal(elsewhere.to_real_world_currency(person.session)))


def beyond_fee(person: Any) -> Any:
    """Return a participant's payment without the fee (a panel's bonus), or None as `paid_to`
    does."""
    whole = paid_to(person)
    if whole is None:
        return None
    fees = sum((ledger_of(player)["fee"] for player in players_of(person)), Decimal(0))
    return RealWorldCurrency(Decimal(whole) - fees)


def stay(player: Any) -> Stay:
    """Return the facts about a player's part that determine the payment."""
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
