"""Main measures by session, the effect detectable with this number of groups, and how long groups
last.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis import measures
from mixed_company.analysis import statistics as st
from mixed_company.analysis.data import Data
from mixed_company.analysis.report.compared import by_session, precision
from mixed_company.analysis.report.measured import Measured
from tests.analysis.report.made import both, of_two_treatments, played, two_treatments


def in_sessions(data: Data, apart: bool) -> Data:
    """Return the same four groups of each treatment. If `apart`, each of four sessions has one
    treatment; otherwise both treatments are in two sessions.
    """
    frames = {}
    for field in fields(data):
        frame = getattr(data, field.name)
        if isinstance(frame, pd.DataFrame):
            half = np.where(frame["group"] <= 2, "s1", "s2")
            first = frame["session"] == "open"
            names = pd.Series(half, frame.index, dtype="str")
            names = names.mask(~first, names + "b") if apart else names
            group = frame["group"] + 10 * (~first).astype(frame["group"].dtype)
            frames[field.name] = frame.assign(session=names, group=group)
    return replace(data, **frames)


def test_sessions_with_both_treatments_are_compared_within():
    data = in_sessions(two_treatments(groups=4, periods=2), apart=False)
    table = by_session(Measured(data))
    assert set(table["way"]) == {"within sessions"}
    result = st.stratified(st.units(measures.groups(data, ["harvest"]), "harvest"))
    row = table.set_index("measure").loc["harvest"]
    assert (row["effect"], row["p"]) == (result.effect, result.p)
    tested = table["p"].dropna()
    assert row["p_corrected"] >= row["p"]
    assert table["p_corrected"].min() == pytest.approx(min(1, len(tested) * tested.min()))


@pytest.mark.long
def test_sessions_of_one_treatment_each_are_units():
    """With two sessions against two, the smallest p of a rank test is 1 / 3."""
    data = in_sessions(two_treatments(groups=4, periods=2), apart=True)
    table = by_session(Measured(data))
    assert set(table["way"]) == {"sessions as units"}
    assert set(table["n"].dropna()) == {"open 2, other 2"}
    assert table["p"].min() >= 1 / 3 - 1e-9


@pytest.mark.long
def test_one_session_each_has_no_such_test():
    assert of_two_treatments()[0]["by_session"].empty


@pytest.mark.long
def test_precision_is_computed_from_groups_within_treatments():
    data = two_treatments(groups=4, periods=3)
    row = precision(Measured(data)).set_index("measure").loc["harvest"]
    units = st.units(measures.groups(data, ["harvest"]), "harvest")
    samples = [units.sample(name) for name in units.treatments]
    assert row["deviation"] == pytest.approx(
        np.sqrt(sum(sample.var(ddof=1) for sample in samples) / 2)
    )
    assert row["reached"] == pytest.approx(st.reached(samples))
    assert row["reached_corrected"] > row["reached"]


@pytest.mark.long
def test_survival_of_groups_has_a_curve_and_a_test():
    """Taking everything exhausts the stock in the first periods; taking nothing never does."""
    data = analysis.joined(
        played(people=["fixed:harvest=9"] * 3, bots=["fixed:harvest=9"], periods=6),
        played(people=["fixed:harvest=0"] * 3, bots=["fixed:harvest=0"], periods=6, treatment="b"),
    )
    tables, page = both(data)
    lasted = tables["lasted"].set_index("treatment")
    assert lasted.loc["open", "ended"].tolist() == [1, 1]
    assert lasted.loc["b", "ended"].tolist() == [0, 0]
    assert lasted.loc["b", "duration"].tolist() == [6, 6]
    (row,) = tables["survival"].to_dict("records")
    assert (row["treatment"], row["at_risk"], row["ended"], row["share"]) == ("open", 2, 2, 0)
    assert row["duration"] == lasted.loc["open", "duration"].iloc[0] < 6
    # all end in the same period: 2 of 4, expected 1, variance 2 2 2 2 / (4 4 3) = 1 / 3; (2 - 1)^2
    # / (1 / 3)
    assert tables["log_rank"]["statistic"].tolist() == pytest.approx([3])
    assert "How long groups lasted" in page.text
    # a share, not a number
    assert "open: 0% of 2 groups at the end; b: 100% of 2 groups at the end" in page.text
