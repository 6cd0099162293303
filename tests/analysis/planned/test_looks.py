"""Interim looks: levels, intervals with matching confidence, and the wording of the report."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from mixed_company.analysis import joined, measures, report, statistics
from mixed_company.analysis.data import Data
from mixed_company.analysis.paper import methods, notation
from mixed_company.analysis.planned.checking import remarks
from mixed_company.analysis.planned.deviations import deviations
from mixed_company.analysis.planned.looks import Look, levels_in_words, taken, words
from mixed_company.analysis.planned.tested import in_words, of_plan
from mixed_company.analysis.report import planned as part
from mixed_company.analysis.report.results import note
from mixed_company.analysis.statistics.result import Result
from mixed_company.analysis.statistics.spending import levels, unbiased
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment import showing_design
from mixed_company.experiment.comparisons import of_content
from mixed_company.experiment.plan import Plan
from tests.analysis.planned.made import MEAN_HARVEST, TEXT, content, played
from tests.analysis.planned.test_hypotheses import of_block
from tests.analysis.report.made import undrawn
from tests.experiment.planned import SMALL, plan


def looking(*looks: int, groups: int = 6) -> Plan:
    return plan(TEXT).model_copy(update={"looks": looks, "groups": groups})


@pytest.mark.parametrize("looks", ["[6]", "[3, 3]", "[4, 2]", "[1, 3]"])
def test_looks_are_increasing_and_before_the_end(looks) -> None:
    text = TEXT.replace("groups = 2", f"groups = 6\nlooks = {looks}")
    with pytest.raises(
        ConfigError, match=r"looks = .*: should be in increasing order, each at least 2 and less"
    ):
        plan(text)


def test_the_level_of_a_look_is_spent_from_the_share_of_a_hypothesis() -> None:
    """Three of 6 groups are half. Two hypotheses of one family get .025 each, of which 4 (1 -
    Phi(2.4977 / .70711)) is spent at the halfway look.
    """
    study = looking(3)
    data = of_plan(played(study, 3), "small", study)
    look = taken(data, study)
    assert look is not None
    assert (look.stated, look.shares) == (True, (0.5,))
    z = norm.isf(0.025 / 4) / 0.5**0.5
    assert look.by_family["main"] == pytest.approx(4 * norm.sf(z))
    last = taken(of_plan(played(study, 6), "small", study), study)
    assert last is not None
    assert last.shares == (0.5, 1.0)
    assert last.by_family["main"] == levels([0.5, 1.0], 0.025, "obrien_fleming")[-1]
    assert taken(data, looking()) is None


IN_TWO_BLOCKS = (
    SMALL
    + """
[[blocks]]
name = "before"
meaning = "the commons"

[[blocks]]
name = "after"
meaning = "the commons again"

[hypotheses.first]
meaning = "more is earned with a pool"
measure = "mean_points"
test = "welch"
block = "before"

[hypotheses.second]
meaning = "more is earned with a pool"
measure = "mean_points"
test = "welch"
block = "after"

