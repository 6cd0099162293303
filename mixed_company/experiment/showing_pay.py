"""Pay of people under a plan, as text; policies take their places."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mixed_company.experiment.plan import Plan
from mixed_company.experiment.simulated_people import PLAYS, Paid, SimulatedPeople, summed_up
from mixed_company.table.ledger import Terms
from mixed_company.table.setup import Setup

__all__ = ["paid_in", "pay_shown", "sums_shown"]


def paid_in(
    plan: Plan, name: str, setup: Setup, config: Mapping[str, Any], number: int = 1
) -> Paid | None:
    """Return the pay of people; None if no policies take their places."""
    simulated = SimulatedPeople.seated(plan.people_of(name, number), setup)
    return None if simulated is None else simulated.paid(setup, _terms(setup, config, number))


def pay_shown(
    plan: Plan,
    name: str,
    setup: Setup,
    paid: Paid | None,
    config: Mapping[str, Any],
    number: int = 1,
) -> Iterator[str]:
    """Describe the simulated people and their pay; pay for the first block includes the fee."""
    if paid is None:
        yield "pay: unknown, because `people` names no policies in people's places"
        return
    yield str(paid.people)
    terms, named = _terms(setup, config, number), plan.people_of(name, number)
    text = (
        f"pay: {paid.least:.2f} to {paid.most:.2f}, {paid.mean:.2f} on average over {PLAYS} plays"
    )
    text += f" of {named}"
    if setup.rules:
        counts = Counter(paid.chosen)
        text += f", which choose {_listed(f'{rule} in {counts[rule]}' for rule in setup.rules)}"
    text += "" if number > 1 else f"; {terms.fee:.2f} of it for taking part"
    text += "".join(f"; with {rule} {_under(rule, paid, setup)}" for rule in setup.rules)
    yield f"{text}{_prizes(setup, terms)}"


def _under(rule: str, paid: Paid, setup: Setup) -> str:
    """Describe the pay under a rule, and the length of plays if any end early."""
    every = [amount for amounts in paid.amounts[rule] for amount in amounts]
    text = f"{min(every):.2f} to {max(every):.2f}, {statistics.fmean(every):.2f} on average"
    short, long, horizon = min(paid.periods[rule]), max(paid.periods[rule]), setup.game.horizon
    if short == horizon:
        return text
    lasting = f"{short}" if short == long else f"{short} to {long}"
    return f"{text}, over after {lasting} of {horizon} periods"


def _listed(parts: Iterator[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}"


def sums_shown(plan: Plan, paid: Sequence[Paid], fee: float) -> str:
    """Describe the pay for all blocks, or for the drawn one; pay for the first includes `fee`."""
    low, mean, high = summed_up(paid, fee, plan.pay_blocks == "one")
    return f"pay {low:.2f} to {high:.2f}, {mean:.2f} on average, without answers"


def _terms(setup: Setup, config: Mapping[str, Any], number: int) -> Terms:
    fee = float(config["participation_fee"]) if number == 1 else 0.0
    rate = float(config["real_world_currency_per_point"])
    return Terms.of(fee, rate, setup.options.model_dump())


def _prizes(setup: Setup, terms: Terms) -> str:
    """Describe how much answers can win in addition; empty if nothing."""
    points = sum(
        item.prize
        for period in range(setup.game.horizon)
        for item in setup.options.questions
        if item.pay != "none" and item.asked_in(period)
    )
    return f"; answers can win {points:g} points more, {points * terms.rate:.2f}" if points else ""
