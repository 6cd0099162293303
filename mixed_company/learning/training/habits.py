"""Points of a trained policy by seat, and the frequencies of its actions, for its card.

Means hide differences: four seats that earn 51, 34, 46 and 98, a policy that never votes, or one
that always gives everything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game
from mixed_company.learning.training.judge import SEED, interval, returns, seatings
from mixed_company.policies import Policy
from mixed_company.policies.bench import Bench, by_seat
from mixed_company.policies.trained.card import Card, Interval

QUARTERS = ("least", "quarter", "middle", "three quarters", "most")
"""Names of the 0, 25, 50, 75 and 100 % quantiles, in this order."""


class _Noted(Bench):
    """Bench that records the actions of some seats as the rules use them."""

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
