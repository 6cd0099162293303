"""Decisions are either explained, or left out and counted by reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mixed_company import analysis, engine
from mixed_company.analysis import behaviour, games
from mixed_company.analysis.behaviour.decisions import FIRST, NO_CHOICE, NOT_OWN, decided
from mixed_company.analysis.games import GameAnalysis
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from mixed_company.policies import make
from mixed_company.policies.rollout import rollout
from mixed_company.table.export import seat_rows
from tests.analysis.test_blind_blocks import exchanging, simulate_units

RANDOM = ["random"] * 4


def played(game="sanctions", people=RANDOM, **changes):
    options = {"groups": 2, "seed": 1, "archetype": "lab_0_7", "periods": 6}
    return analysis.simulated(game, people, ["random"], **(options | changes))


def edited(data, where, **values):
    rows = data.decisions.copy()
    for name, value in values.items():
        rows.loc[where(rows), name] = value
    return replace(data, decisions=rows)


def counts(data, **options):
    fits = behaviour.fitted(data, "conditional_cooperation", **options)
    return fits[["decisions", "left_out", "left_out_because"]].to_numpy().tolist()


def test_the_first_decision_is_left_out_and_counted():
    assert counts(played()) == [[5, 1, f"1 {FIRST}"]] * 8
    assert counts(played(), per="treatment") == [[40, 8, f"8 {FIRST}"]]


def test_the_others_action_is_the_mean_of_what_was_visible():
    data = played()
    decisions = decided(data)
    row = int(np.flatnonzero((decisions.keys["period"] == 3) & (decisions.keys["seat"] == 1))[0])
    before = data.decisions.query("group == 1 and period == 2").set_index("seat")
    others = before["used_contribution"].drop(1).mean()
    assert decisions.panel.others[row] == pytest.approx(others)
    assert decisions.panel.own_action[row] == before["used_contribution"][1]


def test_only_people_are_explained():
    decisions = decided(played(people=["random"]))
    assert decisions.keys["seat"].unique().tolist() == [0]
    assert decisions.left_out.empty


def test_decisions_by_a_bot_or_the_clock_are_left_out_and_counted():
    """Seat 0 of group 1 has 6 decisions. The first one, and two that others made, are left out."""
    late = edited(
        played(),
        lambda rows: (rows["group"] == 1) & (rows["seat"] == 0) & rows["period"].isin([2, 4]),
        decided_by="default",
    )
    assert counts(late)[0] == [3, 3, f"2 {NOT_OWN}; 1 {FIRST}"]
    assert counts(late)[1] == [5, 1, f"1 {FIRST}"]


def test_decisions_without_an_alternative_are_left_out_and_counted():
    """Seats have no points to pay with, because nobody harvests here."""
    data = played("commons_game", ["fixed:harvest=0"] * 4, archetype="governed")
    fits = behaviour.fitted(data, "conditional_cooperation", field="contribution")
    assert fits["decisions"].tolist() == [0] * 8
    assert fits["left_out_because"][0] == f"1 {FIRST}; 5 {NO_CHOICE}"
    assert fits["reason"][0] == NO_CHOICE


def test_seats_that_left_no_longer_count_as_others():
    game = engine.make(
        "sanctions", archetype="lab_0_7", periods=4, agents={"may_leave": True}, seed=0
    )
    episode = engine.Episode(game, 5)
    policies = [make(f"fixed:contribution={amount}", game) for amount in (2, 4, 6, 20)]
    rows = []
    for step in rollout(episode, policies, leaving={2: [3]}):
        line = step.to_json()
        for seat, row in enumerate(seat_rows(game, line)):
            gone = seat in step.absent
            who = {"participant": f"P{seat}", "decided_by": "absent" if gone else "person"}
            who["occupant"] = "nobody" if gone else "person"
            rows.append(
                {"session": "s", "group": 1, "period": line["period"], "seat": seat} | who | row
            )
    data = played(groups=1, people=RANDOM)
    config = data.config.assign(session="s", seed=5, config=game.config.model_dump_json())
    data = replace(data, decisions=pd.DataFrame(rows), config=config)
    decisions = decided(data)
    first_seat = decisions.keys["seat"] == 0
    assert decisions.panel.others[first_seat.to_numpy()].tolist()[1:] == pytest.approx([10, 10, 5])
    gone = decisions.left_out
    assert gone[["seat", "period", "why"]].to_numpy().tolist() == [[3, 2, NOT_OWN], [3, 3, NOT_OWN]]


# -- groups that cannot be computed ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            lambda data: edited(
                data,
                lambda rows: (rows["group"] == 1) & (rows["period"] == 3) & (rows["seat"] == 2),
                reward=99.0,
            ),
            "the points of period 3 do not follow from the rules",
        ),
        (
            lambda data: replace(data, decisions=data.decisions.drop(index=9)),
            "period 2 does not have one row per seat",
        ),
        (
            lambda data: replace(data, config=data.config[data.config["group"] == 2]),
            "it has no configuration",
        ),
    ],
)
def test_a_group_that_cannot_be_replayed_is_named_and_the_rest_fitted(damage, message):
    fits = behaviour.fitted(damage(played(periods=12)), "conditional_cooperation")
    lost, rest = fits[fits["group"] == 1], fits[fits["group"] == 2]
    assert lost["decisions"].tolist() == [0] * 4
    assert lost["left_out_because"].str.contains(message).all()
    assert lost["reason"].str.contains(message).all()
    assert lost["slope"].isna().all()
    assert rest["decisions"].tolist() == [11] * 4
    assert rest["slope"].notna().all()


def test_seats_that_decide_in_turn_are_named():
    fits = behaviour.fitted(played(agents={"timing": "sequential"}), "quantal_response")
    assert fits["decisions"].tolist() == [0] * 8
    assert fits["reason"].str.contains("its seats decide in turn").all()
    with pytest.raises(ConfigError, match=r"quantal_response: agents.timing: seats decide in turn"):
        behaviour.simulated_people(
            "quantal_response",
            {"precision": 1},
            "sanctions",
            groups=1,
            seed=1,
            agents={"timing": "sequential"},
        )


# -- layers ---------------------------------------------------------------------------------------


def test_models_give_the_reason_if_others_are_hidden_or_points_delayed():
    """The `reputation` archetype hides contributions and delays payments by two periods."""
    data = played(archetype="reputation")
    whole = behaviour.compared(data, per="treatment").set_index("model")
    assert whole["reason"]["conditional_cooperation"] == "the others were not shown"
    assert whole["reason"]["quantal_response"] == (
        "layers.temporal.reward_delay: an action's points are paid later"
    )
    assert whole["decisions"].to_dict() == {
        "conditional_cooperation": 0,
        "conditional_cooperation_inertia": 0,
        "quantal_response": 0,
        "reinforcement_learning": 40,
        "uniform": 40,
    }


def test_limits_and_shares_of_layers_match_the_engine():
    """The `unequal` archetype limits weak seats to 5. The stock is shown late, but harvests are
    not. With half of every reward shared, earning 10 more is worth 10 / 2 + 10 / 8."""
    data = played(
        "commons_game",
        archetype="unequal",
        layers={"interaction": {"intensity": 1.0, "share": 0.5}},
    )
    decisions = decided(data, grid=3)
    weak = (decisions.keys["seat"] % 2 == 1).to_numpy()
    assert np.unique(decisions.panel.high[weak]).tolist() == [5.0]
    model = behaviour.find("quantal_response", "commons_game")
    worth = model.prepared(decisions.panel).worths["points"]
    strong = ~weak & (decisions.keys["period"] == 1).to_numpy()
    assert np.diff(worth[strong]).tolist() == [pytest.approx([3.125, 3.125])] * int(strong.sum())


# -- refusals -------------------------------------------------------------------------------------


def test_every_amount_or_choice_has_models():
    amounts = ["conditional_cooperation", "conditional_cooperation_inertia", "quantal_response"]
    rest = ["reinforcement_learning", "uniform"]
    future = ["quantal_response_future"]
    assert behaviour.models("sanctions") == amounts + rest
    assert behaviour.models("commons_game") == amounts + future + rest
    assert behaviour.models("commons_game", "contribution") == amounts + rest
    assert behaviour.models("gem_mining") == ["quantal_response", *rest]
    assert behaviour.models("punishment_vote") == ["quantal_response_reach", *rest]


def test_a_game_can_be_without_models(monkeypatch):
    monkeypatch.setattr(games, "find", lambda game_id: GameAnalysis(no_model="it has one action"))
    with pytest.raises(ConfigError, match="gem_mining: it has one action, so no model of behav"):
        behaviour.models("gem_mining")


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: behaviour.models("sanctions", "harvest"),
            UnknownName,
            "field 'harvest': unknown in sanctions; one of: contribution",
        ),
        (
            lambda: behaviour.fitted(played(), "quantal_respons"),
            UnknownName,
            r"model 'quantal_respons': unknown in sanctions \(contribution\); "
            "did you mean 'quantal_response'",
        ),
        (
            lambda: behaviour.fitted(played(), "uniform", per="persons"),
            ConfigError,
            "per = 'persons': unknown; did you mean 'person'",
        ),
        (
            lambda: behaviour.fitted(played(), "uniform", errors="groups"),
            ConfigError,
            "errors = 'groups': unknown; did you mean 'group'",
        ),
        (lambda: decided(played(), grid=1), ConfigError, "grid = 1: should be at least 2"),
        (
            lambda: behaviour.simulated_people(
                "quantal_response", {"lambda": 1}, "sanctions", groups=1, seed=1
            ),
            ConfigError,
            "quantal_response: parameter 'lambda': unknown; one of: precision",
        ),
        (
            lambda: behaviour.simulated_people(
                "quantal_response", {"precision": -1}, "sanctions", groups=1, seed=1
            ),
            ConfigError,
            "quantal_response: precision = -1: should be from 0 to inf",
        ),
        (
            lambda: behaviour.simulated_people(
                "quantal_response", [{"precision": 1}], "sanctions", groups=1, seed=1
            ),
            ConfigError,
            "parameters: 1 given for 6 seats with people",
        ),
        (
            lambda: behaviour.simulated_people(
                "quantal_response", {}, "sanctions", groups=1, seed=1
            ),
            ConfigError,
            "quantal_response: parameter 'precision': is missing",
        ),
    ],
)
def test_unknown_or_impossible_arguments_are_named(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_decisions_of_groups_that_exchanged_people_are_in_one_group():
    data = exchanging(simulate_units(4))
    keys = decided(data).keys
    counts = keys.groupby("treatment")["group"].nunique()
    assert counts.tolist() == [2, 2, 2]
    assert keys.groupby(["treatment", "group"])["participant"].nunique().tolist() == [4] * 6
