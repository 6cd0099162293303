"""The status of a plan's tests: which look they are at, and at what level; whether they are
confirmatory and, if not, why not; and their results in words, with their direction."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from mixed_company.analysis.audit.way import plan_of
from mixed_company.analysis.audit.wording import Original
from mixed_company.analysis.data import Data
from mixed_company.analysis.statistics.effects import has_direction, is_difference
from mixed_company.analysis.statistics.spending import levels, unbiased
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.sealing import Seal


def before_data(data: Data, seal: Seal) -> bool | None:
    """Return whether the plan was sealed before the first assignment to a treatment and before the
    first play. Return None if the data do not show when everybody with a slot or a group was
    assigned."""
    people = data.outcomes
    times = people["assigned_ms"].dropna()
    plays = data.seats["wall_ms"].dropna() if "wall_ms" in data.seats else times
    if any(not column.empty and int(column.min()) < seal.sealed_ms for column in (times, plays)):
        return False
    placed = people["group"].notna()
    if "slot" in people:
        placed |= people["slot"].notna()
    untimed = people["assigned_ms"].isna() & placed
    return None if times.empty or untimed.any() else True


def is_contradicted(data: Data, seal: Seal) -> bool:
    """Return whether only a play's time is before the seal, while all assignment times are after
    it."""
    times = data.outcomes["assigned_ms"].dropna()
    late = not times.empty and int(times.min()) >= seal.sealed_ms
    return late and before_data(data, seal) is False


CONTRADICTED = (
    "a play has a time before the seal although people were assigned after it, because the "
    "machine's clock was set back or a time was changed"
)


def arrival(early: bool | None, absent: Sequence[str]) -> str:
    """Return a phrase that says when a plan was sealed. `early` is the result of `before_data`, and
    `absent` lists the sessions on the server that are missing from the export."""
    if early is None:
        return "but the data do not say when every participant was assigned to a treatment"
    people = "participant of the sessions in the export" if absent else "participant"
    return f"{'before' if early else 'after'} the first {people} was assigned to a treatment"


def of_other_plans(data: Data, expected: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each session whose plan has none of the `expected` digests, with its own digest, which
    is empty if the export has none."""
    for session in dict.fromkeys(data.config["session"]):
        digest = (plan_of(data.manifest, session) or {}).get("digest", "")
        if digest not in expected:
            yield str(session), str(digest)


def of_other_texts(data: Data, seal: Seal) -> list[str]:
    """Return the sessions that were not made from the sealed plan's text, or that had its
    treatments in another order and therefore other hypotheses. Sessions may change keys of the
    plan; such changes are deviations.

    In exports from earlier releases, only the digest of the whole plan is known.
    """
    order = list(seal.content["plan"]["treatments"])
    others = []
    for session, _ in of_other_plans(data, seal.of_plan):
        entry = plan_of(data.manifest, session) or {}
        if entry.get("plan") not in seal.of_text or entry.get("order", order) != order:
            others.append(session)
    return others


def other_orders(data: Data, content: Mapping[str, Any], seal: Seal | None) -> dict[str, list[str]]:
    """Return the places where the order of treatments differs from the order in the sealed plan,
    with that order, if the seal does not fix the order.

    content  current content of the plan's file (`experiment.sealing.content_of`)
    """
    if seal is None or seal.order:
        return {}
    places = {
        "its list of digests": dict.fromkeys(name.split(", ")[0] for name in seal.treatments),
        "its rules": seal.content["treatments"],
        "the plan's file": content["plan"]["treatments"],
    }
    for session in data.manifest.get("sessions") or {}:
        plan = plan_of(data.manifest, session) or {}
        listed = plan.get("order") or plan.get("treatments") or ()
        places[f"the manifest's entry for session {session}"] = listed
    sealed = list(seal.content["plan"]["treatments"])
    return {
        place: list(order)
        for place, order in places.items()
        if order and list(order) != sealed and sorted(order) == sorted(sealed)
    }


def reason(data: Data, seal: Seal | None, original: Original) -> str:
    """Return a clause that says why no test is confirmatory; empty if the tests are."""
    if data.rehearsed:
        return "the data come from a rehearsal"
    if seal is None:
        return "the plan was not sealed"
    early = before_data(data, seal)
    if early is None:
        return "the data do not say when every participant was assigned to a treatment"
    if is_contradicted(data, seal):
        return CONTRADICTED
    if not early:
        return "the plan was sealed only after participants were assigned to treatments"
    if original.count:
        return "the export does not pass mixed check"
    others = of_other_texts(data, seal)
    if others:
        subject = "session" if len(others) == 1 else "sessions"
        verb = "was" if len(others) == 1 else "were"
        return f"{subject} {', '.join(others)} {verb} not made from the sealed plan"
    return ""


# -- results in words ----------------------------------------------------------------------------


_ROUNDING = 1e-12
"""Tolerance for the rounding error of a level that is computed as 1 minus a confidence."""
_OF_RANKS = ("mann_whitney", "jonckheere")
"""Tests for which the sign of the unitless effect shows the direction."""


def verdict(row: Mapping[str, Any], plan: Plan, at_look: bool) -> str:
    """Return a hypothesis's result in words; empty if it was not tested.

    row      a row of the table that `tested.tested` returns
    at_look  whether the level is a look's level, which replaces the correction
             (`Look`)
    """
    if pd.isna(row["p"]):
        return ""
    p, level = row["p" if at_look else "p_corrected"], 1 - row["confidence"]
    if p > level + _ROUNDING:
        return f"not significant at the {level:.4g} level"
    hypothesis = plan.hypotheses[str(row["hypothesis"])]
    return f"significant at the {level:.4g} level{_directed(_found(row, hypothesis, plan))}"


