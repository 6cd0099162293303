"""The status of a plan's tests: whether they are confirmatory and, if not, why not; and their
results in words, with their direction."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis.audit.way import plan_of
from mixed_company.analysis.audit.wording import Original
from mixed_company.analysis.data import Data
from mixed_company.analysis.statistics.effects import has_direction, is_difference
from mixed_company.analysis.statistics.result import ROUNDING
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


_OF_RANKS = ("mann_whitney", "jonckheere")
"""Tests for which the sign of the unitless effect shows the direction."""


def verdict(row: Mapping[str, Any], plan: Plan, at_look: bool) -> str:
    """Return a hypothesis's result in words; empty if it was not tested.

    row      a row of the table that `tested.tested` returns
    at_look  whether the level is a look's level, which replaces the correction
             (`looks.Look`)
    """
    if pd.isna(row["p"]):
        return ""
    p, level = row["p" if at_look else "p_corrected"], 1 - row["confidence"]
    if p > level + ROUNDING:
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
