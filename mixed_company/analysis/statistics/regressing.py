"""Regressions with errors clustered by group."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from statsmodels.discrete.discrete_model import Logit
from statsmodels.regression.linear_model import OLS
from statsmodels.tools.sm_exceptions import ConvergenceWarning, PerfectSeparationWarning

from mixed_company.analysis.statistics.design import Design, design_of, sizes
from mixed_company.analysis.statistics.result import NoTest, Result, check, chosen
from mixed_company.analysis.statistics.units import GROUP, UNITS, keys_of, pooled
from mixed_company.analysis.statistics.wild import WILD_RESAMPLES, wild
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.comparisons import counted

FEW = 20
"""Minimum number of clusters without a warning. In Cameron and Miller (2015), Journal of Human
Resources 50(2), section VI, few clusters are "less than 20 to less than 50"."""
KINDS = {"ols": "OLS", "logit": "logit"}
ERRORS = ("cluster", "wild")


class FewClustersWarning(UserWarning):
    """A warning that p values are too small because there are few groups."""


@dataclass(frozen=True)
class Regression:
    """Results by coefficient name, and statsmodels' fit (`fit`).

    variances   variances in a mixed model: between groups, of the groups' slopes, between persons
                within groups, and residual
    """

    formula: str
    results: Mapping[str, Result]
    fit: Any
    variances: Mapping[str, float] = field(default_factory=dict)

    @property
    def table(self) -> pd.DataFrame:
        """A table with the columns `coefficient`, `effect`, `low`, `high`, `statistic`, `p`."""
        names = ["effect", "low", "high", "statistic", "p"]
        rows = [
            {"coefficient": name, **{key: getattr(result, key) for key in names}}
            for name, result in self.results.items()
        ]
        return pd.DataFrame(rows, columns=["coefficient", *names])


def few(formula: str, number: int, unit: str, advice: str) -> tuple[str, ...]:
    """Warn (FewClustersWarning) and return a note if there are few clusters."""
    if number >= FEW:
        return ()
    sentence = (
        f"{formula}: with only {counted(number, unit)}, p values are too small and intervals too "
        f"narrow"
    )
    warnings.warn(f"{sentence}. {advice}", FewClustersWarning, stacklevel=3)
    return (sentence,)


# -- clustered errors -----------------------------------------------------------------------------


def regression(
    frame: pd.DataFrame,
    formula: str,
    *,
    kind: str = "ols",
    errors: str = "cluster",
    unit: str = "group",
    level: float = 0.95,
    resamples: int = WILD_RESAMPLES,
    seed: int = 0,
) -> Regression:
    """Fit a regression with errors clustered by group, such as `reward ~ treatment + period`.

    formula   formula with columns of the frame, as in R; `C(period)` for one coefficient per
              period. The reference treatment is the first one in order of appearance, or of the
              categories, as in `compare`
    kind      `ols`, or `logit` for outcomes of 0 and 1, in log odds
    errors    `cluster`: Liang and Zeger (1986), Biometrika 73(1), with the factor
              G / (G - 1) * (N - 1) / (N - k) and t with G - 1 degrees of freedom; fewer than 20
              clusters cause a warning. `wild`: p and interval by the wild cluster bootstrap, OLS
              only
    unit      unit of clustering: `group`, or `session` if people meet other groups. `person` and
              `decision` (HC1, without clusters) cause a warning. `n` counts these units

    Raises UnknownName, ConfigError, NoTest.
    """
    check(level=level, resamples=resamples)
    chosen("kind", kind, KINDS)
    chosen("errors", errors, ERRORS)
    chosen("unit", unit, UNITS)
    if errors == "wild" and kind != "ols":
        raise ConfigError("errors = 'wild': applies only to kind = 'ols'")
    design = design_of(frame, formula)
    clusters = _clusters(design.rows, unit)
    notes: tuple[str, ...] = ()
    if unit in ("person", "decision"):
        notes = _pooled(design, clusters, unit)
    elif errors == "cluster":
        advice = "Use errors='wild'" if kind == "ols" else "Compare the groups' means instead"
        notes = few(formula, int(clusters.max()) + 1, unit, advice)
    fit = _fitted(design, kind, clusters, unit)
    method = "errors not clustered" if unit == "decision" else _METHODS[errors].format(unit=unit)
    n = sizes(formula, design.rows, pd.Series(clusters, design.rows.index))
    results = results_of(design, fit, f"{KINDS[kind]}, {method}", level, n, unit, notes)
    if errors == "wild":
        results = _wild(design, results, clusters, level, resamples, seed)
    return Regression(formula, results, fit)


_METHODS = {"cluster": "errors clustered by {unit}", "wild": "wild bootstrap by {unit}"}


def _clusters(rows: pd.DataFrame, unit: str) -> Array:
    """Return every row's cluster number. Raises ConfigError, NoTest."""
    if unit == "decision":
        return np.arange(len(rows))
    clusters = rows.groupby(keys_of(rows, unit), sort=False).ngroup().to_numpy()
    if clusters.max() < 1:
        raise NoTest(f"there is only 1 {unit}; errors clustered by {unit} need at least 2")
    return np.asarray(clusters)


