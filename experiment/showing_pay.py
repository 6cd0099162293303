"""What people would be paid by a plan, where policies stand for them; as text."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import bots
from bots.rollout import rollout
from engine.play.episode import Episode
from experiment.plan import Plan
from experiment.treatments import seats_of
from table import ledger
from table.ledger import Stay, Terms
from table.options import policy_specs
from table.setup import Setup

__all__ = ["amounts", "paid_in", "pay_shown", "sums_shown"]

PLAYS = 20


def pay_shown(
    plan: Plan,
    name: str,
    setup: Setup,
    paid: Sequence[float],
    config: Mapping[str, Any],
    number: int = 1,
) -> str:
    """What is paid; for taking part once, with the first block."""
    if not paid:
        return "not known: `people` names no policies that stand for people"
    named, terms = plan.people_of(name, number), _terms(setup, config, number)
    low, mean, high = min(paid), statistics.fmean(paid), max(paid)
    text = f"{low:.2f} to {high:.2f}, {mean:.2f} in the mean of {PLAYS} plays of {named}"
    text += ", before any rule is chosen" if setup.rules else ""
    text += "" if number > 1 else f"; {terms.fee:.2f} of it for taking part"
    return f"{text}{_prizes(setup, terms)}"


def sums_shown(plan: Plan, paid: Sequence[Sequence[float]], fee: float) -> str:
    """What is paid for all blocks, or for the one that is drawn, in the end; `fee` is paid with the
    first."""
    shares = [[amount - fee * (at == 0) for amount in own] for at, own in enumerate(paid)]
    ranges = [(min(own), statistics.fmean(own), max(own)) for own in shares]
    lows, means, highs = zip(*ranges, strict=True)
    if plan.pay_blocks == "one":
        low, mean, high = min(lows), statistics.fmean(means), max(highs)
    else:
        low, mean, high = sum(lows), sum(means), sum(highs)
    sums = f"{fee + low:.2f} to {fee + high:.2f}, {fee + mean:.2f} in the mean"
    return f"pay {sums}, answers apart"


def paid_in(
    plan: Plan, name: str, setup: Setup, config: Mapping[str, Any], number: int = 1
) -> list[float]:
    """What people would be paid; nothing where no policies stand for people."""
    if not policy_specs(plan.people_of(name, number)):
        return []
    who = seats_of(plan, name, setup.options, setup.game.seats, number)
    return amounts(*who, setup, _terms(setup, config, number))


def _terms(setup: Setup, config: Mapping[str, Any], number: int) -> Terms:
    fee = float(config["participation_fee"]) if number == 1 else 0.0
    rate = float(config["real_world_currency_per_point"])
    return Terms.of(fee, rate, setup.options.model_dump())


def _prizes(setup: Setup, terms: Terms) -> str:
    """What answers can win at most, beside that."""
    points = sum(
        item.prize
        for period in range(setup.game.horizon)
        for item in setup.options.questions
        if item.pay != "none" and item.asked_in(period)
    )
    return f"; answers can win {points:g} points more, {points * terms.rate:.2f}" if points else ""


def amounts(
    people: Sequence[str], others: Sequence[str], setup: Setup, terms: Terms
) -> list[float]:
    """What people would be paid, in money: PLAYS times those of a group. `people` sit first."""
    game, paid = setup.game, list[float]()
    policies = [bots.make(spec, game) for spec in (*people, *others)]
    for seed in range(PLAYS):
        points = [0.0] * game.seats
        for period in rollout(Episode(game, seed), policies):
            points = [sum(pair) for pair in zip(points, period.rewards.tolist(), strict=True)]
        stays = [Stay("finished", seated=True, points=own) for own in points[: len(people)]]
        paid += [float(ledger.total(ledger.ledger(terms, stay))) for stay in stays]
    return paid
