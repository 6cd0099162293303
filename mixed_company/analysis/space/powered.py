"""The power of hypotheses over a space, and the effects they can detect, by simulation.

Groups of simulated people play every point and form a pool (`analysis.power.simulation`). Each
repetition draws groups for every point from the pool and fits the same regression as a report. So
its standard errors reflect differences between groups at a point and the misfit of the linear
model.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.power import TTestPower

from mixed_company.analysis.power.experiments import interval
from mixed_company.analysis.power.simulation import (
    BLOCKS,
    UNCERTAIN,
    Measure,
    checked_size,
    pools,
)
from mixed_company.analysis.space.fitting import of_means, statistic_of
from mixed_company.analysis.statistics.result import check
from mixed_company.engine.contract.chance import check_seed, generator
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.space import Space
from mixed_company.policies.sharing import Sharing

TARGET = 0.8
"""The power at which an effect counts as detectable."""
_SIGNS = {"higher": 1, "lower": -1}


def powered(
    space: Space,
    game: str,
    treatments: Mapping[str, Mapping[str, Any]],
    hypotheses: Mapping[str, tuple[Hypothesis, Measure, float]],
    groups: Sequence[int],
    *,
    repetitions: int = 1000,
    pool: int | None = None,
    level: float = 0.95,
    seed: int = 0,
    uncertain: bool = False,
    progress: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
) -> pd.DataFrame:
    """Return the power of every hypothesis at every number of groups per point.

    treatments   points by name, as for `analysis.power.power`
    hypotheses   by name: the hypothesis, its measure, and its level
    other arguments and errors as in `analysis.power.power`; also NoTest, as in `fitting.fitted`

    groups       number of groups at each point; `of_all`: at all points together
    power, low, high       share of significant results, in the stated direction if there is one
    opposite               share of significant results in the opposite direction
    effect                 mean effect of the variable on simulated people; missing if it has
                           several choices
    detectable             size of the effect that a test finds with power TARGET, in either
                           direction
    detectable_low, detectable_high   its interval, from the variation between blocks of the pool
    """
    check_seed(seed)
    check(level=level)
    alphas = [alpha for *_, alpha in hypotheses.values()]
    count = UNCERTAIN if uncertain else BLOCKS
    size = checked_size(treatments, groups, alphas[0], (), repetitions, pool, count, least=1)
    measured = {_quantity(hypothesis): measure for hypothesis, measure, _ in hypotheses.values()}
    with Sharing(workers, scheduler, progress) as sharing:
        pool_values = pools(game, treatments, [*measured.values()], size, seed, uncertain, sharing)
        blocks = dict(zip(measured, pool_values, strict=True))
        drawn = [
            _Experiments(
                space,
                tuple(treatments),
                blocks[_quantity(hypothesis)],
                hypothesis.variable,
                alpha,
                _SIGNS.get(hypothesis.direction, 0),
                number,
                repetitions,
                seed,
            )
            for hypothesis, _, alpha in hypotheses.values()
            for number in groups
        ]
        shares = sharing.gathered(_findings, drawn, " tests", [repetitions] * len(drawn))
    keys = [(name, number) for name in hypotheses for number in groups]
    rows = [
        {
            "hypothesis": name,
            "groups": number,
            "of_all": number * len(treatments),
            **_summary(experiments, values, level),
            "alpha": experiments.alpha,
            "repetitions": repetitions,
            "pool": size * count * len(treatments),
        }
        for (name, number), experiments, values in zip(keys, drawn, shares, strict=True)
    ]
    return pd.DataFrame(rows)


def _quantity(hypothesis: Hypothesis) -> tuple[str, str]:
    """Return a hypothesis's measure and level, as a key."""
    return hypothesis.measure, hypothesis.of


@dataclass(frozen=True)
class _Experiments:
    """Experiments with this number of groups at every point.

    blocks   independent parts of the pool, each with the values of every point
    sign     1 or -1: only positive or only negative effects count; 0: both
    """

    space: Space
    points: tuple[str, ...]
    blocks: Sequence[Sequence[Array]]
    variable: str
    alpha: float
    sign: int
    groups: int
    repetitions: int
    seed: int


def _findings(experiments: _Experiments) -> Array:
    """Return four means across each block's experiments, shape (blocks, 4): the share of
    significant results in the stated direction, the share in the opposite direction, the effect,
    and the detectable effect.
    """
    rng = generator(experiments.seed, f"draws of {experiments.groups} groups per point")
    times = range(experiments.repetitions // len(experiments.blocks))
    return np.array(
        [
            np.mean([_finding(experiments, block, rng) for _ in times], axis=0)
            for block in experiments.blocks
        ]
    )


def _finding(
    experiments: _Experiments, block: Sequence[Array], rng: np.random.Generator
) -> tuple[float, float, float, float]:
    """Draw an experiment from a block and analyse it. Return the four numbers that `_findings`
    averages.
    """
    count, variable = experiments.groups, experiments.variable
    means = [rng.choice(values, count, replace=False).mean() for values in block]
    weights = np.full(len(means), float(count))
    fit = of_means(experiments.space, variable, experiments.points, np.array(means), weights)
    significant = statistic_of(fit, variable)[2] <= experiments.alpha
    effect = detectable = math.nan
    places = fit.of(variable)
    if len(places) == 1:
        effect = float(fit.result.params[places[0]])
        detectable = _detected(experiments.alpha, fit.freedom) * float(fit.errors[places[0]])
    opposite = experiments.sign * effect < 0
    return float(significant and not opposite), float(significant and opposite), effect, detectable


@cache
def _detected(alpha: float, freedom: int) -> float:
    """Return the effect, in standard errors, that a two-sided t test finds with power TARGET."""
    number = freedom + 1
    size = TTestPower().solve_power(nobs=number, alpha=alpha, power=TARGET)
    return float(np.ravel(size)[0]) * math.sqrt(number)


def _summary(experiments: _Experiments, values: Array, level: float) -> dict[str, float]:
    """Return the power, the effects and their intervals, from every block's means."""
    power, low, high = interval(values[:, 0], experiments.repetitions, level)
    effect, detectable = (float(values[:, place].mean()) for place in (2, 3))
    blocks = len(values)
    half = float(stats.t.ppf((1 + level) / 2, blocks - 1) * values[:, 3].std(ddof=1))
    half /= math.sqrt(blocks)
    return {
        "power": power,
        "low": low,
        "high": high,
        **({"opposite": float(values[:, 1].mean())} if experiments.sign else {}),
        "effect": effect,
        "detectable": detectable,
        "detectable_low": detectable - half,
        "detectable_high": detectable + half,
    }
