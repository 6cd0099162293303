"""Exactly the plan's tests are run: for groups, people, sessions and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis import measures, statistics
from mixed_company.analysis.data import GROUP, Data
from mixed_company.analysis.planned import tested as hypotheses
from mixed_company.analysis.planned.averaged import averaged
from mixed_company.analysis.planned.checking import remarks
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import showing_design, treatments
from mixed_company.experiment.comparisons import cautions, of_series
from tests.analysis.planned.made import MEAN_HARVEST, TEXT, export, mixed, played
from tests.experiment.planned import SMALL, config, plan


def test_each_hypothesis_has_one_test_corrected_within_its_family():
    study = plan(TEXT)
    data = of_plan(played(study, 6), "small", study)
    table = hypotheses.tested([data], study, None)
    frame = measures.groups(data, ["harvest", "mean_points"])
    first = statistics.compare(statistics.units(frame, "harvest"), "mann_whitney")
    second = statistics.compare(
        statistics.units(frame, "mean_points"), "welch", treatments=["pool", "open"]
    )
    assert table["p"].tolist() == [first.p, second.p]
    assert table["effect"].tolist() == [first.effect, second.effect]
    assert table["statistic"].tolist() == [first.statistic, second.statistic]
    both = statistics.corrected([first, second])
    assert table["p_corrected"].tolist() == [result.p_corrected for result in both]
    apart = plan(TEXT.replace('test = "welch"', 'test = "welch"\nfamily = "money"'))
    assert hypotheses.tested([data], apart, None)["p_corrected"].tolist() == [first.p, second.p]


def test_sessions_and_people_are_tested_as_planned():
    text = TEXT.replace('test = "mann_whitney"', 'test = "stratified"')
    text = text.replace('test = "welch"', 'test = "permutation"\nunit = "session"')
    study = plan(text.replace('measure = "harvest"', 'measure = "harvest"\nof = "people"'))
    data = of_plan(mixed(played(study, 6)), "small", study)
    table = hypotheses.tested([data], study, None)
    people = measures.people(data, ["harvest"])
    people = people[people["person"].astype(bool)]
    within = statistics.stratified(statistics.units(people, "harvest"))
    sessions = statistics.units(
        measures.groups(data, ["mean_points"]), "mean_points", unit="session"
    )
    paired = statistics.paired(sessions, "permutation", treatments=["pool", "open"])
    assert table["p"].tolist() == [within.p, paired.p]
    assert table["effect"].tolist() == [within.effect, paired.effect]
    assert table["groups"].tolist() == ["open 6, pool 6", "pool 2, open 2"]
    means = averaged([data], study)
    assert list(zip(means["treatment"], means["groups"], strict=True)) == [
        *(("open", 6), ("pool", 6)),
        *(("pool", 2), ("open", 2)),
    ]
    assert means["of"].tolist() == ["people"] * 2 + ["all seats"] * 2
    of_open = people[people["treatment"] == "open"].groupby(["session", "group"])["harvest"].mean()
    assert means["mean"].iloc[0] == pytest.approx(of_open.mean())
    pool = data.groups[(data.groups["treatment"] == "pool") & (data.groups["session"] == "s2")]
    without = [("s2", int(group)) for group in pool["group"]]
    assert averaged([data], study, without)["groups"].tolist() == [3, 3, 1, 1]  # only session s1


def test_groups_of_other_treatments_are_not_called_left_out():
    """Treatment `open` has no pool and so no contributions; the test does not compare it."""
    rich = """
[treatments.rich]
meaning = "a pool and faster growth"
changes = { governance = "per_step", growth_rate = 0.4 }

[hypotheses.pool]
meaning = "more is paid in"
measure = "contribution"
test = "welch"
treatments = ["pool", "rich"]
"""
    study = plan(SMALL + rich)
    data = of_plan(played(study, 3), "small", study)
    assert measures.groups(data, ["contribution"])["contribution"].isna().sum() == 3
    (row,) = hypotheses.tested([data], study, None).to_dict("records")
    assert row["groups"] == "pool 3, rich 3"
    assert "left out" not in row["notes"]


def test_an_untestable_hypothesis_keeps_its_row_with_the_reason():
    study = plan(TEXT)
    table = hypotheses.tested([of_plan(export(), "small", study)], study, None)
    assert table["p"].isna().all()
    assert all("not tested" in notes for notes in table["notes"])


IN_TURN = (
    SMALL
    + """
[[blocks]]
name = "fish"
meaning = "the commons"

[[blocks]]
name = "trust"
meaning = "another game"
session = "sanctions"
changes = { periods = 2, people_per_group = 2 }

