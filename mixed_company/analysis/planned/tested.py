"""The hypotheses of a plan, each by its one test."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis import measures, statistics
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.statistics.result import NoTest, Result, corrected
from mixed_company.engine.contract.errors import UnknownName
from mixed_company.experiment.plan import Hypothesis, Plan

__all__ = ["STRATIFIED", "measured", "of_plan", "tested"]

STRATIFIED = "stratified"
"""The test of means within sessions, as a plan names it."""

Group = tuple[str, int]
"""A group by its session and its number."""

_TESTED = (
    *("test", "effect_name", "effect", "low", "high", "confidence", "standardised"),
    *("p", "p_corrected", "correction"),
)


def of_plan(data: Data, name: str, plan: Plan) -> Data:
    """Return the sessions of a plan alone, with its treatments and blocks.

    Keys that were changed in a session make no other treatments of them.
    Raises ConfigError where there is none.
    """
    own = data.of_session_config(name)
    if not plan.blocks:
        return _of_treatments(own, plan)
    played = set(zip(own.config["treatment"], own.config["block"], strict=True))
    return own.named(
        {
            f"{name}, {block}": [f"treatment={name}", f"block={block}"]
            for name in plan.treatments
            for block in plan.block_names
            if (name, block) in played
        }
    )


def _of_treatments(data: Data, plan: Plan) -> Data:
    """Return the same groups by the names of treatments alone."""
    there = set(data.config["treatment"])
    return data.named({one: [f"treatment={one}"] for one in plan.treatments if one in there})


def tested(
    games: Sequence[Data],
    plan: Plan,
    by_family: Mapping[str, float] | None,
    without: Collection[Group] = (),  # noqa: PT028  no test of pytest
) -> pd.DataFrame:
    """Return one row per hypothesis, in order: its words, and its test.

    The tests are of all groups but those of `without`, by session and number.

    `by_family` is the level of a test of each family (`looks.Look`), none: the plan's alpha;
    `confidence`, of the interval, is 1 less that, so that it leaves out 0 just where p is at most
    the level. At looks these are repeated confidence intervals: Jennison and Turnbull (1989),
    Journal of the Royal Statistical Society B 51(3).

    `games` as `of_plan` has them, one for each game that blocks play, that of the first block
    first: a hypothesis is tested in the game of its block. p values are corrected by Holm over the
    hypotheses of a family that could be tested; where one could not, `notes` says why. Raises
    UnknownName.
    """
    results = {
        name: _result(_of_block(games, own), plan, own, (by_family or {}).get(own.family), without)
        for name, own in plan.hypotheses.items()
    }
    for family in dict.fromkeys(own.family for own in plan.hypotheses.values()):
        members = [name for name, own in plan.hypotheses.items() if own.family == family]
        done = {name: own for name in members if isinstance(own := results[name], Result)}
        results |= dict(zip(done, corrected(list(done.values())), strict=True))
    rows = [_row(name, own, results[name]) for name, own in plan.hypotheses.items()]
    columns = ["hypothesis", "meaning", "family", "measure", "groups", *_TESTED, "notes"]
    return pd.DataFrame(rows, columns=columns)


def _of_block(games: Sequence[Data], own: Hypothesis) -> Data:
    """Return the data of the game that is played in the block, or blocks, of a hypothesis."""
    block = (own.blocks or (own.block,))[0]
    return next((data for data in games if block in set(data.config["block"])), games[0])


def _result(
    data: Data, plan: Plan, own: Hypothesis, alpha: float | None, without: Collection[Group]
) -> Result | NoTest:
    """Test a hypothesis at a level, `alpha`; None: that of the plan."""
    confidence = 1 - (plan.alpha if alpha is None else alpha)
    try:
        if own.blocks:
            return _within(data, plan, own, confidence, without)
        frame = _measured(data, plan, own, own.block, without)
        return _between(frame, plan, own, confidence)
    except (NoTest, UnknownName) as refusal:
        return refusal if isinstance(refusal, NoTest) else NoTest(str(refusal))


def _between(frame: pd.DataFrame, plan: Plan, own: Hypothesis, confidence: float) -> Result:
    """Test whether treatments differ."""
    units = statistics.units(frame, own.measure, unit=own.unit)
    missing = [name for name in plan.compared(own) if name not in units.treatments]
    if missing:
        raise NoTest(f"no group of {', '.join(missing)} has a value")
    names, level = plan.compared(own), confidence
    if own.unit == "session":
        return statistics.paired(units, own.test, treatments=names, level=level)
    if own.test == STRATIFIED:
        return statistics.stratified(units, treatments=names, level=level)
    return statistics.compare(units, own.test, treatments=names, level=level)


def _within(
    data: Data, plan: Plan, own: Hypothesis, confidence: float, without: Collection[Group]
) -> Result:
    """Test whether the same people differ between two blocks."""
    parts = [(block, _measured(data, plan, own, block, without)) for block in own.blocks]
    frame = pd.concat([part.assign(block=block) for block, part in parts], ignore_index=True)
    frame = frame[frame["treatment"].astype(str).isin(plan.compared(own))]
    units = statistics.units(frame, own.measure, by="block")
    return statistics.paired(units, own.test, treatments=own.blocks, level=confidence)


def _measured(
    data: Data, plan: Plan, own: Hypothesis, block: str, without: Collection[Group]
) -> pd.DataFrame:
    """Return the measure of every group of a block but those of `without`.

    Groups that mix with each other are one unit: `group` is then the number of the first of them.
    """
    part = _of_treatments(data.of_block(block), plan) if block else data
    frame = measured(part, own)
    frame = frame[~pd.MultiIndex.from_frame(frame[GROUP]).isin(list(without))]
    if not plan.blocks:
        return frame
    keys = part.config.set_index(["session", "group"])["matching_group"]
    names = zip(frame["session"], frame["group"], strict=True)
    return frame.assign(group=keys.reindex(list(names)).to_numpy())


def measured(data: Data, own: Hypothesis) -> pd.DataFrame:
    """Return the measure of every group, or of every person, of which a group has the mean."""
    if own.of == "group":
        return measures.groups(data, [own.measure])
    people = measures.people(data, [own.measure])
    return people[people["person"].astype(bool)]


def _row(name: str, own: Hypothesis, result: Result | NoTest) -> dict[str, Any]:
    row: dict[str, Any] = {
        "hypothesis": name,
        "meaning": own.meaning,
        "family": own.family,
        "measure": own.measure,
        "test": own.test,
    }
    if isinstance(result, NoTest):
        return {**row, "notes": f"not tested: {result}"}
    return {
        **row,
        "groups": ", ".join(f"{name} {count}" for name, count in result.n.items()),
        **{key: getattr(result, key) for key in _TESTED if key != "confidence"},
        "confidence": result.level,
        "notes": "; ".join((*result.left_out, *result.notes)),
    }
