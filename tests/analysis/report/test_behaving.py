"""Models of behaviour in a report: the best predictor of held-out groups, and the time limit."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pandas as pd
import pytest

from mixed_company.analysis import behaviour, report
from mixed_company.analysis.data import Data
from mixed_company.analysis.report import behaving
from tests.analysis.report.made import both, two_treatments, undrawn


def data() -> Data:
    return two_treatments(groups=3, periods=4)


@pytest.mark.long
def test_the_report_has_the_contest_by_treatment_with_the_best_model_first():
    tables, page = both(data(), contest=True)
    table = tables["behaviour"]
    predicted = behaviour.predicted(data().shortened())
    assert table.groupby("treatment", sort=False)["best"].first().tolist() == [True, True]
    keys = ["treatment", "model"]
    joined = table.set_index(keys).sort_index(), predicted.set_index(keys).sort_index()
    for name in ("score", "gain", "to_best", "decisions"):
        pd.testing.assert_series_equal(joined[0][name], joined[1][name])
    assert list(dict.fromkeys(table["treatment"])) == data().treatments
    assert "Behaviour" in page.text
    assert "quantal_response" in page.text


@pytest.mark.long
def test_a_contest_with_many_decisions_is_run_only_on_request():
    """Two people in three groups per treatment, two treatments, four periods: 48 decisions."""
    with patch.object(behaving, "MOST", 47):
        tables, page = both(data())
    assert tables["behaviour"].empty
    assert "People made 48 decisions" in page.text
    assert "--contest" in page.text
    with undrawn():
        files = report.files(data(), contest=True)
    assert str(files["tables/behaviour.csv"]).count("\n") > 2
    with patch.object(behaving, "MOST", 48):
        assert not behaving.contest(data()).empty


def test_the_number_of_decisions_decides_whether_models_are_fitted_unasked():
    with patch.object(behaving, "MOST", 47):
        assert behaving.why_none(data()).startswith("People made 48 decisions")
        assert behaving.why_none(data(), asked_for=True) == ""
    with patch.object(behaving, "MOST", 48):
        assert behaving.why_none(data()) == ""


def test_a_score_far_below_chance_has_a_reason() -> None:
    """A model fitted to constant decisions gives one group's decisions a probability of 0."""
    scores = {"treatment": "open", "model": ["narrow", "uniform", "unfitted"], "decisions": 60}
    scores |= {"score": [-2775.0, -2.4, float("nan")], "gain": [-2773.0, 0.0, float("nan")]}
    scores |= {"reason": ["", "", "fold 1: not identified: learning_rate"]}
    named = {"groups": 6, "best": False, "score_se": 0.0, "gain_se": 0.0, "to_best": 0.0}
    frame = pd.DataFrame(scores | named | {"to_best_low": 0.0, "to_best_high": 0.0})
    with patch.object(behaviour, "predicted", lambda data: frame):
        reasons = behaving.contest(data()).set_index("model")["reason"]
    assert reasons["narrow"].startswith("some decisions are far from its predictions")
    assert reasons["uniform"] == ""
    assert reasons["unfitted"] == "fold 1: not identified: learning_rate"


def test_groups_of_policies_have_no_contest():
    predicted = data()
    nobody = replace(predicted, decisions=predicted.decisions.assign(participant=""))
    assert behaving.why_none(nobody).startswith("There are no decisions by people")
    assert behaving.contest(nobody).empty
