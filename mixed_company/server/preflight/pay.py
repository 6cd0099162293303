"""People's earnings: simulated people play, and cap, floor, rate and fee turn points into money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mixed_company.experiment.simulated_people import SimulatedPeople, summed_up
from mixed_company.server.preflight import Finding, go, look, stop
from mixed_company.table import ledger
from mixed_company.table.ledger import Terms
from mixed_company.table.lobby import longest_ms
from mixed_company.table.setup import Setup

__all__ = ["of_pay"]


def of_pay(
    blocks: Sequence[Setup],
    simulated: Sequence[SimulatedPeople],
    config: Mapping[str, Any],
    people: int,
    budget: float | None,
    one_paid: bool = False,
) -> Iterator[Finding]:
    """Yield findings on the pay of one person and of all people together, for the plays of
    `blocks`.

    `simulated` are the people who play each block; with `one_paid`, one block is drawn and paid.
    """
    fee, rate = (
        float(config[key]) for key in ("participation_fee", "real_world_currency_per_point")
    )
    budget = budget or blocks[0].options.budget or None
    fees = [fee, *[0.0] * (len(blocks) - 1)]
    terms = [
        Terms.of(part, rate, setup.options.model_dump())
        for setup, part in zip(blocks, fees, strict=True)
    ]
    paid = [
        group.paid(setup, group_terms)
        for group, setup, group_terms in zip(simulated, blocks, terms, strict=True)
    ]
    low, mean, high = summed_up(paid, fee, one_paid)
    plays = f"{len(paid[0].chosen)} plays"
    if len(blocks) > 1:
        plays += (
            f" of each of {len(blocks)} blocks, of which {'one is' if one_paid else 'all are'} paid"
        )
    yield from (go(sentence) for sentence in dict.fromkeys(map(str, simulated)))
    yield go(
        f"Each of them is paid {low:.2f} to {high:.2f}, {mean:.2f} on average ({plays}); "
        f"{fee:.2f} of this is the participation fee."
    )
    capped = all(setup.options.pay_cap for setup in blocks)
    if not capped:
        yield look("Points have no cap (pay_cap): one person's payment has no upper limit.")
    bounds = [_most(setup, group_terms) for setup, group_terms in zip(blocks, terms, strict=True)]
    all_high = people * ((fee + (max(bounds) if one_paid else sum(bounds))) if capped else high)
    as_who = "the cap" if capped else "as much as the best bot"
    if budget is None:
        yield look("There is no budget to compare with (--budget, or the key budget).")
    elif people * mean > budget:
        yield stop(
            f"{people} people would be paid {people * mean:.0f}, but the budget is {budget:g}."
        )
    elif all_high > budget:
        yield look(
            f"If everybody earned {as_who}, the total would be {all_high:.0f}, but the budget is "
            f"{budget:g}."
        )
    else:
        yield go(f"{people} people would be paid {people * mean:.0f} of a budget of {budget:g}.")


def _most(setup: Setup, terms: Terms) -> float:
    """Return the most that a person can be paid for a block, without the fee."""
    return ledger.most(terms, longest_ms(setup.options)) - terms.fee
