"""Remarks on a plan before there are data: missing parts, and tests that cannot be made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import NamedTuple

from mixed_company.analysis import measures
from mixed_company.analysis.planned.tested import STRATIFIED
from mixed_company.analysis.statistics.spending import levels
from mixed_company.analysis.statistics.tests import PAIRED, TESTS, TWO
from mixed_company.engine.contract.errors import nearest
from mixed_company.experiment.plan import Hypothesis, Plan

__all__ = ["Remark", "remarks"]


class Remark(NamedTuple):
    """A sentence; `wrong`: it cannot be done, else it is missing and may be meant so."""

    wrong: bool
    sentence: str


def remarks(plan: Plan, games: Sequence[str]) -> Iterator[Remark]:
    """Yield all remarks, in the order of the file; `games` are those that its blocks play."""
    if not plan.sources:
        yield Remark(False, "sources: none is cited")
    if not plan.hypotheses:
        yield Remark(False, "hypotheses: none; all that is found will be exploratory")
    for name, hypothesis in plan.hypotheses.items():
        yield from _of_hypothesis(f"hypotheses.{name}", plan, hypothesis, games)
    for family in dict.fromkeys(own.family for own in plan.hypotheses.values()):
        yield from _of_family(family, plan)
    if plan.looks:
        yield Remark(False, f"looks: {_levels(plan)}")
    if not plan.exclusions:
        yield Remark(False, "exclusions: none; all groups that played will be analysed")
    if not plan.stopping:
        yield Remark(False, "stopping: there is no rule for when to stop")
    without = [
        name
        for name in plan.treatments
        if not all(plan.people_of(name, number + 1) for number in range(len(games)))
    ]
    if without:
        names = ", ".join(without)
        yield Remark(False, f"people: nobody stands for people in {names}: no rehearsal, no power")


def _levels(plan: Plan) -> str:
    """Return the level of every look, for a family of one hypothesis."""
    looks = (*plan.looks, plan.groups)
    spent = levels([look / plan.groups for look in looks], plan.alpha, plan.spending)
    return "; ".join(
        f"{look} groups of each treatment at level {level:.2g}"
        for look, level in zip(looks, spent, strict=True)
    )


def _of_hypothesis(key: str, plan: Plan, own: Hypothesis, games: Sequence[str]) -> Iterator[Remark]:
    where = [plan.block_names.index(block) for block in own.blocks or (own.block,)]
    game = games[where[0]]
    if len({games[at] for at in where}) > 1:
        yield Remark(True, f"{key}.blocks = {list(own.blocks)!r}: play different games")
    described = measures.described(game)
    level = "group" if own.of == "group" else "person"
    groups = described[described["level"] == level]
    known = list(groups["measure"])
    if own.measure not in known:
        near, whose = nearest(own.measure, known), {"group": "groups"}.get(own.of, own.of)
        yield Remark(True, f"{key}.measure = {own.measure!r}: no measure of {whose}{near}")
    else:
        untested = str(groups.set_index("measure").loc[own.measure, "untested"] or "")
        if untested:
            yield Remark(True, f"{key}.measure = {own.measure!r}: is not tested: {untested}")
    if own.of == "group" and _bots_differ(plan, own):
        yield Remark(
            False,
            f"{key}.of = 'group': treatments differ in bots, and a measure of groups counts what "
            "these do; 'people' counts people alone",
        )
    if own.blocks and (own.unit == "session" or own.test == STRATIFIED):
        yield Remark(True, f"{key}.blocks: are compared within people, not by session")
    elif own.blocks or own.unit == "session":
        yield from _within(key, own)
    if own.blocks:
        return
    if own.unit == "session" or own.test == STRATIFIED:
        if len(plan.compared(own)) != 2:
            yield Remark(True, f"{key}.treatments: by session two are compared, name them")
    elif own.test not in TESTS:
        yield Remark(True, f"{key}.test = {own.test!r}: no such test{nearest(own.test, TESTS)}")
    elif own.test in TWO and len(plan.compared(own)) != 2:
        yield Remark(
            True,
            f"{key}.test = {own.test!r}: compares 2 treatments, not {len(plan.compared(own))}; "
            "name two in `treatments`, or take 'kruskal_wallis'",
        )


def _bots_differ(plan: Plan, own: Hypothesis) -> bool:
    """Return whether the compared treatments differ in bots, and the measure counts bots."""
    if own.measure.startswith("people_"):
        return False
    keys = ("bots", "people_per_group")
    changes = [plan.treatments[name].changes for name in plan.compared(own)]
    return any(one.get(key) != changes[0].get(key) for one in changes for key in keys)


def _within(key: str, own: Hypothesis) -> Iterator[Remark]:
    """Yield a remark where a comparison within units names another kind of test."""
    if own.test not in PAIRED:
        near = nearest(own.test, PAIRED)
        yield Remark(True, f"{key}.test = {own.test!r}: no test within units{near}")


def _of_family(family: str, plan: Plan) -> Iterator[Remark]:
    """Yield a remark where so few groups cannot give a significant p in a test of ranks."""
    every = [one for one in plan.hypotheses.values() if one.family == family]
    own = [one for one in every if one.unit == "group"]  # how many sessions, the plan leaves open
    between = [_mixed_units(plan, one) for one in own if not one.blocks]
    within = [
        _mixed_units(plan, one, two=True) * len(plan.compared(one)) for one in own if one.blocks
    ]
    # two-sided: of two treatments, and of the signs of as many differences
    floors = [2 / comb(2 * count, count) for count in between] + [2 / 2**count for count in within]
    least = max(floors, default=0.0)
    if own and least * len(every) > plan.alpha:
        yield Remark(
            True,
            f"groups = {plan.groups}: too few for {len(every)} tests of family {family!r}: p is "
            f"{least:.3g} or more whatever the values, {least * len(every):.3g} corrected",
        )


def _mixed_units(plan: Plan, own: Hypothesis, two: bool = False) -> int:
    """Return the units of a treatment in a test: groups that have mixed are one."""
    first = not two and own.block == plan.block_names[0]
    return plan.groups if first else max(plan.groups // plan.matching_groups, 1)
