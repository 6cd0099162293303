"""Figures published in studies, compared with an export."""

from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest

from mixed_company import analysis, engine
from mixed_company.__main__ import main
from mixed_company.analysis import measures, published
from mixed_company.analysis.data import Problem
from mixed_company.analysis.notes import REHEARSED
from mixed_company.analysis.published import _matching, compared
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.experiment import reading
from tests.analysis.audit.tables import exported, play, setup
from tests.project import ROOT

GIVING = {"archetype": "unsanctioned", "periods": 10}
HERRMANN = published.find("herrmann_thoni_gachter_2008")


def played(contribution: float, treatment: str, **changes):
    """Simulate two groups whose four people always contribute this number of points."""
    people = [f"fixed:contribution={contribution}"] * 4
    options = {"groups": 2, "seed": 1, "treatment": treatment, **GIVING, **changes}
    return analysis.simulated("sanctions", people, **options)


@pytest.fixture(scope="module")
def both():
    """Return plays in which people give 4 without punishment, and 12 with it."""
    return analysis.joined(played(4, "without"), played(12, "with", peer="punishment"))


@pytest.mark.parametrize("name", published.names())
def test_every_figure_has_a_measure_a_condition_and_a_source(name):
    study = published.find(name)
    core = engine.make(study.game).config.core
    of_periods = measures.described(study.game).query("level == 'period'")["measure"]
    assert name in reading.names(ROOT / "plans")
    for condition in study.conditions.values():
        keys = {**study.needs, **study.design, **condition.needs, **condition.design}
        assert all(hasattr(core, key) for key in keys)
    for figure in study.figures:
        assert figure.measure in set(of_periods)
        assert figure.condition in study.conditions
        assert figure.where
        assert bool(figure.values) != (figure.mean is not None)
        assert figure.over == study.design["periods"]
        assert all(0 <= value <= study.needs["endowment"] for value in figure.values)


def test_the_means_over_pools_are_those_of_the_single_pools():
    for condition in HERRMANN.conditions:
        whole, *pools = [f.values for f in HERRMANN.figures if f.condition == condition]
        means = pd.DataFrame(pools).mean()
        assert len(pools) == 16
        assert list(whole) == pytest.approx(means.tolist(), abs=0.01)


def test_pools_have_the_means_that_the_paper_names():
    # page 1364: from 29 to 90% of the endowment of 20 with punishment, 3.1 times as much
    means = [f.whole for f in HERRMANN.figures[1:] if f.condition == "p"]
    assert round(100 * min(means) / 20) in (28, 29)
    assert round(100 * max(means) / 20) == 90
    assert max(means) / min(means) == pytest.approx(3.1, abs=0.1)


def test_a_treatment_stands_beside_the_condition_with_its_rules(both):
    table = compared(both, HERRMANN, "Boston").table
    first = table.groupby("treatment", sort=False).head(1)
    assert first[["treatment", "condition", "period"]].to_numpy().tolist() == [
        ["without", "n", "1"],
        ["with", "p", "1"],
    ]
    # Boston began with 12.96 points without and 16.02 with punishment
    assert first["published"].tolist() == [12.96, 16.02]
    assert first["difference"].tolist() == pytest.approx([4 - 12.96, 12 - 16.02])
    assert table["period"].tolist() == [*map(str, range(1, 11)), "1-10"] * 2
    assert set(table["groups"]) == {2}


def test_other_numbers_and_treatments_without_figures_are_named(both):
    study = published.find("fehr_gaechter_2000")
    comparison = compared(both, study)
    assert comparison.table["period"].tolist() == ["1-10"]
    assert comparison.table["difference"].tolist() == pytest.approx([12 - 11.6])
    assert comparison.notes == (
        "with: peer_costs = not set, but [0, 1, 2, 4, 6, 9, 12, 16, 20, 25, 30] in the study",
        "with: peer_effect_share = not set, but 0.1 in the study",
        "with: matching = partners, but strangers in the study",
        "Treatments without published numbers: without",
    )


def test_bots_talk_votes_and_questions_that_the_study_did_not_have_are_named():
    data = analysis.simulated(
        "sanctions", ["fixed:contribution=4"] * 3, ["random"], groups=2, seed=1, **GIVING
    )
    belief, mood = {"name": "belief", "periods": [1]}, {"name": "mood", "when": "after"}
    options = {"talk": "free", "rules": {"a": {}, "b": {}}, "questions": [belief, mood]}
    data = replace(data, config=data.config.assign(options=json.dumps(options)))
    assert compared(data, HERRMANN).notes == (
        "simulated: bots play in 2 of 2 groups and are included in the means, but only people "
        "played in the study",
        "simulated: talk = free, but off in the study",
        "simulated: groups vote on rules (a, b), but not in the study",
        "simulated: people answer questions between decisions (belief), which can affect their "
        "decisions",
    )