[hypotheses.points]
meaning = "more is earned in the second part"
measure = "mean_points"
test = "welch"
block = "trust"
"""
)


def of_block(
    game: str, block: str, treatments: Sequence[str] = ("open", "pool"), first: int = 0
) -> Data:
    """Return three simulated groups of each treatment in one block of a session, after the `first`
    groups."""
    options: dict[str, Any] = {"groups": 3, "people": ["random"], "bots": ["random"], "periods": 2}
    parts = [
        analysis.simulated(game, seed=seed, treatment=name, **options)
        for seed, name in enumerate(treatments)
    ]
    data = analysis.joined(*parts)
    frames: dict[str, Any] = {
        name: frame.assign(block=block, group=frame["group"] + first)
        for name, frame in vars(data).items()
        if isinstance(frame, pd.DataFrame)
    }
    groups = frames["config"]["group"]
    config = frames["config"].assign(session_config="small", matching_group=groups)
    return replace(data, **{**frames, "config": config})


def test_a_hypothesis_about_the_block_of_another_game_is_tested_there():
    study = plan(IN_TURN)
    games = [of_block("commons_game", "fish"), of_block("sanctions", "trust")]
    kept = [of_plan(data, "small", study) for data in games]
    assert "not tested" in hypotheses.tested(kept[:1], study, None)["notes"].item()
    table = hypotheses.tested(kept, study, None)
    frame = measures.groups(games[1], ["mean_points"])
    alone = statistics.compare(statistics.units(frame, "mean_points"), "welch")
    assert table["p"].tolist() == [alone.p]


BEFORE_AND_AFTER = (
    SMALL
    + """
[[blocks]]
name = "before"
meaning = "the commons"

[[blocks]]
name = "after"
meaning = "the commons again"

[hypotheses.points]
meaning = "more is earned in the second part"
measure = "mean_points"
test = "wilcoxon"
blocks = ["before", "after"]
treatments = ["pool"]
"""
)


@pytest.mark.parametrize(
    ("treatments", "reason"),
    [
        ([], "no group played block after"),
        (["open"], "no group in pool has a value in block after"),
    ],
    ids=["in no treatment", "in another treatment"],
)
def test_a_block_that_nobody_reached_is_named_as_a_block(treatments, reason):
    study = plan(BEFORE_AND_AFTER)
    data = of_block("commons_game", "before")
    if treatments:
        data = analysis.joined(data, of_block("commons_game", "after", treatments, first=10))
    table = hypotheses.tested([of_plan(data, "small", study)], study, None)
    assert table["notes"].item() == f"not tested: {reason}"


def test_a_comparison_of_blocks_names_its_treatments_and_unchanged_groups():
    """All groups of `pool` play the same in both blocks, so none of them changes."""
    study = plan(BEFORE_AND_AFTER)
    after = of_block("commons_game", "after", first=10)
    after = replace(after, config=after.config.assign(matching_group=after.config["group"] - 10))
    data = analysis.joined(of_block("commons_game", "before"), after)
    rules = of_series(treatments.shipped_series("commons_game", config(study)))
    for names, words, count in (('["pool"]', "pool only", 3), ("[]", "open and pool together", 6)):
        study = plan(BEFORE_AND_AFTER.replace('["pool"]', names))
        kept, cautioned = of_plan(data, "small", study), cautions(study, rules)
        [note] = hypotheses.tested([kept], study, None, cautions=cautioned)["notes"]
        assert f"Blocks are compared within groups of {words}" in note
        assert f"left out of the test: {count} of {count} that did not change" in note
    excluded = list(kept.config[kept.config["block"] == "before"][GROUP].itertuples(index=False))[
        :1
    ]
    [note] = hypotheses.tested([kept], study, None, without=list(map(tuple, excluded)))["notes"]
    assert "left out of the test after exclusions: 1 group in only one of before and after" in note


def test_other_sessions_are_left_out():
    study = plan(TEXT)
    data = played(study, 3)
    other = data.config["session"] == "pool"
    mixed = replace(
        data,
        config=data.config.assign(
            session_config=["other" if is_other else "small" for is_other in other]
        ),
        manifest={},
    )
    kept = of_plan(mixed, "small", study)
    assert set(kept.decisions["session"]) == set(kept.config["session"]) == {"open"}
    sentence = "there is no session of 'elsewhere'; there are sessions of 'other', 'small'"
    with pytest.raises(ConfigError, match=sentence):
        of_plan(mixed, "elsewhere", study)


def test_a_hypothesis_in_words_contains_the_numbers_of_its_test():
    study = plan(TEXT)
    data = of_plan(played(study, 6), "small", study)
    table = hypotheses.tested([data], study, None)
    table.insert(1, "status", "exploratory")
    frame = measures.groups(data, ["harvest"])
    result = statistics.compare(statistics.units(frame, "harvest"), "mann_whitney")
    first, second = hypotheses.in_words(table)
    number = str(result).split(": U")[1].split(";")[0].split(",")[0]
    name = table["hypothesis"].iloc[0]
    assert first.startswith(f"{name} (exploratory): {result.test}, harvest of all seats (open 6, ")
    assert f": U{number}, p" in first
    assert f"; {result.effect_name} = {result.effect:.4g}, 95% interval {result.low:.4g} " in first
    assert ": t = " in second
    untested = hypotheses.tested([of_plan(export(), "small", study)], study, None)
    untested.insert(1, "status", "exploratory")
    assert all(": not tested: " in sentence for sentence in hypotheses.in_words(untested))


THREE = """
[treatments.fed]
meaning = "a pool that gathers"
changes = { governance = "accumulating" }

