"""A trained policy's performance under its aim, compared with the game's scripted policies.

    mixed judge commons_ppo_group --plays 1000

If the policy was trained for the group, or to imitate people, all seats follow the same policy, and
mean points per seat are compared. If it was trained for itself, each policy in turn takes one seat
(every seat in equally many plays) among the policies that it was trained against, and the points of
that seat are compared. All policies play the same seeds, none of which were used in training.
Policies that know the solution are left out.

The scores list the policies that it does not beat significantly, by a t-test of the play-by-play
differences, at the 5% level for all policies together (Holm 1979, Scandinavian Journal of
Statistics 6(2)). Intervals are separate 95% t-intervals. With `--write`, the scores are written to
the card.

`habits` adds the points of each seat and the frequencies of actions, because means hide
differences: four seats that earn 51, 34, 46 and 98, a policy that never votes, or one that always
gives everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.errors import UnknownName, nearest, short
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game
from mixed_company.learning.tournament.means import chance, mean
from mixed_company.policies import Policy, find, ids, make
from mixed_company.policies.bench import Bench, by_seat, check_together
from mixed_company.policies.sharing import shared
from mixed_company.policies.trained.card import SELF, Card, Interval, Scores
from mixed_company.policies.trained.policy import Trained

SEED = 2**62
"""Default seed of all plays; no training run has used it."""

LEVEL = 0.05
"""Significance level: the probability of wrongly declaring any policy beaten."""

_CLOSE = 1e-9  # differences below this share of the points are rounding errors


def points(card: Card, spec: str, plays: int, seed: int = SEED) -> Array:
    """Return a policy's points (plays,) under a card's aim; all policies are compared in the same
    plays."""
    game = engine.restored(card.config)
    earned = np.empty(plays)
    for seating in seatings(card, game, spec, plays):
        bench = Bench(game, by_seat(seating.policies, game.seats))
        earned[seating.numbers] = returns(game, seating, bench, seed).mean(axis=1)
    return earned


class Seating(NamedTuple):
    """Numbers of plays, the policies by seat, and the seats that are judged."""

    numbers: Array
    policies: dict[int, Policy]
    seats: list[int]


def seatings(card: Card, game: Game[Any], spec: str, plays: int) -> Iterator[Seating]:
    """Yield the seatings in which a policy is judged under a card's aim; together they cover all
    plays."""
    check_together(game)
    field = card.id if card.against == SELF else card.against
    others = [make(name, game) for name in field.split(",")]
    policy, seats = make(spec, game), list(range(game.seats))
    if card.aim != "own":
        yield Seating(np.arange(plays), dict.fromkeys(seats, policy), seats)
        return
    for focal in seats:
        free = [seat for seat in seats if seat != focal]
        seated = {seat: others[place % len(others)] for place, seat in enumerate(free)}
        numbers = np.arange(focal, plays, game.seats)
        yield Seating(numbers, {**seated, focal: policy}, [focal])


def returns(game: Game[Any], seating: Seating, bench: Bench, seed: int) -> Array:
    """Return the points of the judged seats in the plays of a seating, shape (plays, S)."""
    seeds = play_seeds(seed, seating.numbers)
    steps = bench.play(seeds, *game.reset(seeds))
    earned = np.sum([outcome.rewards for _, outcome in steps], axis=0)
    return np.asarray(earned[:, seating.seats])


def judged(
    card: Card, plays: int, seed: int = SEED, workers: int = 1, scheduler: str | None = None
) -> Scores:
    """Return a policy's scores from `plays` plays of each policy, with seeds from `seed`.

    Raises ConfigError for fewer than one worker, WorkersLost, SchedulerLost.
    """
    names = [
        name
        for name in ids(card.game)
        if not issubclass(find(name, card.game), Trained)
        and not find(name, card.game).told_the_solution
    ]
    judge = partial(points, card, plays=plays, seed=seed)
    lost = "nothing has been judged"
    by_place = dict(shared(judge, [card.id, *names], workers, scheduler, lost))
    first, *rest = (by_place[place] for place in sorted(by_place))
    others = dict(zip(names, rest, strict=True))
    beaten = better({name: first - earned for name, earned in others.items()}, first)
    return Scores(
        plays=plays,
        seed=seed,
        measure=_measure(card),
        own=interval(first),
        others={name: interval(earned) for name, earned in others.items()},
        verdict=_verdict(beaten),
    )


def better(differences: Mapping[str, Array], earned: Array) -> dict[str, bool]:
    """Return, by name, flags for the differences (plays,) that are significantly above 0.

    Holm's method compares the smallest of m p-values with LEVEL / m, the next with LEVEL / (m - 1),
    and so on until one fails. `earned` (plays,) provides the scale of points.
    """
    tolerance = _CLOSE * max(1.0, float(np.abs(earned).mean()))
    chances = {name: chance(values, tolerance) for name, values in differences.items()}
    passed: set[str] = set()
    for name in sorted(chances, key=chances.__getitem__):
        if chances[name] > LEVEL / (len(chances) - len(passed)):
            break
        passed.add(name)
    return {
        name: name in passed and float(values.mean()) > 0 for name, values in differences.items()
    }


def _measure(card: Card) -> str:
    if card.aim != "own":
        return "mean points of a seat if all seats follow the policy"
    others = "copies of itself" if card.against == SELF else card.against
    return f"points of one seat among {others}"


def _verdict(beaten: dict[str, bool]) -> str:
    behind = [name for name, won in beaten.items() if not won]
    if not behind:
        return "It beats every scripted policy that is not told the solution."
    return f"It does not beat {', '.join(behind)}; it beats the other {sum(beaten.values())}."


def interval(values: Array) -> Interval:
    """Return a mean and its t-interval, in the form used on cards."""
    ends = mean(values)
    return Interval(mean=round(ends.value, 4), low=round(ends.low, 4), high=round(ends.high, 4))


def trained_policy(policy_id: str) -> type[Trained]:
    """Return a trained policy of any game by its id. Raises UnknownName."""
    by_id = {
        name: policy
        for game_id in engine.game_ids()
        for name in ids(game_id)
        if issubclass(policy := find(name, game_id), Trained)
    }
    if policy_id not in by_id:
        raise UnknownName(f"trained policy {short(policy_id)}: unknown{nearest(policy_id, by_id)}")
    return by_id[policy_id]


QUARTERS = ("least", "quarter", "middle", "three quarters", "most")
"""Names for the 0, 25, 50, 75 and 100% quantiles, in this order."""


class _Noted(Bench):
    """Bench that records some seats' actions as the rules use them."""

    def __init__(self, game: Game[Any], policies: dict[int, Policy], seats: list[int]) -> None:
        super().__init__(game, by_seat(policies, game.seats))
        self.seats = seats
        self.done: dict[str, list[Array]] = {}

    def decide(self, seeds: Array, state: Arrays, seen: Arrays) -> dict[str, Array]:
        actions, playing = super().decide(seeds, state, seen), self.game.playing(state)
        going = np.broadcast_to((state["reason"] == 0)[:, None], (len(seeds), self.game.seats))
        active = (going if playing is None else going & playing)[:, self.seats]
        allowed = self.game.allowed(state)
        for name, values in allowed.used(actions).items():
            if name not in allowed.idle:
                self.done.setdefault(name, []).append(values[:, self.seats][active])
        return actions


