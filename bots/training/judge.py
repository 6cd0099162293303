"""How a trained policy does by its aim, beside the scripted policies of its game.

    mixed judge commons_ppo_group --plays 1000

Trained for the group: all seats follow one policy, and the mean points of a seat are compared.
Trained for itself: one policy after another takes one seat, each seat in as many plays, among the
policies that it was trained against; what that seat earns is compared. All play the same seeds,
none of which was trained on. Policies that are told the solution are left out. The scores go into
the card, with the policies that it does not beat: those that it is not better than beyond chance,
by the 95 % confidence interval of the difference play by play.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import numpy as np

import bots
import engine
from bots.bench import Bench, by_seat, check_together
from bots.trained.card import SELF, Card, Interval, Scores
from bots.trained.policy import Trained
from engine.contract.chance import play_seeds
from engine.contract.errors import UnknownName, nearest
from engine.contract.space import Array
from engine.game import Game

__all__ = ["judged", "points", "trained_policy"]

SEED = 2**62
"""The seeds of all plays follow from it; no training has begun with it."""

Z = 1.96  # standard errors to each side for 95 %


def points(card: Card, spec: str, plays: int) -> Array:
    """(plays,) what a policy earns by the aim of a card; every policy plays the same plays."""
    game = engine.make(card.config)
    check_together(game)
    field = card.id if card.against == SELF else card.against
    others = [bots.make(name, game) for name in field.split(",")]
    policy = bots.make(spec, game)
    if card.aim == "group":
        every = dict.fromkeys(range(game.seats), policy)
        return np.asarray(_played(game, every, np.arange(plays)).mean(axis=1))
    earned = np.empty(plays)
    for focal in range(game.seats):
        numbers = np.arange(focal, plays, game.seats)
        free = [seat for seat in range(game.seats) if seat != focal]
        seated = {seat: others[place % len(others)] for place, seat in enumerate(free)}
        earned[numbers] = _played(game, {**seated, focal: policy}, numbers)[:, focal]
    return earned


def _played(game: Game[Any], policies: dict[int, bots.Policy], numbers: Array) -> Array:
    """(plays, n) what all seats earn in the plays of these numbers."""
    seeds, bench = play_seeds(SEED, numbers), Bench(game, by_seat(policies, game.seats))
    steps = bench.play(seeds, *game.reset(seeds))
    return np.asarray(np.sum([outcome.rewards for _, outcome in steps], axis=0))


def judged(card: Card, plays: int, processes: int = 1) -> Scores:
    """The scores of a policy, from so many plays of each policy."""
    names = [
        name
        for name in bots.ids(card.game)
        if not issubclass(bots.find(name, card.game), Trained)
        and not bots.find(name, card.game).told_the_solution
    ]
    with ProcessPoolExecutor(processes) as pool:
        own, *rest = pool.map(partial(points, card, plays=plays), [card.id, *names])
    others = dict(zip(names, rest, strict=True))
    beaten = {name: _interval(own - earned).low > 0 for name, earned in others.items()}
    return Scores(
        plays=plays,
        measure=_measure(card),
        own=_interval(own),
        others={name: _interval(earned) for name, earned in others.items()},
        verdict=_verdict(beaten),
    )


def _measure(card: Card) -> str:
    if card.aim == "group":
        return "mean points of a seat if all seats follow the policy"
    field = "itself" if card.against == SELF else card.against
    return f"points of one seat among {field}"


def _verdict(beaten: dict[str, bool]) -> str:
    behind = [name for name, better in beaten.items() if not better]
    if not behind:
        return "It beats every scripted policy that is not told the solution."
    return f"It does not beat {', '.join(behind)}; it beats the other {sum(beaten.values())}."


def _interval(values: Array) -> Interval:
    mean = float(values.mean())
    half = Z * float(values.std(ddof=1)) / float(np.sqrt(len(values))) if len(values) > 1 else 0.0
    low, high = (round(mean + sign * half, 4) for sign in (-1, 1))
    return Interval(mean=round(mean, 4), low=low, high=high)


def trained_policy(policy_id: str) -> type[Trained]:
    """A trained policy by its id, of whichever game. Raises UnknownName."""
    known = {
        name: policy
        for game_id in engine.game_ids()
        for name in bots.ids(game_id)
        if issubclass(policy := bots.find(name, game_id), Trained)
    }
    if policy_id not in known:
        raise UnknownName(f"trained policy {policy_id!r}: unknown{nearest(policy_id, known)}")
    return known[policy_id]
