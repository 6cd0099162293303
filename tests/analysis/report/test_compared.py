"""Comparison of treatments in a report: the measures tested, the tests, and their order."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis import report
from mixed_company.analysis.data import Data
from mixed_company.analysis.report.compared import alone, compared, precision, rules_of, trends
from mixed_company.analysis.report.compared import pairs as of_pairs
from mixed_company.analysis.report.measured import Main, Measured, by_treatment
from mixed_company.engine.contract.errors import UnknownName
from mixed_company.experiment.comparisons import unread_in
from tests.analysis.report.made import (
    Page,
    both,
    main_alone,
    of_two_treatments,
    played,
    two_treatments,
    words,
)


@pytest.mark.long
def test_a_treatment_looks_the_same_in_every_figure():
    """Treatments keep their order in the export, regardless of the alphabetical order of names or
    sessions."""
    data = analysis.joined(
        *(
            played(treatment=name, periods=2, seed=seed)
            for seed, name in enumerate(("zeta", "alpha"))
        )
    )
    files = report.files(data)
    for name in ("figures/groups_harvest.svg", "figures/period_harvest.svg"):
        assert 0 < files[name].index("zeta") < files[name].index("alpha"), name


@pytest.mark.long
def test_the_first_measures_to_compare_can_be_chosen():
    data = two_treatments(periods=2)
    tests = report.tables(data, main=["gini"])["tests"]
    assert tests.loc[tests["family"] == "main", "measure"].tolist() == ["gini"]
    with pytest.raises(UnknownName, match=r"unknown measure 'ginni'.*gini"):
        report.tables(data, main=["ginni"])


def test_a_main_measure_that_is_named_twice_is_tested_once() -> None:
    data = two_treatments(periods=2)
    once, twice = (
        compared(Measured(data, Main(names))).query("family == 'main'")
        for names in (["gini"], ["gini", "gini"])
    )
    assert once["p"].notna().all()
    pd.testing.assert_frame_equal(once, twice)


def test_constants_counts_and_duplicates_are_shown_with_means_but_not_tested():
    """In groups that contain only people, people's measures equal the groups' measures."""
    measured = Measured(two_treatments("sanctions", people=["random"] * 4, periods=5).shortened())
    tests = compared(measured)
    means = by_treatment(measured, tests).set_index(["family", "measure"])
    tests = tests.set_index(["family", "measure"])
    why = {
        ("group", "bot_share"): "not tested: it is the same in all units",
        ("group", "cooperation"): "not tested: it is contribution on another scale",
        ("group", "people_cooperation"): "not tested: it is contribution on another scale",
        ("group", "mean_points"): "not tested: it is points_per_period on another scale",
        ("person", "decided"): "not tested: it is a count",
        ("person", "conditional_p"): "not tested: it describes the line",
    }
    for key, message in why.items():
        assert tests.loc[key, "notes"] == message
        assert pd.isna(tests.loc[key, "p_corrected"])
    assert means.loc[[*why][:4], "mean"].notna().all()
    main = tests.loc["main"].dropna(subset=["p"])
    smallest = main["p"].min()
    assert main["p_corrected"].min() == pytest.approx(min(1, len(main) * smallest))


@pytest.mark.long
def test_a_measure_is_tested_if_it_is_not_a_duplicate():
    # With policies in the group, people's earnings differ from the group's.
    tests = report.tables(two_treatments("sanctions", periods=3))["tests"]
    tests = tests.set_index(["family", "measure"])
    assert pd.notna(tests.loc[("group", "people_points"), "p"])


@pytest.mark.long
def test_facts_common_to_all_tests_are_stated_above_the_table():
    tables, shown_page = of_two_treatments()
    tests = tables["tests"]
    tested = tests[tests["p"].notna()]
    assert set(tested["effect_name"]) == {"Hodges-Lehmann shift (other - open)"}
    assert "Effect: Hodges-Lehmann shift (other - open). Test: Mann-Whitney" in shown_page.text
    assert not any(cell[2] == "effect_name" for cell in shown_page.cells[:50])


def test_tests_that_nothing_could_make_significant_are_announced():
    """With two groups against two, p is at least 1 / 3."""
    text = of_two_treatments()[1].text
    assert "None of these tests can be significant after the correction" in text


@pytest.mark.long
def test_if_treatments_differ_in_bots_people_come_first():
    """The same people play beside a bot that takes everything and a bot that takes little. The
    group's mean includes its bot."""
    options = {"people": ["fixed:harvest=2"] * 3, "periods": 2}
    data = analysis.joined(
        played(**options, bots=["fixed:harvest=9"]),
        played(**options, bots=["fixed:harvest=1"], treatment="other", seed=2),
    )
    tables, shown_page = both(data)
    means = tables["measures_by_treatment"].query("family == 'main' and measure == 'harvest'")
    assert means["level"].tolist() == ["person"] * 2
    assert means["mean"].tolist() == [2, 2]
    of_groups = tables["measures_by_treatment"].query("family == 'group' and measure == 'harvest'")
    assert of_groups["mean"].tolist() == [(3 * 2 + 9) / 4, (3 * 2 + 1) / 4]
    assert "Treatments differ in the bots with which their groups began" in shown_page.text
    assert "because bots took the seats of missing people" in shown_page.text
    assert "People's points, and harvests from a common resource, also depend" in shown_page.text
    assert "Group measures also include the decisions of bots" in shown_page.text
    assert set(tables["periods_of_people"]["harvest"]) == {2.0}
    assert "Harvest by period: people only" in shown_page.text
    chosen = report.tables(data, main=["harvest"])["measures_by_treatment"]
    assert chosen.query("family == 'main'")["level"].unique().tolist() == ["group"]
    same = of_two_treatments()[0]["measures_by_treatment"]
    assert same.query("family == 'main'")["level"].unique().tolist() == ["group"]