[hypotheses.both]
meaning = "more is earned in the second part"
measure = "mean_points"
test = "wilcoxon"
blocks = ["before", "after"]
"""
).replace("groups = 2", "groups = 3\nlooks = [2]")


def in_two_blocks(playing: int) -> Data:
    """Return three groups of each treatment that ended the first block; this many of them are still
    playing the second."""
    later = of_block("commons_game", "after", first=10)
    later = replace(later, config=later.config.assign(matching_group=later.config["group"] - 10))
    frames = {}
    for name in ("decisions", "periods"):
        frame = getattr(later, name)
        left = (frame["group"] > 13 - playing) & (frame["period"] > 0)
        frames[name] = frame[~left].reset_index(drop=True)
    return joined(of_block("commons_game", "before"), replace(later, **frames))


def test_a_look_is_counted_by_the_groups_that_ended_a_hypothesis_s_block() -> None:
    """The hypotheses share alpha, so each gets .05 / 3."""
    study = plan(IN_TWO_BLOCKS)
    data = of_plan(in_two_blocks(1), "small", study)
    section = part.of_plan(data, study, content(study), None)
    table = section.tables[0].frame.set_index("hypothesis")
    early, late = levels([2 / 3, 1.0], 0.05 / 3, "obrien_fleming")
    assert table["level"].tolist() == [late, early, early]
    assert (1 - table["confidence"]).tolist() == pytest.approx([late, early, early])
    planned = "groups of each treatment; looks are planned at 2, 3."
    assert f"Look 2 (first): 3 {planned}" in section.words
    assert f"Look 1 (second, both): 2 {planned}" in section.words


def test_a_repeated_block_has_ended_when_all_of_its_plays_have() -> None:
    study = plan(
        SMALL.replace("groups = 2", "groups = 3\nlooks = [2]")
        + '[[blocks]]\nname = "before"\nmeaning = "the commons"\nrepeat = 2\n'
        + MEAN_HARVEST
        + 'block = "before"\n'
    )
    data = in_two_blocks(1)
    plays = (data.config["block"] == "after").astype("int64")
    config = data.config.assign(block="before", play=plays)
    data = of_plan(replace(data, config=config), "small", study)
    for number, groups in (((0, 1), 2), ((0, 0), 0)):
        numbers = data.config["play"].map(dict(enumerate(number)))
        look = taken(replace(data, config=data.config.assign(play=numbers)), study)
        assert (look.groups if look else 0) == groups


def test_a_hypothesis_without_a_look_is_not_tested() -> None:
    """All groups of the treatments are still playing the second block, or two of the three are."""
    study = plan(IN_TWO_BLOCKS)
    section = part.of_plan(of_plan(in_two_blocks(3), "small", study), study, content(study), None)
    table = section.tables[0].frame.set_index("hypothesis")
    reason = "not tested: no look yet, because a treatment has no group that played to the end"
    assert table.loc[["second", "both"], "notes"].str.startswith(reason).all()
    assert table.loc["first", "p"] <= 1
    section = part.of_plan(of_plan(in_two_blocks(2), "small", study), study, content(study), None)
    sentence = "the data have 1 group of each treatment for second, both; planned: 2, 3"
    assert sentence in section.tables[-1].frame["what"].tolist()


def test_an_undeclared_look_is_a_deviation_and_a_declared_one_is_not() -> None:
    for looks, expected in (((4,), True), ((3,), False)):
        study = looking(*looks)
        data = of_plan(played(study, 3), "small", study)
        table = deviations(data, study, content(study), None)
        assert ("looks" in set(table["about"])) == expected
        assert not table["what"].str.contains("fewer than the 6 planned").any()


@pytest.mark.parametrize("groups", [(3, 4), (2, 4), (2, 5), (4, 5)])
def test_unequal_numbers_of_groups_at_a_look_are_given_by_treatment(groups) -> None:
    """Looks are planned at 2 and 4 groups of each treatment."""
    study = looking(2, groups=4)
    data = of_plan(played(study, 5), "small", study)
    few, many = groups
    first = next(iter(study.treatments))
    rows = data.config.groupby("treatment").cumcount()
    chosen = rows < np.where(data.config["treatment"] == first, few, many)
    data = replace(data, config=data.config[chosen].reset_index(drop=True))
    section = part.of_plan(data, study, content(study), None)
    numbers = f"{few} groups of open, {many} groups of pool"
    assert any(f": {numbers}; looks are planned at 2, 4." in line for line in section.words)
    deviations = section.tables[-1].frame
    lines = [f"the data have {numbers}; planned: 2, 4"] if few < 4 else []
    more = "treatment pool", "5 groups played to the end, more than the 4 planned"
    expected = [("looks", line) for line in lines] + [more] * (many == 5)
    chosen = deviations["about"].isin(["looks", "treatment open", "treatment pool"])
    assert list(deviations[chosen].itertuples(index=False, name=None)) == expected


@pytest.mark.parametrize("spending", ["obrien_fleming", "pocock"])
def test_the_interval_of_a_look_excludes_0_exactly_when_its_test_rejects(spending) -> None:
    """With 6 of 12 groups, Pocock spends most of each .05 / 2; O'Brien and Fleming spend little."""
    study = looking(6, groups=12).model_copy(update={"spending": spending})
    data = of_plan(played(study, 6), "small", study)
    look = taken(data, study)
    assert look is not None
    level = look.by_family["main"]
    section = (
        part.of_plan(data, study, content(study), None).tables[0].frame.set_index("hypothesis")
    )
    units = statistics.units(measures.groups(data, ["mean_points"]), "mean_points")
    names = ["pool", "open"]
    result = statistics.compare(units, "welch", treatments=names, level=1 - level)
    assert section.loc["points", ["low", "high"]].tolist() == [result.low, result.high]
    assert section.loc["points", "confidence"] == 1 - level
    for row in section.to_dict("records"):
        if pd.notna(row["low"]):
            assert (row["low"] > 0 or row["high"] < 0) == (row["p"] <= row["level"])
    wide = statistics.compare(units, "welch", treatments=names)
    assert result.high - result.low > wide.high - wide.low


