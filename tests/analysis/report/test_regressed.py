"""Regressions in a report: the level of each treatment and its trend."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from mixed_company import analysis
from mixed_company.analysis import measures
from mixed_company.analysis.report.courses import regressions
from mixed_company.analysis.report.measured import Measured
from mixed_company.analysis.statistics import FewClustersWarning
from tests.analysis.report.made import of_one_treatment, played, two_treatments


def test_the_report_has_the_least_squares_line_of_each_treatment():
    """With terms for treatment and its interaction with the period, the lines are separate
    least-squares fits.
    """
    data = two_treatments(groups=3, periods=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FewClustersWarning)  # six groups use the wild bootstrap
        table = regressions(Measured(data))
    effects = table[table["measure"] == "harvest"].set_index("coefficient")["effect"]
    frame = measures.periods(data, ["harvest"])
    lines = {}
    for name, some in frame.groupby("treatment", observed=True):
        some = some.dropna(subset=["harvest"])
        lines[name] = np.polyfit(some["period"], some["harvest"].astype(float), 1)
    (slope, first), (other_slope, other_first) = lines["open"], lines["other"]
    assert effects["open, first period"] == pytest.approx(first)
    assert effects["open, per period"] == pytest.approx(slope)
    assert effects["other - open, first period"] == pytest.approx(other_first - first)
    assert effects["other - open, per period"] == pytest.approx(other_slope - slope)
    assert set(table.loc[table["measure"] == "harvest", "groups"]) == {"3, 3"}


@pytest.mark.long
def test_with_two_groups_per_treatment_there_is_no_line_and_the_report_says_why():
    tables, page = of_one_treatment()
    assert tables["regressions"]["effect"].isna().all()
    assert "a treatment has fewer than 3 groups" in page.text


def test_groups_that_are_all_alike_have_no_interval():
    """A constant harvest of 0.3 has no trend. Only rounding errors remain, and they would make p
    less than 1e-15.
    """
    fixed = {"people": ["fixed:harvest=0.3"] * 2, "bots": ["fixed:harvest=0.3"], "periods": 4}
    data = analysis.joined(
        played(groups=3, **fixed), played(groups=3, treatment="b", seed=2, periods=4)
    )
    table = regressions(Measured(data))
    effects = table[table["measure"] == "harvest"].set_index("coefficient")
    row = effects.loc["open, per period"]
    assert row["effect"] == 0
    assert np.isnan(row["p"])
    assert row["notes"] == "no interval: all its groups are identical"
    assert effects.loc["b - open, first period", "p"] >= 0
