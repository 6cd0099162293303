"""A plan's tests leave out the groups that it excludes; other groups stay."""

from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest

from mixed_company.analysis import measures, statistics
from mixed_company.analysis.data import Data
from mixed_company.analysis.paper import results
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import blind, left_out
from mixed_company.analysis.report import planned as part
from mixed_company.analysis.report.compared import compared
from mixed_company.analysis.report.excluded import (
    KEPT,
    LEFT_OUT,
    NO_GROUP,
    Excluded,
    both_ways,
    of_games,
    table,
)
from mixed_company.analysis.report.measured import Main, Measured
from mixed_company.engine.contract.errors import UnknownName
from mixed_company.experiment.plan import Plan
from tests.analysis.planned.made import TEXT, content, export, played, sealed
from tests.analysis.report.made import main_alone, with_people
from tests.analysis.report.made import played as of_report
from tests.experiment.planned import plan

RULE = "Groups in which somebody left."


def gone(number: int, why: str, when: str = "2026-11-02") -> Excluded:
    return Excluded("open", number, "", why, when)


def excluding(*rules: str, groups: int = 3) -> tuple[Plan, Data]:
    """Return a plan with these exclusions, and data with this many groups."""
    text = TEXT.replace('"welch"', '"welch"\nfamily = "other"')
    study = plan(text.replace("groups = 2", f"groups = {groups}\nexclusions = {json.dumps(rules)}"))
    return study, of_plan(played(study, groups), "small", study)


def dropouts(data: Data, study: Plan, *rows: Excluded) -> list[str]:
    """Return the deviations about dropouts in data without these groups."""
    planned = part.of_plan(data, study, content(study), sealed(study), excluded=rows)
    return [line for line in planned.tables[-1].frame["what"] if "dropped out" in line]


def test_groups_excluded_by_a_plan_are_left_out_of_its_tests_only() -> None:
    study = plan(TEXT.replace("groups = 2", f'groups = 6\nexclusions = ["{RULE}"]'))
    data = of_plan(played(study, 6), "small", study)
    planned = part.of_plan(
        data,
        study,
        content(study),
        sealed(study),
        excluded=[gone(2, RULE), gone(5, "They laughed.")],
    )
    tables = {table.name: table.frame for table in planned.tables}
    frame = measures.groups(data, ["harvest"])
    left = frame[(frame["session"] != "open") | (frame["group"] != 2)]
    without, every = (
        statistics.compare(statistics.units(table, "harvest"), "mann_whitney")
        for table in (left, frame)
    )
    assert tables["hypotheses"]["groups"].iloc[0] == "open 5, pool 6"
    assert tables["hypotheses"]["p"].iloc[0] == without.p
    assert set(tables["hypotheses"]["status"]) == {"confirmatory"}
    means = tables["hypotheses_means"].query("hypothesis == 'harvest'").set_index("treatment")
    assert means["groups"].to_dict() == {"open": 5, "pool": 6}
    expected = left[left["session"] == "open"]["harvest"].mean()
    assert means.loc["open", "mean"] == pytest.approx(expected)
    assert expected != frame[frame["session"] == "open"]["harvest"].mean()
    assert tables["hypotheses_of_all"]["groups"].iloc[0] == "open 6, pool 6"
    assert tables["hypotheses_of_all"]["p"].iloc[0] == every.p
    assert set(tables["hypotheses_of_all"]["status"]) == {"exploratory"}
    assert tables["deviations"]["what"].iloc[-1] == (
        "group 2 is left out of the tests of the hypotheses (Groups in which somebody left.), but "
        "according to the data nobody in it dropped out"
    )
    assert tables["deviations"]["what"].iloc[-2] == (
        "group 5 is named for exclusion, but kept in the tests of the hypotheses, because the "
        "reason "
        "is not in the plan: They laughed. (2026-11-02)"
    )
    assert "Hence 1 group is left out of the tests of hypotheses" in " ".join(planned.words)
    with pytest.raises(UnknownName, match="session 'open' has no group 9"):
        part.of_plan(data, study, content(study), None, excluded=[gone(9, RULE)])


def test_a_blind_report_also_tests_the_hypotheses_with_all_groups() -> None:
    study = plan(TEXT.replace("groups = 2", f'groups = 3\nexclusions = ["{RULE}"]'))
    data = of_plan(played(study, 3), "small", study)
    planned = part.of_plan(data, study, content(study), None, excluded=[gone(2, RULE)])
    kept = blind.kept_tables({table.name: table for table in planned.tables})
    assert list(kept) == ["hypotheses", "hypotheses_means", "hypotheses_of_all"]


