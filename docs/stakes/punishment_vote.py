"""Promises that the default sessions of punishment_vote make.

The middle is a level of one half. At this level, a taboo resource in `lab` earns its collector as
much as it costs. Taking it pays off below the middle, but not above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from docs.stakes.conditions import Condition
from docs.stakes.earning import PLAYS, Earned, Stake, Table
from mixed_company import policies
from mixed_company.engine.contract.space import Array
from mixed_company.policies.bench import Bench

__all__ = ["SESSIONS", "Played", "conditions"]

SESSIONS = ("vote",)

CONSIDERATE, SELFISH = "harm_averse", "greedy"
"""Policies that never vote: one avoids resources that harm others, and the other takes them at any
level."""
MIDDLE = 0.5
CROSSINGS = 3
SIDE = 0.3
PIVOTAL = 0.2
APART = 0.15
ABOVE = 0.9
TAKES = 0.1
"""Minimum share of taboo resources in a bot's collection for the bot to count as taking them."""
FAITHFUL = 0.9
"""Minimum share of a bot's votes that must serve its interest."""


class Played(NamedTuple):
    """Turns of P plays with T turns of n seats; the person has seat 0.

    level      (P, T + 1), before each turn and after the last
    points     (P, T), of the person
    votes      (P, T, n): 1 for more punishment, -1 for less, 0 for none
    collected  (P, T, n): 0 for nothing, 1 + the kind's number
    """

    level: Array
    points: Array
    votes: Array
    collected: Array


def conditions(table: Table) -> Iterator[Condition]:
    """Yield the promises of a session of this game."""
    core = table.stake.game.core
    taboo = [1 + list(core.resources).index(kind) for kind in core.tabooed]
    people = {spec: played(table.stake, spec) for spec in (CONSIDERATE, SELFISH, "random")}
    yield opposed([people[CONSIDERATE], people[SELFISH]], taboo)
    yield crossing(people)
    yield both_sides(people)
    yield pivotal(people, core.vote_step)
    best = table.top[1].mean / core.turns
    yield apart(people[CONSIDERATE], people[SELFISH], best)
    yield above_zero(table.alone["random"])


def played(stake: Stake, spec: str) -> Played:
    """Return the turns of plays with a policy in the person's seat among the default bots."""
    seats, game, seeds = [spec, *stake.others], stake.game, np.arange(PLAYS)
    seated = [
        (policies.make(name, game), np.array([name == other for other in seats]))
        for name in dict.fromkeys(seats)
    ]
    state, seen = game.reset(seeds)
    levels, points, votes, collected = [state["level"]], [], [], []
    for after, outcome in Bench(game, seated).play(seeds, state, seen):
        levels.append(after["level"])
        points.append(outcome.rewards[:, 0])
        votes.append(after["vote"])
        collected.append(after["collected"])
    return Played(*(np.stack(values, axis=1) for values in (levels, points, votes, collected)))


# -- conditions -----------------------------------------------------------------------------------


def opposed(plays: Sequence[Played], taboo: Sequence[int]) -> Condition:
    """Check that every bot votes in line with what it collects, and that both interests are
    present.

    A bot should vote for less punishment if a tenth of what it collects is taboo, and otherwise for
    more. A bot that does not vote breaks the promise, because no vote serves its interest.
    """
    votes = np.concatenate([play.votes for play in plays])[..., 1:]
    catch = np.concatenate([play.collected for play in plays])[..., 1:]
    takes = _share(np.isin(catch, taboo), catch > 0) >= TAKES
    less = _share(votes < 0, votes != 0)
    faithful = np.where(takes, less, 1.0 - less)
    promise = "bots that take taboo resources vote for less punishment, the others for more"
    number = f"{takes.sum()} and {(~takes).sum()} bots, {faithful.min():.0%} of their votes or more"
    met = takes.any() and (~takes).any() and faithful.min() >= FAITHFUL
    return Condition(promise, number, bool(met))


