"""Promises that the default sessions of commons_game make.

The person's seat harvests the same whole number of fish in every period, or follows a schedule; the
default bots take the other seats. Points are means over plays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from docs.stakes.conditions import Condition
from docs.stakes.earning import PLAYS, Stake, Table
from mixed_company import policies
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.policies.bench import Bench
from mixed_company.server.pages.guide import guide_of

__all__ = [
    "SESSIONS",
    "Lake",
    "best_reply",
    "conditions",
    "lake_of",
    "named",
    "played",
    "preserving",
    "promises",
]

SESSIONS = ("commons",)
NEAR, MOST, RANDOM = 0.75, 0.5, 0.6
"""Points as shares of the peak's: the minimum next to the peak, and the maxima for the largest
harvest and for random play."""
WAITING = 1.1
"""Minimum points of the best reply, as a multiple of the points of the best fixed harvest."""
SEARCHED = 5
"""Number of plays per schedule in the search for the best reply."""


@dataclass(frozen=True)
class Lake:
    """Measurements of a session of the commons.

    fixed    points of fixed harvests of 0, 1, 2, ... fish, up to the most, (K,)
    random   points of a seat that acts at random
    gained   extra fish in the period in which the person once takes more than the best fixed
             harvest: (T // 2, amounts), by period of the first half and amount
    total    the change of all points due to that, of the same shape
    lasted   share of the periods that the shortest play with one greedy seat lasts
    reply    harvests of the best schedule found, (T,), and its points
    numbers  numbers in the texts that participants read before the last period
    """

    fixed: Array
    random: float
    gained: Array
    total: Array
    lasted: float
    reply: Array
    reply_points: float
    numbers: frozenset[float]

    @property
    def peak(self) -> int:
        """Return the best fixed harvest."""
        return int(self.fixed.argmax())


def conditions(table: Table) -> Iterator[Condition]:
    """Yield the promises of a session of this game."""
    yield from promises(lake_of(table))
    yield preserving({name: earned.mean for name, earned in table.group.items()})


def preserving(groups: Mapping[str, float]) -> Condition:
    """Return whether groups of policies that claim to preserve the stock earn more than a random
    group.

    `groups` contains a seat's mean points if all seats follow a policy. A policy makes this claim
    with its attribute `preserves_stock`.
    """
    promise = "any group whose policy claims to preserve the stock earns more than random"
    claiming = [name for name in policies.ids("commons_game") if name in groups and _claims(name)]
    if not claiming:
        return Condition(promise, "no policy makes this claim", False)
    least, random = min(claiming, key=groups.__getitem__), groups["random"]
    number = f"`{least}` {groups[least]:.1f}, `random` {random:.1f}"
    return Condition(promise, number, groups[least] > random)


def _claims(name: str) -> bool:
    """Return whether a policy claims to preserve the stock."""
    return bool(getattr(policies.find(name, "commons_game"), "preserves_stock", False))


def promises(lake: Lake) -> Iterator[Condition]:
    """Yield each promise and its measurement."""
    yield from _peak(lake)
    yield _temptation(lake)
    yield Condition(
        "a play with one greedy seat lasts at least half its periods",
        f"{lake.lasted:.0%}",
        lake.lasted >= 0.5,
    )
    yield _waiting(lake)
    telling = {float(lake.peak), _usual(lake.reply)} & lake.numbers
    yield Condition(
        "no text before the end reveals the best fixed harvest or the best reply",
        ", ".join(f"{number:g}" for number in sorted(telling)) or "none",
        not telling,
    )


def _peak(lake: Lake) -> Iterator[Condition]:
    """Yield the conditions for fixed harvests: their points have a single peak, and extremes earn
    much less."""
    peak, points = lake.peak, lake.fixed
    last, best = len(points) - 1, float(points[lake.peak])
    steps = np.diff(points)
    smallest = float(min([*steps[:peak], *-steps[peak:]]))
    yield Condition(
        "as the fixed harvest increases, points rise to a single interior peak, and then fall",
        f"peak at {peak} of {last}, steps of {smallest:.1f} points or more",
        0 < peak < last and smallest > 0,
    )
    near = float(min(points[max(peak - 1, 0)], points[min(peak + 1, last)])) / best
    promise = f"whole numbers next to the peak earn at least {NEAR:.0%} of it"
    yield Condition(promise, f"{near:.0%}", near >= NEAR)
    greedy, chance = float(points[last]) / best, lake.random / best
    promise = f"the largest harvest earns at most {MOST:.0%} of the peak"
    yield Condition(promise, f"{greedy:.0%}", greedy <= MOST)
    promise = f"random play earns at most {RANDOM:.0%} of the peak"
    yield Condition(promise, f"{chance:.0%}", chance <= RANDOM)


def _temptation(lake: Lake) -> Condition:
    """Return the condition that taking more once, in any period of the first half, pays off

    immediately and costs more later. Otherwise the best fixed harvest would be too low.
    """
    promise = (
        "in every period of the first half, a single harvest above the best fixed one earns "
        "points immediately and costs more points later"
    )
    if not lake.gained.size:
        return Condition(promise, "nobody can take more", False)
    later = lake.gained - lake.total
    return Condition(
        promise,
        f"at least {lake.gained.min():.1f} immediately, {later.min():.1f} later",
        bool((lake.gained > 0).all() and (lake.total < 0).all()),
    )


def _waiting(lake: Lake) -> Condition:
    """Return the condition that a schedule earns more than any fixed harvest, and not only in its
    last periods."""
    share = lake.reply_points / float(lake.fixed.max())
    first_half = lake.reply[: len(lake.reply) // 2]
    return Condition(
        f"the best reply earns at least {WAITING:.0%} of the best fixed harvest, and changes its "
        "harvest in the first half",
        f"{share:.0%}: {' '.join(f'{amount:g}' for amount in lake.reply)}",
        share >= WAITING and len(set(first_half.tolist())) > 1,
    )


def _usual(reply: Array) -> float:
    """Return the most frequent harvest in a schedule."""
    amounts, counts = np.unique(reply, return_counts=True)
    return float(amounts[counts.argmax()])


# -- measuring ------------------------------------------------------------------------------------


def lake_of(table: Table) -> Lake:
    """Measure a session."""
    stake = table.stake
    levels = _fixed(stake.game)
    fixed = _points(stake, levels)
    peak = int(fixed.sum(axis=1).argmax())
    gained, total = _once_more(stake, levels, peak)
    reply = best_reply(stake)
    return Lake(
        fixed.sum(axis=1),
        table.alone["random"].mean,
        gained,
        total,
        _lasted(stake, levels[peak]),
        reply,
        float(_points(stake, reply[None]).sum()),
        named(stake),
    )


def played(
    game: Game[Any], others: Sequence[str], harvests: Array, plays: int = PLAYS
) -> tuple[Array, Array]:
    """Return the points (K, plays, T) of seat 0 and the periods (K, plays) in plays with seeds from
    0.

    `harvests` (K, T) contains schedules for seat 0, and `others` the policies of the other seats.
    """
    seeds = np.tile(np.arange(plays), len(harvests))
    requests = np.repeat(harvests, plays, axis=0)
    seats = np.array(["", *others])
    bench = Bench(game, [(policies.make(name, game), seats == name) for name in {*others}])
    bench.begin(np.arange(len(seeds)), len(seeds))
    state, seen = game.reset(seeds)
    points = np.zeros(requests.shape)
    for period in range(game.horizon):
        actions = bench.decide(seeds, state, seen)
        actions["harvest"][:, 0] = requests[:, period]
        chance = game.draw_chance(seeds, state["period"])
        state, outcome = game.step(state, actions, chance)
        points[:, period], seen = outcome.rewards[:, 0], outcome.observations
    shape = (len(harvests), plays)
    return points.reshape(*shape, -1), np.asarray(state["period"]).reshape(shape)


def _points(stake: Stake, harvests: Array, plays: int = PLAYS) -> Array:
    """Return the person's mean points (K, T) with these schedules (K, T)."""
    points: Array = played(stake.game, stake.others, harvests, plays)[0].mean(axis=1)
    return points


def _fixed(game: Game[Any]) -> Array:
    """Return the schedules of fixed harvests: 0, 1, 2, ... fish, up to the most."""
    levels = np.arange(int(game.core.max_harvest) + 1.0)
    return np.repeat(levels[:, None], game.horizon, axis=1)


def _once_more(stake: Stake, levels: Array, peak: int) -> tuple[Array, Array]:
    """Return `gained` and `total` for `Lake`."""
    half = stake.game.horizon // 2
    more = levels[peak + 1 :, 0]
    if not more.size:
        return np.zeros((half, 0)), np.zeros((half, 0))
    harvests = np.tile(levels[peak], (half, len(more), 1))
    harvests[np.arange(half), :, np.arange(half)] = more
    change = _points(stake, harvests.reshape(-1, stake.game.horizon)) - _points(
        stake, levels[peak : peak + 1]
    )
    change = change.reshape(harvests.shape)
    return change[np.arange(half), :, np.arange(half)], change.sum(axis=2)


def _lasted(stake: Stake, best: Array) -> float:
    """Return `lasted` for `Lake`: each seat in turn is greedy, while the person takes the best
    fixed harvest."""
    game, others = stake.game, stake.others
    plays = [played(game, others, np.full((1, game.horizon), game.core.max_harvest))]
    for seat in range(len(others)):
        greedy = [*others[:seat], "greedy", *others[seat + 1 :]]
        plays.append(played(game, greedy, best[None]))
    return min(float(periods.min()) for _, periods in plays) / game.horizon


def best_reply(stake: Stake) -> Array:
    """Return the best schedule that repeated changes lead to, starting from the best fixed harvest.

    A change sets one period, all periods up to it, or it and all later periods to a whole number of
    fish.
    """
    levels = _fixed(stake.game)
    tries = levels
    best: Array = levels[0]
    value = -np.inf
    while True:
        points = _points(stake, tries, SEARCHED).sum(axis=1)
        if points.max() <= value + 1e-9:
            return best
        best, value = tries[points.argmax()], float(points.max())
        tries = _changed(best, levels[:, 0])


def _changed(schedule: Array, amounts: Array) -> Array:
    """Return all schedules (K, T) that are one change away from this one."""
    periods = np.arange(len(schedule))
    single = periods == periods[:, None]
    where = np.concatenate([single, periods <= periods[:, None], periods >= periods[:, None]])
    changed = np.where(where[:, None], amounts[:, None], schedule)
    return np.asarray(changed, dtype=np.float64).reshape(-1, len(schedule))


def named(stake: Stake) -> frozenset[float]:
    """Return the numbers in the instructions, the quiz and the texts of the play page."""
    game, guide = stake.game, guide_of(stake.game.id)
    options = stake.setup.options
    texts = [guide.sections(game, options), guide.quiz(game, options), guide.texts(game.core)]
    return numbers_in(texts)


def numbers_in(texts: Any) -> frozenset[float]:
    """Return the numbers in all strings in lists and mappings, except in keys."""
    if isinstance(texts, str):
        return frozenset(float(number) for number in re.findall(r"\d+(?:\.\d+)?", texts))
    parts = texts.values() if isinstance(texts, Mapping) else texts
    return frozenset().union(*(numbers_in(part) for part in parts))