def test_the_interval_of_a_trend_excludes_half_exactly_when_its_test_rejects() -> None:
    names, rejected = ["low", "middle", "high"], set()
    for step in (0.0, 1.0, 4.0):
        rows = [(name, 4 * n + i, i + n * step) for n, name in enumerate(names) for i in range(4)]
        frame = pd.DataFrame(rows, columns=["treatment", "group", "points"]).assign(session="s")
        units = statistics.units(frame, "points")
        result = statistics.compare(units, "jonckheere", treatments=names, level=0.93)
        assert result.effect_name.startswith("probability of superiority")
        assert (result.p <= 0.07) == (result.low > 0.5 or result.high < 0.5)
        rejected.add(result.p <= 0.07)
    assert rejected == {True, False}
    study = looking(3)
    table = pd.DataFrame({"unbiased_effect": [math.nan]})
    look = Look(study, dict.fromkeys(study.treatments, 3))
    text = " ".join(words({"a": look}, study, table))
    assert "exclude 0 (for a probability of superiority: 0.5) if and only if" in text
    several = statistics.compare(units, "kruskal_wallis", treatments=names, level=0.93)
    assert several.p <= 0.07  # significant, and still without an interval
    assert math.isnan(several.low)
    assert "missing if no value could decide the hypothesis, or if its kind of effect has" in text


def test_an_early_look_that_cannot_decide_has_no_interval() -> None:
    """With three groups against three, the smallest p of a rank test is .1, and the level is
    .0031."""
    study = looking(3)
    section = part.of_plan(of_plan(played(study, 3), "small", study), study, content(study), None)
    row = section.tables[0].frame.set_index("hypothesis").loc["harvest"]
    assert row[["low", "high"]].isna().all()
    assert "cannot be below" in row["notes"]


def test_a_report_on_very_few_groups_describes_them_without_deciding() -> None:
    """After two of 60 groups, O'Brien and Fleming spend 4 (1 - Phi(2.4977 / .18257)) of .025,
    practically 0.
    """
    study = looking(30, groups=60)
    data = of_plan(played(study, 2), "small", study)
    table = part.of_plan(data, study, content(study), None).tables[0].frame
    assert table["p"].notna().all()
    assert (table["level"] < 2e-15).all()
    assert table[["low", "high", "unbiased_effect"]].isna().loc[0].all()


def test_a_report_of_one_group_in_each_treatment_has_no_p_values() -> None:
    """No hypothesis is tested, so the column of p values has no numbers at all."""
    study = looking(2, groups=4)
    data = of_plan(played(study, 1), "small", study)
    table = part.of_plan(data, study, content(study), None).tables[0].frame
    assert table["p"].tolist() == [None, None]
    assert table["unbiased_effect"].isna().all()


