"""Does a result hang on choices that could as well have been made otherwise?

    own = multiverse(data, "harvest")
    own.table    one row per analysis: periods, exclusions, unit, test, effect, p
    str(own)     how many analyses agree, and how often chance alone would agree as much

All defensible choices at once (Steegen et al. 2016, Perspectives on Psychological Science 11(5)),
as a specification curve with permutation tests of the whole curve (Simonsohn, Simmons and Nelson
2020, Nature Human Behaviour 4): labels of treatments are permuted, and all analyses are made again.
The effect is the difference of means whichever test gives p, so that analyses can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from mixed_company.analysis import measures
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.rounding import alike, ranks
from mixed_company.analysis.statistics.permuting import p_of_rank_sums
from mixed_company.analysis.statistics.result import NoTest
from mixed_company.engine.contract.chance import check_seed, generator
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

__all__ = ["CHOICES", "Multiverse", "multiverse"]

CHOICES = ("periods", "exclusions", "unit", "test")
TESTS = ("means (Welch)", "ranks (Mann-Whitney)")
_WHOLE = "all"
FEW = 10_001
"""Up to so many arrangements of labels, as they were among them, are made in this process."""
_COUNTED = 100
"""Up to so many units sums of ranks are counted: the work grows with the fourth power of it."""


@dataclass(frozen=True)
class Multiverse:
    """All analyses, and what chance makes of them.

    table       one row per analysis, by effect: CHOICES, `units`, `effect`, `p`
    compared    the two treatments; the effect is of the second less the first
    alpha       an analysis is significant at or below it
    p_median    share of permutations with a median effect as far from 0, both sides
    p_share     share of permutations with as many significant analyses of one sign
    permuted    how often labels were permuted, and between what
    untested    analyses that have fewer than two units of a treatment, or all units alike
    """

    table: pd.DataFrame
    measure: str
    compared: tuple[str, str]
    alpha: float
    p_median: float
    p_share: float
    permuted: str
    untested: int = 0

    def __str__(self) -> str:
        effects = self.table["effect"]
        sign = 1 if effects.median() >= 0 else -1
        agreeing = int(((self.table["p"] <= self.alpha) & (effects * sign > 0)).sum())
        return (
            f"{self.measure}, {self.compared[1]} - {self.compared[0]}: {len(self.table)} analyses, "
            f"effects {effects.min():.4g} to {effects.max():.4g}, median {effects.median():.4g} "
            f"(p = {self.p_median:.3f}); {agreeing} of one sign have p <= {self.alpha:g} "
            f"(p = {self.p_share:.3f}). The p in brackets are of all analyses together: labels of "
            f"treatments {self.permuted}."
            + (f" Analyses that cannot be made: {self.untested}." if self.untested else "")
        )


def multiverse(
    data: Data,
    measure: str,
    *,
    treatments: Sequence[str] = (),
    listed: Sequence[tuple[str, int]] = (),
    sessions: bool = False,
    permutations: int = 999,
    alpha: float = 0.05,
    seed: int = 0,
    workers: int = 1,
    scheduler: str | None = None,
) -> Multiverse:
    """All defensible analyses that compare a measure of periods between two treatments.

    listed     groups that somebody leaves out: with and without them is a choice more
    sessions   sessions, each of one treatment, as units are a choice more; labels are then
               permuted between whole sessions
    workers    processes, or the address of a Dask cluster (`scheduler`), where there are more than
               FEW arrangements; fewer are made before a process has begun
    Raises UnknownName, ConfigError; NoTest where nothing varies, or no analysis has enough units.
    """
    if permutations < 1:
        raise ConfigError(f"permutations = {permutations}: 1 or more")
    if not 0 < alpha < 1:
        raise ConfigError(f"alpha = {alpha:g}: between 0 and 1, such as 0.05")
    check_seed(seed)
    frame = _periods(data, measure)
    names = _two(data, treatments)
    frame = frame[frame["treatment"].astype(str).isin(names)]
    groups = frame[[*GROUP, "treatment"]].drop_duplicates(GROUP).reset_index(drop=True)
    analyses = list(_analyses(data, frame, groups, listed, sessions))
    labels = _labels(groups, names, sessions, permutations, generator(seed, "labels"))
    table, effects, p = _made(analyses, labels, workers, scheduler)
    order = np.argsort(table["effect"].to_numpy(), kind="stable")
    medians = np.abs(np.median(effects, axis=0))
    shares = _agreeing(effects, p, alpha)
    between = "sessions" if sessions else "groups"
    return Multiverse(
        table.iloc[order].reset_index(drop=True),
        measure,
        (names[0], names[1]),
        alpha,
        _at_least(medians),
        _at_least(shares),
        f"permuted {permutations} times between {between}",
        len(analyses) - len(table),
    )


def _at_least(values: Array) -> float:
    """The share of permutations as large as what was seen, the first; what was seen is one of them
    (Phipson and Smyth 2010, equation 2)."""
    return float(np.mean(values >= values[0] - 1e-9))


def _agreeing(effects: Array, p: Array, alpha: float) -> Array:
    """How many analyses are significant, of the sign that has more of them."""
    up, down = ((p <= alpha) & (sign * effects > 0) for sign in (1, -1))
    return np.asarray(np.maximum(up.sum(axis=0), down.sum(axis=0)))


# -- the choices ----------------------------------------------------------------------------------


def _periods(data: Data, measure: str) -> pd.DataFrame:
    frame = measures.periods(data, [measure])
    if measure not in frame:
        described = measures.described(data.game_id)
        known = list(described.loc[described["level"] == "period", "measure"])
        raise UnknownName(
            f"measure {short(measure)}: none of periods in {data.game_id}{nearest(measure, known)}"
        )
    return frame.assign(value=frame[measure].astype("float64"))


def _two(data: Data, treatments: Sequence[str]) -> list[str]:
    for name in treatments:
        if name not in data.treatments:
            raise UnknownName(
                f"treatment {short(name)}: no group is of it{nearest(name, data.treatments)}"
            )
    names = list(dict.fromkeys(treatments or data.treatments))
    if len(names) != 2:
        raise ConfigError(f"treatments = {names}: two are compared; name them")
    return names


@dataclass(frozen=True)
class _Analysis:
    """One row of choices, and its value of every group or session; NaN: left out."""

    chosen: tuple[str, ...]
    values: Array


def _analyses(
    data: Data,
    frame: pd.DataFrame,
    groups: pd.DataFrame,
    listed: Sequence[tuple[str, int]],
    sessions: bool,
) -> Iterator[_Analysis]:
    """Every combination that is not the same as one before."""
    keys = pd.MultiIndex.from_frame(groups[GROUP])
    seen: list[Array] = []
    for (periods, part), (excluded, gone) in product(_parts(frame), _exclusions(data, listed)):
        values = part.groupby(GROUP)["value"].mean().reindex(keys).to_numpy(dtype=float)
        values = np.where([key in gone for key in keys], np.nan, values)
        if any(np.array_equal(values, other, equal_nan=True) for other in seen):
            continue
        seen.append(values)
        for test in TESTS:
            yield _Analysis((periods, excluded, "group", test), values)
            if sessions:
                means = pd.Series(values).groupby(groups["session"].to_numpy()).transform("mean")
                first = ~groups["session"].duplicated().to_numpy()
                own = np.where(first, means.to_numpy(), np.nan)
                yield _Analysis((periods, excluded, "session", test), own)


def _parts(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    number = frame["period"]
    middle = (number.min() + number.max() + 1) / 2
    yield _WHOLE, frame
    yield "without the first", frame[number > number.min()]
    yield "first half", frame[number < middle]
    yield "second half", frame[number >= middle]


def _exclusions(
    data: Data, listed: Sequence[tuple[str, int]]
) -> Iterator[tuple[str, set[tuple[str, int]]]]:
    yield "nobody", set()
    left = data.seats.loc[data.seats["reason"] == "dropout", GROUP]
    yield "groups that somebody left", {(str(one), int(two)) for one, two in left.to_numpy()}
    yield "groups that are listed", {*listed}


# -- the permutations -----------------------------------------------------------------------------


def _labels(
    groups: pd.DataFrame,
    names: Sequence[str],
    sessions: bool,
    permutations: int,
    rng: np.random.Generator,
) -> Array:
    """(permutations + 1, groups): is it of the second treatment? As it was first, then permuted."""
    second = (groups["treatment"].astype(str) == names[1]).to_numpy()
    if not sessions:
        return np.array([second, *(rng.permutation(second) for _ in range(permutations))])
    codes, _ = pd.factorize(groups["session"])
    of_session = np.array([second[codes == code] for code in range(codes.max() + 1)], dtype=object)
    if any(len(set(own)) > 1 for own in of_session):
        raise ConfigError(
            "sessions: some hold both treatments; labels are permuted between groups then"
        )
    whole = np.array([bool(own[0]) for own in of_session])
    if min(whole.sum(), (~whole).sum()) < 2:
        raise NoTest("sessions: a treatment has fewer than two; they cannot be units")
    return np.array([second, *(rng.permutation(whole)[codes] for _ in range(permutations))])


def _made(
    analyses: Sequence[_Analysis], labels: Array, workers: int, scheduler: str | None
) -> tuple[pd.DataFrame, Array, Array]:
    """The table as it is, and effects and p (analyses, permutations + 1)."""
    own = [one for one in analyses if _can_be_made(one, labels[0])]
    if not own:
        raise NoTest("no analysis has two units of each treatment that differ")
    work = [(one, labels[:, ~np.isnan(one.values)]) for one in own]
    few = len(labels) <= FEW
    with Sharing(workers, scheduler, progress=not few).here_if(few) as sharing:
        results = sharing.gathered(_analysed, work, " analyses")
    effects, p = (np.array([result[part] for result in results]) for part in (0, 1))
    table = pd.DataFrame([one.chosen for one in own], columns=list(CHOICES))
    units = [int((~np.isnan(one.values)).sum()) for one in own]
    table = table.assign(units=units, effect=effects[:, 0], p=p[:, 0])
    return table, np.nan_to_num(effects), np.nan_to_num(p, nan=1.0)


def _can_be_made(own: _Analysis, second: Array) -> bool:
    """Are there two units of each treatment, and do any differ?"""
    there = ~np.isnan(own.values)
    counts = second[there].sum(), (~second[there]).sum()
    return min(counts) >= 2 and not alike(own.values[there])


def _analysed(work: tuple[_Analysis, Array]) -> tuple[Array, Array]:
    own, second = work
    test = _of_means if own.chosen[-1] == TESTS[0] else _of_ranks
    return test(own.values[~np.isnan(own.values)], second)


def _of_means(values: Array, second: Array) -> tuple[Array, Array]:
    """Return the difference of means and Welch's p for every permutation."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean2, sd2, n2 = _described(values, second)
        mean1, sd1, n1 = _described(values, ~second)
        tested: Any = stats.ttest_ind_from_stats(mean2, sd2, n2, mean1, sd1, n1, equal_var=False)
    return np.asarray(mean2 - mean1), np.asarray(tested.pvalue)


def _described(values: Array, label: Array) -> tuple[Array, Array, Array]:
    """Return mean, standard deviation and number of the labelled values of every permutation."""
    n = label.sum(axis=1)
    mean = label @ values / n
    variance = np.maximum(label @ values**2 / n - mean**2, 0) * n / (n - 1)
    return mean, np.sqrt(variance), n


def _of_ranks(values: Array, second: Array) -> tuple[Array, Array]:
    """Return the difference of means, and p of Mann and Whitney for every permutation.

    It is exact, as in the test itself; of many units it is that of the normal distribution, with
    ties and continuity.
    """
    effects, sizes = _of_means(values, second)[0], second.sum(axis=1)
    if len(values) <= _COUNTED:
        places = ranks(values)
        return effects, p_of_rank_sums(places, second @ places, sizes)
    p = np.full(len(second), np.nan)
    for size in np.unique(sizes[(sizes > 0) & (sizes < len(values))]):
        alike_sized = sizes == size
        every = np.broadcast_to(values, second[alike_sized].shape)
        one, other = (
            every[label[alike_sized]].reshape(len(every), -1) for label in (second, ~second)
        )
        p[alike_sized] = stats.mannwhitneyu(one, other, axis=1, method="asymptotic").pvalue
    return effects, p
