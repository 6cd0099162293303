"""Mixed models with random effects for groups and for persons within groups."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.regression.mixed_linear_model import MixedLM
from statsmodels.tools.sm_exceptions import ConvergenceWarning

from mixed_company.analysis.statistics.design import Design, design_of, sizes
from mixed_company.analysis.statistics.regressing import Regression, few, results_of
from mixed_company.analysis.statistics.result import NoTest, Result, check
from mixed_company.analysis.statistics.units import grouped, person_column


def mixed(frame: pd.DataFrame, formula: str, *, level: float = 0.95) -> Regression:
    """Fit a linear model with random intercepts for groups.

    Groups also have random slopes for every numeric term that varies within groups, such as the
    period, because without them the term's p is much too small (Barr, Levy, Scheepers and Tily
    2013, Journal of Memory and Language 68(3)). If there are several rows per seat (or
    participant), every person in a group has a random intercept too.

    The reference treatment is the first one, as in `regression`. REML: Laird and Ware (1982),
    Biometrics 38(4). The degrees of freedom of t are the number of groups minus the number of
    coefficients between groups, which is exact if all groups have the same number of rows. There is
    a warning if there are fewer than 20 groups. Warnings from statsmodels are added to the notes.
    Raises UnknownName, ConfigError, and NoTest (also if the fit does not converge).
    """
    check(level=level)
    design = design_of(frame, formula)
    design.check_rest()
    notes = few(formula, design.groups, "group", "Use a rank test of the groups' means instead")
    slopes = _slopes(design)
    fit, messages, person = _fitted(design, slopes)
    if not fit.converged:
        raise NoTest(
            f"{formula}: the mixed model did not converge, which happens if groups hardly differ; "
            f"use a regression with clustered errors instead. statsmodels: {' '.join(messages)}"
        )
    between, *of_slopes = np.diag(fit.cov_re).tolist()
    variances = {"group": between}
    for name, variance in zip(slopes, of_slopes, strict=True):
        variances[f"slope of {name}"] = variance / float(design.rows[name].std()) ** 2
    variances |= {"person": float(fit.vcomp[0])} if person else {}
    variances["rest"] = float(fit.scale)
    notes += tuple(
        f"The estimated variance between {name}s is close to 0"
        for name, value in variances.items()
        if name in ("group", "person") and value < _NEAR_0 * sum(variances.values())
    )
    test = f"mixed model, intercepts by group{' and person' if person else ''}"
    test += f", slopes of {' and '.join(slopes)} by group" if slopes else ""
    n = sizes(formula, design.rows, grouped(design.rows))
    notes += _after_retrying(messages)
    results = results_of(design, fit, test, level, n, "group", notes)
    by_t = {
        name: _by_t(result, fit.bse[name], _freedom(design)) for name, result in results.items()
    }
    return Regression(formula, by_t, fit, variances)


_NEAR_0 = 1e-3


def _by_t(result: Result, error: float, freedom: int) -> Result:
    """Replace the z test in a result with a t test with these degrees of freedom."""
    half_width = float(stats.t.ppf((1 + result.level) / 2, freedom)) * error
    return replace(
        result,
        symbol="t",
        p=float(2 * stats.t.sf(abs(result.statistic), freedom)),
        low=result.effect - half_width,
        high=result.effect + half_width,
    )


def _slopes(design: Design) -> list[str]:
    """Return the numeric terms of the formula that vary within groups."""
    rows, groups = design.rows, grouped(design.rows)
    named = dict.fromkeys(re.findall(r"\w+", design.formula.partition("~")[2]))
    return [
        name
        for name in named
        if name in rows.columns
        and pd.api.types.is_numeric_dtype(rows[name])
        and f"C({name}" not in design.formula
        and (rows.groupby(groups)[name].nunique() > 1).any()
    ]


def _freedom(design: Design) -> int:
    """Return the number of groups minus the number of columns that are constant within groups."""
    constant = design.x.groupby(grouped(design.rows)).nunique().max() == 1
    return max(1, design.groups - int(constant.sum()))


def _fitted(design: Design, slopes: Sequence[str]) -> tuple[Any, list[str], bool]:
    """Return the fit, its messages, and whether persons have random intercepts. Raises NoTest."""
    rows = design.rows.assign(_group=grouped(design.rows))
    person = _person_of(rows)
    # Standardised slopes lead to the same model, which is easier to fit.
    scaled = {f"_slope_{place}": rows[name] for place, name in enumerate(slopes)}
    rows = rows.assign(**{name: (x - x.mean()) / x.std() for name, x in scaled.items()})
    within: dict[str, Any] = {}
    if person:
        rows = rows.assign(_person=rows.groupby(["_group", person]).ngroup())
        within = {"vc_formula": {"person": "0 + C(_person)"}}
    with warnings.catch_warnings(record=True) as warnings_shown:
        warnings.simplefilter("always")
        try:
            fit = MixedLM.from_formula(
                design.formula,
                rows,
                groups="_group",
                re_formula=" + ".join(["1", *scaled]),
                **within,
            ).fit()
        except (np.linalg.LinAlgError, ValueError) as error:
            raise NoTest(
                f"{design.formula}: the mixed model could not be fitted: {error}"
            ) from None
    messages = [
        str(warning.message)
        for warning in warnings_shown
        if issubclass(warning.category, ConvergenceWarning)
    ]
    return fit, messages, bool(person)


def _after_retrying(messages: Sequence[str]) -> tuple[str, ...]:
    """Return the messages from the last optimisation, without messages from earlier attempts."""
    last = max(
        (place for place, message in enumerate(messages) if message.startswith("Retrying")),
        default=-1,
    )
    return tuple(dict.fromkeys(message.rstrip(".") for message in messages[last + 1 :]))


def _person_of(rows: pd.DataFrame) -> str:
    """Return the column that identifies persons, if groups have several persons and any person has
    several rows."""
    name = next(iter(person_column(rows)), "")
    if not name or rows.groupby("_group")[name].nunique().max() < 2:
        return ""
    return name if rows.duplicated(["_group", name]).any() else ""