def test_a_group_named_in_several_rows_is_left_out_once() -> None:
    """Group 2 has the plan's reason in three rows, and one other reason. Group 3 has another reason
    twice, once without the full stop.
    """
    study = plan(TEXT.replace("groups = 2", f'groups = 3\nexclusions = ["{RULE}"]'))
    data = of_plan(played(study, 4), "small", study)
    people = [Excluded("", None, f"open-2-{seat}", RULE, "2026-11-02") for seat in (0, 1)]
    other = [gone(number, RULE[:-1]) for number in (2, 3, 3)]
    planned = part.of_plan(
        data, study, content(study), None, excluded=[gone(2, RULE), *people, *other]
    )
    assert "Hence 1 group is left out" in " ".join(planned.words)
    listed = planned.tables[-1].frame["what"]
    [line] = listed[listed.str.contains("the reason is not in the plan")]
    [also] = listed[listed.str.contains("also listed with a reason that is not in the plan")]
    assert also.startswith("group 2 is left out for a planned reason")
    assert line.startswith("group 3")
    assert line.endswith(f"; the plan has {RULE!r}")


def test_an_excluded_participant_without_a_group_is_listed() -> None:
    """The fifth person of this export left in the lobby."""
    rules = json.dumps([RULE])
    study = plan(TEXT.replace("groups = 2", f"groups = 2\nexclusions = {rules}"))
    data = of_plan(export(), "small", study)
    rows = [Excluded("", None, "alone", why, "2026-11-02") for why in ("early, before", RULE)]
    listed = table(data, rows, {RULE})
    assert listed["group"].isna().all()
    assert listed["participant"].tolist() == ["alone", "alone"]
    assert set(listed["tests"]) == set(table(data, rows)["tests"]) == {NO_GROUP}
    planned = part.of_plan(data, study, content(study), sealed(study), excluded=rows)
    lines = [line for line in planned.tables[-1].frame["what"] if "alone" in line]
    assert lines == [
        "participant alone had no group and is in no test, but is listed for exclusion with a "
        "reason that is not in the plan: early, before (2026-11-02)"
    ]
    assert "No group is left out of the tests." in planned.words
    assert results.excluded(listed.tail(1)) == (
        "- Participant alone of session plan1: in no test, because this person had no group; "
        "reason: Groups in which somebody left. (decided: 2026-11-02)"
    )


def test_a_participant_of_several_games_is_listed_once() -> None:
    """Person 0 has a group in both games, person 1 in the first game, and x in none."""
    games = [
        with_people(of_report(name, periods=1), {"participant": "x"})
        for name in ("commons_game", "sanctions")
    ]
    outcomes = games[1].outcomes
    alone = outcomes["participant"] == "open-1-1"
    outcomes = outcomes.assign(group=outcomes["group"].mask(alone))
    games[1] = replace(games[1], outcomes=outcomes)
    codes = ("open-1-0", "open-1-1", "x")
    rows = [Excluded("open", None, code, "They laughed.", "2026-11-02") for code in codes]
    listed = of_games(games, rows)
    assert listed["participant"].tolist() == ["open-1-0", "open-1-1", "x"]
    assert listed["group"].fillna(0).tolist() == [1, 1, 0]
    assert (listed["tests"] == NO_GROUP).tolist() == [False, False, True]


def test_a_group_with_two_excluded_participants_is_one_deviation() -> None:
    _, data = excluding(RULE)
    codes = data.outcomes.loc[data.outcomes["group"] == 1, "participant"].unique()[:2]
    rows = [Excluded("open", None, str(code), "They laughed.", "2026-11-02") for code in codes]
    listed = of_games([data], rows, [RULE])
    assert len(listed) == 2
    assert len(left_out.of_exclusions([data], listed, [RULE])) == 1


def test_without_exclusions_the_hypotheses_are_tested_once() -> None:
    study = plan(TEXT)
    data = of_plan(played(study, 3), "small", study)
    unplanned = part.of_plan(data, study, content(study), None, excluded=[gone(1, "They laughed.")])
    names = ["hypotheses", "hypotheses_means", "deviations"]
    assert [table.name for table in unplanned.tables] == names
    assert unplanned.tables[0].frame["groups"].iloc[0] == "open 3, pool 3"


