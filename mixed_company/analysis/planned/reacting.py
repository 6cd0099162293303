"""Find, by simulation, the variables of a space that simulated people do not react to.

The same groups play pairs of designs that differ only in one variable. If a hypothesis's measure is
the same in every pair, the variable has no effect that a test could find.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.data import GROUP
from mixed_company.analysis.planned.powered import not_simulated, treated
from mixed_company.analysis.planned.tested import measured
from mixed_company.analysis.simulated import simulated
from mixed_company.engine.contract.errors import EngineError
from mixed_company.experiment import treatments
from mixed_company.experiment.comparisons import MEANING_OF_POWER
from mixed_company.experiment.covered import quantity
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan

POINTS = 8
"""Maximum number of points at which a variable is varied."""
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