def test_the_effect_of_a_decided_hypothesis_is_also_given_without_bias() -> None:
    """Looks are after half of the 12 groups of each treatment and after all of them. There are no
    further looks."""
    study = looking(6, groups=12).model_copy(update={"spending": "pocock"})
    rows = [("shift (a - b)", 0.001), ("shift (a - b)", 0.2), ("epsilon squared", 0.001)]
    table = pd.DataFrame(rows, columns=["effect_name", "p"]).assign(family="main", effect=8.0)
    half, whole = (Look(study, dict.fromkeys(study.treatments, groups)) for groups in (6, 12))
    design = {"shares": [0.5, 1.0], "alpha": 0.025, "spending": "pocock"}
    early, late = half.unbiased(table), whole.unbiased(table)
    assert early[0] == unbiased(8.0, 0.001, look=0, **design) < 8
    assert pd.isna(early[1:]).all()
    assert late[:2] == [unbiased(8.0, p, look=1, **design) for p in (0.001, 0.2)]
    assert pd.isna(late[2])
    texts = [
        " ".join(words({"a": half}, study, table.assign(unbiased_effect=effect)))
        for effect in (early, math.nan)
    ]
    assert ["overstate effects" in text for text in texts] == [True, False]


@pytest.mark.long
def test_the_head_states_the_confidence_of_an_interval() -> None:
    """With 6 groups against 6, p is at least .002. The level is .016 with Pocock and .0008 with
    O'Brien and Fleming.
    """
    study = looking(6, groups=12)
    data = of_plan(played(study, 6), "small", study)
    heads = []
    for spending in ("pocock", "obrien_fleming"):
        named = study.model_copy(update={"spending": spending})
        planned = part.of_plan(data, named, content(study), None)
        with undrawn():
            page = str(report.files(data, plan=planned)["report.html"])
        confidence = 100 * (1 - planned.tables[0].frame["level"].iloc[0])
        heads.append(f"{confidence:.4g}% interval" in page[: page.index("</header>")])
    assert heads == [True, False]


def test_the_report_has_the_level_beside_p_and_the_check_lists_all_levels() -> None:
    study = looking(3)
    section = part.of_plan(of_plan(played(study, 3), "small", study), study, content(study), None)
    table = section.tables[0].frame
    assert list(table.columns).index("level") == list(table.columns).index("p_corrected") + 1
    assert table["level"].nunique() == 1
    assert list(table.columns).index("unbiased_effect") == list(table.columns).index("effect") + 1
    assert any("Look 1: 3 groups of each treatment" in words for words in section.words)
    text = " ".join(remark.sentence for remark in remarks(study, ["commons_game"]))
    half, whole = levels([0.5, 1.0], 0.025, "obrien_fleming")  # two hypotheses share .05
    line = f"3 groups of each treatment at level {half:.2g}; 6 groups of each treatment at level"
    assert f"looks: {line} {whole:.2g}" in text
    words = "\n".join(methods.paragraphs(content(study), None, "", "", {"code": ""}))
    assert (
        "Each hypothesis has one two-sided test at every look. The alpha of a family of "
        "hypotheses, 0.05, is divided equally among them, and each hypothesis spends its share "
        "over the looks. A hypothesis is decided if its uncorrected p is at most the level of the "
        f"look ({line} {whole:.2g}). Everything else is exploratory."
    ) in words
    assert "Holm" not in words
    shown = "\n".join(showing_design.tests_shown(study, of_content(content(study))))
    assert (
        "Alpha of each family: 0.05, divided equally among its hypotheses\nLooks at 3, 6" in shown
    )
    assert "Holm" not in shown


