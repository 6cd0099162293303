"""The power of a plan's hypotheses, by simulation (`analysis.power`), a check that their
measures have values, and the variables of a space that simulated people do not react to.

For these variables, the same groups play pairs of designs that differ only in one variable. If a
hypothesis's measure is the same in every pair, the variable has no effect that a test could find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.planned.tested import STRATIFIED, measured
from mixed_company.analysis.power import power
from mixed_company.analysis.power.simulation import Measure
from mixed_company.analysis.simulated import simulated
from mixed_company.analysis.space.powered import powered as space_powered
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.experiment import treatments
from mixed_company.experiment.comparisons import (
    MEANING_OF_POWER,
    abridged,
    cautions,
    listed,
    of_series,
    quantity,
    unread,
)
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.showing_pay import people_in
from mixed_company.experiment.space import Space
from mixed_company.table.setup import Setup

TRIED = 4
"""Number of simulated groups, at least one of which should have a value for a measure."""


def powered(
    plan: Plan, series: Sequence[Mapping[str, Setup]], groups: Sequence[int], **simulation: Any
) -> pd.DataFrame:
    """Return the power of every hypothesis at every number of groups.

    Columns: `hypothesis`, `groups`, `power`, `low`, `high` and, with looks, `looks`: the numbers of
    groups at which it is tested (the same shares as in the plan). If a hypothesis states a
    direction, only results in this direction count towards its power. If any results are in the
    opposite direction, `opposite` has their share. `simulation` holds the repetitions, seed,
    workers and other arguments of `analysis.power.power`.

    For each person in each group, one of the plan's policies for people is drawn. The person plays
    like that policy, and votes like it if groups choose a rule. The level is divided by the number
    of hypotheses in the family; the power with Holm's correction is at least as high. With looks,
    each hypothesis spends its share of alpha over them (`analysis.planned.status`).

    Blocks are played separately, because policies do not remember earlier blocks. So hypotheses
    that compare blocks played by the same people have no rows; neither do hypotheses with the
    session as their unit. Simulated sessions do not differ, so a stratified test becomes a plain
    test of means. Groups that exchange people count as one group.

    In a plan with a space, `groups` is the number of groups at each point (`space.powered`).

    Raises the same errors as `analysis.power`, and ConfigError if the plan has no policies for
    people or no hypothesis remains.
    """
    sizes = Counter(member.family for member in plan.hypotheses.values())
    if plan.space is not None:
        alphas = {name: plan.alpha / sizes[of.family] for name, of in plan.hypotheses.items()}
        return _together(_over_space(plan, plan.space, series, alphas, groups, simulation), plan)
    tables = []
    for name, hypothesis in plan.hypotheses.items():
        if not_simulated(plan, hypothesis):
            continue
        number = plan.block_names.index(hypothesis.block) + 1
        setups = series[number - 1]
        mixed = plan.matching_groups if plan.blocks else 1
        table = power(
            next(iter(setups.values())).game.id,
            {name: treated(plan, name, setups[name], number) for name in plan.compared(hypothesis)},
            _measure_of(hypothesis),
            [max(count // mixed, 1) for count in groups],
            test="permutation" if hypothesis.test == STRATIFIED else hypothesis.test,
            direction=hypothesis.direction.replace("either", ""),
            alpha=plan.alpha / sizes[hypothesis.family],
            looks=[look / plan.groups for look in plan.looks],
            spending=plan.spending,
            **simulation,
        )
        table["groups"] = groups
        if "looks" in table:  # in groups as well, not in matching groups
            counts = [[int(look) * mixed for look in looks.split(", ")] for looks in table["looks"]]
            table["looks"] = [", ".join(map(str, looks)) for looks in counts]
        table.insert(0, "hypothesis", name)
        tables.append(table)
    return _together(tables, plan)


def _over_space(
    plan: Plan,
    space: Space,
    series: Sequence[Mapping[str, Setup]],
    alphas: Mapping[str, float],
    groups: Sequence[int],
    simulation: Mapping[str, Any],
) -> Iterator[pd.DataFrame]:
    """Yield the power of the hypotheses by block; the points of a block are played together."""
    for number, (block, setups) in enumerate(zip(plan.block_names, series, strict=True), start=1):
        chosen = {
            name: (hypothesis, _measure_of(hypothesis), alphas[name])
            for name, hypothesis in plan.hypotheses.items()
            if hypothesis.block == block and not not_simulated(plan, hypothesis)
        }
        mixed = plan.matching_groups if plan.blocks else 1
        counts = [max(count // mixed, 1) for count in groups]
        settings = {name: treated(plan, name, setup, number) for name, setup in setups.items()}
        game = next(iter(setups.values())).game.id
        if chosen:
            yield space_powered(space, game, settings, chosen, counts, **simulation)


def _together(listed: Iterable[pd.DataFrame], plan: Plan) -> pd.DataFrame:
    """Join the rows of these tables. Raises ConfigError if there are none."""
    tables = list(listed)
    if not tables:
        reason = "compare sessions, blocks of the same people, or blocks with several plays"
        reason = f"{reason}, which cannot be simulated"
        reason = reason if plan.hypotheses else "the plan has no hypotheses, but power needs a test"
        raise ConfigError(f"hypotheses: {reason}")
    table = pd.concat(tables, ignore_index=True)
    if "opposite" in table and not table["opposite"].fillna(0).any():
        return table.drop(columns="opposite")
    return table


def columns_of(plan: Plan) -> Iterator[str]:
    """Yield sentences about the `low`, `high` and `alpha` columns of `powered`."""
    yield "low, high: 95% interval of the power, from the number of simulated experiments"
    sizes = Counter(member.family for member in plan.hypotheses.values())
    divided = [
        f"{plan.alpha / size:.3g} in {family} ({plan.alpha:g} / {size})"
        for family, size in sizes.items()
        if size > 1
    ]
    if divided:
        yield f"alpha: the plan's alpha divided among the tests in the family: {listed(divided)}"


def notes(plan: Plan, series: Sequence[Mapping[str, Setup]]) -> Iterator[str]:
    """Yield sentences about the results that `powered` counts for each hypothesis, and about
    everything that it leaves out or ignores."""
    rules = of_series(series)
    of_simulated, by_design = unread(plan, rules, with_power=True), cautions(plan, rules)
    for name, hypothesis in plan.hypotheses.items():
        subject = not_simulated(plan, hypothesis)
        if subject:
            yield f"{name}: compares {subject}, which cannot be simulated; it has no row"
            continue
        expected = plan.expectation(hypothesis)
        verb = "is " if expected.startswith(("higher", "lower")) else ""
        all_of_them = "power counts all significant results, because no direction is expected"
        measure = quantity(hypothesis.measure, hypothesis.of)
        where = f"power counts significant results only if {measure} {verb}{expected}"
        yield f"{name}: {where if expected else all_of_them}"
        if name in of_simulated:
            yield f"{name}: {of_simulated[name]}"
        yield from (f"{name}: {sentence}" for sentence in by_design[name])
        setups = series[plan.block_names.index(hypothesis.block)]
        talking = abridged(
            [name for name in plan.compared(hypothesis) if setups[name].options.talks]
        )
        if talking:
            yield (
                f"{name}: simulated people do not talk; in {talking} they play as if nobody could "
                f"talk"
            )


def without_values(plan: Plan, series: Sequence[Mapping[str, Setup]]) -> Iterator[str]:
    """Yield a sentence for each treatment in which a hypothesis's measure has no value in any of
    TRIED groups of simulated people, for example a share of an unknown optimum."""

    @cache
    def played(treatment: str, number: int, seed: int) -> Data:
        settings = treated(plan, treatment, series[number - 1][treatment], number)
        return simulated(settings.pop("setup"), groups=1, seed=seed, **settings)

    has_values = dict[tuple[str, str, str, int], bool]()
    for name, hypothesis in plan.hypotheses.items():
        for block in hypothesis.blocks or (hypothesis.block,):
            number = plan.block_names.index(block) + 1
            for treatment in plan.compared(hypothesis):
                if not plan.people_of(treatment, number):
                    continue
                groups = (played(treatment, number, seed) for seed in range(TRIED))
                key = (hypothesis.measure, hypothesis.of, treatment, number)
                if key not in has_values:
                    has_values[key] = any(_has_value(group, hypothesis) for group in groups)
                if not has_values[key]:
                    where = f"treatment {treatment!r}" + (f", block {block!r}" if block else "")
                    yield (
                        f"hypotheses.{name}.measure = {hypothesis.measure!r}: had no value in "
                        f"{TRIED} simulated groups of {where}; `mixed measures` says when this "
                        f"measure has no value"
                    )


def _has_value(group: Data, hypothesis: Hypothesis) -> bool:
    """Return whether the measure has a value in at least one group. An unknown measure counts as
    having a value, because another remark reports it."""
    table = measured(group, hypothesis)
    return hypothesis.measure not in table or bool(table[hypothesis.measure].notna().any())


def not_simulated(plan: Plan, hypothesis: Hypothesis) -> str:
    """Return the comparison of a hypothesis if it cannot be simulated; an empty string if it
    can."""
    if hypothesis.blocks:
        return "blocks of the same people"
    if hypothesis.unit == "session":
        return "sessions"
    block = plan.block(plan.block_names.index(hypothesis.block) + 1)
    return "blocks with several plays" if block is not None and block.repeat > 1 else ""


def _measure_of(hypothesis: Hypothesis) -> Measure:
    """Return the measure of a hypothesis in the form that `power` expects."""
    return hypothesis.measure if hypothesis.of == "group" else partial(_of_people, hypothesis)


def _of_people(hypothesis: Hypothesis, data: Data) -> pd.Series[float]:
    """Return a measure's mean over the people of every group."""
    means: pd.Series[float] = measured(data, hypothesis).groupby(GROUP)[hypothesis.measure].mean()
    return means


