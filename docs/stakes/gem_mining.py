"""Promises that the default sessions of gem_mining make.

The person has the first seat, because of the session's `people_seats`. The person either *stays* at
one mine (`fixed`) or *watches* the others (`best_response`). A person who watches goes where his or
her workers add the most if the others stay where they were in the last period; the page shows these
chances.

If all bots only responded, staying would be best: they would avoid the mine of a person who stays,
so staying would cost nothing. Therefore one of the default bots follows the others, and two give
way.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from docs.stakes.conditions import Condition
from docs.stakes.earning import PLAYS, Stake, Table
from mixed_company import engine, policies
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.gem_mining import Instance, of_state
from mixed_company.engine.solutions import first_state
from mixed_company.engine.solutions.gem_mining import expected_rewards
from mixed_company.policies.bench import Bench
from mixed_company.policies.policy import Decided, Policy, Seats

__all__ = ["SESSIONS", "Joint", "Played", "answered", "conditions", "reached", "several", "watched"]

SESSIONS = ("gems",)
WATCHES = "best_response"
ARRIVES = 5
"""Period, counted from 0, in which the person goes to the mine that is later left."""
VISITS = (1, 2, 5, 10)
"""Number of periods that the person stays there."""
TAKEN_WITHIN = 3
GOOD = 0.95
"""A joint choice is called good if it earns more than this share of the best expected points."""
LEAST_GAIN = 1.3


@dataclass(frozen=True)
class Played:
    """Plays of a person among the bots.

    points  (periods, PLAYS) of the person
    mines   (periods, PLAYS, villages)
    """

    points: Array
    mines: Array


@dataclass(frozen=True)
class Joint:
    """Joint choices and their expected points per period.

    choices  (J, villages)
    points   (J,)
    """

    choices: Array
    points: Array

    def best(self) -> Array:
        """Return the best joint choices, (B, villages)."""
        return np.asarray(self.choices[np.isclose(self.points, self.points.max())])


class _Visits(Policy):
    """Stays at one mine, but visits another from period ARRIVES on."""

    id = "visits"
    games = ("gem_mining",)
    source = "ours"

    def __init__(self, rules: Any, mine: int, home: int, periods: int) -> None:
        super().__init__(rules)
        self._mine, self._home, self._leaves = mine, home, ARRIVES + periods

    def act_together(self, seats: Seats) -> Decided:
        visiting = (seats.period >= ARRIVES) & (seats.period < self._leaves)
        return {"mine": np.where(visiting, self._mine, self._home)}, {}


def conditions(table: Table) -> Iterator[Condition]:
    """Yield the promises of a session of this game."""
    stake = table.stake
    joint, watching = joint_choices(stake), played(stake, policies.make(WATCHES, stake.game))
    yield answered(all_delays(stake))
    yield several(joint)
    yield watched(watching, stays(stake))
    yield reached(watching, joint)


# -- conditions -----------------------------------------------------------------------------------


def answered(delays: Mapping[tuple[int, int, int], Array]) -> Condition:
    """Compare how long a mine stays empty after the person leaves it.

    `delays` contains the number of periods in each play, (PLAYS,), by mine, home and length of the
    visit. The condition covers all mines that others can reach, no matter where the person goes, in
    all plays. If another player was at the mine with the person and stays, the mine counts as taken
    immediately.
    """
    slowest = max(float(periods.max()) for periods in delays.values())
    promise = f"a bot moves to a mine within {TAKEN_WITHIN} periods after the person has left it"
    return Condition(promise, f"after at most {slowest:g}", slowest <= TAKEN_WITHIN)


def several(joint: Joint) -> Condition:
    """Count the good joint choices. The person should have a different mine in at least two of
    them."""
    good = joint.choices[joint.points >= GOOD * joint.points.max()]
    mines = len(set(good[:, 0].tolist()))
    number = f"{len(good)}, with {mines} different mines for the person"
    return Condition("several joint choices are good", number, mines > 1)


def watched(watching: Played, staying: Mapping[int, Played]) -> Condition:
    """Compare a person who watches with a person who stays at the best of all mines."""
    stayed = max(float(plays.points.sum(axis=0).mean()) for plays in staying.values())
    gain = float(watching.points.sum(axis=0).mean()) / stayed
    promise = f"`{WATCHES}` earns {LEAST_GAIN - 1:.0%} more than `fixed` at any mine"
    return Condition(promise, f"{gain - 1:+.0%}", gain >= LEAST_GAIN)


def reached(watching: Played, joint: Joint) -> Condition:
    """Count the periods in which a group with a person who watches makes a best joint choice.

    The group must make one in every play, not only on average.
    """
    best = (watching.mines[:, :, None] == joint.best()).all(axis=-1).any(axis=-1)
    plays, periods = float(best.any(axis=0).mean()), float(best.sum(axis=0).mean())
    number = f"in {plays:.0%} of plays, {periods:.1f} of {len(best)} periods"
    return Condition(f"with `{WATCHES}`, the group makes a best joint choice", number, plays == 1)


# -- measuring ------------------------------------------------------------------------------------


def played(stake: Stake, person: Policy) -> Played:
    """Return plays with a policy in the person's seat among the default bots, with seeds from 0."""
    game, seeds = stake.game, np.arange(PLAYS)
    bots = {spec: policies.make(spec, game) for spec in stake.others}
    seats = [person, *(bots[spec] for spec in stake.others)]
    seated = [
        (policy, np.array([seat is policy for seat in seats]))
        for policy in (person, *bots.values())
    ]
    points, mines = [], []
    for state, outcome in Bench(game, seated).play(seeds, *game.reset(seeds)):
        points.append(outcome.rewards[:, 0])
        mines.append(state["mine"])
    return Played(np.array(points), np.array(mines))


def stays(stake: Stake) -> dict[int, Played]:
    """Return plays of a person who stays, by mine."""
    return {
        mine: played(stake, policies.make(f"fixed:mine={mine}", stake.game))
        for mine in _reach(stake.game)[0]
    }


def all_delays(stake: Stake) -> dict[tuple[int, int, int], Array]:
    """Return the number of periods until somebody is at a mine that the person left; infinite if
    never."""
    mines, *theirs = _reach(stake.game)
    shared = [mine for mine in mines if any(mine in reach for reach in theirs)]
    delays = {}
    for mine, home, periods in itertools.product(shared, mines, VISITS):
        if mine != home:
            person = _Visits(stake.game.core, mine, home, periods)
            away = played(stake, person).mines[ARRIVES + periods :]
            delays[mine, home, periods] = delay(away, mine)
    return delays


def delay(mines: Array, left: int) -> Array:
    """Return the number of the first period with a village at a mine, (PLAYS,); infinite if there
    is none.

    `mines` (periods, PLAYS, villages) starts with the first period in which the person is away.
    """
    worked = (mines == left).any(axis=-1)
    return np.where(worked.any(axis=0), worked.argmax(axis=0) + 1.0, np.inf)


def joint_choices(stake: Stake) -> Joint:
    """Return all of the villages' joint choices."""
    instance, weights = _instance(stake.game), np.asarray(stake.game.core.weights)
    choices = np.array(list(itertools.product(*_reach(stake.game))))
    return Joint(
        choices, np.array([expected_rewards(instance, choice) @ weights for choice in choices])
    )


def _reach(game: engine.Game[Any]) -> list[range]:
    """Return the mines in reach of each village."""
    reach = _instance(game).reach.tolist()
    return [range(village, village + mines) for village, mines in enumerate(reach)]


def _instance(game: engine.Game[Any]) -> Instance:
    return of_state(game.core, first_state(game, 0))