def test_families_with_different_numbers_of_hypotheses_have_different_levels() -> None:
    text = TEXT.replace('test = "welch"', 'test = "welch"\nfamily = "other"')
    both = plan(text).model_copy(update={"looks": (3,), "groups": 6})
    assert levels_in_words(both).startswith("3 groups of each treatment at level 0.0031; 6 groups")
    third = MEAN_HARVEST.replace("hypotheses.harvest", "hypotheses.third")
    uneven = plan(text + third).model_copy(update={"looks": (3,), "groups": 6})
    half, whole = levels([0.5, 1.0], 0.025, "obrien_fleming")
    assert levels_in_words(uneven) == (
        f"family main: 3 groups of each treatment at level {half:.2g}; 6 groups of each treatment "
        f"at level {whole:.2g}; family other: 3 groups of each treatment at level 0.0031; 6 groups "
        "of each treatment at level 0.049"
    )


def test_at_a_look_no_corrected_p_is_shown_or_commented_on() -> None:
    """With four groups against four, p is at least 2 / 70 = .0286, which is below the last level
    for an alpha of .05 each. With Holm's correction, .0571 would be above it.
    """
    both = plan(TEXT.replace("welch", "mann_whitney"))
    study = both.model_copy(update={"looks": (2,), "groups": 4, "alpha": 0.1})
    data = of_plan(played(study, 4), "small", study)
    section = part.of_plan(data, study, content(study), None)
    row = section.tables[0].frame.set_index("hypothesis").loc["harvest"]
    assert "too many tests" not in row["notes"]
    shown, line = notation.test(row.to_dict()), in_words(section.tables[0].frame)[0]
    assert not {"Holm", "corrected"} & set(shown.replace("(", " ").split())
    assert f"(level {row['level']:.4g}); " in line
    assert f"unbiased effect = {notation.number(float(row['unbiased_effect']))}, " in shown
    assert f"unbiased effect = {row['unbiased_effect']:.4g}" in line
    too_few = [remark.sentence for remark in remarks(study, ["commons_game"]) if remark.wrong]
    assert not any("too few" in sentence for sentence in too_few)


def test_the_check_compares_the_smallest_p_with_the_level_of_the_last_look() -> None:
    """The smallest p of three groups against three is 2 / 20 = .1."""
    study = looking(2, groups=3).model_copy(update={"alpha": 0.1})
    level = levels([2 / 3, 1.0], 0.05, "obrien_fleming")[-1]
    sentences = [remark.sentence for remark in remarks(study, ["commons_game"]) if remark.wrong]
    assert (
        "groups = 3: too few for hypothesis 'harvest' (family 'main'): p cannot be below 0.1, but "
        f"the level at the last look is {level:.3g}"
    ) in sentences


def test_a_confidence_is_never_rounded_to_100_percent() -> None:
    """O'Brien and Fleming's level at a fifth of the groups is 0.0000011."""
    (level, _) = levels([0.2, 1.0], 0.05, "obrien_fleming")
    row = {**dict.fromkeys(("df", "standardised"), math.nan), "confidence": 1 - level}
    row |= {"symbol": "t", "statistic": 9.0, "p": 1e-6, "correction": "holm, 1 test", "groups": "a"}
    row |= {"effect_name": "difference", "effect": 2.0, "low": 1.0, "high": 3.0}
    assert notation.test(row).endswith("99.9999% CI [1, 3]")
    named = dict.fromkeys(("hypothesis", "status", "test", "measure", "of", "result", "notes"), "")
    (sentence,) = in_words(pd.DataFrame([{**row, **named, "p_corrected": 1}]))
    assert "99.9999% interval 1 to 3" in sentence
    assert "99.9999% interval of the effect" in note(pd.DataFrame([{**row, "test": "t"}]))
    effect = ("difference", 2.0, 1.0, 3.0, 1 - level)
    assert "99.9999% interval" in str(Result("t", "harvest", "t", 9.0, 1e-6, *effect, {}, "group"))