[hypotheses.rising]
meaning = "more is harvested with a larger pool"
measure = "harvest"
test = "jonckheere"
treatments = ["pool", "open", "fed"]
"""


def test_a_trend_in_words_names_its_order_and_interval():
    study = plan(SMALL + THREE)
    table = hypotheses.tested([of_plan(played(study, 4), "small", study)], study, None)
    table.insert(1, "status", "exploratory")
    [sentence] = hypotheses.in_words(table)
    assert "probability of superiority (fed over open over pool) = " in sentence
    assert "95% interval" in sentence
    assert "Order tested, with means: pool " in sentence
    row = table.iloc[0]
    assert row["standardised"] == pytest.approx(2 * row["effect"] - 1)


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("direction", "words"),
    [
        ("higher", ", but opposite to the hypothesis: lower in {1} than in {0}; expected: higher"),
        ("lower", ", in the direction of the hypothesis: lower in {1} than in {0}"),
        ("", ": lower in {1} than in {0}; the plan expects none"),
        ("either", ": lower in {1} than in {0}; the plan expects none"),
    ],
)
@pytest.mark.parametrize("test", ["mann_whitney", "welch", "permutation", "jonckheere"])
def test_a_significant_result_says_its_direction(direction, words, test):
    """The harvests with a pool are divided by ten."""
    data, names = played(plan(TEXT), 6), ["open", "pool"]
    rows = data.decisions.copy()
    rows.loc[rows["session"] == "pool", "reward_harvest"] /= 10
    data = replace(data, decisions=rows)
    chosen = f'treatments = {names}\ndirection = "{direction}"\n'
    study = plan(SMALL + MEAN_HARVEST.replace("mann_whitney", test) + chosen)
    [result] = hypotheses.tested([of_plan(data, "small", study)], study, None)["result"]
    if test == "jonckheere":
        words = words.replace("lower in {1} than in {0}", "falls over {0}, {1}")
        words = words.replace("higher", "rises")
    assert words.format(*names) in result
    assert result.startswith("significant at the 0.05 level")


def test_a_result_that_is_not_significant_has_no_direction():
    study = plan(TEXT).model_copy(update={"alpha": 0.0001})
    data = of_plan(played(study, 3), "small", study)
    results = hypotheses.tested([data], study, None)["result"]
    assert list(results) == ["not significant at the 0.0001 level"] * 2


def test_a_corrected_p_names_its_family():
    study = plan(TEXT)
    table = hypotheses.tested([of_plan(played(study, 3), "small", study)], study, None)
    assert set(table["correction"]) == {"Holm, 2 tests of the hypotheses in family main"}


def test_a_measure_that_bots_alone_can_change_is_said_to_include_them():
    """The plan's line and the remark contain the same sentence."""
    text = SMALL.replace('{ governance = "per_step" }', "{ people_per_group = 1 }") + MEAN_HARVEST
    sentence = (
        "reatments differ in their bots, and this group measure includes bots, so a difference"
    )
    for of, included in (("group", True), ("people", False)):
        study = plan(f'{text}of = "{of}"\n')
        rules = of_series(treatments.shipped_series("commons_game", config(study)))
        assert (f"T{sentence}" in " ".join(showing_design.tests_shown(study, rules))) == included
        remarked = [line for _, line in remarks(study, ["commons_game"]) if f"t{sentence}" in line]
        assert len(remarked) == included


def test_cautions_stand_in_the_plan_the_remarks_and_the_notes_of_the_result():
    text = SMALL.replace('{ governance = "per_step" }', "{ people_per_group = 1 }")
    study = plan(text + MEAN_HARVEST.replace('"harvest"', '"points"') + 'of = "people"\n')
    rules = of_series(treatments.shipped_series("commons_game", config(study)))
    follows = "people's points also depend directly on what bots do"
    spread = "means over fewer people vary more"
    shown = " ".join(showing_design.tests_shown(study, rules))
    data = of_plan(played(plan(TEXT), 3), "small", study)
    [note] = hypotheses.tested([data], study, None, cautions=cautions(study, rules))["notes"]
    for sentence in (follows, spread):
        assert sentence in shown
        assert sentence in note
    assert follows in " ".join(line for _, line in remarks(study, ["commons_game"]))
