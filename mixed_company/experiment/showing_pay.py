"""Text about a plan's simulated people and their pay, used by `mixed plan`, `mixed power`, `mixed
preflight` and `mixed rehearse`.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mixed_company.experiment.comparisons import abridged, listed
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.simulated_people import (
    PLAYS,
    Paid,
    PaidInAll,
    SimulatedPeople,
    for_stages,
    prize_points,
    summed_up,
)
from mixed_company.table.ledger import Terms
from mixed_company.table.setup import Setup

UNKNOWN = "unknown, because `people` does not name policies in place of people"
"""Text shown for the pay if a plan has no simulated people."""


def people_in(plan: Plan, name: str, setup: Setup, number: int = 1) -> SimulatedPeople | None:
    """Return the simulated people of a treatment in a block; None if the plan names none.

    Raises UnknownName or ConfigError.
    """
    named = for_stages(plan.people_of(name, number), setup)
    return SimulatedPeople.seated(",".join(named), setup)


def described(plan: Plan, series: Sequence[Mapping[str, Setup]]) -> list[str]:
    """Return sentences about the simulated people in all treatments and blocks, with a warning if
    they differ."""
    sentences = []
    for number, setups in enumerate(series, start=1):
        block = f", block {plan.block_names[number - 1]}" if plan.blocks else ""
        every = {name: people_in(plan, name, setup, number) for name, setup in setups.items()}
        by_people: dict[str, list[str]] = {}
        for name, people in every.items():
            if people is not None:
                shared = people.in_groups_of([0]) if plan.space is not None else name
                by_people.setdefault(shared, []).append(name)
        for names in by_people.values():
            word = "Treatment" if len(names) == 1 else "Treatments"
            alike = [people for name in names if (people := every[name]) is not None]
            words = alike[0].in_groups_of([people.size for people in alike])
            sentences.append(f"{word} {abridged(names)}{block}. {words}")
    return [*sentences, *plan.people_apart]


def paid_in(
    plan: Plan, name: str, setup: Setup, config: Mapping[str, Any], number: int = 1, place: int = 1
) -> Paid | None:
    """Return the pay of simulated people in one play; None if there are no simulated people.
    `number` is the number of the play's block, and `place` the play's position in the session, both
    from 1."""
    simulated = people_in(plan, name, setup, number)
    return None if simulated is None else simulated.paid(setup, terms_of(setup, config, place))


def paid_by_play(
    plan: Plan, name: str, setups: Sequence[Setup], config: Mapping[str, Any]
) -> list[Paid | None]:
    """Return the pay of simulated people in each play; `setups` has the setup of each block."""
    paid = dict[tuple[int, bool], Paid | None]()
    listed = []
    for place, play in enumerate(plan.plays, start=1):
        key = (play.number, place == 1)
        if key not in paid:
            setup = setups[play.number - 1]
            paid[key] = paid_in(plan, name, setup, config, play.number, place)
        listed.append(paid[key])
    return listed


def pay_shown(
    setup: Setup, paid: Paid | None, config: Mapping[str, Any], number: int = 1
) -> Iterator[str]:
    """Describe the simulated people and their pay; pay for the first block includes the fee."""
    if paid is None:
        yield f"pay: {UNKNOWN}"
        return
    yield str(paid.people)
    terms = terms_of(setup, config, number)
    text = f"simulated pay: {summed_up([paid], 0.0, False)} over {PLAYS} plays"
    if setup.rules:
        counts = Counter(paid.chosen)
        text += f", which choose {listed(f'{rule} in {counts[rule]}' for rule in setup.rules)}"
    else:
        text += f", which{ended}" if (ended := _ended("", paid, setup)) else ""
    text += "" if number > 1 else f"; {terms.fee:.2f} of it for taking part"
    text += "".join(f"; with {rule} {_under(rule, paid, setup)}" for rule in setup.rules)
    yield f"{text}{_prizes(setup, terms)}"


def pay_over_points(
    plan: Plan, series: Sequence[Mapping[str, Setup]], config: Mapping[str, Any]
) -> Iterator[str]:
    """Describe the simulated people at all points of a space and the range of their pay, and name
    the points with the lowest and highest pay.
    """
    fee, by_point = float(config["participation_fee"]), dict[str, PaidInAll]()
    for name in series[0]:
        paid = paid_by_play(plan, name, [setups[name] for setups in series], config)
        known_pay = [pay for pay in paid if pay is not None]
        if len(known_pay) < len(paid):
            yield f"pay: {UNKNOWN}"
            return
        by_point[name] = summed_up(known_pay, fee, plan.pay_blocks == "one")
    lowest = min(by_point, key=lambda name: by_point[name].lowest)
    highest = max(by_point, key=lambda name: by_point[name].highest)
    low = min(by_point, key=lambda name: by_point[name].mean)
    high = max(by_point, key=lambda name: by_point[name].mean)
    yield from described(plan, series)
    yield (
        f"simulated pay over {PLAYS} plays per point: lowest {by_point[lowest].lowest:.2f} "
        f"({lowest}), highest {by_point[highest].highest:.2f} ({highest}); average per point: from "
        f"{by_point[low].mean:.2f} ({low}) to {by_point[high].mean:.2f} ({high}), "
        f"{statistics.fmean(pay.mean for pay in by_point.values()):.2f} over all points; "
        f"{fee:.2f} of it for taking part{_most_prizes(by_point)}"
    )


def _most_prizes(by_point: Mapping[str, PaidInAll]) -> str:
    """Describe the maximum that prizes for answers can add at any point; empty if there are
    none."""
    prize = max(pay.prize for pay in by_point.values())
    return f"; answers can win up to {prize:.2f} more" if prize else ""


def _under(rule: str, paid: Paid, setup: Setup) -> str:
    """Describe the pay under a rule, and the length of plays if any of them end early."""
    every = [amount for amounts in paid.amounts[rule] for amount in amounts]
    text = f"{min(every):.2f} to {max(every):.2f}, {statistics.fmean(every):.2f} on average"
    ended = _ended(rule, paid, setup)
    return f"{text}, plays{ended}" if ended else text


def _ended(rule: str, paid: Paid, setup: Setup) -> str:
    """Describe the length of plays under a rule; empty if no play ends early."""
    short, long, horizon = min(paid.periods[rule]), max(paid.periods[rule]), setup.game.horizon
    if short == horizon:
        return ""
    lasting = f"{short}" if short == long else f"{short} to {long}"
    return f" end after {lasting} of {horizon} periods"


def sums_shown(plan: Plan, paid: Sequence[Paid], fee: float) -> str:
    """Describe the pay for all plays, or for the drawn play; the pay for the first play includes
    `fee`.
    """
    return f"simulated pay {summed_up(paid, fee, plan.pay_blocks == 'one')}, without answers"


def terms_of(setup: Setup, config: Mapping[str, Any], number: int = 1) -> Terms:
    """Return the terms of payment in the play with this number, counted from 1; only the first play
    has the fee."""
    fee = float(config["participation_fee"]) if number == 1 else 0.0
    rate = float(config["real_world_currency_per_point"])
    return Terms.of(fee, rate, setup.options.model_dump())


def _prizes(setup: Setup, terms: Terms) -> str:
    """Describe the additional prizes for answers, and the cap; empty if there are none."""
    points, cap = prize_points(setup), setup.options.pay_cap
    text = f"; answers can win {points:g} points more, {points * terms.rate:.2f}" if points else ""
    covered = ", for play and answers together" if points else ""
    return f"{text}; at most {cap:g} points are paid{covered}" if cap else text
