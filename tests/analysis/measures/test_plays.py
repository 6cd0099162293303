"""Decisions that measures use, depending on who made them, and tables with gaps or rows in an
unusual order."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pandas as pd
import pytest

from mixed_company import analysis, engine
from mixed_company.analysis import measures, statistics
from mixed_company.analysis.data import Problem
from mixed_company.analysis.kept import LeftOutWarning
from mixed_company.analysis.measures import Plays
from tests.analysis.measures.played import played

TABLES = (measures.groups, measures.people, measures.periods)


def brief(game):
    """Return parameters for 8 periods, which is enough for every measure, including types of
    people."""
    length = "turns" if game == "punishment_vote" else "periods"
    return {"archetype": engine.find(game).reference, length: 8}


def commons(harvests, **changes):
    periods = [{"harvest": harvest, "contribution": [0, 0]} for harvest in harvests]
    return played("commons_game", periods, seats=2, **changes)


def test_a_seat_is_measured_by_its_person_or_else_by_its_policy():
    by = {(0, 0): "default", (2, 0): "policy"}
    plays = Plays(commons([[1, 1], [2, 1], [3, 1]], people=1, by=by))
    decisions = plays.decisions[plays.own]
    assert list(zip(decisions["period"], decisions["seat"], strict=True)) == [
        (0, 1),
        (1, 0),
        (1, 1),
        (2, 1),
    ]
    assert plays.counted(analysis.GROUP).all()


def test_others_and_the_period_before():
    plays = Plays(commons([[1, 4], [2, 5], [3, 6]]))
    harvest = plays.decisions["used_harvest"]
    assert plays.of_others(harvest).tolist() == [4, 1, 5, 2, 6, 3]
    assert plays.before(harvest).fillna(-1).tolist() == [-1, -1, 1, 4, 2, 5]


def test_a_missing_period_is_not_mistaken_for_the_previous_one():
    data = commons([[1, 4], [2, 5], [3, 6]])
    data = replace(data, decisions=data.decisions[data.decisions["period"] != 1])
    plays = Plays(data)
    assert plays.before(plays.decisions["used_harvest"]).isna().all()


def test_a_seat_alone_has_no_others():
    data = played("commons_game", [{"harvest": [1], "contribution": [0]}], seats=1)
    plays = Plays(data)
    assert plays.of_others(plays.decisions["used_harvest"]).isna().all()
    assert measures.people(data, ["conditional_slope"])["conditional_slope"].isna().all()


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_the_order_of_the_rows_does_not_matter(game):
    options = {"people": ["random"], "bots": ["random"], "groups": 1, **brief(game)}
    data = analysis.joined(
        analysis.simulated(game, seed=1, treatment="one", **options),
        analysis.simulated(game, seed=2, treatment="two", **options),
    )
    names = ("decisions", "periods", "seats", "config")
    mixed = {name: getattr(data, name).iloc[::-1] for name in names}
    backwards, plays = Plays(replace(data, **mixed)), Plays(data)
    for table in TABLES:
        pd.testing.assert_frame_equal(table(backwards), table(plays))


def test_named_measures_are_the_columns_with_unchanged_values():
    data = commons([[1, 4], [2, 5], [3, 6]], people=1)
    plays, again = Plays(data), Plays(data)
    for table, name in zip(TABLES, ("gini", "points_per_period", "harvest"), strict=True):
        whole, some = table(plays), table(again, [name, "no such measure"])
        keys = [column for column in whole if column in KEYS_AND_WHO]
        assert list(some) == [*keys, name]
        pd.testing.assert_frame_equal(some, whole[[*keys, name]])


KEYS_AND_WHO = ("session", "group", "seat", "period", "treatment", "participant", "person")


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_groups_are_measured_the_same_together_and_alone(game):
    options = {"groups": 1, **brief(game)}
    first = analysis.simulated(game, ["random"], ["random"], seed=1, **options)
    second = analysis.simulated(game, ["random"], ["random"], seed=2, treatment="other", **options)
    together, first, second = Plays(analysis.joined(first, second)), Plays(first), Plays(second)
    for table in TABLES:
        both = table(together)
        alone = pd.concat([table(second), table(first)], ignore_index=True)  # "other" < "simulated"
        keys = [key for key in ("session", "group", "seat", "period") if key in both]
        both = both.sort_values(keys, ignore_index=True).astype({"treatment": "object"})
        pd.testing.assert_frame_equal(both, alone.astype({"treatment": "object"}), rtol=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_a_group_that_never_started_has_rows_without_numbers(game):
    nothing = played(game, [], archetype=engine.find(game).reference)
    groups, people = measures.groups(nothing), measures.people(nothing)
    assert len(groups) == 1
    assert groups.drop(columns=["session", "group", "treatment"]).isna().all(axis=None)
    assert len(people) == nothing.games["s", 0].seats
    assert not people["person"].any()
    assert measures.periods(nothing).empty


def test_a_group_that_never_started_does_not_affect_others():
    started, nothing = commons([[1, 2], [3, 4]]), commons([], group=7)
    both = measures.groups(analysis.joined(started, nothing))
    assert both["mean_points"].tolist()[0] == 5
    assert both.iloc[1].drop(["session", "group", "treatment"]).isna().all()


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_one_period_is_enough_for_measures_that_do_not_need_more(game):
    sent = {name.name: [name.low] * 4 for name in engine.make(game).declaration.actions}
    if game == "gem_mining":
        sent = {"mine": [0, 1, 2, 3]}
    data = played(game, [sent], archetype=engine.find(game).reference, agents={"may_leave": True})
    plays = Plays(data)
    for table in TABLES:
        assert table(plays)["points_per_period"].notna().all()


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_people_who_left_have_numbers_for_the_periods_they_played(game):
    sent = {name.name: [name.low] * 4 for name in engine.make(game).declaration.actions}
    if game == "gem_mining":
        sent = {"mine": [0, 1, 2, 3]}
    gone = {"leaving": {1: [0, 1, 2, 3]}, "agents": {"may_leave": True}}
    data = played(game, [sent, sent], archetype=engine.find(game).reference, **gone)
    assert data.groups["ended"].tolist() == ["all_left"]
    plays = Plays(data)
    assert measures.groups(plays)["absent_share"].tolist() == [0.5]
    assert measures.people(plays)["decided"].tolist() == [1] * 4
    assert measures.periods(plays)["points_per_period"].isna().tolist() == [False, True]


@pytest.mark.few(1)
@pytest.mark.parametrize("archetype", ["unequal", "weighted_votes", "reputation", "open_book"])
def test_games_with_layers_are_measured(archetype):
    game = {
        "unequal": "commons_game",
        "weighted_votes": "punishment_vote",
        "reputation": "sanctions",
        "open_book": "gem_mining",
    }[archetype]
    options = {"groups": 1, "seed": 1, "archetype": archetype}
    plays = Plays(analysis.simulated(game, ["random"], ["random"], **options))
    for table in TABLES:
        assert table(plays)["absent_share"].eq(0).all()


def test_games_with_different_rules_are_measured_by_their_own_rules():
    # h_max 10 and 20: a request of 5 is 0.5 and 0.25.
    first, second = commons([[5, 5]]), commons([[5, 5]], max_harvest=20, group=1)
    table = measures.groups(analysis.joined(first, second), ["harvest_share"])
    assert table["harvest_share"].tolist() == [0.5, 0.25]
    assert table["treatment"].tolist() == ["tiny, max_harvest=10.0", "tiny, max_harvest=20.0"]


def test_rows_of_a_group_without_a_configuration_are_left_out_and_named():
    data = commons([[1, 2]])
    both = analysis.joined(data, commons([[1, 2]], group=3))
    problems = (
        "Left out: group 3 of session s: it is not in the table config, so its rules are unknown"
    )
    with pytest.warns(LeftOutWarning, match=f"^{problems}$"):
        table = measures.groups(replace(both, config=data.config), ["mean_points"])
    pd.testing.assert_frame_equal(table, measures.groups(data, ["mean_points"]))


def test_a_group_with_unsupported_rules_is_left_out_of_every_table_and_named():
    data = analysis.simulated(
        "sanctions", ["random"], ["random"], groups=2, seed=1, archetype="lab_0_7", periods=2
    )
    other = json.loads(data.config["config"][1])
    other["identity"]["version"] = "99"
    config = data.config.copy()
    config.loc[1, "config"] = json.dumps(other)
    problem = Problem("unplayable", "rules of version '99'", "", "simulated", 2)
    loaded = replace(data, config=config, problems=(problem,))
    for table in TABLES:
        with pytest.warns(LeftOutWarning, match="group 2 of session simulated: its configuration"):
            frame = table(loaded, ["points_per_period"])
        whole = table(data, ["points_per_period"])
        alone = whole[whole["group"] == 1].drop(columns="treatment")
        pd.testing.assert_frame_equal(frame.drop(columns="treatment"), alone)


@pytest.mark.parametrize(
    ("table", "column", "value", "last"),
    [
        ("decisions", "seat", 99, 1),
        ("decisions", "seat", -1, 1),
        ("decisions", "period", -5, 7),
        ("decisions", "period", 10**15, 7),
        ("periods", "period", 8, 7),
    ],
)
def test_a_group_with_an_impossible_seat_or_period_is_left_out_and_named(
    table, column, value, last
):
    data = analysis.joined(commons([[1, 2]], periods=8), commons([[1, 2]], periods=8, group=3))
    frame = getattr(data, table).copy()
    frame.loc[frame["group"] == 3, column] = value
    left = f"group 3 of session s: {table}.{column} = {value:g}: should be from 0 to {last}"
    for measured in TABLES:
        with pytest.warns(LeftOutWarning, match=re.escape(f"Left out: {left}")):
            rows = measured(replace(data, **{table: frame}), ["points_per_period"])
        assert len(rows)
        assert 3 not in set(rows["group"])


@pytest.mark.few(1)
@pytest.mark.parametrize("game", engine.game_ids())
def test_an_unfinished_play_has_no_measures_of_the_whole_play(game):
    sent = {name.name: [name.low] * 4 for name in engine.make(game).declaration.actions}
    if game == "gem_mining":
        sent = {"mine": [0, 1, 2, 3]}
    ended = played(game, [sent] * 3, archetype=engine.find(game).reference)
    running = played(game, [sent] * 3, archetype=engine.find(game).reference, group=1, over=False)
    both = Plays(analysis.joined(ended, running))
    for level, table in (("group", measures.groups), ("person", measures.people)):
        frame = table(both).set_index("group")
        for measure in measures.declared():
            if level in measure.levels and game in measure.games and measure.whole:
                assert frame.loc[1, [measure.name]].isna().all(axis=None), measure.name
        assert frame.loc[[1], "points_per_period"].notna().all()
        total = "mean_points" if level == "group" else "points"
        assert frame.loc[[0], total].notna().all()
    table_of_both = measures.groups(both)
    assert statistics.units(table_of_both, "mean_points").left_out == (
        "1 of 2 rows have no mean_points, all of group 1 of s",
    )
    assert measures.periods(both)["points_per_period"].notna().all()


def test_totals_ends_and_slopes_cover_the_whole_play():
    names = {measure.name for measure in measures.declared() if measure.whole}
    every = {
        measure.name for measure in measures.declared() if {"group", "person"} & {*measure.levels}
    }
    trends = {name for name in every if name.endswith("_slope")} - {"conditional_slope"}
    ends = {name for name in every if name.startswith(("last_", "final_"))}
    totals = {"points", "mean_points", "gini", "collapsed", "periods_survived"}
    shares = {"efficiency", "efficiency_at_least", "efficiency_at_most", "net_efficiency"}
    assert names == trends | ends | totals | shares
