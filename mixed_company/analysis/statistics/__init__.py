"""Tests and intervals, with the group as the unit of independence.

    from mixed_company.analysis import statistics as st

    points = st.units(frame, "points")              one number per group, by treatment
    print(st.compare(points))                       a rank test, effect and interval: one sentence
    st.compare(points, "permutation", effect="cliffs_delta")
    st.paired(st.units(frame, "points", by="phase"))      before and after, within groups
    st.corrected(st.pairwise(points), "holm")       all pairs of treatments
    st.regression(frame, "reward ~ treatment + period")   errors clustered by group
    st.mixed(frame, "reward ~ treatment")           random intercepts for groups (and persons)
    st.compare_all(frame, ["points", "gini"])       a table, one row per measure

`frame` is any table with the columns `session`, `group` and `treatment` (and `seat` or
`participant`, if there are several rows per group). People who play together influence each other,
so their groups are independent but their decisions are not. A test on persons or individual
decisions must be requested explicitly and causes a warning.

    units        one number per unit, and a record of what was left out
    result       the result of a test
    comparing    comparisons of treatments between groups, within groups and within sessions
    tests        rank and permutation tests of samples
    permuting    exact and drawn permutations
    effects      effect sizes, and detectable effects
    intervals    the effects that a test does not reject
    design       the rows that a formula can use
    regressing   OLS and logit
    multilevel   mixed models
    wild         the wild cluster bootstrap, for few groups
    overview     tests of many measures at once
    spending     levels at interim looks
    survival     survival curves and the log-rank test

docs/statistics.md explains which test suits which design.
"""

from mixed_company.analysis.statistics.comparing import compare, paired, pairwise, stratified
from mixed_company.analysis.statistics.effects import EFFECTS, pooled_deviation, reached
from mixed_company.analysis.statistics.multilevel import mixed
from mixed_company.analysis.statistics.overview import compare_all, means, pairwise_all
from mixed_company.analysis.statistics.regressing import FewClustersWarning, Regression, regression
from mixed_company.analysis.statistics.result import CORRECTIONS, NoTest, Result, corrected
from mixed_company.analysis.statistics.survival import log_rank, survival
from mixed_company.analysis.statistics.tests import PAIRED, TESTS
from mixed_company.analysis.statistics.units import UNITS, PooledWarning, Units, intraclass, units

__all__ = [
    "CORRECTIONS",
    "EFFECTS",
    "PAIRED",
    "TESTS",
    "UNITS",
    "FewClustersWarning",
    "NoTest",
    "PooledWarning",
    "Regression",
    "Result",
    "Units",
    "compare",
    "compare_all",
    "corrected",
    "intraclass",
    "log_rank",
    "means",
    "mixed",
    "paired",
    "pairwise",
    "pairwise_all",
    "pooled_deviation",
    "reached",
    "regression",
    "stratified",
    "survival",
    "units",
]
