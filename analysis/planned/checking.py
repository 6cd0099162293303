"""Before the data: what a plan lacks, and what of it cannot be tested."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import NamedTuple

from analysis import measures
from analysis.statistics.tests import TESTS, TWO
from engine.contract.errors import nearest
from experiment.plan import Hypothesis, Plan

__all__ = ["Remark", "remarks"]


class Remark(NamedTuple):
    """`wrong`: it cannot be done; else it is missing, and may be meant so."""

    wrong: bool
    sentence: str


def remarks(plan: Plan, game: str) -> Iterator[Remark]:
    """Everything, in the order of the file."""
    if not plan.sources:
        yield Remark(False, "sources: none is cited")
    if not plan.hypotheses:
        yield Remark(False, "hypotheses: none; all that is found will be exploratory")
    for name, hypothesis in plan.hypotheses.items():
        yield from _of_hypothesis(f"hypotheses.{name}", plan, hypothesis, game)
    for family in dict.fromkeys(own.family for own in plan.hypotheses.values()):
        yield from _of_family(family, plan)
    if not plan.exclusions:
        yield Remark(False, "exclusions: none; all groups that played will be analysed")
    if not plan.stopping:
        yield Remark(False, "stopping: there is no rule for when to stop")
    without = [name for name in plan.treatments if not plan.people_of(name)]
    if without:
        names = ", ".join(without)
        yield Remark(False, f"people: nobody stands for people in {names}: no rehearsal, no power")


def _of_hypothesis(key: str, plan: Plan, own: Hypothesis, game: str) -> Iterator[Remark]:
    described = measures.described(game)
    groups = described[described["level"] == "group"]
    known = list(groups["measure"])
    if own.measure not in known:
        near = nearest(own.measure, known)
        yield Remark(True, f"{key}.measure = {own.measure!r}: no measure of groups{near}")
    else:
        untested = str(groups.set_index("measure").loc[own.measure, "untested"] or "")
        if untested:
            yield Remark(True, f"{key}.measure = {own.measure!r}: is not tested: {untested}")
    if own.test not in TESTS:
        yield Remark(True, f"{key}.test = {own.test!r}: no such test{nearest(own.test, TESTS)}")
    elif own.test in TWO and len(plan.compared(own)) != 2:
        yield Remark(
            True,
            f"{key}.test = {own.test!r}: compares 2 treatments, not {len(plan.compared(own))}; "
            "name two in `treatments`, or take 'kruskal_wallis'",
        )


def _of_family(family: str, plan: Plan) -> Iterator[Remark]:
    """Could the least p that a test of ranks of so few groups can give be significant?"""
    own = [one for one in plan.hypotheses.values() if one.family == family]
    least = 2 / comb(2 * plan.groups, plan.groups)  # two-sided, of two treatments
    if own and least * len(own) > plan.alpha:
        yield Remark(
            True,
            f"groups = {plan.groups}: too few for {len(own)} tests of family {family!r}: with two "
            f"treatments p is {least:.3g} or more whatever the values, {least * len(own):.3g} "
            "corrected",
        )
