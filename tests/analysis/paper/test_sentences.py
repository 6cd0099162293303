"""Sentences of a paper, with numbers calculated by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from mixed_company.analysis.audit import Audit
from mixed_company.analysis.audit.wording import compared, lines, of_data
from mixed_company.analysis.data import Problem
from mixed_company.analysis.paper import methods, notation, results
from mixed_company.analysis.planned.status import arrival
from mixed_company.analysis.report import excluded
from mixed_company.analysis.report import planned as planned_part
from mixed_company.analysis.report.participants import LEFT
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.sealing import Seal
from mixed_company.table.options import Options
from tests.analysis.planned.made import CHOSEN, MEAN_HARVEST, SMALL, TEXT, content, plan, sealed
from tests.analysis.report.made import played

ROW: dict[str, Any] = {
    "hypothesis": "harvest",
    "status": "confirmatory",
    "groups": "open 4, pool 4",
    "test": "Mann-Whitney U test, exact",
    "symbol": "U",
    "df": float("nan"),
    "statistic": 0.0,
    "effect_name": "Hodges-Lehmann shift (pool - open)",
    "effect": -12.5,
    "low": -20.0,
    "high": -5.25,
    "confidence": 0.95,
    "standardised": -1.0,
    "p": 2 / 70,  # 2 of the 70 ways to choose 4 of 8 groups
    "p_corrected": 4 / 70,
    "correction": "Holm, 2 tests of the hypotheses in family main",
    "result": "not significant at the 0.05 level",
    "notes": "",
}
MEANS = pd.DataFrame(
    [
        ("harvest", "harvest", "points", "open", 4, 20.0, 18.0, 22.0),
        ("harvest", "harvest", "points", "pool", 4, 7.5, float("nan"), float("nan")),
        ("of_people", "harvest", "points", "open", 4, 99.0, 98.0, 100.0),
        ("gini", "gini", "", "open", 4, 0.25, 0.2, 0.3),
    ],
    columns=["hypothesis", "measure", "unit", "treatment", "groups", "mean", "low", "high"],
)


def hypothesis(**changes: Any) -> str:
    planned = plan(TEXT).hypotheses["harvest"]
    return results.hypothesis({**ROW, **changes}, planned, MEANS, "group")


def test_the_mean_of_people_is_named_so() -> None:
    """People harvested 99, all seats 20. Without the extra words both would be called `Harvest`."""
    planned = plan(TEXT).hypotheses["harvest"].model_copy(update={"of": "people"})
    assert "Harvest of people (points) was on average 99 in open" in results.hypothesis(
        {**ROW, "hypothesis": "of_people"}, planned, MEANS, "group"
    )


def test_a_test_is_in_the_notation_of_journals():
    assert notation.test(ROW) == (
        "*U* = 0, *p* = .029, corrected for 2 tests of the hypotheses in family main (Holm) "
        "*p* = .057, Hodges-Lehmann shift (pool \N{MINUS SIGN} open) = \N{MINUS SIGN}12.50, 95% CI "
        "[\N{MINUS SIGN}20, "
        "\N{MINUS SIGN}5.25], Cliff's delta = \N{MINUS SIGN}1"
    )


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"symbol": "t", "df": 5.438}, "*t*(5.44) = 0, "),
        ({"symbol": "mean change"}, "mean change = 0, "),
        (
            {"correction": "Holm, 1 test of the hypotheses in family main"},
            "*p* = .029, Hodges-Lehmann",
        ),
        ({"low": float("nan")}, "= \N{MINUS SIGN}12.50, Cliff's"),
        ({"groups": "a 4, b 4, c 4"}, "epsilon squared = \N{MINUS SIGN}1"),
        (
            {"groups": "a 4, b 4, c 4", "test": "permutation test of means, exact"},
            "eta squared = \N{MINUS SIGN}1",
        ),
        (
            {"groups": "a 4, b 4, c 4", "test": "Jonckheere-Terpstra trend test"},
            "Somers' d = \N{MINUS SIGN}1",
        ),
        ({"p": 0.00049}, "*p* < .001, corrected"),
    ],
)
def test_parts_of_a_test_follow_from_its_kind(changes, part):
    assert part in notation.test({**ROW, **changes})


@pytest.mark.parametrize(
    ("p", "text"), [(0.0496, ".0496"), (0.0504, ".0504"), (0.05, ".050"), (0.0494, ".049")]
)
def test_p_values_next_to_the_level_have_more_digits(p, text):
    row = {**ROW, "p": p, "p_corrected": p}
    assert f"= 0, *p* = {text}, corrected" in notation.test(row)
    assert f"(Holm) *p* = {text}, " in notation.test(row)


def test_numbers_are_not_rounded_to_zero():
    assert notation.interval(0.0001, 0.0004, 0.95) == "95% CI [0.0001, 0.0004]"
    assert notation.number(-0.00004) == "\N{MINUS SIGN}0.00004"
    assert notation.number(0.0) == "0"


def test_a_p_value_below_a_small_level_has_digits_that_show_it():
    row = {**ROW, "confidence": 1 - 0.0005}
    assert "*p* = .0004, corrected" in notation.test({**row, "p": 0.0004})
    assert "*p* = .001, corrected" in notation.test({**row, "p": 0.0006})


def test_a_result_has_means_the_test_and_the_verdict():
    """The corrected p of .057 is above the level, although the uncorrected p is below it."""
    words = hypothesis()
    assert words.startswith(
        "**harvest** (confirmatory). Hypothesis: more is harvested with a pool. Harvest of"
    )
    assert "on average 20 in open (4 groups, 95% CI [18, 22]) and 7.50 in pool (4 groups)" in words
    assert "in pool (4 groups), over the tested groups." in words
    assert "Harvest of all seats (points) was on average" in words
    assert "99" not in words  # another hypothesis
    assert "Mann-Whitney U test, exact (open 4, pool 4): *U* = 0" in words
    assert words.endswith("The result is not significant at the 0.05 level.")


STRANGERS = f"""
matching = "strangers"
matching_groups = 2
roles = "redrawn"
{SMALL.replace("groups = 2", "groups = 4")}
{MEAN_HARVEST}
block = "first"

