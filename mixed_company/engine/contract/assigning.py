"""Current rules for the points that seats may assign to each other.

`engine.contract.allowed` checks an action against them. Points are not clamped. An amount that
breaks a rule is refused, and the error names the seat, the amount and the rule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from mixed_company.engine.contract.errors import ActionError
from mixed_company.engine.contract.space import Array, Field
from mixed_company.language import translated

_ROUNDING = 1e-9
_AGAINST = (
    translated("players cannot assign points to themselves"),
    translated("Player {other} cannot get points now"),
    translated("must not be negative"),
    translated("at most {most} points to one player"),
    translated("at most {most} points in all"),
    translated("points to at most {most} players"),
    translated("costs {cost} points, more than the {most} held"),
)


@dataclass(frozen=True)
class Assigning:
    """Rules for the points that some seats may assign. S is the shape of these seats: (n,), (B, n),
    (K,) or ().

    field    name of the action field, with one number per seat
    signed   whether amounts may be negative
    costs    (most + 1,) cost of assigning 0, 1, ... points to one other seat
    rewards  (most + 1,) the same for positive amounts if amounts are `signed`
    budget   largest number of points in total; None if there is no limit
    targets  largest number of seats that may get points; None if unlimited
    itself   S: the seat's number
    open     S + (n,): flags of the seats that may get points
    held     S: points that costs may not exceed, or None
    """

    field: str
    signed: bool
    costs: Array
    rewards: Array
    budget: int | None
    targets: int | None
    itself: Array
    open: Array
    held: Array | None

    def at(self, index: Any) -> Self:
        """Return the rules for some seats, selected by any index into S."""
        held = None if self.held is None else np.asarray(self.held[index])
        return replace(
            self, itself=np.asarray(self.itself[index]), open=self.open[index], held=held
        )

    def flat(self) -> Self:
        """Return the rules with all seats in one row, shape (K,)."""
        held = None if self.held is None else self.held.reshape(-1)
        seats = self.open.shape[-1]
        return replace(
            self, itself=self.itself.reshape(-1), open=self.open.reshape(-1, seats), held=held
        )

    def sound(self, value: Array) -> Array:
        """Return flags S for amounts (S + (n,)) that no rule forbids."""
        return np.asarray(~np.any([flags for flags, _ in self._broken(value)], axis=0))

    def in_words(self) -> str:
        """Return one seat's rules as sentences; places count from 0."""
        places = ", ".join(map(str, np.flatnonzero(self.open))) or "none"
        rules = [f"Places that may get points: {places}"]
        if self.budget is not None:
            rules.append(f"At most {self.budget} points in all")
        if self.targets is not None:
            rules.append(f"Points to at most {self.targets} players")
        if self._apart:
            rules.append(f"Costs of 0, -1, ... points to one player: {_listed(self.costs)}")
            rules.append(f"Costs of 0, 1, ... points to one player: {_listed(self.rewards)}")
        else:
            rules.append(f"Costs of 0, 1, ... points to one player: {_listed(self.costs)}")
        if self.held is not None:
            rules.append(f"Costs of at most {max(float(self.held), 0.0):g} in all")
        return ". ".join(rules)

    def check(self, field: Field, value: Array, who: Any) -> None:
        """Raise ActionError for the first seat whose amounts break a rule.

        `who` maps a seat's place to the start of the error message.
        """
        if not value.any():  # assigning nothing breaks no rule
            return
        for rule, (flags, gaps) in zip(_AGAINST, self._broken(value), strict=True):
            if flags.any():
                place = tuple(int(i) for i in np.argwhere(np.atleast_1d(flags))[0])
                place = place[: flags.ndim]
                shown = {name: _plain(gap, place) for name, gap in gaps.items()}
                amounts = value[place].astype(int).tolist()
                raise ActionError.of(who(place), f"{field.name} = {amounts}", rule, **shown)

    def fitted(self, value: Array) -> Array:
        """Return the amounts rounded, and reduced where they break a rule; earlier seats have
        priority.

        Seats that may not get points get 0. Once the budget, the targets or the points held are
        used up, later seats get less or nothing.
        """
        least = -self.most if self.signed else 0
        amounts = np.where(self.open, np.trunc(np.clip(value, least, self.most)), 0.0)
        left = np.full(self.itself.shape, np.inf if self.budget is None else self.budget)
        others = np.full(self.itself.shape, np.inf if self.targets is None else self.targets)
        purse = np.full(self.itself.shape, np.inf) if self.held is None else self.held + _ROUNDING
        fitted = np.zeros(amounts.shape)
        for seat in range(amounts.shape[-1]):
            wanted = np.minimum(np.abs(amounts[..., seat]), left)
            wanted = np.where(others > 0, wanted, 0.0)
            affordable = self._affordable(amounts[..., seat], np.maximum(purse, 0.0))
            granted = np.minimum(wanted, np.maximum(affordable, 0))
            fitted[..., seat] = np.sign(amounts[..., seat]) * granted
            left, others = left - granted, others - (granted > 0)
            purse = purse - self._prices(fitted[..., seat])
        return fitted

    @property
    def most(self) -> int:
        """Largest number of points for one other seat."""
        return len(self.costs) - 1

    @property
    def _apart(self) -> bool:
        """True if positive amounts have different costs from negative ones."""
        return self.signed and not np.array_equal(self.costs, self.rewards)

    def _prices(self, points: Array) -> Array:
        """Return the costs of amounts up to `most` points, in the shape of the amounts."""
        places = np.abs(points).astype(np.int64)
        if not self._apart:
            return np.asarray(self.costs[places])
        return np.where(points > 0, self.rewards[places], self.costs[places])

    def _affordable(self, wanted: Array, purse: Array) -> Array:
        """Return the most points that each seat can afford, with the sign of `wanted`."""
        count = np.searchsorted(self.costs, purse, side="right") - 1
        if not self._apart:
            return np.asarray(count)
        return np.where(wanted > 0, np.searchsorted(self.rewards, purse, side="right") - 1, count)

    def _broken(self, value: Array) -> list[tuple[Array, dict[str, Any]]]:
        """Return, for each rule, flags S for the seats that break it, and the values for its
        text."""
        points = np.abs(value)
        itself = np.arange(value.shape[-1]) == self.itself[..., None]
        shut = ~self.open & (points > 0)
        far, total = points > self.most, points.sum(axis=-1)
        prices = self._prices(np.clip(value, -self.most, self.most))
        cost, targets = prices.sum(axis=-1), np.count_nonzero(points, axis=-1)
        held = np.inf if self.held is None else np.maximum(self.held, 0.0)
        unlimited = np.inf
        budget = unlimited if self.budget is None else self.budget
        highest = unlimited if self.targets is None else self.targets
        return [
            ((shut & itself).any(axis=-1), {}),
            ((shut & ~itself).any(axis=-1), {"other": 1 + (shut & ~itself).argmax(axis=-1)}),
            ((value < 0).any(axis=-1) & (not self.signed), {}),
            (far.any(axis=-1), {"most": self.most}),
            (np.asarray(total > budget), {"most": budget}),
            (np.asarray(targets > highest), {"most": highest}),
            (np.asarray(cost > held + _ROUNDING), {"cost": cost, "most": held}),
        ]


def _listed(costs: Array) -> str:
    return ", ".join(f"{cost:g}" for cost in costs)


def _plain(gap: Any, place: tuple[int, ...]) -> str:
    array = np.asarray(gap, dtype=np.float64)
    number = float(array[place] if array.ndim else array)
    return f"{number:g}"
