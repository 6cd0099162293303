"""Mixed models: groups, and persons in them, as drawn at random."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from statsmodels.tools.sm_exceptions import ConvergenceWarning

from mixed_company.analysis.statistics.design import Design, design_of, sizes
from mixed_company.analysis.statistics.regressing import Regression, few, results_of
from mixed_company.analysis.statistics.result import NoTest, Result, check
from mixed_company.analysis.statistics.units import grouped

__all__ = ["mixed"]


def mixed(frame: pd.DataFrame, formula: str, *, level: float = 0.95) -> Regression:
    """Fit a linear model in which every group has an intercept of its own, drawn from a normal.

    So it has a slope of its own for every number of the formula that changes within groups, such as
    the period: without it p of that number is much too small (Barr, Levy, Scheepers and Tily 2013,
    Journal of Memory and Language 68(3)). Where there are several rows per seat (or participant),
    every person in a group has an intercept too.

    The reference treatment is the first one, as in `regression`. REML: Laird and Ware (1982),
    Biometrics 38(4); t with as many degrees of freedom as there are groups less what is estimated
    between them, which is exact for as many rows in every group. Fewer than 20 groups warn. A fit
    that does not converge is refused; what else statsmodels says of it is in the notes.
    Raises UnknownName, ConfigError, NoTest.
    """
    check(level=level)
    design = design_of(frame, formula)
    design.check_rest()
    notes = few(formula, design.groups, "group", "Compare the groups' means by a rank test")
    slopes = _slopes(design)
    fit, messages, person = _fitted(design, slopes)
    if not fit.converged:
        raise NoTest(
            f"{formula}: the mixed model did not converge, as happens where groups hardly differ; "
            f"a regression with clustered errors does without. It said: {' '.join(messages)}"
        )
    between, *steeper = np.diag(fit.cov_re).tolist()
    variances = {"group": between}
    for name, variance in zip(slopes, steeper, strict=True):
        variances[f"slope of {name}"] = variance / float(design.rows[name].std()) ** 2
    variances |= {"person": float(fit.vcomp[0])} if person else {}
    variances["rest"] = float(fit.scale)
    notes += tuple(
        f"The variance between {name}s is estimated near 0"
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
    """Return the result of z as one of t with these degrees of freedom."""
    reach = float(stats.t.ppf((1 + result.level) / 2, freedom)) * error
    return replace(
        result,
        symbol="t",
        p=float(2 * stats.t.sf(abs(result.statistic), freedom)),
        low=result.effect - reach,
        high=result.effect + reach,
    )


def _slopes(design: Design) -> list[str]:
    """Return the numbers of the formula that change within groups."""
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
    """Return the groups less the coefficients of what does not change within them."""
    constant = design.x.groupby(grouped(design.rows)).nunique().max() == 1
    return max(1, design.groups - int(constant.sum()))


def _fitted(design: Design, slopes: Sequence[str]) -> tuple[Any, list[str], bool]:
    """Return the fit, its messages, and whether persons have intercepts. Raises NoTest."""
    rows = design.rows.assign(_group=grouped(design.rows))
    person = _person_of(rows)
    # About the mean and in standard deviations, the model is the same and easier to fit.
    near = {f"_slope_{place}": rows[name] for place, name in enumerate(slopes)}
    rows = rows.assign(**{name: (x - x.mean()) / x.std() for name, x in near.items()})
    within: dict[str, Any] = {}
    if person:
        rows = rows.assign(_person=rows.groupby(["_group", person]).ngroup())
        within = {"vc_formula": {"person": "0 + C(_person)"}}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            fit = sm.MixedLM.from_formula(
                design.formula,
                rows,
                groups="_group",
                re_formula=" + ".join(["1", *near]),
                **within,
            ).fit()
        except (np.linalg.LinAlgError, ValueError) as error:
            raise NoTest(
                f"{design.formula}: the mixed model could not be fitted: {error}"
            ) from None
    messages = [
        str(warning.message)
        for warning in caught
        if issubclass(warning.category, ConvergenceWarning)
    ]
    return fit, messages, bool(person)


def _after_retrying(messages: Sequence[str]) -> tuple[str, ...]:
    """Return the messages of the optimisation that converged, not of those before it."""
    last = max(
        (at for at, message in enumerate(messages) if message.startswith("Retrying")), default=-1
    )
    return tuple(dict.fromkeys(message.rstrip(".") for message in messages[last + 1 :]))


def _person_of(rows: pd.DataFrame) -> str:
    """Return the column of the person, if groups have several of them and any has several rows."""
    name = next((name for name in ("seat", "participant") if name in rows.columns), "")
    if not name or rows.groupby("_group")[name].nunique().max() < 2:
        return ""
    return name if rows.duplicated(["_group", name]).any() else ""
