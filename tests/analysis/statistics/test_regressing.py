"""Regressions calculated by hand, rows left out, warnings and errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_ind

from mixed_company.analysis import statistics as st
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from tests.analysis.statistics.frames import clustered, per_group

FOUR = per_group(a=[0, 2], b=[1, 7])
FEW = pytest.mark.filterwarnings("ignore::mixed_company.analysis.statistics.FewClustersWarning")


@FEW
def test_one_row_per_group_by_hand():
    """The means are 1 and 4, so the effect is 3. Residuals -1, 1, -3, 3: (1 + 1) / 4 + (9 + 9) / 4
    = 5, times G / (G - 1) * (N - 1) / (N - k) = 4 / 3 * 3 / 2 = 2: a standard error of sqrt(10)."""
    fit = st.regression(FOUR, "points ~ treatment").results["treatment[T.b]"]
    assert fit.effect == pytest.approx(3)
    assert fit.statistic == pytest.approx(3 / 10**0.5)
    assert fit.n == {"a": 2, "b": 2}
    # t with 3 degrees of freedom: 3.182 at 0.975
    assert fit.high - fit.effect == pytest.approx(3.182 * 10**0.5, abs=2e-3)


@FEW
def test_duplicated_rows_of_a_group_do_not_count_twice():
    """The groups' scores are unchanged; the factor is 4 / 3 * 7 / 6, and 5 * 14 / 9 = 70 / 9."""
    fit = st.regression(pd.concat([FOUR, FOUR]), "points ~ treatment").results["treatment[T.b]"]
    assert fit.statistic == pytest.approx(3 / (70 / 9) ** 0.5)


def test_few_clusters_warn_and_many_do_not(recwarn):
    with pytest.warns(st.FewClustersWarning, match="only 4 groups, p values .*'wild'"):
        fit = st.regression(FOUR, "points ~ treatment")
    assert "with only 4 groups" in str(fit.results["Intercept"])
    recwarn.clear()
    st.regression(per_group(a=range(10), b=range(10)), "points ~ treatment")
    assert not recwarn


def test_pooling_must_be_requested_and_warns():
    frame = clustered(seed=2, groups={"a": 6, "b": 6}, between=4.0)
    with pytest.warns(st.PooledWarning, match="240 decisions of 12 groups are not") as warned:
        pooled = st.regression(frame, "points ~ treatment", unit="decision")
    assert warned[0].filename == __file__
    with pytest.warns(st.FewClustersWarning):
        by_group = st.regression(frame, "points ~ treatment")
    narrow, wide = (
        row.results["treatment[T.b]"].high - row.results["treatment[T.b]"].low
        for row in (pooled, by_group)
    )
    assert narrow < 0.5 * wide
    row = pooled.results["Intercept"]
    assert row.test == "OLS, errors not clustered, points ~ treatment"
    # 6 groups per treatment, with 4 seats and 5 periods: 120 decisions, 24 people
    assert (row.unit, row.n) == ("decision", {"a": 120, "b": 120})
    assert "(a: 120 decisions, b: 120 decisions)" in str(row)
    with pytest.warns(st.PooledWarning, match="48 people of 12 groups are not independent"):
        row = st.regression(frame, "points ~ treatment", unit="person").results["Intercept"]
    assert (row.unit, row.n) == ("person", {"a": 24, "b": 24})


@FEW
def test_sessions_can_be_the_clusters():
    frame = pd.concat([FOUR, FOUR.assign(session="t"), FOUR.assign(session="u")])
    fit = st.regression(frame, "points ~ treatment", unit="session")
    row = fit.results["Intercept"]
    assert row.test.startswith("OLS, errors clustered by session")
    assert (row.unit, row.n) == ("session", {"a": 3, "b": 3})
    with pytest.raises(st.NoTest, match="there is only 1 session; errors clustered by session"):
        st.regression(FOUR, "points ~ treatment", unit="session")


@FEW
def test_a_logit_by_hand():
    """Shares of one in four and three in four have log odds of -log 3 and log 3."""
    frame = per_group(a=[1, 0, 0, 0], b=[1, 1, 1, 0]).assign(paid=lambda table: table["points"] > 0)
    fit = st.regression(frame, "paid ~ treatment", kind="logit").results
    assert fit["Intercept"].effect == pytest.approx(-np.log(3))
    assert fit["treatment[T.b]"].effect == pytest.approx(2 * np.log(3))


