"""Treatments compared within sessions, so that what sets sessions apart does not count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mixed_company.analysis.statistics.permuting import RESAMPLES, dealings, moves
from mixed_company.analysis.statistics.result import NoTest, Result, check
from mixed_company.analysis.statistics.units import Units
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array

__all__ = ["stratified"]


def stratified(
    data: Units,
    *,
    treatments: Sequence[str] | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Result:
    """Do the means of two treatments differ within sessions in which groups were of both?

    Groups are permuted within their session alone (Fisher 1935, chapter 4: blocks). The effect is
    the mean of the differences in sessions, each with the weight n_1 n_2 / (n_1 + n_2) of its
    numbers of groups. Sessions of one treatment do not count, and are named in `left_out`.
    Raises UnknownName, ConfigError; NoTest where no session had both.
    """
    check(level=level, resamples=resamples)
    names = data.named(treatments)
    if len(names) != 2:
        raise ConfigError(f"stratified: compares 2 treatments, not {len(names)}")
    if data.unit != "group":
        raise ConfigError(f"stratified: unit = {data.unit!r}; it is of groups in sessions")
    rows = data.frame[data.frame["treatment"].isin(names)]
    both = rows.groupby("session")["treatment"].transform("nunique") == 2
    alone = sorted(map(str, set(rows.loc[~both, "session"])))
    own = rows[both].assign(stratum=rows.loc[both].groupby("session").ngroup())
    if own.empty:
        raise NoTest(
            f"{data.measure}: no session has groups of both {names[0]!r} and {names[1]!r}; "
            "sessions of one treatment each are compared with unit='session'"
        )
    parts = [own[own["treatment"] == name] for name in names]
    samples = [part["value"].to_numpy(dtype=float) for part in parts]
    strata = [part["stratum"].to_numpy(dtype=int) for part in parts]
    rng = generator(seed, f"test of {data.measure}")
    every = moves(samples, strata=strata, resamples=resamples, rng=rng)
    first = np.arange(len(own)) < len(samples[0])
    effect = _difference(samples, strata)
    low, high = every.interval(level)
    return Result(
        test=f"permutation test of means within sessions, {every.how}",
        measure=data.measure,
        symbol="difference",
        statistic=effect,
        p=every.p,
        effect_name=f"difference of means within sessions ({names[1]} - {names[0]})",
        effect=effect,
        low=low,
        high=high,
        level=level,
        n={name: len(sample) for name, sample in zip(names, samples, strict=True)},
        unit=data.unit,
        least_p=2 / dealings(first, np.concatenate(strata)),
        left_out=data.left_out
        + ((f"sessions of one treatment: {', '.join(alone)}",) if alone else ()),
        notes=data.notes,
    )


def _difference(samples: Sequence[Array], strata: Sequence[Array]) -> float:
    total, weights = 0.0, 0.0
    for stratum in np.unique(strata[0]):
        one, other = (
            sample[places == stratum] for sample, places in zip(samples, strata, strict=True)
        )
        weight = len(one) * len(other) / (len(one) + len(other))
        total += weight * float(other.mean() - one.mean())
        weights += weight
    return total / weights
