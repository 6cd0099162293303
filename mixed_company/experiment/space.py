"""A space of designs: a plan's treatments are drawn from its variables.

    [space]
    points = 100
    design = "sobol"
    seed = 1

    [space.variables]
    mpcr = { low = 0.3, high = 0.75, step = 0.05 }
    periods = { low = 5, high = 15 }
    group_size = { choices = [3, 4], keys = ["seats", "people_per_group"] }
    talk = { choices = ["off", "free"] }

    [space.variables.punishment.choices]
    off = { peer = "none" }
    on = { peer = "punishment", peer_cost = 1.0 }

Each point is a treatment, named `p001`, `p002` and so on, with a value for every variable
(`Space.drawn`). They are treated just like treatments written in the plan.

A variable has a finite list of values, its levels, numbered from 0. A design is a table of level
numbers. A Sobol sequence (from scipy) is randomised by a digital shift: in every column, all
numbers are XORed with the same random bits, which keeps the points evenly spread. All random bits
come from `engine.contract.chance`, so the same file produces the same points on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Any, Literal, Self

import numpy as np
from pydantic import model_validator

from mixed_company.engine.contract.chance import MAX_SEED, stream
from mixed_company.engine.contract.config import Section, parameter
from mixed_company.engine.contract.errors import short
from mixed_company.engine.contract.section import AnotherType
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.blocks import NAME, NAME_RULE

MOST_POINTS = 1000
MOST_VARIABLES = 21
LARGEST_GRID = 100_000
"""Maximum number of designs in a grid; a plan can use a random subset of them."""

_LONGEST_SEQUENCE = 2**16
"""Maximum number of rows to search for different points."""

_BITS = 30
"""Number of binary digits per number in a Sobol sequence."""

_FORMS = (
    "should be a range, such as { low = 0.3, high = 0.75 }, or choices, such as "
    '{ choices = ["off", "free"] }'
)

Number = float | int
Value = bool | int | float | str


class Variable(Section):
    """A key of the session config that differs between points, or several keys that differ
    together.

    With `low` and `high`, it is a range; with `choices`, it is a list of values. A table of choices
    names each choice and the keys that it sets.
    """

    low: Number | None = parameter(None, "lowest value of a range")
    high: Number | None = parameter(None, "highest value of a range")
    step: Number | None = parameter(
        None,
        "step between values in a range; none: 1 between whole numbers, otherwise a power of ten "
        "that is at most a hundredth of the range",
        gt=0,
    )
    choices: tuple[Value, ...] | dict[str, dict[str, Any]] | None = parameter(
        None,
        "values to choose from; or a table with the name of each choice and the keys it sets",
    )
    keys: tuple[str, ...] = parameter(
        (),
        "keys of the session config that get its value; none: the key with the same name as the "
        "variable",
    )

    @model_validator(mode="before")
    @classmethod
    def _is_table(cls, content: Any) -> Any:
        if not isinstance(content, Mapping | Variable):
            raise AnotherType(_FORMS)
        return content

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if self.choices is not None:
            self._check_choices()
        elif self.low is None or self.high is None:
            raise ValueError(_FORMS)
        elif self.low >= self.high:
            raise ValueError(f"low = {self.low!r}: should be below high = {self.high!r}")
        elif (self._high - self._low) % self._step:
            raise ValueError(
                f"step = {self.step!r}: high - low = {self._high - self._low} should be a whole "
                "number of steps"
            )
        return self

    def _check_choices(self) -> None:
        for key in ("low", "high", "step"):
            if getattr(self, key) is not None:
                raise ValueError(
                    f"{key} = {getattr(self, key)!r}: applies to a range, not to choices"
                )
        if self.keys and isinstance(self.choices, dict):
            raise ValueError(
                f"keys = {list(self.keys)!r}: does not apply, because each choice in the table "
                f"names its keys"
            )
        names = [f"{value!r}" for value in self.choices or ()]
        if len(names) < 2:
            raise ValueError(f"choices = [{', '.join(names)}]: should be two or more")
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"choices = [{', '.join(names)}]: {name} appears twice")

    @property
    def is_range(self) -> bool:
        """True if its values are numbers from `low` to `high`."""
        return self.choices is None

    @property
    def is_listed(self) -> bool:
        """True if its values can be listed: choices, whole numbers, or a range with a `step`."""
        return not self.is_range or self.step is not None or self._is_whole

    def keys_of(self, name: str) -> list[str]:
        """Return the keys of the session config that the variable with this name sets."""
        if not isinstance(self.choices, dict):
            return list(self.keys or [name])
        return list(dict.fromkeys(key for keys in self.choices.values() for key in keys))

    def changes(self, name: str, value: Value) -> dict[str, Any]:
        """Return the changes to the session config for a value of the variable with this name."""
        if isinstance(self.choices, dict):
            return self.choices[str(value)]
        return dict.fromkeys(self.keys_of(name), value)

    @property
    def _is_whole(self) -> bool:
        numbers = (self.low, self.high, self.step)
        return all(isinstance(number, int) for number in numbers if number is not None)

    @property
    def _low(self) -> Decimal:
        return Decimal(str(self.low))

    @property
    def _high(self) -> Decimal:
        return Decimal(str(self.high))

    @cached_property
    def _step(self) -> Decimal:
        if self.step is not None:
            return Decimal(str(self.step))
        if self._is_whole:
            return Decimal(1)
        places = [number.as_tuple().exponent for number in (self._low, self._high)]
        hundredth = math.floor(math.log10(float(self._high - self._low))) - 2
        return Decimal(10) ** min(hundredth, *map(int, places))

    @cached_property
    def count(self) -> int:
        """Number of levels."""
        if self.choices is not None:
            return len(self.choices)
        return int((self._high - self._low) / self._step) + 1

    def level(self, number: int) -> Value:
        """Return the level with this number, counted from 0.

        >>> [Variable(low=0.3, high=0.5, step=0.1).level(number) for number in range(3)]
        [0.3, 0.4, 0.5]
        """
        if self.choices is not None:
            return list(self.choices)[number]
        value = self._low + number * self._step
        return int(value) if self._is_whole else float(value)


class Space(Section):
    """The variables, and the number of points that a design places in the space."""

    points: int | None = parameter(
        None,
        "number of points, each of which is a treatment; powers of two suit a Sobol sequence "
        "best; none: all points of a grid",
        ge=2,
        le=MOST_POINTS,
    )
    design: Literal["sobol", "grid", "random"] = parameter(
        "sobol",
        "sobol: evenly spread points; grid: all combinations, or `points` of them drawn from the "
        "seed; random: independent draws",
    )
    seed: int = parameter(0, "seed that determines the points", ge=0, le=MAX_SEED)
    variables: dict[str, Variable] = parameter(
        ..., "variables by name: a key of the session config, or the name of a table of choices"
    )
    interactions: bool = parameter(
        False,
        "whether reports also fit the two-way interactions of the variables, as exploratory; they "
        "need two points for each coefficient",
    )

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        self._check_names()
        if self.design == "grid":
            self._check_grid()
        elif self.points is None:
            raise ValueError(f"points = None: design = {self.design!r} needs a number")
        if self.points is not None and self.points > self.combinations:
            raise ValueError(
                f"points = {self.points}: the space has only {self.combinations} different points"
            )
        if len(self._levels) < (self.points or 2):
            raise ValueError(
                f"points = {self.points}: design = {self.design!r} reaches only "
                f"{len(self._levels)} different points; take fewer, or design = 'grid'"
            )
        return self

    def _check_names(self) -> None:
        count = len(self.variables)
        if not 1 <= count <= MOST_VARIABLES:
            rule = f"should be 1 to {MOST_VARIABLES}, not {count}"
            raise ValueError(f"variables = {short([*self.variables])}: {rule}")
        setters: dict[str, str] = {}
        for name, variable in self.variables.items():
            if NAME.fullmatch(name) is None:
                raise ValueError(f"variables = {name!r}: {NAME_RULE}")
            for key in variable.keys_of(name):
                if key in setters:
                    raise ValueError(
                        f"variables = {name!r}: sets {key}, which variable {setters[key]!r} "
                        "also sets"
                    )
                setters[key] = name

    def _check_grid(self) -> None:
        for name, variable in self.variables.items():
            if not variable.is_listed:
                raise ValueError(f"variables.{name}.step = None: a grid needs a number")
        largest = MOST_POINTS if self.points is None else LARGEST_GRID
        if self.combinations > largest:
            raise ValueError(
                f"points = {self.points}: the grid has {self.combinations} points, but at most "
                f"{largest} are possible; set `points`, larger steps, or design = 'sobol'"
            )

    @property
    def combinations(self) -> int:
        """Number of different points in the space."""
        return math.prod(variable.count for variable in self.variables.values())

    @cached_property
    def drawn(self) -> dict[str, dict[str, Value]]:
        """Value of every variable at each point, by the point's name, in order.

        For a table of choices, the value is the choice's name.
        """
        rows, variables = self._levels, self.variables.items()
        width = max(3, len(str(len(rows))))
        return {
            f"p{number:0{width}d}": {
                name: variable.level(level)
                for (name, variable), level in zip(variables, row, strict=True)
            }
            for number, row in enumerate(rows, start=1)
        }

    def changes(self, point: Mapping[str, Value]) -> dict[str, Any]:
        """Return the changes to the session config at a point."""
        changes: dict[str, Any] = {}
        for name, variable in self.variables.items():
            changes |= variable.changes(name, point[name])
        return changes

    @cached_property
    def _levels(self) -> list[tuple[int, ...]]:
        """Level numbers of all variables, by point. No two points are the same."""
        counts = [variable.count for variable in self.variables.values()]
        if self.design == "grid":
            return _grid(counts, self.points, self.seed)
        drawing = _sobol if self.design == "sobol" else _random
        points, rows = self.points or 0, 2
        different: list[tuple[int, ...]] = []
        while len(different) < points and rows <= _LONGEST_SEQUENCE:
            levels = (drawing(rows, len(counts), self.seed) * counts).astype(int)
            different = list(dict.fromkeys(map(tuple, levels.tolist())))
            rows *= 2
        return different[:points]


def _grid(counts: Sequence[int], points: int | None, seed: int) -> list[tuple[int, ...]]:
    """Return all combinations of levels, or draw `points` of them using the seed. The last
    variable changes fastest in either case.
    """
    combinations = list(product(*map(range, counts)))
    if points is None:
        return combinations
    order = stream(seed, "points of the grid").order(len(combinations))
    return [combinations[place] for place in sorted(order[:points].tolist())]


def _random(rows: int, columns: int, seed: int) -> Array:
    """Return uniform numbers on [0, 1). Asking for more rows does not change the first ones."""
    return stream(seed, "points").uniform((rows, columns))


def _sobol(rows: int, columns: int, seed: int) -> Array:
    """Return the first rows of a shifted Sobol sequence, on [0, 1). `rows` is a power of two."""
    from scipy.stats.qmc import Sobol  # slow to import (a second), needed only by such plans

    sequence = Sobol(columns, scramble=False, bits=_BITS).random(rows)
    shift = stream(seed, "shift of the points").bits((columns,)) >> np.uint64(64 - _BITS)
    numbers = (sequence * 2**_BITS).astype(np.uint64)
    shifted: Array = (numbers ^ shift) / 2**_BITS
    return shifted


def design_frame(space: Space) -> dict[str, list[Value]]:
    """Return each variable's values at all points, in order, by variable name."""
    return {name: [point[name] for point in space.drawn.values()] for name in space.variables}