@FEW
def test_missing_values_are_counted():
    frame = pd.concat(
        [
            FOUR.astype({"group": "Int64"}),
            per_group(b=[np.nan]).assign(group=9),
            FOUR.head(1).assign(group=pd.NA),
        ]
    )
    fit = st.regression(frame, "points ~ treatment")
    assert fit.results["Intercept"].left_out == (
        "1 of 6 rows have no group",
        "1 of 5 rows lack a value that 'points ~ treatment' needs",
    )
    assert fit.results["treatment[T.b]"].effect == pytest.approx(3)


@FEW
def test_the_table_has_a_row_per_coefficient():
    table = st.regression(FOUR, "points ~ treatment").table
    assert table["coefficient"].tolist() == ["Intercept", "treatment[T.b]"]
    assert table["effect"].tolist() == pytest.approx([1, 3])


@FEW
@pytest.mark.parametrize("fit", [st.regression, st.mixed])
def test_the_first_treatment_is_the_reference_as_in_a_comparison(fit):
    """The means are 4 and 10 in open, then 1 and 3 in closed: closed differs from open by 2 - 7 =
    -5.
    """
    frame = per_group(open=[4, 10], closed=[1, 3])
    frame = pd.concat([frame, frame.assign(points=frame["points"] + [1.0, -1, 1, -1])])
    results = fit(frame, "points ~ treatment").results
    assert list(results) == ["Intercept", "treatment[T.closed]"]
    assert results["treatment[T.closed]"].effect == pytest.approx(-5)
    assert st.compare(st.units(frame, "points")).effect == pytest.approx(-5)
    order = pd.CategoricalDtype(["none", "closed", "open"])
    ordered = frame.assign(treatment=frame["treatment"].astype(order))
    assert list(fit(ordered, "points ~ treatment").results) == ["Intercept", "treatment[T.open]"]


@pytest.mark.parametrize(
    ("formula", "options", "error", "message"),
    [
        (
            "points ~ treatmnt",
            {},
            UnknownName,
            "points ~ treatmnt: column 'treatmnt': not in the frame; did you mean 'treatment'?",
        ),
        # Names inside the package are not columns either.
        ("points ~ frame", {}, UnknownName, "points ~ frame: column 'frame': not in the frame"),
        ("points ~ +* 2", {}, ConfigError, "points ~ +* 2: expected a noun, not '*'"),
        ("points", {}, ConfigError, "points: "),
        ("treatment ~ points", {}, ConfigError, "treatment ~ points: the left side of ~ is not"),
        ("points ~ treatment", {"kind": "olsen"}, UnknownName, "kind = 'olsen': unknown; did you"),
        ("points ~ treatment", {"errors": "wide"}, UnknownName, "errors = 'wide': unknown; did"),
        ("points ~ treatment", {"unit": "grup"}, UnknownName, "unit = 'grup': unknown; did you"),
        (
            "points ~ treatment",
            {"kind": "logit", "errors": "wild"},
            ConfigError,
            "errors = 'wild': applies only to kind = 'ols'",
        ),
        (
            "points ~ treatment",
            {"kind": "logit"},
            ConfigError,
            "points ~ treatment: kind = 'logit' needs an outcome of 0 and 1",
        ),
        (
            "points ~ treatment + other",
            {},
            st.NoTest,
            "points ~ treatment + other: the coefficients are not identified (Intercept, "
            "treatment[T.b], other), because one column follows from the others",
        ),
    ],
)
@FEW
def test_an_impossible_fit_is_named(formula, options, error, message):
    frame = FOUR.assign(other=(FOUR["treatment"] == "b") * 2.0)
    with pytest.raises(error) as raised:
        st.regression(frame, formula, **options)
    assert str(raised.value).startswith(message)


@FEW
@pytest.mark.parametrize("fit", [st.regression, st.mixed])
def test_a_treatment_with_one_group_is_refused(fit):
    with pytest.raises(st.NoTest) as error:
        fit(per_group(a=[1, 2, 3], b=[5]), "points ~ treatment")
    assert str(error.value) == (
        "points ~ treatment: treatment 'b' has 1 group; at least 2 groups per treatment are "
        "needed, because one group does not show how much groups vary"
    )


@FEW
def test_a_perfectly_predicted_outcome_is_named():
    frame = per_group(a=[0, 0, 0], b=[1, 1, 1])
    with pytest.raises(st.NoTest, match="a variable separates the outcome perfectly"):
        st.regression(frame, "points ~ treatment", kind="logit")


# -- mixed models ---------------------------------------------------------------------------------

