"""Tests that compare units between treatments, within sessions, or under two treatments.

All tests are two-sided. A treatment with only one unit raises NoTest, because one number cannot
show how much units vary.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from mixed_company.analysis.rounding import levels
from mixed_company.analysis.statistics import effects
from mixed_company.analysis.statistics.intervals import NONE
from mixed_company.analysis.statistics.permuting import RESAMPLES, dealings, moves
from mixed_company.analysis.statistics.result import ROUNDING, NoTest, Result, check, chosen
from mixed_company.analysis.statistics.tests import OF_RANKS, PAIRED, TESTS, TWO, Tested
from mixed_company.analysis.statistics.units import GROUP, Units, these
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.comparisons import counted

# -- between treatments ---------------------------------------------------------------------------


def chosen_test(name: str | None, treatments: int) -> str:
    """Return the name of a test. If `name` is None, return the rank test for this number of
    treatments.

    Raises UnknownName for an unknown test, ConfigError if the test needs another number of
    treatments.
    """
    if name is None:
        return "mann_whitney" if treatments == 2 else "kruskal_wallis"
    if chosen("test", name, TESTS) in TWO and treatments != 2:
        raise ConfigError(
            f"test = {name!r}: compares 2 treatments, not {treatments}; "
            "use 'kruskal_wallis' or pairwise"
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
    treatments   treatments to compare, in this order; None: all. An effect is the second treatment
                 minus the first
    effect       one of EFFECTS; None: the test's default, which is `shift` for ranks, `difference`
                 for means, `epsilon_squared` for more than two treatments, `eta_squared` for their
                 means and `superiority` for a trend. Other effects have no interval, because it
                 would not agree with the test
    resamples    maximum number of permutations. If there are more, this many of them are drawn

    Raises UnknownName, ConfigError; NoTest if a treatment has fewer than two units.
    """
    check(level=level, resamples=resamples)
    names = data.named(treatments)
    name = chosen_test(test, len(names))
    two_only = effect and effects.EFFECTS[chosen("effect", effect, effects.EFFECTS)][2]
    if two_only and len(names) != 2:
        raise ConfigError(f"effect = {effect!r}: compares 2 treatments, not {len(names)}")
    _once_each(data, names)
    samples = [data.sample(treatment) for treatment in names]
    for treatment, sample in zip(names, samples, strict=True):
        _enough(data, treatment, len(sample))
    subject = "ranks" if name in OF_RANKS else data.measure  # equal ranks should have equal p
    tested = TESTS[name](samples, resamples, generator(seed, f"test of {subject}"))
    kind = effect or next(iter(tested.intervals), effects.of_several(name))
    size = effects.EFFECTS[effects.standardised(name, len(names))][0]
    result = _result(data, tested, names, samples, kind, level)
    return replace(
        result,
        effect=float(effects.EFFECTS[kind][0](*samples)),
        effect_name=effects.effect_name(kind, names),
        standardised=float(size(*samples)),
        notes=(
            *result.notes,
            *(_in_order(names, samples) if name == "jonckheere" and len(names) > 2 else ()),
        ),
    )


def _in_order(names: Sequence[str], samples: Sequence[Array]) -> Iterator[str]:
    """Yield notes about a trend across treatments: their order and means, and whether the means are
    monotone."""
    means = np.array([sample.mean() for sample in samples])
    listed = ", ".join(f"{name} {mean:.4g}" for name, mean in zip(names, means, strict=True))
    yield f"Order tested, with means: {listed}"
    steps = np.sign(np.diff(levels(means)))
    if (steps > 0).any() and (steps < 0).any():
        words = ", ".join(
            f"{'rise' if step > 0 else 'fall'} from {before} to {after}"
            for step, (before, after) in zip(steps, itertools.pairwise(names), strict=True)
            if step
        )
        yield f"The means are not monotone: they {words}; compare pairs of treatments"


def _enough(data: Units, treatment: str, number: int) -> None:
    if number < 2:
        raise NoTest(
            f"{data.measure}: treatment {treatment!r} has {counted(number, data.unit)} with a "
            f"value; a test needs at least 2 {data.unit}s per treatment, because one number does "
            f"not show how much {data.unit}s vary"
        )