def test_a_group_that_somebody_left_agrees_with_its_reason() -> None:
    study = plan(TEXT.replace("groups = 2", f'groups = 3\nexclusions = ["{RULE}"]'))
    data = of_plan(played(study, 3), "small", study)
    seats = data.seats.astype({"reason": "str"})
    left = (seats["session"] == "open") & (seats["group"] == 2) & (seats["seat"] == 0)
    dropped = replace(data, seats=seats.assign(reason=seats["reason"].mask(left, "dropout")))
    planned = part.of_plan(dropped, study, content(study), None, excluded=[gone(2, RULE)])
    assert not planned.tables[-1].frame["what"].str.contains("group 2").any()


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("seats", "reason", "handed"),
        ("outcomes", "status", "ended"),
        ("outcomes", "status", "left"),
    ],
)
def test_only_a_person_who_left_explains_that_a_group_is_excluded_for_leaving(
    table: str, column: str, value: str
) -> None:
    """The manager can hand a seat to a bot and end a play although nobody leaves."""
    study, data = excluding(RULE)
    frame = getattr(data, table)
    rows = (frame["session"] == "open") & (frame["group"] == 2) & (frame["seat"] == 0)
    values = frame[column].astype("str").mask(rows, value)
    managed = replace(data, **{table: frame.assign(**{column: values})})
    lines = dropouts(managed, study, gone(2, RULE))
    nobody = f"({RULE}), but according to the data nobody in it dropped out"
    assert any(line.endswith(nobody) for line in lines) == (value != "left")


def test_tests_without_excluded_groups_leave_out_the_groups_that_the_hypotheses_do() -> None:
    study = plan(TEXT.replace("groups = 2", f'groups = 4\nexclusions = ["{RULE}"]'))
    data = of_plan(played(study, 4), "small", study)
    rows = [gone(2, RULE), gone(3, "They laughed.")]
    measured = Measured(data, Main(("harvest",)))
    with main_alone():
        tests = compared(measured)
        planned = both_ways(measured, tests, rows, study.exclusions)
        assert planned["without groups"].iloc[0] == "3, 4"
        assert both_ways(measured, tests, rows)["without groups"].iloc[0] == "2, 4"
    listed = table(data, rows, study.exclusions)
    assert listed["tests"].tolist() == [LEFT_OUT, KEPT]


def dropped_out(data: Data, *groups: int) -> Data:
    """Return the data after a person dropped out of each of these groups of the first treatment."""
    seats = data.seats.astype({"reason": "str"})
    left = (seats["session"] == "open") & seats["group"].isin(groups) & (seats["seat"] == 0)
    return replace(data, seats=seats.assign(reason=seats["reason"].mask(left, "dropout")))


def test_groups_with_dropouts_that_stay_in_are_named_next_to_excluded_ones() -> None:
    study, data = excluding(RULE)
    data = dropped_out(data, 2, 3)
    stay = f"not excluded: {{}}; the plan excludes: {RULE}"
    of_one = f"1 group in which somebody dropped out is {stay.format('open-3')}"
    assert dropouts(data, study, gone(2, RULE)) == [of_one]
    of_two = f"2 groups in which somebody dropped out are {stay.format('open-2, open-3')}"
    assert dropouts(data, study) == [of_two]
    assert dropouts(data, study, gone(2, RULE), gone(3, RULE)) == []
    other, data = excluding("Groups that were disturbed.")
    assert dropouts(dropped_out(data, 2, 3), other) == []


def test_other_conditions_of_a_rule_about_leaving_are_said_not_to_be_compared() -> None:
    rule = "Groups in which somebody left before the second period."
    _, data = excluding(rule)
    assert left_out.sentences(table(data, []), [dropped_out(data, 2)], [rule])[-1] == (
        "Only whether somebody left was compared with this rule, not when, nor any other "
        f"condition. Somebody left in 1 group (first period without them: 1); 0 of these are left "
        f"out of the tests: {rule}"
    )
    both = dropped_out(data, 2, 3)
    later = both.seats["since_period"].mask(both.seats["group"] == 3, 2)
    both = replace(both, seats=both.seats.assign(since_period=later))
    sentence = left_out.sentences(table(data, []), [both], [rule])[-1]
    assert "2 groups (first periods without them: 1, 3)" in sentence
    assert not any("Only" in line for line in left_out.sentences(table(data, []), [data], [rule]))


def test_a_rule_that_was_not_checked_is_said_not_to_be() -> None:
    rule = "Groups that harvested less than 1 fish."
    study, data = excluding(rule, RULE)
    planned = part.of_plan(
        dropped_out(data, 3), study, content(study), None, excluded=[gone(2, rule), gone(3, RULE)]
    )
    assert planned.left_out[1] == (
        "This rule was not compared with the data, because it has none of the English words "
        f'"left", "leave" or "drop out" (1 group left out): {rule}'
    )
    left = "left in 1 group (first period without them: 1); 1 of these is left out of the tests"
    assert planned.left_out[2].endswith(f"{left}: {RULE}")
    assert set(planned.left_out) <= set(planned.words)


