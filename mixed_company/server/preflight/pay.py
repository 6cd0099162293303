"""What people will earn: bots play some plays, and cap, floor, rate and fee make money of it."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mixed_company.engine.play.episode import Episode
from mixed_company.policies import make
from mixed_company.policies.rollout import rollout
from mixed_company.server.preflight.finding import Finding, go, look, stop
from mixed_company.table import ledger
from mixed_company.table.ledger import Stay, Terms
from mixed_company.table.seating import policy_in_turn
from mixed_company.table.setup import Setup

__all__ = ["amounts", "of_pay"]

PLAYS = 20


def of_pay(
    blocks: Sequence[Setup],
    config: Mapping[str, Any],
    people: int,
    budget: float | None,
    one: bool = False,
) -> Iterator[Finding]:
    """What one person, and all of them, will be paid for the plays of `blocks`, or for `one` of
    them that is drawn."""
    fee, rate = (
        float(config[key]) for key in ("participation_fee", "real_world_currency_per_point")
    )
    budget = budget or blocks[0].options.budget or None
    fees = [fee, *[0.0] * (len(blocks) - 1)]
    shares = [_share(setup, own, rate) for setup, own in zip(blocks, fees, strict=True)]
    lows, means, highs, bounds = zip(*shares, strict=True)
    low, mean, high, most = (
        fee + (ends(own) if one else sum(own))
        for ends, own in ((min, lows), (statistics.fmean, means), (max, highs), (max, bounds))
    )
    plays = f"{PLAYS} plays"
    if len(blocks) > 1:
        plays += f" of each of {len(blocks)} blocks, of which {'one is' if one else 'all are'} paid"
    yield go(
        f"With bots on all seats each is paid {low:.2f} to {high:.2f}, {mean:.2f} in the mean "
        f"({plays}); {fee:.2f} of it for taking part."
    )
    capped = all(setup.options.pay_cap for setup in blocks)
    if not capped:
        yield look("Points have no cap (pay_cap): nothing bounds what one person can be paid.")
    all_high = people * (most if capped else high)
    as_who = "the cap" if capped else "the best bot did"
    if budget is None:
        yield look("No budget was told (--budget, or the key budget): nothing is compared.")
    elif people * mean > budget:
        yield stop(f"{people} people would be paid {people * mean:.0f}: the budget is {budget:g}.")
    elif all_high > budget:
        yield look(f"If all earned {as_who}, it were {all_high:.0f}: the budget is {budget:g}.")
    else:
        yield go(f"{people} people would be paid {people * mean:.0f} of a budget of {budget:g}.")


def _share(setup: Setup, fee: float, rate: float) -> tuple[float, float, float, float]:
    """What one person is paid for a block, beside the fee: the least, the mean and the most that
    bots have, under any rule that groups can choose; and the most that there is."""
    terms = Terms.of(fee, rate, setup.options.model_dump())
    ruled = [setup.chosen(rule) for rule in setup.rules] or [setup]
    paid = [amount for own in ruled for amount in amounts(own, terms)]
    waits = 2 if setup.options.lobby_outcome == "extend" else 1
    most = ledger.most(terms, 1000 * waits * setup.options.lobby_seconds)
    return min(paid) - fee, statistics.fmean(paid) - fee, max(paid) - fee, most - fee


def amounts(setup: Setup, terms: Terms) -> list[float]:
    """What each seat of each play would be paid, in money: PLAYS times the seats."""
    game, options = setup.game, setup.options
    policies = [make(policy_in_turn(options.bot_list, seat), game) for seat in range(game.seats)]
    paid: list[float] = []
    for seed in range(PLAYS):
        points = [0.0] * game.seats
        for period in rollout(Episode(game, seed), policies):
            points = [sum(pair) for pair in zip(points, period.rewards.tolist(), strict=True)]
        stays = [Stay("finished", seated=True, points=own) for own in points]
        paid += [float(ledger.total(ledger.ledger(terms, stay))) for stay in stays]
    return paid