def _once_each(data: Units, names: Sequence[str]) -> None:
    """Raise ConfigError if a group or session is in two of these treatments."""
    keys = ["session"] if data.unit == "session" else GROUP
    if not data.frame.duplicated(keys).any():
        return
    rows = data.frame[data.frame["treatment"].isin(names)]
    pairs = rows[[*keys, "treatment"]].drop_duplicates()
    repeated = pairs[pairs.duplicated(keys)]
    if not repeated.empty:
        unit = these([tuple(repeated.iloc[0][keys])])
        raise ConfigError(f"{data.measure}: {unit} is in two treatments; use `paired`")


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
    """Run `compare` for every pair of treatments. Pass the results to `corrected`."""
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
        for two in itertools.combinations(data.named(treatments), 2)
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
    """Test whether the means of two treatments differ within sessions that had groups of both.

    Groups are permuted only within their session (Fisher 1935, chapter 4: blocks). The effect is
    the mean of the differences within sessions, weighted by n_1 n_2 / (n_1 + n_2), where n_1 and
    n_2 are the session's numbers of groups in each treatment. Sessions with one treatment are not
    used; `left_out` names them. Raises UnknownName, ConfigError; NoTest if no session had both
    treatments.
    """
    check(level=level, resamples=resamples)
    names = data.named(treatments)
    if len(names) != 2:
        raise ConfigError(f"stratified: compares 2 treatments, not {len(names)}")
    if data.unit != "group":
        raise ConfigError(f"stratified: unit = {data.unit!r}; should be 'group'")
    rows = data.frame[data.frame["treatment"].isin(names)]
    mixed = rows.groupby("session")["treatment"].transform("nunique") == 2
    single = sorted(map(str, set(rows.loc[~mixed, "session"])))
    rows = rows[mixed].assign(stratum=rows.loc[mixed].groupby("session").ngroup())
    if rows.empty:
        raise NoTest(
            f"{data.measure}: no session has groups of both {names[0]!r} and {names[1]!r}; "
            "compare sessions of one treatment each with unit='session'"
        )
    parts = [rows[rows["treatment"] == name] for name in names]
    samples = [part["value"].to_numpy(dtype=float) for part in parts]
    strata = [part["stratum"].to_numpy(dtype=int) for part in parts]
    test = moves(
        samples,
        strata=strata,
        resamples=resamples,
        rng=generator(seed, f"test of {data.measure}"),
    )
    first = np.arange(len(rows)) < len(samples[0])
    effect = _within_sessions(rows, names)
    tested = Tested(
        f"permutation test of means within sessions, {test.method}",
        "difference",
        effect,
        test.p,
        {"difference": test.interval},
        2 / dealings(first, np.concatenate(strata)),
        (f"sessions with one treatment: {', '.join(single)}",) if single else (),
    )
    return replace(
        _result(data, tested, names, samples, "difference", level),
        effect=effect,
        effect_name=f"difference of means within sessions ({names[1]} - {names[0]})",
        notes=data.notes,
    )


def _within_sessions(rows: pd.DataFrame, names: Sequence[str]) -> float:
    """Return the weighted mean of the differences within sessions."""
    cells = rows.groupby(["session", "treatment"])["value"]
    means, sizes = cells.mean().unstack(), cells.size().unstack()
    first, second = names
    weights = sizes[first] * sizes[second] / (sizes[first] + sizes[second])
    return float(np.average(means[second] - means[first], weights=weights))


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
    """Test whether the same units differ between two treatments, such as before and after.

    test     one of PAIRED
    effect   change from the first to the second: `shift` (Hodges-Lehmann), `difference` (mean) or
             `median_difference`; None: the test's default, which is `shift` for ranks and
             `difference` for means. Other effects have no interval

    Units with only one of the two treatments are left out; the result counts and names them. Raises
    UnknownName, ConfigError; NoTest with fewer than two pairs.
    """
    check(level=level, resamples=resamples)
    names = data.named(treatments)
    chosen("test", test, PAIRED)
    if effect is not None:
        chosen("effect", effect, effects.CHANGES)
    if len(names) != 2:
        raise ConfigError(f"paired: compares 2 treatments, not {len(names)}: {', '.join(names)}")
    if data.unit == "decision":
        raise ConfigError(
            "paired: individual decisions cannot be paired; use unit='group' or 'person'"
        )
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
    unpaired = wide.index.difference(whole.index)
    keys = [key if isinstance(key, tuple) else (key,) for key in unpaired]
    listed = these(dict.fromkeys(key[:2] for key in keys))
    sentence = (
        f"{counted(len(unpaired), data.unit)} in only one of {names[0]} and {names[1]} ({listed})"
    )
    return samples, (sentence,)


# -- results --------------------------------------------------------------------------------------


def _result(
    data: Units,
    tested: Tested,
    names: Sequence[str],
    samples: Sequence[Array],
    kind: str,
    level: float,
) -> Result:
    """Return a test's result, with the interval for this kind of effect but without the effect
    itself."""
    interval = tested.intervals.get(kind)
    low, high = interval(level) if interval else NONE
    notes = data.notes
    if tested.least_p > 1 - level + ROUNDING:
        least_p = f"{tested.least_p:.3g}"
        notes = (*notes, f"With so few {data.unit}s, p cannot be below {least_p}")
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
        least_p=tested.least_p,
        df=tested.df,
        left_out=data.left_out + tested.left_out,
        notes=notes,
    )
