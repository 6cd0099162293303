"""Specification curve: how a result depends on choices that could reasonably have been made
differently.

    curve = multiverse(data, "harvest")
    curve.table    one row per analysis: periods, exclusions, unit, test, effect, p
    str(curve)     the number of analyses that agree, and how often chance alone would give that
                   much agreement

All combinations of defensible choices are analysed (Steegen et al. 2016, Perspectives on
Psychological Science 11(5)). They form a specification curve. Permutation tests assess the whole
curve (Simonsohn, Simmons and Nelson 2020, Nature Human Behaviour 4): treatment labels are permuted
and all analyses are repeated. The effect is always the difference of means, whichever test p comes
from, so that analyses can be compared.
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
from mixed_company.analysis.kept import keys_of
from mixed_company.analysis.rounding import alike, ranks
from mixed_company.analysis.statistics.permuting import p_of_rank_sums
from mixed_company.analysis.statistics.result import NoTest
from mixed_company.engine.contract.chance import check_seed, generator
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

CHOICES = ("periods", "exclusions", "unit", "test")
TESTS = ("means (Welch)", "ranks (Mann-Whitney)")
_WHOLE = "all"
FEW = 10_001
"""Maximum number of label arrangements, including the true one, that are computed in this
process."""
_COUNTED = 100
"""Maximum number of units for exact rank sums. The computation grows with the fourth power of this
number."""


@dataclass(frozen=True)
class Multiverse:
    """All analyses, and how often chance alone would give that much agreement.

    table       one row per analysis, by effect: CHOICES, `units`, `effect`, `p`
    compared    the two treatments; the effect is the second minus the first
    alpha       level: an analysis is significant if its p is at most alpha
    p_median    share of permutations with a median effect at least as far from 0, on either side
    p_share     share of permutations with at least as many significant analyses with the same sign
    permuted    number of label permutations, and the units among which labels were permuted
    untested    analyses in which a treatment has fewer than two units, or all units have the same
                value
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
            f"(p = {self.p_median:.3f}); {agreeing} with the same sign have p <= {self.alpha:g} "
            f"(p = {self.p_share:.3f}). The p values in brackets test all analyses jointly, with "
            f"treatment labels {self.permuted}."
            + (f" Analyses that could not be run: {self.untested}." if self.untested else "")
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
    """Compare a period measure between two treatments in all defensible analyses.

    listed     groups that may be left out; whether to leave them out becomes another choice
    sessions   also use sessions, each with one treatment, as units; this becomes another choice,
               and labels are then permuted among whole sessions
    workers    number of processes, or `scheduler`, the address of a Dask cluster to use. Up to FEW
               arrangements are always computed in this process
    Raises UnknownName, ConfigError; NoTest if nothing varies, or no analysis has enough units.
    """
    if permutations < 1:
        raise ConfigError(f"permutations = {permutations}: should be 1 or more")
    if not 0 < alpha < 1:
        raise ConfigError(f"alpha = {alpha:g}: should be between 0 and 1, such as 0.05")
    check_seed(seed)
    frame = _periods(data, measure)
    names = _two(data, treatments)
    frame = frame[frame["treatment"].astype(str).isin(names)]
    groups = frame[[*_UNIT, "treatment"]].drop_duplicates(_UNIT).reset_index(drop=True)
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
    """Return the share of values that are at least as large as the first one, which is the observed
    value and is itself counted (Phipson and Smyth 2010, equation 2)."""
    return float(np.mean(values >= values[0] - 1e-9))


def _agreeing(effects: Array, p: Array, alpha: float) -> Array:
    """Return the number of significant analyses that have the more common sign."""
    up, down = ((p <= alpha) & (sign * effects > 0) for sign in (1, -1))
    return np.asarray(np.maximum(up.sum(axis=0), down.sum(axis=0)))


# -- the choices ----------------------------------------------------------------------------------


_UNIT = ["session", "unit"]


def _periods(data: Data, measure: str) -> pd.DataFrame:
    """Return the measure by group and period, with the `unit` of every group (`Data.by_unit`)."""
    frame = measures.periods(data, [measure])
    if measure not in frame:
        described = measures.described(data.game_id)
        names = list(described.loc[described["level"] == "period", "measure"])
        raise UnknownName(
            f"measure {short(measure)}: {data.game_id} has no such period measure"
            f"{nearest(measure, names)}"
        )
    units = data.by_unit(frame)["group"]
    return frame.assign(value=frame[measure].astype("float64"), unit=units)


def _two(data: Data, treatments: Sequence[str]) -> list[str]:
    for name in treatments:
        if name not in data.treatments:
            raise UnknownName(
                f"treatment {short(name)}: no group has it{nearest(name, data.treatments)}"
            )
    names = list(dict.fromkeys(treatments or data.treatments))
    if len(names) != 2:
        raise ConfigError(f"treatments = {names}: name the two treatments to compare")
    if not any(set(names) <= {*listed} for listed in data.blocks.values()):
        raise ConfigError(
            f"treatments = {names}: are from different blocks, which the same people played; name "
            f"two treatments of one block"
        )
    return names


@dataclass(frozen=True)
class _Analysis:
    """A combination of choices, and the value of every group or session (NaN: left out)."""

    chosen: tuple[str, ...]
    values: Array


