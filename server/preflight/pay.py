"""What people will earn: bots play some plays, and cap, floor, rate and fee make money of it."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from typing import Any

import bots
from bots.rollout import rollout
from engine.play.episode import Episode
from server.preflight.finding import Finding, go, look, stop
from table import ledger
from table.ledger import Stay, Terms
from table.seating import policy_in_turn
from table.setup import Setup

__all__ = ["amounts", "of_pay"]

PLAYS = 20


def of_pay(
    setup: Setup, config: Mapping[str, Any], people: int, budget: float | None
) -> Iterator[Finding]:
    """What one person, and all of them, will be paid."""
    fee, rate = (
        float(config[key]) for key in ("participation_fee", "real_world_currency_per_point")
    )
    terms = Terms.of(fee, rate, setup.options.model_dump())
    budget = budget or setup.options.budget or None
    paid = amounts(setup, terms)
    low, mean, high = min(paid), statistics.fmean(paid), max(paid)
    yield go(
        f"With bots on all seats each is paid {low:.2f} to {high:.2f}, {mean:.2f} in the mean "
        f"({PLAYS} plays); {fee:.2f} of it for taking part."
    )
    cap = setup.options.pay_cap
    waits = 2 if setup.options.lobby_outcome == "extend" else 1
    most = ledger.most(terms, 1000 * waits * setup.options.lobby_seconds)
    if not cap:
        yield look("Points have no cap (pay_cap): nothing bounds what one person can be paid.")
    if budget is None:
        yield look("No budget was told (--budget, or the key budget): nothing is compared.")
    elif people * mean > budget:
        yield stop(f"{people} people would be paid {people * mean:.0f}: the budget is {budget:g}.")
    elif people * (most if cap else high) > budget:
        all_high, as_who = (
            people * (most if cap else high),
            "the cap" if cap else "the best bot did",
        )
        yield look(f"If all earned {as_who}, it were {all_high:.0f}: the budget is {budget:g}.")
    else:
        yield go(f"{people} people would be paid {people * mean:.0f} of a budget of {budget:g}.")


def amounts(setup: Setup, terms: Terms) -> list[float]:
    """What each seat of each play would be paid, in money: PLAYS times the seats."""
    game, options = setup.game, setup.options
    policies = [
        bots.make(policy_in_turn(options.bot_list, seat), game) for seat in range(game.seats)
    ]
    paid: list[float] = []
    for seed in range(PLAYS):
        points = [0.0] * game.seats
        for period in rollout(Episode(game, seed), policies):
            points = [sum(pair) for pair in zip(points, period.rewards.tolist(), strict=True)]
        stays = [Stay("finished", seated=True, points=own) for own in points]
        paid += [float(ledger.total(ledger.ledger(terms, stay))) for stay in stays]
    return paid
