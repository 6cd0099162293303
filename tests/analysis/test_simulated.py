"""Simulated plays have the tables of an export, with the same columns and rules, and are
reproducible.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest

from mixed_company import analysis, engine
from mixed_company.analysis.data import planned
from mixed_company.analysis.simulated import Player
from mixed_company.analysis.treatments import treatments
from mixed_company.analysis.types import TableError, typed
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies.policy import Policy
from mixed_company.table.choosing import winner
from mixed_company.table.export import columns, tables
from mixed_company.table.export.outcomes import OF_QUESTIONS
from tests.table.chosen import LIMITED, setup


def lab(game: str = "commons_game", **changes):
    reference = engine.find(game).reference
    options = {"people": ["greedy"], "bots": ["greedy"], "groups": 2, "seed": 1}
    return analysis.simulated(game, archetype=reference, **(options | changes))


def test_greed_in_the_lab_by_hand():
    """Four seats take 10 each. The stock falls to 100 - 40 = 60, then to 60 + 0.4 * 60 * (1 - 0.6)
    - 40 = 29.6, all of which is taken in the third period.
    """
    data = lab()
    first = data.periods[data.periods["group"] == 1]
    assert first["after_stock"].tolist()[:2] == pytest.approx([60, 29.6])
    assert first["reward_sum"].tolist() == pytest.approx([40, 40, 29.6])
    assert first["ended"].tolist() == ["", "", "collapse"]
    assert data.outcomes["points"].tolist() == pytest.approx([27.4, 27.4])


def test_a_group_that_votes_plays_the_rule_it_chose_by_hand():
    """The person who takes 2 votes for the rule that allows it. The person who takes 1 earns the
    same anyway and abstains, as bots do. The rule wins by 1 vote to 0, and these two earn 6 and 3
    in three periods. If all people take 1, nobody votes and the first rule applies: the bots, which
    would take 2, are limited to 1.
    """
    settings = setup(rules=LIMITED, bots="fixed:harvest=2")
    options = {"bots": ["fixed:harvest=2"], "groups": 2, "seed": 1}
    data = analysis.simulated(settings, ["fixed:harvest=2", "fixed:harvest=1"], **options)
    assert data.outcomes["points"].tolist() == [6, 3, 6, 3]
    assert data.config["rule"].tolist() == ["open", "open"]
    [chosen, _] = data.events.loc[data.events["event"] == "chosen", "detail"].map(json.loads)
    assert chosen["votes"] == ["open", "", "", ""]
    assert chosen["occupants"] == ["person", "person", "fixed:harvest=2", "fixed:harvest=2"]
    nobody = analysis.simulated(settings, ["fixed:harvest=1"] * 2, **options)
    assert nobody.config["rule"].tolist() == ["low", "low"]
    assert nobody.decisions["used_harvest"].tolist() == [1] * (2 * 3 * 4)


@pytest.mark.parametrize("votes", ["abstain", "policy"])
def test_the_audit_confirms_a_simulated_vote(tmp_path, votes):
    settings = setup(rules=LIMITED, bots="fixed:harvest=2", rules_bots=votes, rules_tie="drawn")
    people = ["fixed:harvest=2", "random"]
    data = analysis.simulated(settings, people, ["random", "steward"], groups=4, seed=1)
    analysis.save(data, tmp_path / "voted.zip")
    assert [str(problem) for problem in analysis.check(tmp_path / "voted.zip")] == []
    other = data.config["rule"].map({"low": "open", "open": "low"})
    analysis.save(replace(data, config=data.config.assign(rule=other)), tmp_path / "voted.zip")
    assert (
        len(
            [
                problem
                for problem in analysis.check(tmp_path / "voted.zip")
                if "rule" in str(problem)
            ]
        )
        >= 4
    )


def test_features_added_by_a_votes_rules_have_columns():
    """Living costs 0.5 or 1 per period under the two rules, and nothing in the session without
    them.
    """
    rules = {
        name: {"meaning": f"To live is {name}.", "changes": {"living_cost": cost}}
        for name, cost in (("cheap", 0.5), ("dear", 1.0))
    }
    settings = setup(rules=rules, bots="steward", initial_wealth=9.0)
    data = analysis.simulated(settings, ["fixed:harvest=2"] * 2, ["steward"], groups=1, seed=1)
    assert data.config["rule"].tolist() == ["cheap"]
    assert set(data.decisions["reward_living_cost"]) == {-0.5}


def test_a_tie_is_broken_by_the_seed_of_the_play_as_on_the_server():
    settings = setup(rules=LIMITED, rules_tie="drawn")
    data = analysis.simulated(settings, ["fixed:harvest=1"] * 2, ["steward"], groups=12, seed=1)
    should = [winner(["low", "open"], [], "drawn", int(seed)) for seed in data.config["seed"]]
    assert data.config["rule"].tolist() == should
    assert set(should) == {"low", "open"}


@pytest.mark.parametrize("game", engine.game_ids())
def test_every_table_has_the_columns_of_an_export(game):
    data = lab(game, people=["random"], bots=["random"])
    rules = engine.make(game, archetype=engine.find(game).reference)
    for table in tables(rules):
        names = [name for column in columns(table, rules) for name in column.names()]
        assert list(getattr(data, table).columns) == names
    assert (data.pairs is None) == ("pairs" not in tables(rules))
    assert data.decisions.groupby(analysis.PERIOD).size().unique().tolist() == [rules.seats]


def test_the_same_arguments_give_the_same_tables_and_another_seed_does_not():
    first, two, other = (lab(people=["random"], seed=seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first.decisions, two.decisions)
    assert first.decisions["used_harvest"].tolist() != other.decisions["used_harvest"].tolist()


def test_people_get_the_first_seats_and_only_they_have_outcomes():
    data = lab(people=["greedy", "fixed:harvest=1"])
    seats = data.seats[data.seats["group"] == 1]
    assert seats["occupant"].tolist() == ["person", "person", "policy", "policy"]
    assert seats["policy_id"].tolist() == ["", "", "greedy", "greedy"]
    assert data.outcomes["participant"].tolist() == [
        *("simulated-1-0", "simulated-1-1", "simulated-2-0", "simulated-2-1")
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"people": []}, "people: 0 per group; should be 1 to 4, one per seat"),
        ({"people": ["greedy"] * 5}, "people: 5 per group; should be 1 to 4"),
        ({"bots": []}, "bots: no policies are named for 3 of 4 seats"),
    ],
)
def test_an_invalid_player_is_named(changes, message):
    with pytest.raises(ConfigError, match=message):
        lab(**changes)


# -- groups and treatments ------------------------------------------------------------------------


def test_groups_name_their_players_and_their_ending():
    groups = lab().groups
    assert groups["n"].tolist() == [4, 4]
    assert groups["people"].tolist() == [1, 1]
    assert groups["policies"].tolist() == ["greedy", "greedy"]
    assert groups["periods"].tolist() == [3, 3]
    assert groups["ended"].tolist() == ["collapse", "collapse"]


def test_one_name_with_different_rules_gives_two_treatments():
    plain, two = lab(), lab(growth_rate=0.2)
    config = pd.concat([plain.config, two.config.assign(session="other")], ignore_index=True)
    assert list(treatments(config)) == [
        *["simulated, growth_rate=0.4"] * 2,
        *["simulated, growth_rate=0.2"] * 2,
    ]
    assert list(treatments(plain.config)) == ["simulated"] * 2


def test_joined_exports_keep_every_row_and_refuse_a_group_twice():
    both = analysis.joined(lab(), lab(treatment="other"))
    assert len(both.decisions) == 2 * len(lab().decisions)
    assert both.groups["treatment"].unique().tolist() == ["simulated", "other"]
    with pytest.raises(ConfigError, match="group 1 of session 'simulated' is in two"):
        analysis.joined(lab(), lab())
    with pytest.raises(ConfigError, match="from one game, not commons_game, sanctions"):
        analysis.joined(lab(), lab("sanctions", people=["random"], bots=["random"]))


def test_joined_exports_count_no_questions_and_one_play_where_there_were_no_more():
    """A server leaves out the columns of questions and plays if no session has any."""
    columns = dict.fromkeys(OF_QUESTIONS)
    earlier = lab()
    earlier = replace(earlier, outcomes=earlier.outcomes.drop(columns=columns, errors="ignore"))
    plain = replace(earlier, outcomes=earlier.outcomes.assign(messages_sent=1))
    other = lab(treatment="other")
    people = other.outcomes.assign(messages_sent=0, **dict.fromkeys(columns, 2))
    questions = replace(other, outcomes=people, config=other.config.assign(play=1))
    both = analysis.joined(plain, questions)
    assert both.config["play"].tolist() == [0, 0, 1, 1]
    counts = both.outcomes[list(columns)].drop_duplicates()
    assert counts.to_numpy().tolist() == [[0] * 4, [2] * 4]
    uncounted = analysis.joined(earlier, questions)  # an import, or an earlier release
    assert uncounted.outcomes["questions_asked"].isna().sum() == len(earlier.outcomes)


def test_the_order_of_treatments_does_not_depend_on_the_order_of_sessions_in_the_manifest():
    """Two sessions of a config had plans with different orders. A seal covers `created`, but not
    the order of keys."""
    sessions = {
        code: {"session_config": "small", "plan": {"treatments": dict.fromkeys(order, 2)}}
        for code, order in (("early", "ab"), ("late", "ba"))
    }
    turned = dict(reversed(sessions.items()))
    for created, order in ((["early", "late"], ["b", "a"]), (["late", "early"], ["a", "b"])):
        for entries in (sessions, turned):
            assert planned({"sessions": entries, "created": created}) == {"small": order}


# -- types ----------------------------------------------------------------------------------------


def test_types_match_the_codebook_and_missing_values_stay_missing():
    types = {"n": "whole", "m": "whole", "x": "real", "f": "flag", "g": "flag", "t": "text"}
    rows = {
        "n": ["9007199254740993", "2"],
        "m": ["1", ""],
        "x": ["0.1", ""],
        "f": ["True", "False"],
        "g": ["", "True"],
        "t": ["a", ""],
    }
    frame = typed(pd.DataFrame(rows), types)
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        "n": "int64",
        "m": "Int64",
        "x": "float64",
        "f": "bool",
        "g": "boolean",
        "t": "str",
    }
    assert frame["n"].tolist() == [9007199254740993, 2]
    assert frame["x"].isna().tolist() == [False, True]
    assert frame["t"].tolist() == ["a", ""]


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("whole", "1.5", "x: '1.5' is not a whole number"),
        ("real", "much", "x: 'much' is not a number"),
        ("flag", "yes", "x: 'yes' is not 1 or 0"),
    ],
)
def test_a_value_of_another_type_is_named_with_its_row(kind, value, message):
    with pytest.raises(TableError, match=message) as error:
        typed(pd.DataFrame({"x": ["1" if kind != "flag" else "True", value]}), {"x": kind})
    assert error.value.row == 1


# -- players without a policy id ------------------------------------------------------------------


def test_a_player_gets_the_play_and_is_named_in_the_tables():
    """The player takes as many fish as there were earlier steps: 0, 1, 2, ..."""

    class Counting(Policy):
        id, games, source = "counting", (), "a test"

        def __init__(self, episode, steps):
            super().__init__(episode.game.core)
            self.steps = steps

        def act(self, observation, memory, rng):
            return {"harvest": float(len(self.steps)), "contribution": 0.0}, memory

    player = Player("counts", Counting)
    data = lab(people=[player], bots=["fixed:harvest=0", player], groups=1, periods=4)
    decisions = data.decisions[data.decisions["seat"] == 0]
    assert decisions["used_harvest"].tolist() == [0, 1, 2, 3]
    assert data.seats["policy_id"].tolist() == ["", "fixed:harvest=0", "counts", "fixed:harvest=0"]
    assert '"simulated": ["counts"]' in data.config["options"][0]
    assert data.manifest["rehearsed"] == {
        "people": ["counts"],
        "bots": ["fixed:harvest=0", "counts"],
        "seed": 1,
    }


@pytest.mark.parametrize("people", [["tired"], ["greedy"]])
def test_a_failing_policy_causes_an_event_and_a_default(tmp_path, people):
    """The policy takes 1 in two periods. In period 1 it raises an error, and nothing is taken."""

    class Tired(Policy):
        id, games, source = "tired", (), "a test"

        def act(self, observation, memory, rng):
            if observation["period"] == 1:
                raise RuntimeError("no idea")
            return {"harvest": 1.0, "contribution": 0.0}, memory

    tired = Player("tired", lambda episode, steps: Tired(episode.game.core))
    seated = [tired if name == "tired" else name for name in people]
    data = lab(people=seated, bots=["fixed:harvest=0", tired], groups=1, periods=3)
    failed = [0, 2] if people == ["tired"] else [2]
    faults = data.events[data.events["event"] == "policy_fault"]
    assert faults["period"].tolist() == [1] * len(failed)
    assert faults["seat"].tolist() == failed
    assert set(faults["detail"]) == {'{"detail": "RuntimeError: no idea"}'}
    defaults = data.decisions[data.decisions["decided_by"] == "default"]
    assert defaults[["period", "seat"]].to_numpy().tolist() == [[1, seat] for seat in failed]
    assert defaults["used_harvest"].tolist() == [0] * len(failed)
    analysis.save(data, tmp_path / "export.zip")
    assert analysis.check(tmp_path / "export.zip") == []
