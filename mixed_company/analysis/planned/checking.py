"""Remarks about a plan before data are collected: missing parts and impossible tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.planned.looks import levels_in_words, planned_levels
from mixed_company.analysis.planned.tested import STRATIFIED
from mixed_company.analysis.space.columns import CONFOUNDED
from mixed_company.analysis.space.fitting import PER_COEFFICIENT, needed
from mixed_company.analysis.statistics.effects import has_direction
from mixed_company.analysis.statistics.tests import PAIRED, TESTS, TWO
from mixed_company.engine.contract.errors import nearest
from mixed_company.experiment.comparisons import BOTS_INCLUDED, abridged, counted, from_bots
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.showing_design import correlations
from mixed_company.experiment.space import Space


class Remark(NamedTuple):
    """A remark about a plan. `wrong` marks an error; otherwise something is missing, perhaps on
    purpose."""

    wrong: bool
    sentence: str


def remarks(plan: Plan, games: Sequence[str]) -> Iterator[Remark]:
    """Yield all remarks in the order of the plan file. `games` holds the games of the plan's
    blocks."""
    if not plan.sources:
        yield Remark(False, "sources: none are cited")
    if not plan.hypotheses:
        yield Remark(False, "hypotheses: none; all results will be exploratory")
    for name, hypothesis in plan.hypotheses.items():
        yield from _of_hypothesis(f"hypotheses.{name}", plan, hypothesis, games)
    for family in dict.fromkeys(hypothesis.family for hypothesis in plan.hypotheses.values()):
        yield from _of_family(family, plan)
    if plan.looks and plan.hypotheses:
        yield Remark(False, f"looks: {levels_in_words(plan)}")
    if plan.space is not None:
        yield from _of_points(plan.space)
    if not plan.exclusions:
        yield Remark(False, "exclusions: none; all groups that played will be analysed")
    if not plan.stopping:
        yield Remark(False, "stopping: there is no stopping rule")
    uncovered = [
        name
        for name in plan.treatments
        if not all(plan.people_of(name, number + 1) for number in range(len(games)))
    ]
    yield from (Remark(False, f"people: {sentence}") for sentence in plan.people_apart)
    if uncovered:
        names = abridged(uncovered)
        yield Remark(
            False,
            f"people: no policies for people in {names}, so the plan cannot be rehearsed and its "
            'power cannot be simulated; write people = "random", or other policies, above the '
            "first [table] of the file",
        )


def _of_points(space: Space) -> Iterator[Remark]:
    """Yield a remark if there are too few points for the regression, and one for every pair of
    variables with effects that the points can hardly separate.
    """
    points = len(space.drawn)
    for interactions in (False, True)[: 1 + space.interactions]:
        if points < (least := needed(space, interactions)):
            key = "space.interactions = true" if interactions else f"space.points = {points}"
            yield Remark(
                True,
                f"{key}: the regression has {least // PER_COEFFICIENT} coefficients and needs "
                f"{least} points, not {points}",
            )
    for (first, second), value in correlations(space).items():
        if abs(value) > CONFOUNDED:
            yield Remark(
                False,
                f"space: {first} and {second} have a correlation of {value:.2f} over the points, "
                f"so their effects can hardly be told apart; use more points or another seed",
            )


def _of_hypothesis(
    key: str, plan: Plan, hypothesis: Hypothesis, games: Sequence[str]
) -> Iterator[Remark]:
    places = [plan.block_names.index(block) for block in hypothesis.blocks or (hypothesis.block,)]
    game = games[places[0]]
    if len({games[place] for place in places}) > 1:
        blocks = list(hypothesis.blocks)
        yield Remark(True, f"{key}.blocks = {blocks!r}: these blocks play different games")
    yield from _of_measure(key, plan, hypothesis, measures.described(game))
    yield from _of_direction(key, plan, hypothesis)
    if hypothesis.blocks and (hypothesis.unit == "session" or hypothesis.test == STRATIFIED):
        yield Remark(True, f"{key}.blocks: should be compared within people, not by session")
    elif hypothesis.blocks or hypothesis.unit == "session":
        yield from _within(key, hypothesis)
    if hypothesis.blocks or hypothesis.variable:
        return
    if hypothesis.unit == "session" or hypothesis.test == STRATIFIED:
        if len(plan.compared(hypothesis)) != 2:
            yield Remark(True, f"{key}.treatments: name the two that are compared by session")
    elif hypothesis.test not in TESTS:
        hint = nearest(hypothesis.test, TESTS)
        yield Remark(True, f"{key}.test = {hypothesis.test!r}: unknown test{hint}")
    elif hypothesis.test in TWO and len(plan.compared(hypothesis)) != 2:
        count = len(plan.compared(hypothesis))
        yield Remark(
            True,
            f"{key}.test = {hypothesis.test!r}: compares 2 treatments, not {count}; "
            "name two in `treatments`, or use 'kruskal_wallis'",
        )


def _of_measure(
    key: str, plan: Plan, hypothesis: Hypothesis, described: pd.DataFrame
) -> Iterator[Remark]:
    """Yield remarks if a measure does not exist at its level, is not tested, or is determined by
    bots."""
    level = {"group": "group", "people": "person"}[hypothesis.of]
    groups, people = (
        described[described["level"] == name].set_index("measure") for name in ("group", "person")
    )
    listed, others = (groups, people) if level == "group" else (people, groups)
    measure = hypothesis.measure
    if measure not in listed.index:
        hint = nearest(measure, list(listed.index))
        if measure in others.index:
            other = "people" if level == "group" else "group"
            hint = f'; it is a measure of {_NAMED[other]}: write of = "{other}"'
        subject = _NAMED[hypothesis.of]
        yield Remark(True, f"{key}.measure = {measure!r}: no measure of {subject}{hint}")
        return
    untested = str(listed.loc[measure, "untested"] or "")
    if untested:
        yield Remark(True, f"{key}.measure = {measure!r}: not tested: {untested}")
    sentence = from_bots(plan, hypothesis)
    if sentence == BOTS_INCLUDED:
        advice = "there is no version of this measure for people only"
        if measure in people.index:
            advice = 'write of = "people" to include only people'
        elif f"people_{measure.removeprefix('mean_')}" in groups.index:
            alone = f"people_{measure.removeprefix('mean_')}"
            advice = f'write measure = "{alone}" to include only people'
        sentence = f"{sentence}; {advice}"
    if sentence:
        yield Remark(False, f"{key}.measure = {measure!r}: {sentence}")


_NAMED = {"group": "groups", "people": "people"}
"""Level of a hypothesis -> the word for it in sentences."""


def _of_direction(key: str, plan: Plan, hypothesis: Hypothesis) -> Iterator[Remark]:
    """Yield a remark if the test cannot show the expected direction, or if it shows a direction but
    the plan expects none."""
    compared = 2 if hypothesis.blocks else len(plan.compared(hypothesis))
    if hypothesis.variable and plan.space is not None:
        variable = plan.space.variables[hypothesis.variable]
        directed = variable.is_range or variable.count == 2
    else:
        directed = has_direction(hypothesis.test, compared)
    if directed:
        if not hypothesis.direction:
            yield Remark(
                False,
                f"{key}.direction: is missing, so a significant result in either direction would "
                f"confirm the hypothesis; write 'higher', 'lower' or 'either'",
            )
    elif plan.expectation(hypothesis) and hypothesis.test not in TWO:
        yield Remark(
            True,
            f"{key}.direction = {hypothesis.direction!r}: {hypothesis.test} of {compared} "
            "treatments shows no direction; name two in `treatments`, or use 'jonckheere'",
        )


def _within(key: str, hypothesis: Hypothesis) -> Iterator[Remark]:
    """Yield a remark if a comparison within units specifies another kind of test."""
    if hypothesis.test not in PAIRED:
        hint = nearest(hypothesis.test, PAIRED)
        yield Remark(True, f"{key}.test = {hypothesis.test!r}: not a test within units{hint}")


def _of_family(family: str, plan: Plan) -> Iterator[Remark]:
    """Yield a remark if a rank test has too few groups to reach significance."""
    if plan.space is not None:  # regressions have no smallest p
        return
    least = {
        name: _least_p(plan, hypothesis)
        for name, hypothesis in plan.hypotheses.items()
        if hypothesis.family == family
    }
    if plan.looks:  # a look's level replaces the correction
        name, smallest = max(least.items(), key=itemgetter(1))
        level = planned_levels(plan)[family][-1]
        if smallest > level:
            yield Remark(
                True,
                f"groups = {plan.groups}: too few for hypothesis {name!r} (family {family!r}): "
                f"p cannot be below {smallest:.3g}, but the level at the last look is {level:.3g}",
            )
        return
    # Holm: the smallest p of m tests is multiplied by m, the next one by m - 1, ...
    ordered = sorted(least.items(), key=itemgetter(1))
    steps = [(p * (len(least) - step), p, name) for step, (name, p) in enumerate(ordered)]
    corrected, smallest, name = max(steps, key=itemgetter(0))
    if corrected > plan.alpha:
        yield Remark(
            True,
            f"groups = {plan.groups}: too few for hypothesis {name!r} (family {family!r}, "
            f"{counted(len(least), 'test')}): p cannot be below {smallest:.3g}, or "
            f"{corrected:.3g} corrected",
        )


def _least_p(plan: Plan, hypothesis: Hypothesis) -> float:
    """Return the smallest two-sided p that a rank test can reach: between treatments, from the
    number of arrangements; within units, from the signs of the differences. Return 0 for a test by
    session, because a plan does not specify the number of sessions."""
    if hypothesis.unit != "group":
        return 0.0
    if hypothesis.blocks:
        return 2 * 0.5 ** (_mixed_units(plan) * len(plan.compared(hypothesis)))
    units, treatments = _mixed_units(plan), len(plan.compared(hypothesis))
    arrangements = math.prod(math.comb(units * count, units) for count in range(1, treatments + 1))
    extremes = 2 if hypothesis.test == "jonckheere" else math.factorial(treatments)
    return min(extremes / arrangements, 1.0)


def _mixed_units(plan: Plan) -> int:
    """Return the number of units per treatment in a test. Groups that exchange people form one
    unit."""
    return max(plan.groups // plan.matching_groups, 1) if plan.blocks else plan.groups
