"""A population in a seat: whoever sits down is of a type, and has numbers of his or her own.

Type and numbers are drawn when a seat is first asked, from the chance of this seat in this play, so
that they follow from the session's seed; they are in its memory from then on.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.policies.policy import Decided, Memory, Policy, Seats
from mixed_company.policies.populations.fitted import StraightLine, policy_of
from mixed_company.policies.populations.form import Described, Spread, Type, read
from mixed_company.policies.populations.uncertain import drawn, split
from mixed_company.policies.spec import POPULATION

__all__ = ["Population", "population_of"]

_FIRST = "first"
Find = Callable[[str, str], type[Policy]]


class Population(Policy):
    """What all populations share; each is a subclass with what its file says."""

    described: ClassVar[Described]
    drawn: ClassVar[bool] = False
    """Are its numbers drawn from their errors? Then those that nobody can have are cut."""
    find: ClassVar[Find]

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game.core)
        self.layout, self.final = game.declaration.actions, game.horizon - 1
        self.kinds = [self._kind(game, kind) for kind in self.described.types]

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> Population:
        """The population for a game. Raises ConfigError that names the type that does not fit."""
        for name in parameters:
            raise ConfigError(f"{cls.id}: parameter {name!r}: its numbers are in its file")
        return cls(game)

    @property
    def apart(self) -> bool:
        """Is one of its policies to be asked outside of a server's loop?"""
        return any(kind.policy.apart for kind in self.kinds)

    def _kind(self, game: Game[Any], kind: Type) -> _Kind:
        try:
            policy = policy_of(kind.policy, game.id) or type(self).find(kind.policy, game.id)
            own = _cut(kind, policy) if self.drawn else kind
            return _Kind(own, _policy(policy, game, own), self.layout[0].kind == "real")
        except EngineError as error:
            raise ConfigError(f"{self.id}: type {kind.name!r}: {error}") from None

    def start(self) -> Memory:
        """Of no type as yet."""
        return {
            "type": -1,
            "numbers": [0.0] * sum(len(kind.spreads) for kind in self.kinds),
            **({"last": 0.0} if self._ends else {}),
            **{
                f"{place}.{name}": value
                for place, kind in enumerate(self.kinds)
                for name, value in kind.policy.start().items()
            },
        }

    def act_together(self, seats: Seats) -> Decided:
        """With everything open that is declared."""
        return self.act_together_within(Allowed(self.layout, (seats.count,), {}, {}), seats)

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        """All types decide for all seats, and of each seat its own type counts.

        So what a seat draws does not depend on who else is asked.
        """
        kinds, numbers = self._drawn(seats)
        notes = dict(seats.memory) | {"type": kinds, "numbers": numbers}
        if self._ends:
            new = np.asarray(seats.memory["type"]) < 0
            notes["last"] = np.where(new, seats.draws.random(where=new), notes["last"])
        actions = {
            name: np.array(np.broadcast_to(value, (seats.count, *np.shape(value)[1:])), float)
            for name, value in allowed.default.items()
        }
        start = 0
        for place, kind in enumerate(self.kinds):
            own = numbers[:, start : start + len(kind.spreads)]
            start += len(kind.spreads)
            memory = {name: notes[f"{place}.{name}"] for name in kind.policy.start()}
            view = Seats(seats.seen, memory, seats.draws)
            done, after = kind.decided(allowed, view, own, self.described.whole)
            if kind.type.last is not None and (seats.period == self.final).any():
                ends = (seats.period == self.final) & (notes["last"] < kind.type.last.share)
                share = kind.type.last.amount
                done = kind.ended(share, allowed, done, ends, self.described.whole)
            notes |= {f"{place}.{name}": value for name, value in after.items()}
            for name, value in done.items():
                here = kinds == place
                actions[name][here] = np.broadcast_to(value, actions[name].shape)[here]
        return actions, notes

    @property
    def _ends(self) -> bool:
        """Does anybody do otherwise in the last period? Then all draw whether they do."""
        return any(kind.type.last is not None for kind in self.kinds)

    def _drawn(self, seats: Seats) -> tuple[Array, Array]:
        """(K,) the type of each, and (K, P) the numbers of all types; drawn where there are none.

        Each draws one number for the type and one for each number that differs, whatever its type.
        """
        known, numbers = seats.memory["type"], np.array(seats.memory["numbers"], float)
        new = np.asarray(known) < 0
        if not new.any():
            return np.asarray(known), numbers
        ends = np.cumsum([kind.type.share for kind in self.kinds])
        drawn = np.searchsorted(ends[:-1], seats.draws.random(where=new), side="right")
        place = 0
        for kind in self.kinds:
            for name, spread in kind.spreads.items():
                values = _within(spread, kind.ends[name], seats, new)
                numbers[:, place] = np.where(new, values, numbers[:, place])
                place += 1
        return np.where(new, drawn, known), numbers