# Two groups per treatment, two rows each. Group means are 1, 5 and 4, 12; each row is 1 from its
# mean. Treatment means 3 and 8. MSW = 8 / 4 = 2; MSB = 2 * (4 + 4 + 16 + 16) / 2 = 40.
BALANCED = pd.DataFrame(
    {
        "session": "s",
        "group": [0, 0, 1, 1, 2, 2, 3, 3],
        "treatment": ["a"] * 4 + ["b"] * 4,
        "points": [0.0, 2, 4, 6, 3, 5, 11, 13],
    }
)


@FEW
def test_a_balanced_mixed_model_by_hand():
    """REML equals the analysis of variance: a residual of 2, and (40 - 2) / 2 = 19 between groups.
    The effect is 8 - 3 = 5, with a standard error of sqrt(2 * (40 / 2) / 2) = sqrt(20). Four groups
    less two treatments leave 2 degrees of freedom, for which t is 4.303 at 0.975.
    """
    fit = st.mixed(BALANCED, "points ~ treatment")
    assert fit.variances["group"] == pytest.approx(19, rel=1e-3)
    assert fit.variances["rest"] == pytest.approx(2, rel=1e-3)
    row = fit.results["treatment[T.b]"]
    assert row.effect == pytest.approx(5)
    assert row.statistic == pytest.approx(5 / 20**0.5, rel=1e-3)
    assert row.symbol == "t"
    assert row.high - row.effect == pytest.approx(4.303 * 20**0.5, rel=1e-3)
    assert row.test == "mixed model, intercepts by group, points ~ treatment"


def test_people_within_groups_have_intercepts_if_they_have_several_rows():
    """The data have a variance of 4 between groups, 1 between people and a residual
    variance of 1.
    """
    frame = clustered(seed=1, groups={"a": 15, "b": 15}, shift=2.0, between=2.0)
    fit = st.mixed(frame, "points ~ treatment")
    assert fit.variances["group"] == pytest.approx(4, abs=2)
    assert fit.variances["person"] == pytest.approx(1, abs=0.4)
    assert fit.variances["rest"] == pytest.approx(1, abs=0.2)
    assert fit.results["treatment[T.b]"].test.startswith("mixed model, intercepts by group and p")


@FEW
def test_a_variable_that_changes_within_groups_has_a_slope_by_group():
    """Ten groups have their own trends. Because every group has the same number of periods, testing
    the difference in trends is a t test of the groups' slopes, five against five.
    """
    rng = np.random.default_rng(5)
    frame = clustered(5, groups={"a": 5, "b": 5}, seats=1, periods=8).drop(columns="seat")
    trends = rng.normal(size=10)[frame["group"]]
    frame = frame.assign(points=frame["points"] + trends * frame["period"])
    slopes = [
        np.polyfit(group["period"], group["points"], 1)[0] for _, group in frame.groupby("group")
    ]
    right = ttest_ind(slopes[5:], slopes[:5])
    fit = st.mixed(frame, "points ~ treatment * period")
    trend = fit.results["treatment[T.b]:period"]
    assert trend.statistic == pytest.approx(right.statistic, rel=1e-2)
    assert trend.p == pytest.approx(right.pvalue, abs=2e-3)
    assert fit.variances["slope of period"] > 0
    assert trend.test.startswith(
        "mixed model, intercepts by group, slopes of period by group, points"
    )


def test_few_groups_warn_in_mixed_models_too():
    with pytest.warns(st.FewClustersWarning, match="only 4 groups.*a rank test"):
        st.mixed(BALANCED, "points ~ treatment")


def test_groups_that_do_not_differ_are_reported_without_variance():
    """Groups do not differ, so chance decides whether the result is an estimate of 0 or an
    error."""
    frame = clustered(seed=8, groups={"a": 12, "b": 12}, between=0.0)
    fit = st.mixed(frame, "points ~ treatment")
    assert fit.variances["group"] < 1e-3
    notes = fit.results["Intercept"].notes
    assert notes[0] == "The estimated variance between groups is close to 0"
    assert not [note for note in notes if "Retrying" in note]


@FEW
def test_an_outcome_that_does_not_vary_is_refused():
    for fit in (st.regression, st.mixed):
        with pytest.raises(st.NoTest, match="the columns explain the outcome exactly"):
            fit(FOUR.assign(points=3.0), "points ~ treatment")


@FEW
def test_a_mixed_model_that_does_not_converge_is_refused(monkeypatch):
    from statsmodels.regression.mixed_linear_model import MixedLM

    fit = MixedLM.fit
    monkeypatch.setattr(MixedLM, "fit", lambda self: fit(self, maxiter=0, method="bfgs"))
    with pytest.raises(st.NoTest, match="treatment: the mixed model did not converge, which"):
        st.mixed(BALANCED, "points ~ treatment")