def _pooled(design: Design, clusters: Array, unit: str) -> tuple[str, ...]:
    """Warn that units are not independent, with the intraclass correlation of the residuals."""
    residuals = design.y - OLS(design.y, design.x).fit().fittedvalues
    rows = design.rows[GROUP].assign(treatment="", value=residuals, cluster=clusters)
    means = rows.groupby([*GROUP, "treatment", "cluster"])["value"].mean().reset_index()
    return pooled(design.formula, means, unit, depth=4)


def _fitted(design: Design, kind: str, clusters: Array, unit: str) -> Any:
    options: dict[str, Any] = {"cov_type": "HC1", "use_t": True}
    if unit != "decision":
        options |= {"cov_type": "cluster", "cov_kwds": {"groups": clusters}}
    if kind == "ols":
        design.check_rest()
        return OLS(design.y, design.x).fit(**options)
    if not design.y.isin([0, 1]).all():
        raise ConfigError(f"{design.formula}: kind = 'logit' needs an outcome of 0 and 1")
    with warnings.catch_warnings():
        warnings.simplefilter("error", PerfectSeparationWarning)
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            return Logit(design.y, design.x).fit(disp=0, **options)
        except (PerfectSeparationWarning, np.linalg.LinAlgError):
            raise NoTest(
                f"{design.formula}: a variable separates the outcome perfectly, so its coefficient "
                "has no finite value; compare the groups' shares with a permutation test"
            ) from None
        except ConvergenceWarning as warning:
            raise NoTest(f"{design.formula}: the fit did not converge: {warning}") from None


def results_of(
    design: Design,
    fit: Any,
    test: str,
    level: float,
    n: Mapping[str, int],
    unit: str,
    notes: tuple[str, ...],
) -> dict[str, Result]:
    """Return one Result per coefficient of a statsmodels fit. Raises NoTest."""
    for name in design.x.columns:
        if not np.isfinite(fit.pvalues[name]):
            raise NoTest(f"{design.formula}: the standard error of {name} is undefined")
    ends = fit.conf_int(alpha=1 - level)
    return {
        name: Result(
            test=f"{test}, {design.formula}",
            measure=name,
            symbol="t" if fit.use_t else "z",
            statistic=float(fit.tvalues[name]),
            p=float(fit.pvalues[name]),
            effect_name="coefficient",
            effect=float(fit.params[name]),
            low=float(ends.loc[name].iloc[0]),
            high=float(ends.loc[name].iloc[1]),
            level=level,
            n=n,
            unit=unit,
            left_out=design.left_out,
            notes=notes,
        )
        for name in design.x.columns
    }


def _wild(
    design: Design,
    results: Mapping[str, Result],
    clusters: Array,
    level: float,
    resamples: int,
    seed: int,
) -> dict[str, Result]:
    y, x = design.y.to_numpy(), design.x.to_numpy()
    tested = {}
    for column, (name, result) in enumerate(results.items()):
        rng = generator(seed, f"wild bootstrap of {name}")
        bootstrap = wild(y, x, clusters, column, level=level, resamples=resamples, rng=rng)
        notes = (*result.notes, bootstrap.method)
        if np.isnan([bootstrap.low, bootstrap.high]).any():
            notes += (f"no interval: too few {result.unit}s to reject any value",)
        tested[name] = replace(
            result, p=bootstrap.p, low=bootstrap.low, high=bootstrap.high, notes=notes
        )
    return tested