def test_a_rule_in_another_language_is_said_not_to_be_compared_with_groups_that_stay() -> None:
    rule = "Gruppen, in denen jemand ausgestiegen ist."
    study, data = excluding(rule)
    planned = part.of_plan(dropped_out(data, 3), study, content(study), None)
    assert planned.left_out[0] == "No group is left out of the tests."
    [sentence] = planned.left_out[1:]
    assert sentence.startswith("This rule was not compared with the data, because it has none of")
    assert sentence.endswith(f": {rule}")


@pytest.mark.parametrize(
    ("when", "early"),
    [("2020-01-01", True), ("2020-01-01, again 2026-11-05", False), ("before", False)]
    # the session's date in the last time zone, and the day before
    + [("2026-11-02", False), ("2026-11-01", True)],
)
def test_an_exclusion_dated_before_the_session_is_a_deviation(when: str, early: bool) -> None:
    rule = "Groups that were disturbed."
    study, data = excluding(rule)
    began = pd.Timestamp("2026-11-03T09:00Z").timestamp() * 1000
    data = replace(data, outcomes=data.outcomes.assign(assigned_ms=began))
    sentence = (
        f"the exclusion of group 2 is dated {when}, but the session began 2026-11-03 09:00 UTC "
        f"({rule})"
    )
    planned = part.of_plan(data, study, content(study), None, excluded=[gone(2, rule, when)])
    assert (sentence in planned.tables[-1].frame["what"].tolist()) == early


def test_hypotheses_with_another_result_with_all_groups_are_named() -> None:
    """Three groups cannot differ significantly from four, but four can."""
    rule = "Groups that were disturbed."
    study, data = excluding(rule, groups=4)
    same = part.of_plan(data, study, content(study), None, excluded=[gone(2, rule)])
    results = [t.frame["result"].tolist() for t in same.tables if "result" in t.frame]
    assert results[0] == results[1]
    assert same.left_out[-1] == "With all groups, the result of every hypothesis is the same."
    decisions, first = data.decisions.copy(), data.decisions["session"] == "open"
    decisions.loc[first, [name for name in decisions if "harvest" in name]] = 0.0
    parted = replace(data, decisions=decisions)
    other = part.of_plan(parted, study, content(study), None, excluded=[gone(2, rule)])
    results = [t.frame["result"].iloc[0] for t in other.tables if "result" in t.frame]
    assert [text[:15] for text in results] == ["not significant", "significant at "]
    assert other.left_out[-1].startswith(
        "With all groups, the result of these hypotheses is different: harvest"
    )


def test_a_person_who_left_between_two_blocks_explains_that_groups_are_excluded_for_leaving() -> (
    None
):
    """A person of group 1 left before the second block, in which group 1 became group 11."""
    first = of_report(groups=2)
    config = first.config.assign(block="before", matching_group=first.config["group"])
    second = replace(
        first,
        config=config.assign(block="after", group=config["group"] + 10),
        outcomes=with_people(first, {"participant": "open-1-0", "status": "left"}).outcomes.tail(1),
    )
    games = [replace(first, config=config), second]
    listed = pd.DataFrame(
        [(LEFT_OUT, "open", number, "", RULE, "later") for number in (1, 2, 11, 12)],
        columns=["tests", "session", "group", "participant", "why", "when"],
    )
    lines = [line for _, line in left_out.of_exclusions(games, listed, [RULE])]
    assert [line.partition(" is left")[0] for line in lines] == ["group 2", "group 12"]
    older = [replace(data, config=data.config.drop(columns="matching_group")) for data in games]
    assert len(left_out.of_exclusions(older, listed, [RULE])) == 4


def test_all_groups_of_an_excluded_participant_who_left_agree_with_the_reason() -> None:
    """Participant x left group 2 in the second block; group 1 of the first block was complete."""
    data = dropped_out(of_report(groups=2), 2)
    listed = pd.DataFrame(
        [(LEFT_OUT, "open", number, "x", RULE, "later") for number in (1, 2)],
        columns=["tests", "session", "group", "participant", "why", "when"],
    )
    data = replace(data, config=data.config.assign(block=["before", "after"]))
    assert list(left_out.of_exclusions([data], listed, [RULE])) == []
    by_group = listed.assign(participant="")
    ((_, line),) = left_out.of_exclusions([data], by_group, [RULE])
    assert line.startswith("group 1 is left out of the tests")
