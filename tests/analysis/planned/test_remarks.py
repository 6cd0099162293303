"""Remarks on a plan before data collection: missing parts, and tests that cannot be run."""

from __future__ import annotations

import re

import pytest

from mixed_company.analysis.planned.checking import remarks
from mixed_company.analysis.planned.tested import STRATIFIED
from mixed_company.analysis.statistics.tests import PAIRED, TESTS
from mixed_company.engine.contract.errors import ConfigError
from tests.analysis.planned.made import TEXT
from tests.experiment.planned import SMALL, config, plan


def sentences(text: str) -> list[str]:
    return [f"{remark.wrong} {remark.sentence}" for remark in remarks(plan(text), ["commons_game"])]


def test_a_plan_says_what_it_lacks() -> None:
    texts = sentences(SMALL.replace('people = "greedy,steward"', ""))
    assert [line.split(":")[0] for line in texts] == [
        *("False sources", "False hypotheses", "False exclusions", "False stopping"),
        "False people",
    ]


def test_a_hypothesis_without_a_test_is_refused_with_a_list_of_tests() -> None:
    with pytest.raises(ConfigError, match=r"hypotheses\.points\.test: is missing") as refused:
        plan(TEXT.replace('test = "welch"', ""))
    assert {*TESTS, *PAIRED, STRATIFIED} <= set(re.findall(r"\w+", str(refused.value)))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"harvest"', '"harvests"', "harvests': no measure of groups; did you mean 'harvest'?"),
        ('"welch"', '"welsh"', "test = 'welsh': unknown test; did you mean 'welch'?"),
        (
            "groups = 2",
            "groups = 3",
            "groups = 3: too few for hypothesis 'harvest' (family 'main', 2 tests)",
        ),
    ],
)
def test_an_untestable_hypothesis_is_named(old: str, new: str, sentence: str) -> None:
    text = TEXT if "groups" in old else TEXT.replace("groups = 2", "groups = 20")
    texts = sentences(text.replace(old, new))
    assert any(line.startswith("True") and sentence in line for line in texts), texts


def test_a_test_of_two_treatments_does_not_fit_three() -> None:
    third = '\n[treatments.rich]\nmeaning = "more"\nchanges = { capacity = 200.0 }\n'
    texts = sentences(TEXT.replace("groups = 2", "groups = 20") + third)
    named = [line for line in texts if "compares 2 treatments, not 3" in line]
    assert [line.split(".")[1] for line in named] == ["harvest"]  # the other hypothesis names two


def test_a_direction_that_is_missing_or_cannot_be_tested_is_named() -> None:
    many = TEXT.replace("groups = 2", "groups = 20")
    unstated = [line for line in sentences(many) if ".direction: is missing" in line]
    assert [line.split(".")[1] for line in unstated] == ["harvest", "points"]
    assert all(line.startswith("False") for line in unstated)
    stated = many.replace('"mann_whitney"', '"mann_whitney"\ndirection = "either"')
    stated = stated.replace('"welch"', '"welch"\ndirection = "lower"')
    assert not [line for line in sentences(stated) if "direction" in line]
    third = '\n[treatments.rich]\nmeaning = "more"\nchanges = { capacity = 200.0 }\n'
    several = stated.replace('"mann_whitney"\ndirection = "either"', '"kruskal_wallis"') + third
    assert not [line for line in sentences(several) if "direction" in line]
    wrong = several.replace('"kruskal_wallis"', '"kruskal_wallis"\ndirection = "higher"')
    assert [line for line in sentences(wrong) if line.startswith("True")] == [
        "True hypotheses.harvest.direction = 'higher': kruskal_wallis of 3 treatments shows no "
        "direction; name two in `treatments`, or use 'jonckheere'"
    ]


def test_groups_of_5_can_be_significant_once_and_not_four_times() -> None:
    # 2 / (10 over 5) = 0.0079: below 0.05 even for two tests, 0.0159
    assert not [
        line for line in sentences(TEXT.replace("groups = 2", "groups = 5")) if "few" in line
    ]
    # 2 / (8 over 4) = 0.0286: not below 0.05 for two tests, 0.0571
    assert [line for line in sentences(TEXT.replace("groups = 2", "groups = 4")) if "few" in line]


def test_a_trend_over_three_treatments_needs_fewer_groups_than_two_treatments() -> None:
    """Holm's method doubles only the smaller p. With 12 groups in 3 treatments, 2 of 34,650 orders
    are as extreme.
    """
    third = '\n[treatments.rich]\nmeaning = "more"\nchanges = { capacity = 200.0 }\n'
    trend = TEXT.replace("groups = 2", "groups = 4").replace('"welch"', '"jonckheere"') + third
    assert not [line for line in sentences(trend) if "too few" in line]
    small = trend.replace("groups = 4", "groups = 3")
    # 2 / (6 over 3) = 0.1
    assert [line for line in sentences(small) if "cannot be below 0.1, or 0.1 corrected" in line]


