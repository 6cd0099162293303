"""Reports of a plan with a space."""

from __future__ import annotations

from functools import cache
from io import StringIO

import pandas as pd
import pytest

from mixed_company.analysis import report
from mixed_company.analysis.planned.checking import remarks
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import planned
from mixed_company.analysis.report.contents import Contents, contents
from mixed_company.experiment import sealing, treatments
from mixed_company.experiment.plan import Plan
from tests.analysis.report.made import undrawn
from tests.analysis.space.made import plan, played, shipped

TEXT = {"points = 24": "points = 24\ninteractions = true"}


def content(study: Plan) -> dict[str, object]:
    config = shipped(study)
    series = treatments.series(study, {**config, "seed": "0"}, config)
    money = {"participation_fee": 0.0, "real_world_currency_per_point": 0.1}
    return sealing.content_of(study, series, money)


@cache
def of_study() -> Contents:
    study = plan(**TEXT)
    data = of_plan(played(study, seed=1), "space", study)
    part = planned.of_plan(data, study, content(study), None)
    with undrawn():
        return contents(data, report.of_plan(data, part), plan=part)


@cache
def reported() -> dict[str, str | bytes]:
    whole = of_study()
    with undrawn():
        return report.rendered(whole)


def table(name: str) -> pd.DataFrame:
    return pd.read_csv(StringIO(str(reported()[f"tables/{name}.csv"])))


def test_the_first_screen_has_the_effects_and_a_sentence_per_hypothesis() -> None:
    page = str(reported()["report.html"])
    head = page[: page.index('id="plan"')]
    assert "Effects on mean points of all seats" in head
    assert "filled: a hypothesis tests this effect; dashed: no effect" in head
    assert "earned (rehearsal): change in the mean over mpcr 0.3 to 0.9, for mean_points of" in head
    assert "told (rehearsal): change in the mean over disclosure none to labels, for" in head
    assert "The result is significant at the 0.05 level, in the direction of the hypothesis" in head
    assert "mean_points of all seats, predicted at held-out points (10 folds of 24 points)" in head
    assert "points: 24, groups: 24" in head
    assert "all points of the space are treated as one sample" in page[len(head) :]
    assert "The intercept is the fitted mean at mpcr 0.6, endowment 20, decision_seconds 45" in page
    figures = [name for name in reported() if name.startswith("figures/space")]
    assert sorted(figures) == [
        f"figures/space_{kind}_{number}.{form}"
        for kind in ("effects", "predicted")
        for number in (0, 1)
        for form in ("pdf", "svg")
    ]


def test_tables_have_effects_predictions_and_the_design() -> None:
    effects = table("space_effects")
    assert effects["variable"].tolist()[:5] == [
        *("mpcr", "endowment", "decision_seconds", "disclosure", "intercept")
    ]
    hypothesis = table("hypotheses").set_index("hypothesis").loc["earned"]
    assert hypothesis["effect"] == pytest.approx(effects.at[0, "effect"])
    assert hypothesis["p"] == pytest.approx(effects.at[0, "p"])
    held_out = table("space_held_out")
    predicted = table("space_predicted").groupby("measure", sort=False)["error"]
    sizes = predicted.apply(lambda errors: (errors**2).mean() ** 0.5)
    assert held_out["error"].tolist() == pytest.approx(sizes.tolist())
    assert held_out.at[0, "r2"] > 0.8
    design = table("space_design")
    assert len(design) == 24
    assert design["groups contribution of all seats"].eq(1).all()
    products = table("space_interactions")
    assert len(products) == 2 * 6  # four variables, two measures
    assert products.at[0, "variable"] == "mpcr x endowment"
    assert table("treatments")["groups"].tolist() == [24]


def test_the_check_of_a_plan_names_too_few_points() -> None:
    listed = [str(remark.sentence) for remark in remarks(plan(), ["sanctions"])]
    assert not any(line.startswith("space") for line in listed)
    few = plan(**{"points = 24": "points = 9\ninteractions = true"})
    lines = [remark for remark in remarks(few, ["sanctions"]) if remark.wrong]
    assert [remark.sentence for remark in lines] == [
        "space.points = 9: the regression has 5 coefficients and needs 10 points, not 9",
        "space.interactions = true: the regression has 11 coefficients and needs 22 points, not 9",
    ]
