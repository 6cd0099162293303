"""Tests of units between treatments, within sessions, and of the same units under two treatments.

All are two-sided. A treatment with a single unit is refused: one number does not say how much
units differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from mixed_company.analysis.statistics import effects
from mixed_company.analysis.statistics.intervals import NONE
from mixed_company.analysis.statistics.permuting import RESAMPLES, dealings, moves
from mixed_company.analysis.statistics.result import NoTest, Result, check, chosen, counted
from mixed_company.analysis.statistics.tests import PAIRED, TESTS, TWO, Tested
from mixed_company.analysis.statistics.units import GROUP, Units, these
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array

__all__ = ["chosen_test", "compare", "paired", "pairwise", "stratified"]


# -- between treatments ---------------------------------------------------------------------------


def chosen_test(name: str | None, treatments: int) -> str:
    """Return the test's name; None: the rank test for so many treatments.

    Raises UnknownName, ConfigError.
    """
    if name is None:
        return "mann_whitney" if treatments == 2 else "kruskal_wallis"
    if chosen("test", name, TESTS) in TWO and treatments != 2:
        raise ConfigError(
            f"test = {name!r}: compares 2 treatments, not {treatments}; "
            "'kruskal_wallis' or pairwise do"
        )
    return name


def compare(
    data: Units,
    test: str | None = None,
    *,
    treatments: Sequence[str] | None = None,
    effect: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Result:
    """Test whether treatments differ.

    test         one of TESTS; None: `mann_whitney` for two treatments, `kruskal_wallis` for more
    treatments   which, in this order; None: all. An effect is the second minus the first.
    effect       one of EFFECTS; None: that of the test, `shift` of ranks and `difference` of
                 means; `epsilon_squared` for more than two, and `superiority` for a trend. Any
                 other has no interval, since none agrees with the test
    resamples    arrangements: all of them where there are no more, else so many are drawn

    Raises UnknownName, ConfigError; NoTest where a treatment has fewer than two units.
    """
    check(level=level, resamples=resamples)
    names = data.named(treatments)
    name = chosen_test(test, len(names))
    two_only = effect and effects.EFFECTS[chosen("effect", effect, effects.EFFECTS)][2]
    if two_only and len(names) != 2:
        raise ConfigError(f"effect = {effect!r}: is of 2 treatments, not of {len(names)}")
    _once_each(data, names)
    samples = [data.sample(treatment) for treatment in names]
    for treatment, sample in zip(names, samples, strict=True):
        _enough(data, treatment, len(sample))
    tested = TESTS[name](samples, resamples, generator(seed, f"test of {data.measure}"))
    other = "superiority" if name == "jonckheere" else "epsilon_squared"
    kind = effect or next(iter(tested.intervals), other)
    size = effects.cliffs_delta if len(samples) == 2 else effects.epsilon_squared
    return replace(
        _result(data, tested, names, samples, kind, level),
        effect=float(effects.EFFECTS[kind][0](*samples)),
        effect_name=effects.effect_name(kind, names),
        standardised=float(size(*samples)),
    )


def _enough(data: Units, treatment: str, number: int) -> None:
    if number < 2:
        raise NoTest(
            f"{data.measure}: treatment {treatment!r} has {counted(number, data.unit)} with a "
            f"value; a test needs at least 2 {data.unit}s per treatment, since one number does "
            f"not say how much {data.unit}s differ"
        )


def _once_each(data: Units, names: Sequence[str]) -> None:
    """Raise ConfigError where a group, or session, is in two of the treatments."""
    keys = ["session"] if data.unit == "session" else GROUP
    if not data.frame.duplicated(keys).any():
        return
    own = data.frame[data.frame["treatment"].isin(names)]
    met = own[[*keys, "treatment"]].drop_duplicates()
    twice = met[met.duplicated(keys)]
    if not twice.empty:
        which = these([tuple(twice.iloc[0][keys])])
        raise ConfigError(f"{data.measure}: {which} is in two treatments; `paired` compares within")


def pairwise(
    data: Units,
    test: str = "mann_whitney",
    *,
    treatments: Sequence[str] | None = None,
    effect: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Result]:
    """Run `compare` for every two treatments; the results go to `corrected`."""
    return [
        compare(
            data,
            test,
            treatments=two,
            effect=effect,
            level=level,
            resamples=resamples,
            seed=seed,
        )
        for two in combinations(data.named(treatments), 2)
    ]


# -- within sessions ------------------------------------------------------------------------------


def stratified(
    data: Units,
    *,
    treatments: Sequence[str] | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Result:
    """Test whether the means of two treatments differ in sessions that had groups of both.

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
    rows = rows[both].assign(stratum=rows.loc[both].groupby("session").ngroup())
    if rows.empty:
        raise NoTest(
            f"{data.measure}: no session has groups of both {names[0]!r} and {names[1]!r}; "
            "sessions of one treatment each are compared with unit='session'"
        )
    parts = [rows[rows["treatment"] == name] for name in names]
    samples = [part["value"].to_numpy(dtype=float) for part in parts]
    strata = [part["stratum"].to_numpy(dtype=int) for part in parts]
    every = moves(
        samples,
        strata=strata,
        resamples=resamples,
        rng=generator(seed, f"test of {data.measure}"),
    )
    first = np.arange(len(rows)) < len(samples[0])
    effect = _within_sessions(rows, names)
    tested = Tested(
        f"permutation test of means within sessions, {every.how}",
        "difference",
        effect,
        every.p,
        {"difference": every.interval},
        2 / dealings(first, np.concatenate(strata)),
        (f"sessions of one treatment: {', '.join(alone)}",) if alone else (),
    )
    return replace(
        _result(data, tested, names, samples, "difference", level),
        effect=effect,
        effect_name=f"difference of means within sessions ({names[1]} - {names[0]})",
        notes=data.notes,
    )