[[blocks]]
name = "first"
meaning = "among strangers"
repeat = 2
"""


def test_the_unit_of_a_test_among_strangers_is_a_matching_group():
    study = plan(STRANGERS)
    words = "\n".join(methods.paragraphs(content(study), None, "", "", {"code": ""}))
    assert "Independent unit: matching group. Family: main." in words
    assert "The plan has 4 groups of each treatment. Every 2 of them exchange people" in words
    planned = study.hypotheses["harvest"]
    words = results.hypothesis(ROW, planned, MEANS, study.unit_of(planned))
    assert "in pool (4 matching groups), over the tested matching groups." in words
    assert "Independent unit: matching group (groups that exchange people)." in planned_part._tests(
        study
    )
    assert "Independent unit: group. " in planned_part._tests(plan(TEXT))


def test_the_notes_follow_the_result():
    words = hypothesis(result="significant at the 0.05 level", notes="With ties")
    assert words.endswith("The result is significant at the 0.05 level. With ties.")


def test_a_missing_test_gives_its_reason():
    words = hypothesis(p=float("nan"), notes="not tested: no group in pool has a value")
    assert words.endswith("Not tested: no group in pool has a value.")


def test_prizes_are_named_apart_from_the_other_payments():
    """Two people per group finished; the mean of 2 and 1 is 1.50."""
    data = played(groups=1)
    assert results.prizes(data) == ""
    won = replace(data, outcomes=data.outcomes.assign(pay_questions=[2.0, 1.0]))
    sentence = "These payments include prizes for answers to questions, on average 1.50 in open."
    assert results.prizes(won) == sentence
    drawn = "Simulated people draw their answers at random, so these prizes were won by chance."
    assert results.prizes(won, simulated=True) == f"{sentence} {drawn}"
    assert results.prizes(replace(won, outcomes=won.outcomes.assign(pay_questions=0.0))) == ""


def test_prizes_in_blocks_are_added_up_for_people_who_finished_the_last_one() -> None:
    """Groups 1 and 2 are two blocks of the same two people. The first won 1 and 2 points, the
    second 4 in the first block, before leaving the second."""
    data = played(groups=2)
    blocks = {f"open, {name}": ["treatment=open", f"block={name}"] for name in ("first", "second")}
    config = data.config.assign(treatment="open", block=["first", "second"])
    people = data.outcomes.assign(
        participant=data.outcomes["participant"].str.replace("open-2", "open-1"),
        status=["finished"] * 3 + ["left"],
        pay_questions=[1.0, 4.0, 2.0, None],
    )
    both = replace(data, config=config, outcomes=people).named(blocks)
    text = "These payments include prizes for answers to questions{}, on average 3.00 in open."
    assert results.prizes(both, False, ["first", "second"]) == text.format("")
    with_other = results.prizes(both, False, ["first", "second", "third"])
    assert with_other == text.format(" in blocks first and second")


def test_prizes_above_the_cap_are_not_called_part_of_the_payments():
    """The cap takes 2.50 and 0.50 from points and prizes together; the mean is 1.50."""
    data = played(groups=1)
    outcomes = data.outcomes.assign(pay_questions=[2.0, 1.0], pay_cap=[-2.5, -0.5])
    assert results.prizes(replace(data, outcomes=outcomes)) == (
        "Prizes for answers to questions were, on average, 1.50 in open. A cap then limited "
        "points and prizes together; on average, it took 1.50 in open."
    )


def test_methods_list_the_terms_of_the_pay_that_are_in_force():
    terms = {"pay_floor": 5.0, "pay_cap": 80.0, "pay_waiting": 0.1, "pay_rounding": 0.5}
    terms |= {"fee_pro_rata": True, "fee_shares": {"released": 0.25}}
    assert list(methods._terms(Options(**terms))) == [
        "at least 5 points are paid",
        "at most 80 points are paid",
        "each minute in the lobby is paid 0.1",
        "a person who left is paid only the fee's share for the periods they played",
        "with the status released, the share of the fee that is paid is 0.25",
        "the total payment is rounded up to a multiple of 0.5",
    ]
    assert list(methods._terms(Options())) == []
    study = plan(SMALL.replace("groups = ", "changes.pay_rounding = 0.5\ngroups = ", 1))
    words = "\n".join(methods.paragraphs(content(study), None, "", "", {"code": ""}))
    assert "rounded up to a multiple of 0.5" in words


def test_methods_list_only_parameters_that_have_an_effect():
    """Only one treatment has a pool, which does not accumulate."""
    words = "\n".join(methods.paragraphs(content(plan(SMALL)), None, "", "", {"code": ""}))
    assert "- pool_effect: open none; pool 0.5 (" in words
    assert "- pool_decay" not in words
    assert "- recovery_bonus" not in words


def test_compared_treatments_have_their_differences_listed():
    fed = '[treatments.fed]\nmeaning = "more"\nchanges = { governance = "accumulating" }\n'
    pair = MEAN_HARVEST + 'treatments = ["pool", "fed"]\n'
    study = plan(SMALL + fed + pair)
    lists = list(methods._differences(study, content(study)))
    headings = [text.partition(":")[0] for text in lists]
    assert headings == [
        f"Differences in the configuration of {pair}"
        for pair in ("open and pool", "open and fed", "pool and fed")
    ]
    repeated = plan(SMALL + MEAN_HARVEST + 'treatments = ["pool", "open"]\n')
    assert len(list(methods._differences(repeated, content(repeated)))) == 1


def taking_part() -> pd.DataFrame:
    rows = [("open", 9, 8, 7, 0, 2, 5.0, 3.5, 8.25), ("pool", 8, 8, 8, 0, 0, None, None, None)]
    names = ("treatment", "arrived", "grouped", "finished", "ended_early", "dropped_out")
    table = pd.DataFrame(rows, columns=[*names, "payment_mean", "payment_min", "payment_max"])
    return table.assign(still_playing=0, **dict.fromkeys(LEFT, 0))


def test_participants_are_counted_over_treatments_and_paid_by_treatment():
    assert results.participants(taking_part()) == (
        "Of 17 participants who arrived, 16 joined a group and 15 stayed until its game ended "
        "(open: 7; pool: 8). 2 dropped out of the game at least once. The mean payment in open was "
        "5.00, from 3.50 to 8.25; it covers only participants who finished."
    )


def test_one_participant_is_not_named_in_the_plural() -> None:
    who = taking_part()[:1].assign(arrived=1, grouped=1, finished=1)
    assert results.participants(who).startswith("Of 1 participant who arrived, 1 joined a group")


def test_people_whose_play_was_stopped_stayed_until_its_end() -> None:
    who = taking_part().assign(finished=[4, 8], ended_early=[3, 0])
    words = results.participants(who)
    assert "15 stayed until its game ended (open: 7; pool: 8). The play of 3 of them was" in words


def test_people_who_left_are_counted_over_all_blocks() -> None:
    """Three people were stopped in the first block, so they do not reach the second."""
    first = taking_part().assign(treatment=["open, a", "pool, a"], ended_early=[3, 0])
    second = taking_part().assign(treatment=["open, b", "pool, b"], ended_early=[1, 0], excluded=1)
    words = results.participants(pd.concat([first, second]), False, ["a", "b"])
    assert " The play of 1 of them was stopped early." in words
    assert " The last stages of the others: 3 ended early; 2 excluded. " in words


def test_the_blocks_of_another_game_are_not_said_to_be_included() -> None:
    who = taking_part()[:1].assign(treatment="open, first")
    assert results.participants(who, False, ["first", "second"]) == (
        "Of 9 participants who arrived, 8 joined a group and 7 stayed until its game in block "
        "first ended (open: 7). 2 dropped out of the game in block first at least once. These "
        "numbers do not include block second. The mean payment in open was 5.00, from 3.50 to "
        "8.25; it covers only participants who finished block first."
    )


def test_a_game_that_nobody_left_is_said_to_be_one() -> None:
    words = results.participants(taking_part().assign(dropped_out=0))
    assert "Nobody dropped out of the game. The" in words


def test_people_who_play_two_blocks_are_counted_and_paid_once() -> None:
    """Of 9 people who arrived, 8 finished the first block, and 7 finished the second."""
    row = taking_part().iloc[0]
    second = {"treatment": "open, after", "arrived": 8, "grouped": 8, "finished": 7}
    before, after = ({**row, **changes} for changes in ({"treatment": "open, before"}, second))
    alone = {**row, "treatment": "no group formed", "arrived": 1, "payment_mean": None}
    alone |= dict.fromkeys(("grouped", "finished", "dropped_out"), 0)
    who = pd.DataFrame([before, {**after, "dropped_out": 0}, alone])
    assert results.participants(who, False, ["before", "after"]) == (
        "Of 10 participants who arrived, 8 joined a group and 7 stayed until its game in block "
        "after ended (open: 7). 2 dropped out of the game in block before at least once. Nobody "
        "dropped out of the game in block after. The mean payment in open was 5.00, from 3.50 to "
        "8.25; it covers only participants who finished block after."
    )


def test_the_pay_of_simulated_people_is_named_so():
    words = results.participants(taking_part(), simulated=True)
    assert words.startswith("Of 17 simulated participants who arrived")
    assert words.endswith("; it covers only simulated participants who finished.")


def test_the_periods_played_and_the_reasons_for_early_ends_are_said():
    table = pd.DataFrame(
        [
            ("open", 15, "20", 4, 7.0, 20, 1, 13, "collapse 13"),
            ("quota", 1, "20", 20, 20.0, 20, 0, 0, ""),
        ],
        columns=[
            *("treatment", "groups", "planned", "least", "median", "most", "playing", "early"),
            "reasons",
        ],
    )
    assert results.lengths(table) == (
        "In open, 15 groups played 4 to 20 of 20 periods (median 7); 13 ended early (collapse "
        "13); 1 was still playing. "
        "In quota, 1 group played 20 of 20 periods; none ended early."
    )


def test_the_plays_of_a_repeated_block_are_not_its_groups():
    rows = [
        ("open, first", 8, 2, "3", 3, 3.0, 3, 0, 0, ""),
        ("open, last", 4, 1, "3", 3, 3.0, 3, 0, 0, ""),
    ]
    names = ["treatment", "groups", "plays", "planned", "least", "median", "most", "playing"]
    assert results.lengths(pd.DataFrame(rows, columns=[*names, "early", "reasons"])) == (
        "In open, first, there were 8 groups in 2 plays, which played 3 of 3 periods; none ended "
        "early. In open, last, 4 groups played 3 of 3 periods; none ended early."
    )


def test_exclusions_are_named_with_their_reasons():
    row = {"treatment": "open", "session": "s1", "group": 3, "why": "power cut", "when": "before"}
    kept = {**row, "tests": excluded.KEPT, "participant": ""}
    text = "- Group 3 of session s1 (open): named for exclusion, but kept in the tests"
    assert results.excluded(pd.DataFrame([kept])) == (
        f"{text}; reason: power cut (decided: before)"
    )
    named = pd.DataFrame([{**kept, "participant": "a1"}])
    assert results.excluded(named) == (
        f"{text}, like all groups of participant a1; reason: power cut (decided: before)"
    )


def test_the_audit_is_reported_as_by_check():
    audit = Audit("commons_game", 2, 30, 500, (), journals=2)
    assert next(lines(audit, 0)) == (
        "commons_game: 2 groups, 30 periods, 500 numbers compared; everything matches"
    )
    assert results.audited([audit]) == (
        "Every group was replayed from configuration, seed and journal, and every number that "
        "follows from these was compared with the data. "
        "2 groups, 30 periods, 500 numbers compared; everything matches."
    )


def test_what_the_audit_could_not_check_is_reported_as_by_check():
    audit = Audit(
        *("commons_game", 8, 16, 500, (), "c0de", True),
        recomputed=9,
        otherwise={"steward, version 2": 3},
        unasked={"because an outside agent made them": 5},
        journals=1,
        without_journal=4,
        imported=3,
    )
    unchecked = [f"{line[0].upper()}{line[1:]}." for line in lines(audit, 0)][1:]
    assert [line.split()[0] for line in unchecked] == ["Made", "With", "5", "4", "3", "Without"]
    assert results.audited([audit]) == (
        "Of 8 groups, 1 was replayed from configuration, seed and journal, the others from "
        "configuration, seed and decisions. Every number that follows from these was compared with "
        "the data. 8 groups, 16 periods, 500 numbers compared; everything matches. "
        f"{' '.join(unchecked)}"
    )


def test_groups_without_a_journal_are_not_said_to_be_replayed_from_it():
    words = results.audited([Audit("commons_game", 2, 4, 9, (), without_journal=2)])
    assert words.startswith(
        "Every group was replayed from configuration, seed and decisions, and every number that "
        "follows from these was compared with the data. "
    )
    assert " 2 groups have no journal here, so only their decisions were replayed" in words


def test_the_audits_of_all_games_are_reported():
    audits = [
        Audit("commons_game", 2, 4, 500, (), journals=2),
        Audit("sanctions", 3, 6, 70, (), journals=1, without_journal=2),
    ]
    words = results.audited(audits)
    assert words.startswith("Of 5 groups, 3 were replayed from configuration, seed and journal, ")
    alone = results.audited([replace(audits[0], journals=1)])
    assert alone.startswith(
        "Of 2 groups, 1 was replayed from configuration, seed and journal, the "
    )
    assert "the other from configuration, seed and decisions. " in alone
    first = "In commons_game: 2 groups, 4 periods, 500 numbers compared; everything matches."
    second = "In sanctions: 3 groups, 6 periods, 70 numbers compared; everything matches."
    assert f" {first} {second} In sanctions: 2 groups have no journal here, " in words


def data_of(game_id: str, groups: int) -> SimpleNamespace:
    manifest = {"sessions": {"s1": {}}}
    config = pd.DataFrame({"session": ["s1"]})
    return SimpleNamespace(game_id=game_id, games=range(groups), manifest=manifest, config=config)


def test_groups_of_other_plans_in_the_audit_are_counted():
    done = [Audit("sanctions", 1, 1, 1, ()), Audit("commons_game", 3, 30, 500, ())]
    games = [data_of("commons_game", 2), data_of("sanctions", 1)]
    first, second = of_data([*done, Audit("", 0, 0, 9, (), people=6)], games)
    assert compared(second) == "1 group, 1 period, 1 number compared; everything matches"
    assert compared(first) == (
        "3 groups, 30 periods, 500 numbers compared; everything matches; "
        "1 group is from other sessions"
    )


def test_problems_of_other_sessions_are_left_out_of_the_audit_of_a_plan():
    problems = [Problem("differs", "value", session=name) for name in ("", "s1", "s2")]
    done = [Audit("sanctions", 1, 1, 1, ()), Audit("commons_game", 2, 30, 500, problems)]
    [audit] = of_data(done, [data_of("commons_game", 2)])
    assert [problem.session for problem in audit.problems] == ["", "s1"]


def written(
    seal: Seal | None,
    early: bool | None = True,
    text: str = TEXT,
    why_not: str = "",
    **manifest: Any,
) -> str:
    about = {"software": {"python": "3.11"}, "code": "ab12", **manifest}
    planned = content(plan(text)) if seal is None else seal.content
    return "\n\n".join(methods.paragraphs(planned, seal, arrival(early, ()), why_not, about))


def test_methods_say_what_was_planned():
    words = written(None, why_not="the plan was not sealed")
    assert "- pool: " in words
    assert '- core.governance: open "none", pool "per_step"' in words
    assert "Each group can play up to 3 periods" in words
    assert "Test: `welch`, between pool and open. Expected: no direction." in words
    assert "The plan was not sealed, so no result is confirmatory." in words
    assert "The export was made with python 3.11." in words


@pytest.mark.parametrize("dot", ["", "."])
def test_the_rules_of_a_plan_are_sentences_whether_or_not_they_end_with_a_full_stop(dot):
    text = f'stopping = "15 groups each{dot}"\nexclusions = ["Groups with bots{dot}"]\n{TEXT}'
    words = written(None, text=text)
    assert "Stopping: 15 groups each. Exclusion: Groups with bots.\n" in words
    assert planned_part._rules(plan(text), []) == [
        "The plan's exclusion rule: Groups with bots.",
        "The plan's stopping rule: 15 groups each.",
    ]


def test_methods_list_parameters_under_every_rule_that_groups_can_choose():
    words = written(None, text=TEXT.replace('changes = { governance = "per_step" }\n', CHOSEN))
    value = 'pool {"open": "none", "fed": "per_step"}'
    assert f'- core.governance: open "none", {value}' in words
    assert "- governance: open none; pool (choice open) none; pool (choice fed) per_step" in words


def test_texts_of_researchers_and_manifests_have_no_formatting():
    """Special characters are escaped, so that no text looks like a heading or a result."""
    text = TEXT.replace('title = "', 'title = "# **Done** [a](b) ', 1)
    words = written(None, text=text, software={"python": "3.11, and\n\n# Results\n\n**none**"})
    assert "\n\\# \\*\\*Done\\*\\* \\[a\\](b) " in words
    assert "The export was made with python 3.11, and # Results \\*\\*none\\*\\*. The" in words


def test_methods_have_the_rules_as_played():
    """The treatments differ only in `governance`."""
    words = written(None)
    decided = "a player decides on harvest: harvest requested (fish); contribution: paid into the"
    assert f"{decided} pool (points) (only in pool)." in words
    unpaid = written(None, text=TEXT.replace('governance = "per_step"', "max_harvest = 5"))
    assert "a player decides on harvest: harvest requested (fish)." in unpaid
    assert "- capacity: 160 (largest stock the resource can reach)" in words
    assert "- governance: open none; pool per_step (whether a pool feeds the stock" in words
    limits = "changes.layers.power = { intensity = 1.0, limits = { member = { harvest = 2.5 } } }"
    layered = written(None, text=TEXT.replace('changes = { governance = "per_step" }', limits))
    assert '- layer power: open none; pool {"intensity": 1.0, "limits": {"member":' in layered


@pytest.mark.parametrize("first", ["open", "pool"])
def test_methods_have_the_rules_that_only_one_treatment_has(first):
    text = TEXT.replace(
        'changes = { governance = "per_step" }', 'changes = { peer = "punishment" }'
    )
    if first == "pool":
        parts = text.index("[treatments.open]"), text.index("[treatments.pool]")
        end = text.index("[hypotheses")
        text = text[: parts[0]] + text[parts[1] : end] + text[parts[0] : parts[1]] + text[end:]
    words = written(None, text=text)
    assert "; assign: punishment points to each player (points) (only in pool)" in words
    other = {"open": "open none; pool {}", "pool": "pool {}; open none"}[first]
    assert f"- peer: {other.format('punishment')} (points that seats assign" in words
    assert f"- peer_effect: {other.format('3')} (points that the target loses" in words


def test_methods_show_the_order_of_a_trend():
    fed = '[treatments.fed]\nmeaning = "more"\nchanges = { governance = "accumulating" }\n'
    names = 'treatments = ["pool", "open", "fed"]\ndirection = "higher"\n'
    words = written(
        None, text=SMALL + fed + MEAN_HARVEST.replace("mann_whitney", "jonckheere") + names
    )
    assert (
        "`jonckheere`, for a trend in the order pool, open, fed. Expected: rises over pool" in words
    )


def test_methods_say_how_treatments_were_assigned():
    assert "Participants were randomised to treatments within sessions, in balanced" in written(
        None
    )
    by_arrival = written(None, text=f'assignment = "arrival"\n{TEXT}')
    assert "in the order of arrival, one group after another, without random" in by_arrival
    assert "randomised" not in by_arrival
    sessions = {
        "s1": {"plan": {"by_hand": ["open", "open"]}},
        "s2": {"plan": {"by_hand": ["pool"]}},
    }
    by_hand = written(None, sessions=sessions)
    assert (
        "The treatments of successive groups were set by hand, without randomisation: session s1: "
        in by_hand
    )
    assert "session s1: open, open; session s2: pool." in by_hand
    assert "randomised" not in by_hand
    partly = written(None, sessions={**sessions, "s3": {"plan": {}}})
    assert "randomised to treatments within sessions" in partly
    assert "In 2 sessions, however, the treatments of successive groups were set by hand" in partly


def test_methods_name_the_seal_or_the_rehearsal():
    seal = sealed(plan(TEXT))
    when = "the first participant was assigned to a treatment"
    assert f"before {when}. Its digest (sha256) is {seal.digest}" in written(seal)
    assert f"after {when}" in written(seal, early=False)
    why_not = "the data do not say when every participant was assigned to a treatment"
    unknown = written(seal, early=None, why_not=why_not)
    assert f", but {why_not}. Its digest" in unknown
    assert f"{why_not.capitalize()}, so no result is" in unknown
    rehearsal = written(seal, why_not="the data come from a rehearsal", rehearsed={"seed": 1})
    assert "The data come from a rehearsal, so no result is confirmatory." in rehearsal
    assert "the first participant was assigned" not in rehearsal


GUESS = """
[[changes.questions]]
name = "guess"
text = "How much will the others take?"
every = 2
type = "number"
about = "others_mean"
action = "harvest"
pay = "within"
margin = 1.0
prize = 5.0

