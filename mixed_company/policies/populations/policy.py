"""A population as a policy: each seat is a person with a type and parameters drawn at random.

Type and parameters are drawn when a seat is first asked, from the seat's own random draws, so they
follow from the session's seed. They are kept in the seat's memory. If the population has moves, the
seat draws a number before every later period, which determines whether its type changes. The seat
has parameters for every type from the start, and every type follows the play, so a person who
changes can continue as the new type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.policies.policy import Decided, Memory, Policy, Range, Seats
from mixed_company.policies.populations.fitted import StraightLine, policy_of
from mixed_company.policies.populations.form import Described, Spread, Type, read
from mixed_company.policies.populations.uncertain import drawn, split
from mixed_company.policies.spec import POPULATION, parts
from mixed_company.policies.staged import Staged

_FIRST = "first"
Find = Callable[[str, str], type[Policy]]


class Population(Policy):
    """Base class of populations; each population is a subclass with the content of its file."""

    described: ClassVar[Described]
    drawn: ClassVar[bool] = False
    """True if its numbers are drawn according to their standard errors; impossible numbers are then
    clipped."""
    find: ClassVar[Find]

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game.told)
        # without a number of periods, no period is known to be the last
        self.layout, self.final = game.declaration.actions, (game.told_horizon or 0) - 1
        self.kinds = [self._kind(game, kind) for kind in self.described.types]
        moving = any(kind.moves for kind in self.described.types)
        self.rates = np.cumsum(self.described.rates, axis=1) if moving else None

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> Population:
        """Return the population for a game. Raises a ConfigError that names the unsuitable type."""
        for name in parameters:
            raise ConfigError(
                f"{cls.id}: parameter {name!r}: cannot be set; "
                "a population's numbers come from its file"
            )
        return cls(game)

    @property
    def apart(self) -> bool:
        """True if a server must run one of its policies outside the event loop."""
        return any(kind.policy.apart for kind in self.kinds)

    def _kind(self, game: Game[Any], kind: Type) -> _Kind:
        try:
            stages = [
                policy_of(name, game.id) or type(self).find(name, game.id)
                for name in parts(kind.policy)
            ]
            clipped = _cut(kind, _ranges(stages)) if self.drawn else kind
            return _Kind(clipped, _policy(stages, game, clipped), self.layout[0].kind == "real")
        except EngineError as error:
            raise ConfigError(f"{self.id}: type {kind.name!r}: {error}") from None

    def start(self) -> Memory:
        """Return the memory of a seat whose type has not been drawn yet."""
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
        """Return the actions that it would choose if all declared choices and amounts were open."""
        return self.act_together_within(Allowed(self.layout, (seats.count,), {}, {}), seats)

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        """Have every type decide for all seats, and return the decision of each seat's own type.

        This way, a seat's draws do not depend on the other seats.
        """
        later = bool(np.any(seats.seen.get("stage", 0)))
        kinds, numbers = self._drawn(seats)
        kinds = kinds if later else self._moved(seats, kinds)
        notes = dict(seats.memory) | {"type": kinds, "numbers": numbers}
        if self._ends:
            new = np.asarray(seats.memory["type"]) < 0
            notes["last"] = np.where(new, seats.draws.random(where=new), notes["last"])
        actions = {
            name: np.array(np.broadcast_to(value, (seats.count, *np.shape(value)[1:])), float)
            for name, value in allowed.default.items()
        }
        start = 0
        for index, kind in enumerate(self.kinds):
            parameters = numbers[:, start : start + len(kind.spreads)]
            start += len(kind.spreads)
            if later and kind.policy.stage == 0:
                continue
            memory = {name: notes[f"{index}.{name}"] for name in kind.policy.start()}
            view = Seats(seats.seen, memory, seats.draws)
            done, after = kind.decided(allowed, view, parameters, self.described.whole, later)
            ends = seats.period == self.final
            if kind.type.last is not None and not later and ends.any():
                ends &= notes["last"] < kind.type.last.share
                share = kind.type.last.amount
                done = kind.ended(share, allowed, done, ends, self.described.whole)
            notes |= {f"{index}.{name}": value for name, value in after.items()}
            for name, value in done.items():
                members = kinds == index
                actions[name][members] = np.broadcast_to(value, actions[name].shape)[members]
        return actions, notes

    @property
    def _ends(self) -> bool:
        """True if any type behaves differently in the last period; every seat then draws a number
        for this."""
        return any(kind.type.last is not None for kind in self.kinds)

    def _drawn(self, seats: Seats) -> tuple[Array, Array]:
        """Return the types (K,) and the parameters (K, P) of all types; draw them for new seats.

        Each seat draws one number for the type and one for each number that differs between people,
        no matter which type it gets.
        """
        kinds, numbers = seats.memory["type"], np.array(seats.memory["numbers"], float)
        new = np.asarray(kinds) < 0
        if not new.any():
            return np.asarray(kinds), numbers
        ends = np.cumsum([kind.type.share for kind in self.kinds])
        drawn = np.searchsorted(ends[:-1], seats.draws.random(where=new), side="right")
        index = 0
        for kind in self.kinds:
            for name, spread in kind.spreads.items():
                values = _within(spread, kind.ends[name], seats, new)
                numbers[:, index] = np.where(new, values, numbers[:, index])
                index += 1
        return np.where(new, drawn, kinds), numbers

    def _moved(self, seats: Seats, kinds: Array) -> Array:
        """Return the types (K,) in this period, given the types in the previous period.

        With moves, every seat that has decided before draws one number.
        """
        if self.rates is None:
            return kinds
        before = np.asarray(seats.memory["type"]) >= 0
        drawn = seats.draws.random(where=before)[:, None]
        moved = (drawn >= self.rates[kinds, :-1]).sum(axis=1)
        return np.where(before, moved, kinds)


class _Kind:
    """A type and its policy.

    spreads   the numbers to draw by name: `first`, then parameters
    ends      the range of each number in `spreads`
    """

    def __init__(self, kind: Type, policy: Policy, amount: bool) -> None:
        self.type, self.policy = kind, policy
        spreads = {name: part for name, part in kind.parameters.items() if isinstance(part, Spread)}
        self.ends = {name: tuple(policy.parameters[name][1:]) for name in spreads}
        first = kind.first if isinstance(kind.first, Spread) else None
        self.spreads: Mapping[str, Spread] = ({_FIRST: first} if first else {}) | spreads
        self.ends[_FIRST] = (0.0, 1.0)
        if kind.first is not None:
            _check_within(_FIRST, kind.first, (0.0, 1.0))
        if kind.first is not None and not amount:
            raise ConfigError("first: possible only in games whose first action is an amount")
        if kind.last is not None and not amount:
            raise ConfigError("last: possible only in games whose first action is an amount")
        if spreads and not policy.apiece:
            raise ConfigError(
                f"parameters.{next(iter(spreads))}: {policy.id} takes one number for all people, "
                f"not a spread"
            )
        opening = policy.first if isinstance(policy, Staged) else policy
        if isinstance(opening, StraightLine) and kind.first is None:
            raise ConfigError("first: is missing; straight_line needs it")

    def decided(
        self, allowed: Allowed, seats: Seats, numbers: Array, whole: bool, later: bool
    ) -> Decided:
        """Return the decisions of K seats of this type, with (K, p) drawn numbers.

        `later` is True if they decide in a later stage of the period.
        """
        values = dict(zip(self.spreads, numbers.T, strict=True))
        share = values.pop(_FIRST, self.type.first)
        done, after = self.policy.having(values).act_together_within(allowed, seats)
        name = allowed.fields[0].name
        if later or (share is None and not whole):
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
        """Return the decisions, replaced by this share of the range for the seats flagged in `ends`
        (K,)."""
        name = allowed.fields[0].name
        low, high = allowed.low[name], allowed.high[name]
        amount = low + share * (high - low)
        return {**done, name: np.where(ends, np.rint(amount) if whole else amount, done[name])}


def _ranges(stages: Sequence[type[Policy]]) -> dict[str, Range]:
    """Return the parameters of a type's policies. Raises ConfigError if the two share a parameter
    name."""
    ranges: dict[str, Range] = {}
    for policy in stages:
        for name, limits in policy.parameters.items():
            if name in ranges:
                raise ConfigError(f"parameters.{name}: both policies have this parameter")
            ranges[name] = limits
    return ranges


def _cut(kind: Type, ranges: Mapping[str, Range]) -> Type:
    """Return a type whose means are clipped to their ranges."""
    ends = {name: tuple(limits[1:]) for name, limits in ranges.items()}
    parameters = {
        name: value.cut(*ends[name]) if isinstance(value, Spread) and name in ends else value
        for name, value in kind.parameters.items()
    }
    first = kind.first.cut(0.0, 1.0) if isinstance(kind.first, Spread) else kind.first
    return kind.model_copy(update={"first": first, "parameters": parameters})


def _policy(stages: Sequence[type[Policy]], game: Game[Any], kind: Type) -> Policy:
    """Return the policy of a type, or the combination of its two policies. Raises ConfigError."""
    fixed, ranges = {}, _ranges(stages)
    for name, value in kind.parameters.items():
        if not isinstance(value, Spread):
            fixed[name] = value
        elif name in ranges:
            _check_within(f"parameters.{name}", value, ranges[name][1:])
        else:
            fixed[name] = value.ends[0]  # rejected as unknown below
    first, *later = stages
    if len(later) > 1:
        raise ConfigError(f"policy = {kind.policy!r}: should be one policy, or two joined by '+'")
    of_later = [name for name in fixed for policy in later if name in policy.parameters]
    ready = first.for_game(
        game, **{name: value for name, value in fixed.items() if name not in of_later}
    )
    if later:
        second = later[0].for_game(game, **{name: fixed[name] for name in of_later})
        ready = Staged(kind.policy, ready, second)
    if not ready.together or isinstance(ready, Population):
        raise ConfigError(
            f"policy = {kind.policy!r}: should be a policy that decides for many seats at once"
        )
    return ready


def _check_within(name: str, value: float | Spread, ends: tuple[float, ...]) -> None:
    limits = value.ends if isinstance(value, Spread) else (value, value)
    if limits[0] < ends[0] or limits[1] > ends[1]:
        number = limits[0] if limits[0] < ends[0] else limits[1]
        raise ConfigError(f"{name} = {number:g}: should be from {ends[0]:g} to {ends[1]:g}")


def _within(spread: Spread, ends: tuple[float, ...], seats: Seats, where: Array) -> Array:
    """Return numbers drawn from a spread and clipped to its range, shape (K,)."""
    if spread.low is not None and spread.high is not None:
        return seats.draws.uniform(spread.low, spread.high, where=where)
    drawn = float(spread.mean or 0.0) + float(spread.sd or 0.0) * seats.draws.normal(where=where)
    if spread.log:
        drawn = np.exp(np.minimum(drawn, np.log(ends[1])))
    return np.asarray(np.clip(drawn, ends[0], ends[1]))


def population_of(name: str, find: Find) -> type[Population]:
    """Return the policy class for `population:NAME`; `find` looks up the policies of its types.

    Raises UnknownName or ConfigError, like `policies.populations.read`.
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
        "stage": None if any(len(parts(kind.policy)) > 1 for kind in described.types) else 0,
        "version": f"2 {digest[:16]}",
        "source": described.source,
        "described": described,
        "drawn": seed is not None,
        "find": staticmethod(find),
    }
    return type("PopulationOfFile", (Population,), content)


def judged(spec: str) -> str:
    """Return a text that says how well a spec's population predicts people, or an empty string."""
    if not spec.startswith(POPULATION):
        return ""
    return read(split(spec.removeprefix(POPULATION))[0])[0].judged