def test_sessions_and_people_can_be_units_and_misfits_are_named() -> None:
    many = TEXT.replace("groups = 2", "groups = 20")
    within = many.replace('test = "mann_whitney"', 'test = "wilcoxon"\nunit = "session"')
    stratified = many.replace('test = "mann_whitney"', 'test = "stratified"')
    for text in (within, stratified, many.replace('"welch"', '"welch"\nof = "people"')):
        wrong = [line for line in sentences(text) if line.startswith("True")]
        assert [line for line in wrong if "mean_points" not in line] == []
    between = many.replace('test = "mann_whitney"', 'test = "mann_whitney"\nunit = "session"')
    assert any("not a test within units" in line for line in sentences(between))
    third = '\n[treatments.rich]\nmeaning = "more"\nchanges = { capacity = 200.0 }\n'
    assert any("name the two that are compared" in line for line in sentences(stratified + third))


BOTS = 'changes = { governance = "per_step", bots = "greedy" }'
STOCK = """
[hypotheses.stock]
meaning = "more is left"
measure = "stock_share"
test = "welch"
"""


def test_advice_for_treatments_that_differ_in_bots_works_when_it_is_followed() -> None:
    """People have a mean harvest, points have a different name, and the stock is not a measure of
    people."""
    text = TEXT.replace("groups = 2", "groups = 20") + STOCK
    text = text.replace('changes = { governance = "per_step" }', BOTS)
    advice = [line.partition("bots; ")[2] for line in sentences(text) if "includes bots" in line]
    assert advice == [
        'write of = "people" to include only people',
        'write measure = "people_points" to include only people',
        "there is no version of this measure for people only",
    ]
    followed = text.replace('measure = "harvest"', 'measure = "harvest"\nof = "people"')
    followed = followed.replace('"mean_points"', '"people_points"')
    after = sentences(followed)
    assert [line for line in after if "includes bots" in line and ".stock." not in line] == []
    [follows] = [line for line in after if "people's points also depend directly" in line]
    assert follows.startswith("False hypotheses.points.measure = 'people_points'")
    assert [line for line in after if line.startswith("True")] == []
    assert not [line for line in sentences(TEXT) if "differ in their bots" in line]


@pytest.mark.parametrize(
    ("measure", "of", "other"), [("stock_share", "people", "group"), ("points", "group", "people")]
)
def test_a_measure_of_the_other_level_is_named_as_such(measure: str, of: str, other: str) -> None:
    text = TEXT.replace("groups = 2", "groups = 20")
    wrong = text.replace('"harvest"', f'"{measure}"\nof = "{of}"')
    [line] = [line for line in sentences(wrong) if line.startswith("True")]
    assert line.endswith(f'write of = "{other}"'), line
    right = wrong.replace(f'of = "{of}"', f'of = "{other}"')
    assert [line for line in sentences(right) if line.startswith("True")] == []


def test_advice_on_policies_for_people_works_when_it_is_pasted() -> None:
    text = SMALL.replace('people = "greedy,steward"', "")
    [line] = [line for line in sentences(text) if "no policies for people" in line]
    [advised] = re.findall(r'people = "\w+"', line)
    place = text.index("[")
    pasted = f"{text[:place]}{advised}\n{text[place:]}"
    config(plan(pasted))  # the policy plays this game
    assert not [line for line in sentences(pasted) if "policies for people" in line]


MIXED = """
[hypotheses.harvest]
meaning = "people harvest more with a pool"
measure = "last_harvest"
test = "mann_whitney"
block = "first"

[[blocks]]
name = "first"
meaning = "among strangers"
repeat = 2
"""


def test_groups_that_mix_are_one_unit_in_every_block() -> None:
    """If 8 groups of each treatment mix in pairs, there are 4 units, and p = 2 / 70 is possible. If
    they mix in fours, there are 2 units, and p is at least 2 / 6."""

    def wrong(mixing: int, blocks: str = MIXED) -> list[str]:
        keys = f'groups = 8\nmatching = "strangers"\nmatching_groups = {mixing}\n'
        text = SMALL.replace("groups = 2\n", keys + 'roles = "redrawn"\n') + blocks
        return [line for line in sentences(text) if line.startswith("True")]

    too_few = [
        "True groups = 8: too few for hypothesis 'harvest' (family 'main', 1 test): p cannot be "
        "below 0.333, or 0.333 corrected"
    ]
    assert wrong(2) == []
    assert wrong(4) == too_few
    once = MIXED.replace("repeat = 2", '[[blocks]]\nname = "second"\nmeaning = "mixed"')
    assert wrong(2, once) == []
    assert wrong(4, once) == too_few