ALONE = {"people_per_group": 4, "people_seats": "first", "decision_seconds": 5.0}
LEAVING = {"dropout": "reduced", "agents": {"may_leave": True}, "grace_seconds": 10.0}


def silent(*shares: float, **options):
    """Let four people play in each group; a share per second fall silent or come back."""
    rules = setup("sanctions", **GIVING, **ALONE, **LEAVING, **options)
    tables = [play(rules, 4, number, share) for number, share in enumerate(shares, 1)]
    return exported(rules, tables)


def test_empty_seats_and_missed_decisions_are_named():
    """People leave three seats in one of the groups, and one seat in another."""
    assert compared(silent(0.0, 0.03, 0.03), HERRMANN).notes == (
        "lab: in 2 of 3 groups, a seat is empty after a person left; later means of these groups "
        "cover only the other seats",
        "lab: people missed 12 of 102 decisions; the means include the defaults that were played "
        "instead",
    )


def test_what_happens_after_the_periods_of_the_study_is_not_a_difference():
    """After period 10, a bot plays in one group, and in the other, a seat is empty and the others
    miss all decisions."""
    data = played(4, "longer", periods=12)
    later = data.decisions["period"] >= 10
    second = data.decisions["group"] == 2
    first_seat = data.decisions["seat"] == 0
    decisions = data.decisions.copy()
    decisions.loc[later & ~second & first_seat, "occupant"] = "policy"
    decisions.loc[later & second & first_seat, "occupant"] = "nobody"
    decisions.loc[later & second & ~first_seat, "decided_by"] = "default"
    assert compared(replace(data, decisions=decisions), HERRMANN).notes == (
        "longer: periods = 12, but 10 in the study",
    )
    decisions["period"] = 11 - decisions["period"]
    _, *notes = compared(replace(data, decisions=decisions), HERRMANN).notes
    words = ("bots play in 1 of 2 groups", "in 1 of 2 groups, a seat is empty", "missed 6 of 76 d")
    assert all(part in note for part, note in zip(words, notes, strict=True))


def test_pressing_no_key_until_the_clock_runs_out_is_not_a_missed_decision():
    data = silent(0.0, pace="clock")
    assert "default" in set(data.decisions["decided_by"])
    assert compared(data, HERRMANN).notes == ()


def test_data_of_another_game_or_of_other_rules_are_refused():
    lake = analysis.simulated("commons_game", ["greedy"] * 4, groups=1, seed=1, archetype="lab")
    with pytest.raises(ConfigError, match=r"game = .commons_game.: .* for .sanctions. only"):
        compared(lake, HERRMANN)
    for key, value, right in (("endowment", 50.0, "20.0"), ("lambda_R", 16.0, "0.0")):
        other = played(4, "other", **{key: value})
        with pytest.raises(ConfigError, match=f"'other': {key} = {value}: should be {right} for"):
            compared(other, HERRMANN)


def test_data_without_a_playable_group_are_refused(both):
    empty = replace(both, config=both.config.iloc[:0])
    groups = both.config[["session", "group"]].itertuples(index=False)
    problems = [Problem("unplayable", "its rules differ", "", *group) for group in groups]
    for data in (empty, replace(both, problems=problems)):
        with pytest.raises(ConfigError, match="no group with a playable configuration"):
            compared(data, HERRMANN)


def test_unknown_studies_and_samples_are_refused_with_the_nearest_name(both):
    with pytest.raises(UnknownName, match="did you mean 'fehr_gaechter_2000'"):
        published.find("fehr_gachter_2000")
    with pytest.raises(UnknownName, match=r"sample = 'Bostn': .*did you mean 'Boston'"):
        compared(both, HERRMANN, "Bostn")