def _analyses(
    data: Data,
    frame: pd.DataFrame,
    groups: pd.DataFrame,
    listed: Sequence[tuple[str, int]],
    sessions: bool,
) -> Iterator[_Analysis]:
    """Yield every combination that differs from all earlier ones."""
    keys = pd.MultiIndex.from_frame(groups[_UNIT])
    seen: list[Array] = []
    for (periods, part), (excluded, gone) in product(_parts(frame), _exclusions(data, listed)):
        rows = part[~pd.MultiIndex.from_frame(part[GROUP]).isin(list(gone))]
        values = rows.groupby(_UNIT)["value"].mean().reindex(keys).to_numpy(dtype=float)
        if any(np.array_equal(values, other, equal_nan=True) for other in seen):
            continue
        seen.append(values)
        for test in TESTS:
            yield _Analysis((periods, excluded, "group", test), values)
            if sessions:
                means = pd.Series(values).groupby(groups["session"].to_numpy()).transform("mean")
                first = ~groups["session"].duplicated().to_numpy()
                session_values = np.where(first, means.to_numpy(), np.nan)
                yield _Analysis((periods, excluded, "session", test), session_values)


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
    yield "groups with dropouts", {*keys_of(left)}
    yield "listed groups", set(listed)


# -- the permutations -----------------------------------------------------------------------------


def _labels(
    groups: pd.DataFrame,
    names: Sequence[str],
    sessions: bool,
    permutations: int,
    rng: np.random.Generator,
) -> Array:
    """Return flags of the groups in the second treatment, shape (permutations + 1, groups): the
    true ones first, then the permuted ones."""
    second = (groups["treatment"].astype(str) == names[1]).to_numpy(copy=True)
    if not sessions:
        return np.array([second, *(rng.permutation(second) for _ in range(permutations))])
    codes, _ = pd.factorize(groups["session"])
    of_session = np.array([second[codes == code] for code in range(codes.max() + 1)], dtype=object)
    if any(len(set(session_labels)) > 1 for session_labels in of_session):
        raise ConfigError(
            "sessions: some have groups of both treatments; permute labels among groups instead"
        )
    whole = np.array([bool(session_labels[0]) for session_labels in of_session])
    if min(whole.sum(), (~whole).sum()) < 2:
        raise NoTest("sessions: a treatment has fewer than two, so sessions cannot be units")
    return np.array([second, *(rng.permutation(whole)[codes] for _ in range(permutations))])


def _made(
    analyses: Sequence[_Analysis], labels: Array, workers: int, scheduler: str | None
) -> tuple[pd.DataFrame, Array, Array]:
    """Return the table under the true labels, plus all effects and p values (analyses, permutations
    + 1)."""
    able = [analysis for analysis in analyses if _can_be_made(analysis, labels[0])]
    if not able:
        raise NoTest("no analysis has two units in each treatment and different values")
    work = [(analysis, labels[:, ~np.isnan(analysis.values)]) for analysis in able]
    few = len(labels) <= FEW
    with Sharing(workers, scheduler, progress=not few).here_if(few) as sharing:
        results = sharing.gathered(_analysed, work, " analyses")
    effects, p = (np.array([result[part] for result in results]) for part in (0, 1))
    table = pd.DataFrame([analysis.chosen for analysis in able], columns=list(CHOICES))
    units = [int((~np.isnan(analysis.values)).sum()) for analysis in able]
    table = table.assign(units=units, effect=effects[:, 0], p=p[:, 0])
    return table, np.nan_to_num(effects), np.nan_to_num(p, nan=1.0)


def _can_be_made(analysis: _Analysis, second: Array) -> bool:
    """Return whether each treatment has at least two units and not all units are equal."""
    present = ~np.isnan(analysis.values)
    counts = second[present].sum(), (~second[present]).sum()
    return min(counts) >= 2 and not alike(analysis.values[present])


def _analysed(work: tuple[_Analysis, Array]) -> tuple[Array, Array]:
    analysis, second = work
    test = _of_means if analysis.chosen[-1] == TESTS[0] else _of_ranks
    return test(analysis.values[~np.isnan(analysis.values)], second)


def _of_means(values: Array, second: Array) -> tuple[Array, Array]:
    """Return the difference of means and Welch's p for every permutation."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean2, sd2, n2 = _described(values, second)
        mean1, sd1, n1 = _described(values, ~second)
        tested: Any = stats.ttest_ind_from_stats(mean2, sd2, n2, mean1, sd1, n1, equal_var=False)
    return np.asarray(mean2 - mean1), np.asarray(tested.pvalue)


def _described(values: Array, label: Array) -> tuple[Array, Array, Array]:
    """Return the mean, standard deviation and number of labelled values for every permutation."""
    n = label.sum(axis=1)
    mean = label @ values / n
    variance = np.maximum(label @ values**2 / n - mean**2, 0) * n / (n - 1)
    return mean, np.sqrt(variance), n


def _of_ranks(values: Array, second: Array) -> tuple[Array, Array]:
    """Return the difference of means and the Mann-Whitney p for every permutation.

    p is exact, as in the test itself. With many units, it comes from the normal distribution,
    corrected for ties and continuity.
    """
    effects, sizes = _of_means(values, second)[0], second.sum(axis=1)
    if len(values) <= _COUNTED:
        places = ranks(values)
        return effects, p_of_rank_sums(places, second @ places, sizes)
    p = np.full(len(second), np.nan)
    for size in np.unique(sizes[(sizes > 0) & (sizes < len(values))]):
        alike_sized = sizes == size
        every = np.broadcast_to(values, second[alike_sized].shape)
        first, other = (
            every[label[alike_sized]].reshape(len(every), -1) for label in (second, ~second)
        )
        p[alike_sized] = stats.mannwhitneyu(first, other, axis=1, method="asymptotic").pvalue
    return effects, p
