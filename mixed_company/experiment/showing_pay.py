"""What people would be paid by a plan, where policies stand for them; as text."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mixed_company.engine.play.episode import Episode
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.treatments import seats_of
from mixed_company.policies.rollout import rollout
from mixed_company.table import leanings, ledger
from mixed_company.table.ledger import Stay, Terms
from mixed_company.table.options import policy_specs
from mixed_company.table.setup import Setup

__all__ = ["Paid", "paid_in", "pay_shown", "sums_shown"]

PLAYS = 20


@dataclass(frozen=True)
class Paid:
    """What people would be paid for PLAYS plays under each rule that groups can choose; where they
    choose none, under one without a name.

    amounts  rule -> of each play, what each person is paid, in money
    periods  rule -> how many periods each play lasts
    chosen   the rule that the policies choose in each play
    """

    amounts: Mapping[str, Sequence[Sequence[float]]]
    periods: Mapping[str, Sequence[int]]
    chosen: Sequence[str]

    @property
    def least(self) -> float:
        """Whatever is chosen."""
        return min(amount for plays in self.amounts.values() for own in plays for amount in own)

    @property
    def most(self) -> float:
        """Whatever is chosen."""
        return max(amount for plays in self.amounts.values() for own in plays for amount in own)

    @property
    def mean(self) -> float:
        """Of what the policies choose."""
        own = [self.amounts[rule][number] for number, rule in enumerate(self.chosen)]
        return statistics.fmean(amount for amounts in own for amount in amounts)


def pay_shown(
    plan: Plan,
    name: str,
    setup: Setup,
    paid: Paid | None,
    config: Mapping[str, Any],
    number: int = 1,
) -> str:
    """What is paid; for taking part once, with the first block."""
    if paid is None:
        return "not known: `people` names no policies that stand for people"
    named, terms = plan.people_of(name, number), _terms(setup, config, number)
    text = f"{paid.least:.2f} to {paid.most:.2f}, {paid.mean:.2f} in the mean of {PLAYS} plays of "
    text += named
    if setup.rules:
        counts = Counter(paid.chosen)
        text += f", which choose {_listed(f'{rule} in {counts[rule]}' for rule in setup.rules)}"
    text += "" if number > 1 else f"; {terms.fee:.2f} of it for taking part"
    text += "".join(f"; with {rule} {_under(rule, paid, setup)}" for rule in setup.rules)
    return f"{text}{_prizes(setup, terms)}"


def _under(rule: str, paid: Paid, setup: Setup) -> str:
    """What is paid where a rule is chosen, and how long plays last where not to the last period."""
    every = [amount for own in paid.amounts[rule] for amount in own]
    text = f"{min(every):.2f} to {max(every):.2f}, {statistics.fmean(every):.2f} in the mean"
    short, long, horizon = min(paid.periods[rule]), max(paid.periods[rule]), setup.game.horizon
    if short == horizon:
        return text
    lasting = f"{short}" if short == long else f"{short} to {long}"
    return f"{text}, over after {lasting} of {horizon} periods"


def _listed(parts: Iterator[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}"


def sums_shown(plan: Plan, paid: Sequence[Paid], fee: float) -> str:
    """What is paid for all blocks, or for the one that is drawn, in the end; `fee` is paid with the
    first."""
    fees = [fee * (at == 0) for at in range(len(paid))]
    lows = [own.least - part for own, part in zip(paid, fees, strict=True)]
    means = [own.mean - part for own, part in zip(paid, fees, strict=True)]
    highs = [own.most - part for own, part in zip(paid, fees, strict=True)]
    if plan.pay_blocks == "one":
        low, mean, high = min(lows), statistics.fmean(means), max(highs)
    else:
        low, mean, high = sum(lows), sum(means), sum(highs)
    sums = f"{fee + low:.2f} to {fee + high:.2f}, {fee + mean:.2f} in the mean"
    return f"pay {sums}, answers apart"


def paid_in(
    plan: Plan, name: str, setup: Setup, config: Mapping[str, Any], number: int = 1
) -> Paid | None:
    """What people would be paid; None where no policies stand for people, who sit first."""
    if not policy_specs(plan.people_of(name, number)):
        return None
    people, others = seats_of(plan, name, setup.options, setup.game.seats, number)
    terms, amounts, periods = _terms(setup, config, number), {}, {}
    for rule in setup.rules or [""]:
        ruled = setup.chosen(rule) if rule else setup
        plays = [_play(ruled, people, others, terms, seed) for seed in range(PLAYS)]
        amounts[rule], periods[rule] = zip(*plays, strict=True)
    chosen = [""] * PLAYS
    if setup.rules:
        known = leanings.prepared(setup, people)
        chosen = [leanings.chosen(known, people, others, seed)[0] for seed in range(PLAYS)]
    return Paid(amounts, periods, chosen)


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


def _play(
    setup: Setup, people: Sequence[str], others: Sequence[str], terms: Terms, seed: int
) -> tuple[list[float], int]:
    """What each person is paid for a play, in money, and how many periods it lasts."""
    game, lasting = setup.game, 0
    points = [0.0] * game.seats
    policies = [setup.policy(spec) for spec in (*people, *others)]
    for period in rollout(Episode(game, seed), policies):
        points = [sum(pair) for pair in zip(points, period.rewards.tolist(), strict=True)]
        lasting += 1
    stays = [Stay("finished", seated=True, points=own) for own in points[: len(people)]]
    return [float(ledger.total(ledger.ledger(terms, stay))) for stay in stays], lasting