def habits(card: Card, plays: int, seed: int = SEED) -> tuple[list[Interval], dict[str, Any]]:
    """Return the points of every seat, and the frequency of actions in every action field.

    These are the plays that measure how well the policy meets its aim. Points are left out if a
    seat has only one play, because one play says nothing about chance.
    """
    game = engine.restored(card.config)
    by_place: dict[int, list[Array]] = {}
    done: dict[str, list[Array]] = {}
    for seating in seatings(card, game, card.id, plays):
        bench = _Noted(game, seating.policies, seating.seats)
        earned = returns(game, seating, bench, seed)
        for place, seat in enumerate(seating.seats):
            by_place.setdefault(seat, []).append(earned[:, place])
        for name, values in bench.done.items():
            done.setdefault(name, []).extend(values)
    use = {field.name: use_of(field, done[field.name]) for field in game.declaration.actions}
    samples = [np.concatenate(by_place[seat]) for seat in range(game.seats)]
    enough = min(map(len, samples)) > 1
    return [interval(sample) for sample in samples] if enough else [], use


def use_of(field: Field, parts: list[Array]) -> dict[str, float]:
    """Return each choice's share of decisions by name, or the minimum, quartiles and maximum of an
    amount."""
    values = np.concatenate([part.ravel() for part in parts])
    if field.kind in ("choice", "flag"):
        low, high = int(field.low), int(field.high)
        names = field.names or tuple(str(choice) for choice in range(low, high + 1))
        counts = np.bincount(values.astype(np.int64) - low, minlength=len(names))
        return dict(zip(names, np.round(counts / len(values), 4).tolist(), strict=True))
    ends = np.quantile(values, np.linspace(0.0, 1.0, len(QUARTERS)))
    return dict(zip(QUARTERS, np.round(ends, 4).tolist(), strict=True))
