"""Means of the groups that a plan's tests compare."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import pandas as pd

from mixed_company.analysis import measures, statistics
from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import Group
from mixed_company.analysis.planned.tested import of_block, units_of, used
from mixed_company.analysis.statistics.result import NoTest
from mixed_company.analysis.statistics.units import Units
from mixed_company.engine.contract.errors import UnknownName
from mixed_company.experiment.comparisons import seats_of
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan

_COLUMNS = ["hypothesis", "measure", "of", "unit", "treatment", "groups", "mean", "low", "high"]


def averaged(games: Sequence[Data], plan: Plan, without: Collection[Group] = ()) -> pd.DataFrame:
    """Return the means of every test's units, with one row per hypothesis and treatment or block.

    A hypothesis without values has no rows. The arguments are the same as for `tested.tested`.

    groups      number of units (`Plan.unit_of`)
    low, high   95% interval of the mean
    """
    rows = []
    for name, hypothesis in plan.hypotheses.items():
        data, measure = of_block(games, hypothesis), hypothesis.measure
        try:
            units = _used(units_of(data, plan, hypothesis, without), plan, hypothesis)
        except (NoTest, UnknownName):
            continue
        described = measures.described(data.game_id).set_index("measure")["unit"]
        means = statistics.means(units, ends=measures.ranges(data.game_id)[measure])
        about = {"measure": measure, "of": seats_of(measure, hypothesis.of)}
        unit = described[[measure]].iloc[0]
        rows.append(means[means["n"] > 0].assign(hypothesis=name, unit=unit, **about))
    if not rows:
        return pd.DataFrame(columns=_COLUMNS)
    return pd.concat(rows, ignore_index=True).rename(columns={"n": "groups"})[_COLUMNS]


def _used(units: Units, plan: Plan, hypothesis: Hypothesis) -> Units:
    """Return only the units that the test uses."""
    names = tuple(hypothesis.blocks or plan.compared(hypothesis))
    frame = used(units.frame, plan, hypothesis, units.keys)
    return replace(units, frame=frame, treatments=names)