class _Kind:
    """A type with its policy.

    spreads   the numbers that are drawn, by name: `first`, then parameters
    ends      what each may be
    """

    def __init__(self, kind: Type, policy: Policy, amount: bool) -> None:
        self.type, self.policy = kind, policy
        own = {name: part for name, part in kind.parameters.items() if isinstance(part, Spread)}
        self.ends = {name: tuple(policy.parameters[name][1:]) for name in own}
        first = kind.first if isinstance(kind.first, Spread) else None
        self.spreads: Mapping[str, Spread] = ({_FIRST: first} if first else {}) | own
        self.ends[_FIRST] = (0.0, 1.0)
        if kind.first is not None:
            _check_within(_FIRST, kind.first, (0.0, 1.0))
        if kind.first is not None and not amount:
            raise ConfigError("first: is of a game whose first action is an amount")
        if kind.last is not None and not amount:
            raise ConfigError("last: is of a game whose first action is an amount")
        if own and not policy.apiece:
            raise ConfigError(
                f"parameters.{next(iter(own))}: {policy.id} takes one number for all, no spread"
            )
        if isinstance(policy, StraightLine) and kind.first is None:
            raise ConfigError("first: is missing; straight_line needs it")

    def decided(self, allowed: Allowed, seats: Seats, numbers: Array, whole: bool) -> Decided:
        """What people of this type do, if all K are, with (K, p) numbers of their own."""
        own = dict(zip(self.spreads, numbers.T, strict=True))
        share = own.pop(_FIRST, self.type.first)
        policy = copy.copy(self.policy)
        policy.own = {**policy.own, **own}
        done, after = policy.act_together_within(allowed, seats)
        name = allowed.fields[0].name
        if share is None and not whole:
            return done, after
        low, high = allowed.low[name], allowed.high[name]
        amount = np.broadcast_to(done[name], (seats.count,))
        if share is not None:
            opening = (seats.period == 0) | np.isnan(amount)
            amount = np.where(opening, low + share * (high - low), amount)
        amount = np.minimum(np.maximum(np.rint(amount) if whole else amount, low), high)
        return {**done, name: amount}, after

    def ended(
        self, share: float, allowed: Allowed, done: Mapping[str, Any], ends: Array, whole: bool
    ) -> Mapping[str, Any]:
        """What was decided, with this share of the range where the last period `ends` (K,)."""
        name = allowed.fields[0].name
        low, high = allowed.low[name], allowed.high[name]
        amount = low + share * (high - low)
        return {**done, name: np.where(ends, np.rint(amount) if whole else amount, done[name])}


def _cut(kind: Type, policy: type[Policy]) -> Type:
    """A type whose means are what its numbers may be."""
    ends = {name: tuple(own[1:]) for name, own in policy.parameters.items()}
    own = {
        name: value.cut(*ends[name]) if isinstance(value, Spread) and name in ends else value
        for name, value in kind.parameters.items()
    }
    first = kind.first.cut(0.0, 1.0) if isinstance(kind.first, Spread) else kind.first
    return kind.model_copy(update={"first": first, "parameters": own})


def _policy(policy: type[Policy], game: Game[Any], kind: Type) -> Policy:
    """The policy of a type. Raises ConfigError."""
    fixed = {}
    for name, value in kind.parameters.items():
        if not isinstance(value, Spread):
            fixed[name] = value
        elif name in policy.parameters:
            _check_within(f"parameters.{name}", value, policy.parameters[name][1:])
        else:
            fixed[name] = value.ends[0]  # refused below as unknown
    own = policy.for_game(game, **fixed)
    if not own.together or isinstance(own, Population):
        raise ConfigError(f"policy = {kind.policy!r}: should decide for many seats at once")
    return own


def _check_within(name: str, value: float | Spread, ends: tuple[float, ...]) -> None:
    own = value.ends if isinstance(value, Spread) else (value, value)
    if own[0] < ends[0] or own[1] > ends[1]:
        which = own[0] if own[0] < ends[0] else own[1]
        raise ConfigError(f"{name} = {which:g}: from {ends[0]:g} to {ends[1]:g}")


def _within(spread: Spread, ends: tuple[float, ...], seats: Seats, where: Array) -> Array:
    """(K,) numbers drawn from a spread, within their ends."""
    if spread.low is not None and spread.high is not None:
        return seats.draws.uniform(spread.low, spread.high, where=where)
    drawn = float(spread.mean or 0.0) + float(spread.sd or 0.0) * seats.draws.normal(where=where)
    if spread.log:
        drawn = np.exp(np.minimum(drawn, np.log(ends[1])))
    return np.asarray(np.clip(drawn, ends[0], ends[1]))


def population_of(name: str, find: Find) -> type[Population]:
    """The policy class of a population, `population:NAME`; `find` finds the policies of its types.

    Raises UnknownName or ConfigError, as `policies.populations.read`.
    """
    plain, seed = split(name.removeprefix(POPULATION))
    described, digest = read(plain)
    if seed is not None:
        try:
            described = drawn(described, seed, digest)
        except ConfigError as error:
            raise ConfigError(f"{POPULATION}{plain}{error}") from None
    content = {
        "__doc__": described.sentence,
        "__module__": __name__,
        "id": name,
        "games": (described.game,),
        "version": f"2 {digest[:16]}",
        "source": described.source,
        "described": described,
        "drawn": seed is not None,
        "find": staticmethod(find),
    }
    return type("PopulationOfFile", (Population,), content)