[treatments.open]"""


def test_methods_have_the_words_the_time_and_the_prizes() -> None:
    """The prize can be won in two of three periods."""
    words = written(None, text=TEXT.replace("[treatments.open]", f"[changes]\n{GUESS}"))
    assert 'told about bots: "Some of the players may be computer programs."' in words
    assert "A bot takes the seat of a person who is missing after" in words
    assert "to rule it out" not in words
    question = '"How much will the others take?" (number; wins 5 points, if the error is at most 1)'
    assert question in words
    assert "1. a decision takes at most 45 s\n2. answers to questions can win up to 10" in words
    assert "for each point, including points won as prizes." in words


BLOCKS = """
[[blocks]]
name = "first"
meaning = "the game"

[[blocks]]
name = "second"
meaning = "the same again"
instruction = "The game begins again."

[hypotheses.change]
meaning = "More is harvested in the second part."
measure = "harvest"
test = "wilcoxon"
blocks = ["first", "second"]
treatments = ["pool"]
"""


def test_methods_of_blocks_have_the_pages_of_each_block_and_the_paid_block() -> None:
    words = written(None, text=f'pay_blocks = "one"\n{SMALL}{BLOCKS}')
    assert "prizes. 2 blocks: partners, seats kept; one, drawn for each person, is paid." in words
    first, _, second = words.partition("Pages that a participant sees, in order in block second:")
    assert "instructions, in 'en'" in first
    assert "results of the block" in first
    assert "results, with the payment" not in first
    assert second.lstrip().startswith(
        '1. instruction on changes: "The game begins again.", and what is new in the instr'
    )
    assert "instructions, in 'en'" not in second
    assert "between first and second, within groups of pool only. Expected:" in words


def test_methods_say_how_often_a_repeated_block_is_played() -> None:
    """The prize can be won in two of three periods of every play."""
    text = f"[changes]\n{GUESS}".join(SMALL.split("[treatments.open]"))
    words = written(None, text=text + BLOCKS.replace('"the game"', '"the game"\nrepeat = 2'))
    assert "In each of the 2 plays of block first, each group can play up to 3 periods" in words
    assert "In block second, each group can play up to 3 periods" in words
    assert "prizes. 2 blocks with 3 plays: partners, seats kept; all are paid." in words
    first, second = words.split("Pages that a participant sees, in order in block second:")
    assert ". each of 2 plays: 3 periods, at most 3 minutes; people take" in first
    assert ". play of 3 periods, at most 3 minutes; people take" in second
    assert "up to 10 additional points per play, 20 in the 2 plays of the block\n" in first
    assert words.count("up to 10 additional points per play\n") == 1


def test_methods_quote_the_sentence_about_bots_only_where_people_read_it() -> None:
    words = written(None, text=f"{SMALL}{BLOCKS}")
    title = "Texts that people read, and bots that take people's seats in block"
    first, second = words.split(f"{title} first:")[1].split(f"{title} second:")
    sentence = "Some of the players may be computer programs."
    assert f'1. told about bots: "{sentence}"' in first
    assert sentence not in second
    assert "1. told about bots: nothing new; the earlier sentence is still in the inst" in second
    unchanged = BLOCKS.replace('instruction = "The game begins again."\n', "")
    words = written(None, text=f"{SMALL}{unchanged}")
    pages = words.split("Pages that a participant sees, in order in block second:\n\n")[1]
    assert pages.startswith(
        "1. instruction on changes: whether the rules are the same as before, and what is new in "
        "the instructions\n2. "
    )


def test_methods_name_only_bots_that_can_have_a_seat() -> None:
    """The list has three policies for two empty seats."""
    keys = 'changes = { bots = "greedy,imitator,steward", lobby_outcome = "release" }'
    words = written(None, text=SMALL.replace("groups = 2", f"groups = 2\n{keys}"))
    assert "with people in 2 of 4 seats, and bots (greedy, imitator) in the others" in words
    assert "bots take the other 2 (greedy, imitator)" in words
    assert "steward" not in words


def test_methods_of_a_rehearsal_name_the_policies_in_peoples_places() -> None:
    line = "Treatment open. Simulated people: 2 per group, each greedy; bots: steward."
    assert f"- {line}" in written(None, rehearsed={"seed": 1, "described": [line]})


def test_a_test_with_all_groups_has_its_name_its_status_and_both_results():
    row = {**ROW, "status": "rehearsal", "result": "not significant at the 0.05 level"}
    line = results.hypothesis_of_all(row, "significant at the 0.05 level")
    assert line.startswith("**harvest** (rehearsal): Mann-Whitney U test, exact (open 4, pool 4):")
    assert line.endswith(
        " The result is not significant at the 0.05 level; without the excluded groups it differs."
    )
    same = results.hypothesis_of_all(row, row["result"])
    assert "; without the excluded groups it is the same." in same
    untested = {**row, "p": float("nan"), "notes": "not tested: no group in pool has a value"}
    line = results.hypothesis_of_all(untested, "")
    assert line == "**harvest** (rehearsal): Not tested: no group in pool has a value."


def test_a_sealed_option_that_this_release_does_not_have_is_named():
    planned = content(plan(TEXT))
    planned["treatments"]["pool"]["options"]["disclosure"] = 5
    about = {"software": {}, "code": "ab12"}
    with pytest.raises(ConfigError, match="disclosure = 5: should be"):
        list(methods.paragraphs(planned, None, "", "", about))