def crossing(people: Mapping[str, Played]) -> Condition:
    """Check the number of crossings in the median play, for each policy that the person may follow.
    None of these policies votes deliberately. A person who does can keep the level on one side.
    """
    counts = {spec: float(np.median(crossings(play.level))) for spec, play in people.items()}
    promise = f"the level crosses the middle {CROSSINGS} times or more in the median play"
    number = ", ".join(f"`{spec}` {count:g}" for spec, count in counts.items())
    return Condition(promise, number, min(counts.values()) >= CROSSINGS)


def both_sides(people: Mapping[str, Played]) -> Condition:
    """Check the share of turns on the rarer side in the median play.

    The rarer side is determined for each play, which is stricter than for all plays together. A
    turn that starts exactly at the middle is on neither side.
    """
    shares = {}
    for spec, play in people.items():
        sides = side(play.level[:, :-1])
        rarer = np.minimum((sides > 0).mean(axis=1), (sides < 0).mean(axis=1))
        shares[spec] = float(np.median(rarer))
    promise = f"the level is on each side in {SIDE:.0%} of turns or more in the median play"
    number = ", ".join(f"`{spec}` {share:.0%}" for spec, share in shares.items())
    return Condition(promise, number, min(shares.values()) >= SIDE)


def pivotal(people: Mapping[str, Played], step: float) -> Condition:
    """Check the share of turns in which one more vote would move the level to the other side.

    A vote that only moves the level within a side does not count.
    """
    shares = {}
    for spec, play in people.items():
        level = play.level[:, 1:]
        others = [side(np.clip(level + vote * step, 0.0, 1.0)) for vote in (1, -1)]
        changed = (others[0] != side(level)) | (others[1] != side(level))
        shares[spec] = float(changed.mean())
    promise = f"one more vote changes the side in {PIVOTAL:.0%} of turns or more"
    number = ", ".join(f"`{spec}` {share:.0%}" for spec, share in shares.items())
    return Condition(promise, number, min(shares.values()) >= PIVOTAL)


def apart(considerate: Played, selfish: Played, best: float) -> Condition:
    """Check that selfish play pays off below the middle but not above it.

    Points per turn on each side are compared, as shares of the `best` policy's points per turn in
    the same session. Selfish play takes the most valuable resource at any level. A player who takes
    punishment into account avoids taboo resources above the middle, and then behaves like a
    considerate player.
    """
    gains = [
        (_per_turn(selfish, sign) - _per_turn(considerate, sign)) / best for sign in (-1.0, 1.0)
    ]
    promise = f"selfish play gains {APART:.0%} of the best below the middle and loses as much above"
    number = (
        f"`{SELFISH}` compared with `{CONSIDERATE}`: {gains[0]:+.0%} below, {gains[1]:+.0%} above"
    )
    return Condition(promise, number, gains[0] >= APART and gains[1] <= -APART)


def above_zero(random: Earned) -> Condition:
    """Check the share of plays in which the random policy ends with positive points."""
    share = float((random.points > 0).mean())
    promise = f"`random` ends above 0 in {ABOVE:.0%} of plays or more"
    return Condition(promise, f"{share:.0%}", share >= ABOVE)


# -- measures -------------------------------------------------------------------------------------


def side(level: Array) -> Array:
    """Return 1 above the middle, -1 below it and 0 at it, up to rounding."""
    return np.sign(np.round(level - MIDDLE, 9))


def crossings(level: Array) -> Array:
    """Return how often each play (P,) changes sides; turns exactly at the middle are ignored."""
    counts = []
    for sides in side(level):
        off = sides[sides != 0]
        counts.append(int((off[1:] != off[:-1]).sum()))
    return np.array(counts)


def _per_turn(play: Played, sign: float) -> float:
    """Return the person's points per turn on a side of the middle; NaN if it has no turn."""
    turns = side(play.level[:, :-1]) == sign
    return float(play.points[turns].mean()) if turns.any() else float("nan")


def _share(part: Array, whole: Array) -> Array:
    """Return each seat's share over all plays and turns; NaN if the total is 0."""
    total = whole.sum(axis=(0, 1))
    return np.where(total > 0, part.sum(axis=(0, 1)) / np.maximum(total, 1), np.nan)
