"""Promises that the default sessions of sanctions make, with sanctions and without.

Here is why the expected contribution is small. Let b be the contribution expected from an
endowment of 20, with an MPCR of 0.4. A full sanction S should outweigh the gain from free riding,
0.6 b. People in the worst population earn 21.5 points a period without sanctions. They do not
react to sanctions, and lose 0.48 S if b is 5, and 0.85 S if b is 10 (measured at S = 4.03). A group
that gives everything earns 32 + S. With a fee of 2 EUR, the best group may earn at most 12 EUR in
the game, and people should earn at least 6 EUR. So 32 + S may be at most twice what people earn. If
b is 5, this means S <= 5.6, and 3 is enough. If b is 10, it means S <= 4.1, but S should be above
6.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from docs.stakes import earning
from docs.stakes.conditions import Condition
from docs.stakes.earning import Stake, Table
from mixed_company import policies
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.policies.bench import Bench, by_seat

__all__ = [
    "SESSIONS",
    "conditions",
    "differ",
    "dilemma",
    "expects_less",
    "given",
    "react",
    "sanctioned",
]

SESSIONS = ("sanctions", "sanctions_without")

NEAR = 0.2
OVER_NOTHING, OVER_ALL = 0.25, 0.1
BEST_TO_WORST = 1.4
VISIBLE = 0.5
"""Smallest mean difference between contributions that counts: half a slider step, in points."""
DEFECTION = 10
"""Period of the defection to which bots should react, counted from 0."""
WITHIN = 2
"""Number of periods within which they should react."""


def conditions(table: Table) -> Iterator[Condition]:
    """Yield the promises of a session of this game."""
    stake = table.stake
    core = stake.game.core
    expected, endowment = (
        float(per_seat(value, core.seats)[0]) for value in (core.baseline, core.endowment)
    )
    yield expects_less(expected, endowment)
    amounts = np.array([float(spec.partition("=")[2]) for spec in table.reply])
    alone = np.array([earned.mean for earned in table.reply.values()])
    if core.lambda_R:
        yield from sanctioned(amounts, alone, expected)
    else:
        alike = [earning.together(stake, spec).mean for spec in table.reply]
        yield from dilemma(alone, np.array(alike))
    kept = given(stake, "baseline_keeper")
    yield differ(kept)
    yield react(kept, given(stake, f"one_time_defector:period={DEFECTION}"), DEFECTION)


def given(stake: Stake, spec: str) -> Array:
    """Return the default bots' contributions in plays with a policy, by play, period and bot."""
    game, seeds = stake.game, np.arange(earning.PLAYS)
    seated = [policies.make(name, game) for name in (spec, *stake.others)]
    bench = Bench(game, by_seat(dict(enumerate(seated)), game.seats))
    play = bench.play(seeds, *game.reset(seeds))
    return np.stack([state["contribution"][:, 1:] for state, _ in play], axis=1)


def expects_less(expected: float, endowment: float) -> Condition:
    """Check that the expected contribution is less than a player's endowment."""
    promise = "the expected contribution is less than a player's endowment"
    return Condition(promise, f"{expected:g} of {endowment:g}", expected < endowment)


def sanctioned(amounts: Array, alone: Array, expected: float) -> Iterator[Condition]:
    """Check the best fixed amount with sanctions.

    `alone` contains the person's mean points for each of the `amounts`, which increase.
    """
    best = int(alone.argmax())
    amount, points = float(amounts[best]), float(alone[best])
    inside = 0 < best < len(amounts) - 1
    yield Condition(
        "the best fixed amount is neither nothing nor everything", f"{amount:g}", inside
    )
    yield Condition(
        f"the best fixed amount is within {NEAR:.0%} of the expected one",
        f"{amount:g}, {expected:g} expected",
        abs(amount - expected) <= NEAR * expected,
    )
    for name, other, least in (("nothing", alone[0], OVER_NOTHING), ("all", alone[-1], OVER_ALL)):
        yield Condition(
            f"the best fixed amount earns at least {least:.0%} more than giving {name}",
            f"{points:.1f}, {other:.1f} for {name}",
            points >= (1 + least) * other,
        )


def dilemma(alone: Array, alike: Array) -> Iterator[Condition]:
    """Check that, without sanctions, each point given costs the giver and helps the group.

    `alone` contains the person's mean points for increasing amounts, with the default bots in the
    other seats. These bots respond, so giving costs less than if the others did not change their
    contributions. Every step to the next amount should cost points, even among these bots. `alike`
    contains the points per seat if everyone gives the amount. The best and the worst group are the
    best and the worst of these.
    """
    steps, shared = np.diff(alone), np.diff(alike)
    yield Condition(
        "the less a player gives, the more that player earns",
        f"{steps.max():+.1f} points for the step that costs the least",
        bool(steps.max() < 0),
    )
    yield Condition(
        "the less everyone gives, the less each player earns",
        f"{shared.min():+.1f} points for the step that adds the least",
        bool(shared.min() > 0),
    )
    ratio = float(alike.max() / alike.min())
    promise = f"the best group earns at least {BEST_TO_WORST:g} times as much as the worst"
    yield Condition(promise, f"{ratio:.2f}", ratio >= BEST_TO_WORST)


def differ(kept: Array) -> Condition:
    """Check that any two bots give different amounts to a person who gives the expected amount.

    `kept` contains their contributions by play, period and bot. The distance between two bots is
    the mean absolute difference over plays and periods.
    """
    pairs = combinations(range(kept.shape[-1]), 2)
    least = min(float(np.abs(kept[..., i] - kept[..., j]).mean()) for i, j in pairs)
    promise = f"any two bots differ by at least {VISIBLE:g} points a period"
    return Condition(promise, f"{least:.2f}", least >= VISIBLE)


def react(kept: Array, defected: Array, period: int) -> Condition:
    """Check that every bot reacts to one defection within two periods.

    `kept` contains the bots' contributions by play, period and bot if the person always gives the
    expected amount. `defected` contains them if the person gives nothing in this period only. This
    is stricter than a lasting change, because the person resumes after one period. The plays have
    the same seeds, so nothing else differs. A reaction is the mean absolute difference over plays.
    """
    after = slice(period + 1, period + 1 + WITHIN)
    changes = np.abs(defected[:, after] - kept[:, after]).mean(axis=0).max(axis=0)
    promise = (
        f"every bot reacts to a defection within {WITHIN} periods, by at least {VISIBLE:g} points"
    )
    return Condition(promise, f"{changes.min():.2f}", bool(changes.min() >= VISIBLE))
