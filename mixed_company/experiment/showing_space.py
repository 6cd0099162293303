"""Text on a space of designs: its variables, and where its points lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.experiment.space import Space, Variable, design_frame

__all__ = ["correlations", "space_shown"]

_MOST_VALUES = 12
_BINS = 10
_DESIGNS = {
    "sobol": "a Sobol sequence",
    "grid": "a grid",
    "random": "independent draws",
}


def space_shown(space: Space) -> Iterator[str]:
    """Yield lines on the variables of a space, with the number of points at each value or in each
    tenth of a range, and on the correlation between variables."""
    points = len(space.drawn)
    yield f"\nSpace: {points} points by {_DESIGNS[space.design]}, seed {space.seed}"
    table = [("variable", "values", "points at each value, or in each tenth of a range")]
    frame = design_frame(space)
    for name, variable in space.variables.items():
        listed = " ".join(map(str, _counts(variable, frame[name])))
        table.append((name, _values(variable), listed))
    widths = [max(len(row[column]) for row in table) for column in (0, 1)]
    for name, values, counts in table:
        yield f"  {name:{widths[0]}}  {values:{widths[1]}}  {counts}"
    yield from _correlated(space)
    first, point = next(iter(space.drawn.items()))
    yield f"  {first}: {', '.join(f'{name} {value}' for name, value in point.items())}"


def _values(variable: Variable) -> str:
    if not variable.is_range:
        return " / ".join(str(variable.level(number)) for number in range(variable.count))
    step = float(variable.level(1)) - float(variable.level(0))
    return f"{variable.low} to {variable.high}, steps of {step:.6g}"


def _counts(variable: Variable, values: list[bool | int | float | str]) -> list[int]:
    """Count the points at each value or, if there are many values, in each tenth of the range."""
    if variable.count <= _MOST_VALUES:
        counts = Counter(map(str, values))
        return [counts[str(variable.level(number))] for number in range(variable.count)]
    ends = float(variable.level(0)), float(variable.level(variable.count - 1))
    return [int(count) for count in np.histogram(np.array(values, float), _BINS, ends)[0]]


def correlations(space: Space) -> dict[tuple[str, str], float]:
    """Return the correlation between each two variables over the points.

    If a variable has choices, it is the largest one (in absolute value) of any choice. Variables
    that do not vary have none.
    """
    columns = {name: _columns(space, name) for name in space.variables}
    result = {}
    for first, second in combinations(columns, 2):
        pairs = [
            float(np.corrcoef(one, other)[0, 1])
            for one in columns[first]
            for other in columns[second]
            if one.std() > 0 and other.std() > 0
        ]
        if pairs:
            result[first, second] = max(pairs, key=abs)
    return result


def _columns(space: Space, name: str) -> list[Array]:
    """Return the values of a range, or for each choice but the first whether a point has it."""
    variable, values = space.variables[name], design_frame(space)[name]
    if variable.is_range:
        return [np.array(values, float)]
    levels = [variable.level(number) for number in range(1, variable.count)]
    return [np.array([value == level for value in values], float) for level in levels]


def _correlated(space: Space) -> Iterator[str]:
    found = correlations(space)
    if not found:
        return
    (first, second), largest = max(found.items(), key=lambda item: abs(item[1]))
    yield f"  Correlation between two variables: at most {abs(largest):.2f} ({first}, {second})"