def treated(plan: Plan, name: str, setup: Setup, number: int) -> dict[str, Any]:
    """Return a treatment in the form that `power` expects."""
    people = people_in(plan, name, setup, number)
    if people is None:
        raise ConfigError(f"people: no policies for people in treatment {name!r}")
    return {
        "setup": setup,
        "people": people.population,
        "people_per_group": people.size,
        "bots": people.bots,
    }


# -- variables of a space without an effect ------------------------------------------------------


POINTS = 8
"""Maximum number of points where a variable is varied."""
GROUPS = 2
"""Number of groups that play each of these designs."""


def without_reaction(plan: Plan, config: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each hypothesis about a variable that does not change its measure.

    `config` is the plan's session config (`experiment.treatments.session_config`, with the defaults
    of the settings).
    """
    for name, hypothesis in plan.hypotheses.items() if plan.space is not None else ():
        if not_simulated(plan, hypothesis):
            continue
        pairs = _pairs(plan, hypothesis, config)
        if pairs:
            power = MEANING_OF_POWER[bool(plan.expectation(hypothesis))]
            yield (
                f"{name}: {quantity(hypothesis.measure, hypothesis.of)} stays the same in all "
                f"{pairs} simulated groups if only {hypothesis.variable} changes, so the simulated "
                f"people do not react to it{power}"
            )


def _pairs(plan: Plan, hypothesis: Hypothesis, config: Mapping[str, Any]) -> int:
    """Return the number of compared groups if the measure is the same in all of them; 0 if it
    differs or nothing could be compared."""
    compared, points = 0, list(plan.treatments)
    for place in np.linspace(0, len(points) - 1, min(POINTS, len(points))).astype(int).tolist():
        values = list(_values(plan, hypothesis, config, points[place], place))
        if any(not values[0].equals(other) for other in values[1:]):
            return 0
        compared += GROUPS if len(values) > 1 else 0
    return compared


def _values(
    plan: Plan, hypothesis: Hypothesis, config: Mapping[str, Any], point: str, seed: int
) -> Iterator[pd.Series[float]]:
    """Yield the measure of GROUPS groups with this seed at a point, with the variable at both ends
    of its range, or at each of its choices. Impossible designs are left out."""
    space = plan.space
    assert space is not None  # noqa: S101  the caller checks it
    variable = space.variables[hypothesis.variable]
    levels = (0, variable.count - 1) if variable.is_range else range(variable.count)
    number = plan.block_names.index(hypothesis.block) + 1
    for level in levels:
        design = {**space.drawn[point], hypothesis.variable: variable.level(level)}
        update = {"changes": space.changes(design)}
        treatment = plan.treatments[point].model_copy(update=update)
        study = plan.model_copy(update={"treatments": {point: treatment}})
        try:
            setup = treatments.setups(study, {**config, "seed": "0"}, config, number)[point]
        except EngineError:
            continue
        settings = treated(study, point, setup, number)
        data = simulated(settings.pop("setup"), groups=GROUPS, seed=seed, **settings)
        yield measured(data, hypothesis).groupby(GROUP)[hypothesis.measure].mean()