def _within_sessions(rows: pd.DataFrame, names: Sequence[str]) -> float:
    """Return the weighted mean of the differences in sessions."""
    cells = rows.groupby(["session", "treatment"])["value"]
    means, sizes = cells.mean().unstack(), cells.size().unstack()
    one, other = names
    weights = sizes[one] * sizes[other] / (sizes[one] + sizes[other])
    return float(np.average(means[other] - means[one], weights=weights))


# -- within units ---------------------------------------------------------------------------------


def paired(
    data: Units,
    test: str = "wilcoxon",
    *,
    treatments: Sequence[str] | None = None,
    effect: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Result:
    """Test whether units differ between two treatments that all were in, as before and after.

    test     one of PAIRED
    effect   from the first to the second: `shift`, the Hodges-Lehmann change, `difference`, the
             mean one, `median_difference`, the median one; None: that of the test, `shift` of
             ranks and `difference` of means. Any other has no interval

    Units that were in one of the two only are left out, counted and named.
    Raises UnknownName, ConfigError; NoTest with fewer than two pairs.
    """
    check(level=level, resamples=resamples)
    names = data.named(treatments)
    chosen("test", test, PAIRED)
    if effect is not None:
        chosen("effect", effect, effects.CHANGES)
    if len(names) != 2:
        raise ConfigError(f"paired: compares 2 treatments, not {len(names)}: {', '.join(names)}")
    if data.unit == "decision":
        raise ConfigError("paired: decisions have no pairs; unit='group' or 'person' has")
    samples, alone = _pairs(data, names)
    if len(samples[0]) < 2:
        raise NoTest(
            f"{data.measure}: {counted(len(samples[0]), data.unit)} with a value both in "
            f"{names[0]!r} and in {names[1]!r}; a paired test needs at least 2"
        )
    tested = PAIRED[test](samples, resamples, generator(seed, f"test of {data.measure}"))
    tested = tested._replace(left_out=alone + tested.left_out)
    kind = effect or next(iter(tested.intervals))
    return replace(
        _result(data, tested, names, samples, kind, level),
        effect=float(effects.CHANGES[kind][0](*samples)),
        effect_name=effects.effect_name(kind, names, within=True),
    )


def _pairs(data: Units, names: Sequence[str]) -> tuple[list[Array], tuple[str, ...]]:
    wide = data.frame.pivot(index=data.keys, columns="treatment", values="value")
    wide = wide.reindex(columns=list(names)).dropna(how="all")
    whole = wide.dropna()
    samples = [whole[name].to_numpy(dtype=float) for name in names]
    if len(whole) == len(wide):
        return samples, ()
    alone = wide.index.difference(whole.index)
    which = these(dict.fromkeys((key if isinstance(key, tuple) else (key,))[:2] for key in alone))
    sentence = (
        f"{counted(len(alone), data.unit)} in only one of {names[0]} and {names[1]} ({which})"
    )
    return samples, (sentence,)


# -- all ------------------------------------------------------------------------------------------


def _result(
    data: Units,
    tested: Tested,
    names: Sequence[str],
    samples: Sequence[Array],
    kind: str,
    level: float,
) -> Result:
    """Return what a test says, with the interval of an effect of this kind, but no effect yet."""
    interval = tested.intervals.get(kind)
    low, high = interval(level) if interval else NONE
    notes = data.notes
    if tested.least > 1 - level:
        least = f"{tested.least:.3g}"
        notes = (*notes, f"With so few {data.unit}s p is {least} or more whatever the values")
    return Result(
        test=tested.test,
        measure=data.measure,
        symbol=tested.symbol,
        statistic=tested.statistic,
        p=tested.p,
        effect_name=kind,
        effect=math.nan,
        low=low,
        high=high,
        level=level,
        n={name: len(sample) for name, sample in zip(names, samples, strict=True)},
        unit=data.unit,
        least_p=tested.least,
        left_out=data.left_out + tested.left_out,
        notes=notes,
    )
