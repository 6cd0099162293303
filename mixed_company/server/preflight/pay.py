"""Expected pay: simulated people play, and the cap, floor, rate and fee turn their points into
money.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mixed_company.experiment.showing_pay import terms_of
from mixed_company.experiment.simulated_people import (
    Paid,
    PaidInAll,
    adds_up,
    points_per_period,
    prize_points,
    summed_up,
)
from mixed_company.server.preflight import Finding, go, look, stop
from mixed_company.table import ledger
from mixed_company.table.lobby import longest_ms
from mixed_company.table.setup import Setup


@dataclass(frozen=True)
class Expected:
    """Expected pay of the people in a treatment, or in a session without treatments.

    people     number of people who are paid
    paid       pay of one person, in each block
    in_all     pay of one person for all blocks combined
    fee        participation fee, which is included in `in_all`
    one_paid   whether one block is drawn and paid
    maximum    maximum that one person can be paid; infinite if points have no limit
    limits     limits on points that determine `maximum`, in words
    is_capped  whether points have a cap in all blocks
    """

    people: int
    paid: Sequence[Paid]
    in_all: PaidInAll
    fee: float
    one_paid: bool
    maximum: float
    limits: Sequence[str]
    is_capped: bool


def expected(
    blocks: Sequence[Setup],
    paid: Sequence[Paid],
    config: Mapping[str, Any],
    people: int,
    one_paid: bool,
) -> Expected:
    """Return the expected pay for the plays in `blocks`."""
    fee = float(config["participation_fee"])
    bounds = [_most(setup, config, number) for number, setup in enumerate(blocks, start=1)]
    return Expected(
        people,
        paid,
        summed_up(paid, fee, one_paid),
        fee,
        one_paid,
        fee + (max(bounds) if one_paid else sum(bounds)),
        list(dict.fromkeys(_limit(setup) for setup in blocks)),
        all(setup.options.pay_cap for setup in blocks),
    )


def _most(setup: Setup, config: Mapping[str, Any], number: int) -> float:
    """Return the maximum that a person can be paid for a block, without the fee."""
    terms = terms_of(setup, config, number)
    points = setup.game.horizon * points_per_period(setup) + prize_points(setup)
    return ledger.most(terms, points, longest_ms(setup.options)) - terms.fee


def _limit(setup: Setup) -> str:
    """Describe the limit on the points that a person can be paid for in a block."""
    periods, points, prizes = setup.game.horizon, points_per_period(setup), prize_points(setup)
    cap, whole = setup.options.pay_cap, periods * points + prizes
    if cap and cap <= whole:
        return f"points have a cap of {cap:g} (pay_cap)"
    if math.isinf(whole):
        return "a period's points have no upper limit, and there is no cap (pay_cap)"
    answers = f" and {prizes:g} for answers" if prizes else ""
    sums = " (the sum of the maximums of all parts)" if adds_up(setup) else ""
    return f"{periods} periods with at most {points:g} points each{sums}{answers}"


def of_pay(expected: Expected) -> Iterator[Finding]:
    """Yield findings on one person's pay."""
    blocks = len(expected.paid)
    plays = f"{len(expected.paid[0].chosen)} plays"
    if blocks > 1:
        which = "one is" if expected.one_paid else "all are"
        plays += f" of each of {blocks} blocks, of which {which} paid"
    yield from (go(line) for line in dict.fromkeys(str(paid.people) for paid in expected.paid))
    prizes = expected.in_all.prize
    answers = f"; all prizes for answers would add {prizes:.2f}" if prizes else ""
    yield go(
        f"Each simulated person is paid {expected.in_all} ({plays}); {expected.fee:.2f} of this is "
        f"the participation fee{answers}."
    )
    limits = "; ".join(expected.limits)
    if math.isinf(expected.maximum):
        yield look(f"One person's payment has no upper limit, because {limits}.")
    else:
        yield go(f"Nobody can be paid more than {expected.maximum:.2f}: {limits}.")


def over_treatments(parts: Sequence[Expected]) -> Finding:
    """Return a finding on one person's pay in several treatments."""
    lowest = min(part.in_all.lowest for part in parts)
    highest = max(part.in_all.highest for part in parts)
    means = [part.in_all.mean for part in parts]
    plays = f"{len(parts)} treatments, {len(parts[0].paid[0].chosen)} plays of each"
    sentence = (
        f"Each simulated person is paid {lowest:.2f} to {highest:.2f}, and the treatments' "
        f"averages are {min(means):.2f} to {max(means):.2f} ({plays}); {parts[0].fee:.2f} of this "
        "is the participation fee."
    )
    maximum = max(part.maximum for part in parts)
    if math.isinf(maximum):
        return look(f"{sentence} One person's payment has no upper limit.")
    return go(f"{sentence} Nobody in these treatments can be paid more than {maximum:.2f}.")


def of_budget(parts: Sequence[Expected], people: int, budget: float | None) -> Finding:
    """Return a finding on the total pay of `people`, with all prizes for answers. People beyond the
    last complete set of groups are assumed to get the others' average pay.
    """
    if budget is None:
        return look("There is no budget to compare with (--budget, or the key budget).")
    share = people / max(sum(part.people for part in parts), 1)
    total = share * sum(part.people * (part.in_all.mean + part.in_all.prize) for part in parts)
    prizes = ", with all prizes for answers," if any(part.in_all.prize for part in parts) else ""
    whole = f"On average, in simulated plays, {people} people would be paid {total:.0f}{prizes}"
    if total > budget:
        return stop(f"{whole.removesuffix(',')}, but the budget is {budget:g}.")
    capped = all(part.is_capped for part in parts)
    high = share * sum(part.people * _highest(part) for part in parts)
    if high > budget:
        as_who = "the cap" if capped else "as much as the best simulated person"
        return look(
            f"{whole.removesuffix(',')}. If everybody earned {as_who}, the total would be "
            f"{high:.0f}, but the budget is {budget:g}."
        )
    maximum = share * sum(part.people * part.maximum for part in parts)
    limit = "has no upper limit" if math.isinf(maximum) else f"can be at most {maximum:.0f}"
    return go(f"{whole} of a budget of {budget:g}. The total {limit}.")


def _highest(part: Expected) -> float:
    """Return the maximum that a person can be paid or, if there is no cap, the most that anybody
    earned.

    Both include all prizes for answers; the earnings are simulated people's earnings.
    """
    return part.maximum if part.is_capped else part.in_all.highest + part.in_all.prize