def _directed(directions: tuple[str, str]) -> str:
    """Return how a significant direction compares with the expected one."""
    direction, expected = directions
    if not direction:
        return ""
    if not expected:
        return f": {direction}; the plan expects none"
    if direction == expected:
        return f", in the direction of the hypothesis: {direction}"
    return f", but opposite to the hypothesis: {direction}; expected: {expected}"


def _found(row: Mapping[str, Any], hypothesis: Hypothesis, plan: Plan) -> tuple[str, str]:
    """Return the direction in the data and the expected direction, in words; empty if there is
    none."""
    compared = 2 if hypothesis.blocks else len(plan.compared(hypothesis))
    if plan.space is not None:  # the two ends of a range, or the choices
        variable = plan.space.variables[hypothesis.variable]
        compared = 2 if variable.is_range else variable.count
    between = not hypothesis.blocks and hypothesis.unit == "group"
    of_ranks = between and hypothesis.test in _OF_RANKS
    effect = float(row["standardised"] if of_ranks else row["effect"])
    if not has_direction(hypothesis.test, compared) or not abs(effect) > 0:
        return "", ""
    if not of_ranks and not is_difference(str(row["effect_name"])):
        return "", ""
    direction = "higher" if effect > 0 else "lower"
    observed = plan.expectation(hypothesis.model_copy(update={"direction": direction}))
    return observed, plan.expectation(hypothesis)


# -- looks ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Look:
    """An interim or final look at a plan's data.

    groups   number of groups that played to the end, in the treatment with the fewest such groups
    stated   whether the plan has a look at this number of groups, or all groups have played
    shares   share of the planned groups at this look and at each earlier one
    """

    plan: Plan
    groups: int
    stated: bool
    shares: tuple[float, ...]

    @property
    def by_family(self) -> dict[str, float]:
        """The level of each test, by family. Alpha is divided equally among a family's hypotheses,
        and each hypothesis spends its share of alpha over the looks."""
        return {
            family: levels(self.shares, alpha, self.plan.spending)[-1]
            for family, alpha in self._alphas.items()
        }

    @property
    def _alphas(self) -> dict[str, float]:
        """The alpha that each hypothesis of a family can spend over all looks."""
        sizes = Counter(hypothesis.family for hypothesis in self.plan.hypotheses.values())
        return {family: self.plan.alpha / size for family, size in sizes.items()}

    def unbiased(self, hypotheses: pd.DataFrame) -> list[float]:
        """Return the hypotheses' effects (`tested.tested`), corrected for their bias.

        They are NaN for hypotheses that are not yet decided and for effects that are not
        differences.
        """
        return [self._unbiased(row) for row in hypotheses.to_dict("records")]

    def _unbiased(self, row: Mapping[Any, Any]) -> float:
        plan, family = self.plan, row["family"]
        later = [look / plan.groups for look in (*plan.looks, plan.groups) if look > self.groups]
        continues = bool(later) and row["p"] > self.by_family[family]
        if pd.isna(row["p"]) or continues or not is_difference(row["effect_name"]):
            return math.nan
        shares, place = [*self.shares, *later], len(self.shares) - 1
        return unbiased(row["effect"], row["p"], shares, place, self._alphas[family], plan.spending)

    def words(self, hypotheses: pd.DataFrame) -> Iterator[str]:
        """Yield sentences that explain the look and the columns of a hypothesis table."""
        plan = self.plan
        yield (
            f"Look {len(self.shares)}: {self.groups} of {plan.groups} groups of each treatment; "
            f"looks are planned at {', '.join(map(str, (*plan.looks, plan.groups)))}. Alpha is "
            f"spent as in {_NAMES[plan.spending]} (Lan and DeMets 1983). A hypothesis is decided "
            f"if its uncorrected p is at most its level. Intervals are repeated confidence "
            "intervals (Jennison and Turnbull 1989) with confidence 1 minus the level. They "
            "exclude 0 if and only if the hypothesis is decided, and over all looks they cover "
            "the true effect as often as the plan's alpha implies. Early intervals are wide, and "
            "missing if no value could decide the hypothesis."
        )
        if hypotheses["unbiased_effect"].notna().any():
            yield (
                "Experiments that can stop early overstate effects on average. The unbiased effect "
                "is the true effect for which such experiments would, on average, find the effect "
                "shown next to it (Whitehead 1986)."
            )


_NAMES = {"obrien_fleming": "O'Brien and Fleming", "pocock": "Pocock"}


def taken(data: Data, plan: Plan) -> Look | None:
    """Return the look that is possible with these data; None if there are no looks or no finished
    groups."""
    groups = min(played(data, plan).values())
    if not plan.looks or not groups:
        return None
    looks = [*(look for look in plan.looks if look < groups), min(groups, plan.groups)]
    stated = groups in plan.looks or groups >= plan.groups
    return Look(plan, groups, stated, tuple(count / plan.groups for count in dict.fromkeys(looks)))


def played(data: Data, plan: Plan) -> dict[str, int]:
    """Return each treatment's number of groups that played the first block to the end."""
    groups = data.groups
    if "play" in data.config:  # all plays of a block have the same people
        groups = groups[(data.config["play"] == 0).to_numpy()]
    names = groups["treatment"].astype(str)[groups["ended"] != ""]
    first = f", {plan.block_names[0]}" if plan.blocks else ""  # later blocks have the same groups
    return {name: int((names == f"{name}{first}").sum()) for name in plan.treatments}