def test_three_treatments_are_compared_in_pairs_and_for_a_trend():
    names = ("low", "middle", "high")
    data = analysis.joined(
        *(played(treatment=name, periods=2, seed=seed) for seed, name in enumerate(names))
    )
    measured = Measured(data.shortened())
    pairs = of_pairs(measured).query("measure == 'harvest'")
    assert pairs[["first", "second"]].to_numpy().tolist() == [
        ["low", "middle"],
        ["low", "high"],
        ["middle", "high"],
    ]
    assert pairs["effect_name"].tolist() == [
        f"Hodges-Lehmann shift ({two})" for two in ("middle - low", "high - low", "high - middle")
    ]
    trend = trends(measured).query("measure == 'harvest'").iloc[0]
    assert trend["effect_name"] == "probability of superiority (high over middle over low)"
    assert trend["low"] <= trend["effect"] <= trend["high"]
    assert trend["standardised"] == pytest.approx(2 * trend["effect"] - 1)
    assert "Order tested, with means: low " in trend["notes"]
    with main_alone():
        tests = compared(measured)
    assert tests.loc[tests["effect_name"] == "epsilon squared", "low"].isna().all()
    assert of_two_treatments()[0]["pairs"].empty


def test_treatments_with_one_session_each_are_mentioned():
    tables, shown_page = of_two_treatments()
    table = tables["sessions"]
    assert table[["treatment", "session", "groups"]].to_numpy().tolist() == [
        ["open", "open", 2],
        ["other", "other", 2],
    ]
    assert "Played in one session that had no other treatment: open; other." in shown_page.text


def test_a_session_shared_by_two_treatments_is_no_confound():
    frame = pd.DataFrame({"treatment": ["open", "quota"], "session": ["s1", "s1"]})
    names = ["open", "quota", "tax"]
    assert alone(frame, names) == []
    assert alone(frame.assign(session=["s1", "s2"]), names) == ["open", "quota"]
    third = pd.DataFrame({"treatment": ["tax"], "session": ["s2"]})
    assert alone(pd.concat([frame, third]), names) == ["tax"]
    assert alone(frame, ["open"]) == ["open"]  # the other treatment is another block of its people


def test_the_first_screen_has_the_question_the_main_test_and_one_figure():
    tables, page = of_two_treatments()
    tags = [tag for tag, _ in page.tags]
    head = Page("")
    head.tags = page.tags[: tags.index("nav")]
    assert "This report compares efficiency of the group between open and other." in page.text
    first = [column for csv, row, column, _ in page.cells[:40] if (csv, row) == ("tests", 0)]
    shown_first = {"mean open", "mean other", "effect", "low", "high", "standardised", "p"}
    assert {*shown_first, "p_corrected"} - {*first} <= {"low", "high"}  # two groups have none
    treated = [cell for cell in page.cells[:20] if cell[0] == "treatments"]
    assert [cell[3] for cell in treated if cell[2] == "groups"] == ["2", "2"]
    assert sum(picture.get("class") == "drawn" for picture in head.all("svg")) == 1
    assert tables["tests"]["measure"][0] == "efficiency"


def test_points_that_bots_cause_are_no_main_measure_and_set_shares_are_not_tested() -> None:
    options = {"people": ["random"] * 3, "periods": 2}
    data = analysis.joined(
        played(**options, bots=["fixed:harvest=9"]),
        played(**options | {"people": ["random"] * 2}, treatment="other", seed=2),
    )
    measured = Measured(data)
    assert "points" not in measured.families[0][3]
    assert "harvest" in measured.families[0][3]
    shares = compared(measured).set_index(["family", "measure"]).loc[("group", "bot_share")]
    assert shares["notes"] == "not tested: it is set by the design"
    assert shares["mean open"] < shares["mean other"]


def three_treatments(*options: dict[str, Any], **changes: Any) -> Data:
    """Return two groups of each of three treatments with these options changed."""
    names = ("open", "other", "third")
    data = analysis.joined(
        *(played(treatment=name, seed=seed, periods=2) for seed, name in enumerate(names, 1))
    )
    changed = dict(zip(names, options, strict=True))
    texts = [
        json.dumps({**json.loads(text), "people_per_group": 2, **changed[name]})
        for text, name in zip(data.config["options"], data.config["session"], strict=True)
    ]
    return replace(data, config=data.config.assign(options=texts), **changes)


def test_treatments_without_an_order_have_no_trend_but_a_precision() -> None:
    ordered = Measured(three_treatments({}, {"say": 1}, {"say": 2}))
    assert len(trends(ordered))
    measured = Measured(three_treatments({}, {"say": 1}, {"say": 1, "disclosure": "labels"}))
    assert trends(measured).empty
    assert precision(measured)["reached"].notna().any()


def test_a_rehearsal_says_above_the_main_measures_that_policies_cannot_read() -> None:
    sentences = [{"disclosure": name} for name in ("none", "count", "labels")]
    alike = unread_in(rules_of(three_treatments(*sentences)))
    assert "open, other and third differ only in what people are told about bots" in alike
    several = [{"disclosure": "none"}, {"disclosure": "labels"}, {"say": 1}]
    text = words(three_treatments(*several)).text
    assert "policies cannot read this, so simulated people do not react to it" in text
    assert "No trend over the treatments is tested: either they differ in several keys" in text
