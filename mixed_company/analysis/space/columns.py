"""Columns of the regression over a space: one for a range, and one for each choice except the
first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.experiment.space import Space, Variable

CONFOUNDED = 0.5
"""If two columns are correlated more strongly than this, their variables are reported as
confounded."""


@dataclass(frozen=True)
class Column:
    """A column of the regression, for one variable or, in an interaction, for two.

    name     the variable, with its choice if there are more than two
    change   the change that the coefficient refers to: `0.3 to 0.75`, `none to free`
    """

    variables: tuple[str, ...]
    name: str
    change: str


def columns(space: Space, interactions: bool = False) -> list[Column]:
    """Return the columns of the regression in the order of the variables, without the intercept.

    Interactions, the products of two columns of different variables, come last.
    """
    main = [column for name in space.variables for column in _of(name, space.variables[name])]
    return [*main, *(_product(*pair) for pair in _pairs(main))] if interactions else main


def matrix(space: Space, points: Sequence[str], interactions: bool = False) -> Array:
    """Return the values of the columns at these points, with the intercept first, shape (points,
    1 + columns).

    A range is scaled to go from -1/2 to 1/2, so its coefficient is the change over the whole range
    and the intercept is at the middle. The column of a choice is 1 at points with this choice, else
    0.
    """
    values = [space.drawn[point] for point in points]
    main = [
        _column(variable, [value[name] for value in values])
        for name, variable in space.variables.items()
    ]
    x = np.column_stack([np.ones(len(points)), *main])
    if not interactions:
        return x
    listed = columns(space)
    places = {column: place for place, column in enumerate(listed, start=1)}
    pairs = [x[:, places[first]] * x[:, places[second]] for first, second in _pairs(listed)]
    return np.column_stack([x, *pairs])


def by_point(space: Space) -> dict[str, Array]:
    """Return every point's columns, without the intercept."""
    return dict(zip(space.drawn, matrix(space, list(space.drawn))[:, 1:], strict=True))


def confounded(space: Space, points: Sequence[str]) -> list[tuple[Column, Column, float]]:
    """Return the pairs of columns from different variables that are correlated more strongly than
    CONFOUNDED across these points, with the correlation."""
    listed, x = columns(space), matrix(space, points)[:, 1:]
    centred = x - x.mean(axis=0)
    spread = np.sqrt((centred**2).sum(axis=0))
    pairs = []
    for first, second in _pairs(listed):
        i, j = listed.index(first), listed.index(second)
        if spread[i] > 0 and spread[j] > 0:
            correlation = float(centred[:, i] @ centred[:, j] / (spread[i] * spread[j]))
            if abs(correlation) > CONFOUNDED:
                pairs.append((first, second, correlation))
    return pairs


def written(value: Any) -> str:
    """Return a variable's value as plans write it.

    >>> [written(value) for value in (0.30000000000000004, 5.0, True, "free")]
    ['0.3', '5', 'true', 'free']
    """
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, int | float) else str(value)


def _of(name: str, variable: Variable) -> Iterator[Column]:
    """Yield a variable's columns."""
    if variable.is_range:
        yield Column((name,), name, f"{written(variable.low)} to {written(variable.high)}")
        return
    first, *others = (written(variable.level(number)) for number in range(variable.count))
    for choice in others:
        label = name if len(others) == 1 else f"{name} {choice}"
        yield Column((name,), label, f"{first} to {choice}")


def _product(first: Column, second: Column) -> Column:
    return Column(
        (*first.variables, *second.variables),
        f"{first.name} x {second.name}",
        f"{first.change}; {second.change}",
    )


def _pairs(listed: Sequence[Column]) -> list[tuple[Column, Column]]:
    """Return the pairs of columns from different variables."""
    return [pair for pair in combinations(listed, 2) if pair[0].variables != pair[1].variables]


def _column(variable: Variable, played: Sequence[Any]) -> Array:
    """Return the column or columns of a variable, shape (points, columns)."""
    if variable.is_range:
        low, high = variable.level(0), variable.level(variable.count - 1)
        return ((np.asarray(played, float) - float(low)) / (float(high) - float(low)) - 0.5)[
            :, None
        ]
    choices = [variable.level(number) for number in range(1, variable.count)]
    return np.array([[float(value == choice) for choice in choices] for value in played])