def test_the_command_prints_the_table_and_writes_it_and_a_figure(both, tmp_path, capsys):
    export, table, figure = (tmp_path / name for name in ("out.zip", "means.csv", "means.svg"))
    analysis.save(both, export)
    command = ["compare", str(export), "--with", HERRMANN.name, "--sample", "Boston"]
    assert main([*command, "--output", str(table), "--figure", str(figure)]) == 0
    note, first, _, *lines = capsys.readouterr().out.splitlines()
    assert note == REHEARSED
    assert first == "Herrmann, Thöni and Gächter (2008), Boston"
    assert lines[0].split() == ["contribution", "without", "n", "1", "2", "4.00", "12.96", "-8.96"]
    assert lines[-1] == "p (with punishment): Figure 2A"
    rows = pd.read_csv(table)
    assert set(rows["where"]) == {"Figure 3", "Figure 2A"}
    assert len(rows) == 22
    svg = figure.read_text("utf-8")
    assert "published: p" in svg
    assert main(["compare", str(export), "--with", HERRMANN.name, "--figure", str(figure)]) == 0
    assert main([*command[:-1], "Bosten"]) == 2
    assert "did you mean 'Boston'?" in capsys.readouterr().err


def test_the_mean_over_all_periods_is_of_groups_that_have_them(both):
    """The second group without punishment has only two periods and gives 4 in both."""
    gone = {}
    for name in ("decisions", "periods"):
        frame = getattr(both, name)
        later = (frame["treatment"] == "without") & (frame["group"] == 2) & (frame["period"] > 1)
        gone[name] = frame[~later].reset_index(drop=True)
    comparison = compared(replace(both, **gone), HERRMANN, "Boston")
    table = comparison.table[comparison.table["treatment"] == "without"].set_index("period")
    assert table.loc[["2", "3", "1-10"], "groups"].tolist() == [2, 1, 1]
    note = (
        "without: 1 of 2 groups do not have all periods; the mean over periods 1-10 leaves them out"
    )
    assert note in comparison.notes
    assert not any("all periods" in line for line in compared(both, HERRMANN, "Boston").notes)


@pytest.mark.parametrize(("plays", "matching"), [(0, "partners"), (1, "strangers")])
def test_matching_is_that_of_plays_in_a_row(both, plays, matching):
    """Groups stay the same in a session with a single play."""
    sessions = {code: {"plan": {"matching": "strangers"}} for code in both.config["session"]}
    number = [min(plays, place) for place in range(len(both.config))]
    config = both.config.assign(play=number, block="", matching_group=both.config["group"])
    data = replace(both, config=config, manifest={**both.manifest, "sessions": sessions})
    assert _matching(data, "with") == matching


def test_groups_of_a_treatment_that_played_other_rules_are_left_out_and_named():
    """Of six groups, two had a small endowment, which the published numbers do not have; two others
    had another return."""
    others = played(10, "small", endowment=10.0), played(8, "returned", mpcr=0.8)
    data = analysis.joined(*others, played(4, "usual")).named(
        {"chosen": ["production=public_good"]}
    )
    comparison = compared(data, HERRMANN, "Boston")
    assert comparison.table["groups"].tolist() == [4] * 11
    assert comparison.table["mean"].tolist() == pytest.approx([6] * 11)
    assert comparison.notes == (
        "chosen (2 of 6 groups: small-1, small-2): left out, because endowment = 10.0: should be "
        "20.0 for the condition 'n' of herrmann_thoni_gachter_2008",
        "chosen (2 of 6 groups: returned-1, returned-2): mpcr = 0.8, but 0.4 in the study",
    )
    alone = analysis.joined(others[0], played(4, "rich", endowment=50.0))
    with pytest.raises(ConfigError, match=r"'chosen' \(2 of 4 groups: small-1, small-2\): endow"):
        compared(alone.named({"chosen": ["mpcr=0.4"]}), HERRMANN)


def test_bots_of_groups_that_are_left_out_are_not_named():
    bots = analysis.simulated(
        *("sanctions", ["fixed:contribution=4"] * 3, ["random"]),
        **{"groups": 1, "seed": 1, "treatment": "bots", "endowment": 10.0, **GIVING},
    )
    data = analysis.joined(bots, played(4, "usual")).named({"chosen": ["production=public_good"]})
    (note,) = compared(data, HERRMANN).notes
    assert note.startswith("chosen (1 of 3 groups: bots-1): left out, because endowment = 10.0")


def test_two_plays_of_a_repeated_block_are_one_unit_with_all_periods():
    data = played(4, "usual", periods=5)
    whole = replace(data, config=data.config.assign(block="", matching_group=1, play=[0, 1]))
    comparison = compared(whole, HERRMANN, "Boston")
    assert comparison.table["period"].tolist() == [*map(str, range(1, 11)), "1-10"]
    assert comparison.table["groups"].tolist() == [1] * 11
    assert comparison.notes == ()
