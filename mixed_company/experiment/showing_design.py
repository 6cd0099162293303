"""Text on a plan's design: the variables and points of its space, and its hypotheses, their
tests, and the rules for looks, exclusions and stopping."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from statistics import correlation

from mixed_company.experiment.comparisons import Rules, cautions, quantity, unread
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.space import Space, Variable, design_frame

_MOST_VALUES = 12
_BINS = 10
_DESIGNS = {
    "sobol": "a Sobol sequence",
    "grid": "a grid",
    "random": "independent draws",
}


def space_shown(space: Space) -> Iterator[str]:
    """Yield lines about the variables of a space, with the number of points at each value or in
    each tenth of a range, and about the correlation between variables."""
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
    low, high = float(variable.level(0)), float(variable.level(variable.count - 1))
    bins = [int(_BINS * (float(value) - low) / (high - low)) for value in values]
    return [bins.count(place) for place in range(_BINS - 1)] + [
        sum(place >= _BINS - 1 for place in bins)
    ]


def correlations(space: Space) -> dict[tuple[str, str], float]:
    """Return the correlation across points for each pair of variables.

    If a variable has choices, the choice with the largest absolute correlation is used. Variables
    that do not vary are left out.
    """
    columns = {name: _columns(space, name) for name in space.variables}
    result = {}
    for first, second in combinations(columns, 2):
        pairs = [
            correlation(left, right)
            for left, right in product(columns[first], columns[second])
            if len(set(left)) > 1 and len(set(right)) > 1
        ]
        if pairs:
            result[first, second] = max(pairs, key=abs)
    return result


def _columns(space: Space, name: str) -> list[list[float]]:
    """Return a range's values or, for each choice but the first, whether each point has it."""
    variable, values = space.variables[name], design_frame(space)[name]
    if variable.is_range:
        return [[float(value) for value in values]]
    levels = [variable.level(number) for number in range(1, variable.count)]
    return [[float(value == level) for value in values] for level in levels]


def _correlated(space: Space) -> Iterator[str]:
    by_pair = correlations(space)
    if not by_pair:
        return
    (first, second), largest = max(by_pair.items(), key=lambda item: abs(item[1]))
    yield f"  Correlation between two variables: at most {abs(largest):.2f} ({first}, {second})"


def tests_shown(plan: Plan, blocks: Sequence[Rules]) -> Iterator[str]:
    """Yield lines about the hypotheses and their tests before there is any data. `blocks` are the
    rules of all treatments (`comparisons.of_series`).
    """
    sentences, of_simulated = cautions(plan, blocks), unread(plan, blocks)
    yield "\nHypotheses" if plan.hypotheses else "\nNo hypotheses"
    for name, hypothesis in plan.hypotheses.items():
        measure = quantity(hypothesis.measure, hypothesis.of)
        test = f"{measure}, {hypothesis.test}: {_compared(plan, hypothesis)}"
        expected = plan.expectation(hypothesis) or "no direction"
        line = f"  {name} ({hypothesis.family}): {hypothesis.meaning}"
        yield f"{line} [{test}; expected: {expected}]"
        yield from (f"    {sentence}." for sentence in sentences[name])
        if name in of_simulated:
            yield f"    {of_simulated[name]}."
    if not plan.looks:
        yield f"\nLevel of the tests: {plan.alpha:g}, corrected within each family by Holm"
    else:
        yield f"\nAlpha of each family: {plan.alpha:g}, divided equally among its hypotheses"
        counts = ", ".join(map(str, (*plan.looks, plan.groups)))
        yield f"Looks at {counts} groups of each treatment, alpha spent by {plan.spending}"
    yield from (f"Excluded: {rule}" for rule in plan.exclusions)
    yield f"Stopping: {plan.stopping or 'no rule'}"


def _compared(plan: Plan, hypothesis: Hypothesis) -> str:
    """List the treatments and blocks that a hypothesis compares, in the order of a trend test."""
    names = list(plan.compared(hypothesis))
    compared = f"variable {hypothesis.variable}" if hypothesis.variable else ", ".join(names)
    if hypothesis.test == "jonckheere":
        compared = f"trend in the order {', then '.join(names)}"
    compared += f"; block {hypothesis.block}" if hypothesis.block else ""
    compared += f"; blocks {', '.join(hypothesis.blocks)}" if hypothesis.blocks else ""
    return compared
