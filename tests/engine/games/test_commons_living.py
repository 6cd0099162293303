"""Cost of living, seats that cannot pay it, and plays that are won: sums calculated by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mixed_company.engine import ConfigError, Episode, solutions
from mixed_company.engine.play import record
from tests.engine.plays import acts, commons, state


def lake(**core):
    return commons(archetype="subsistence", **core)


def played(game, actions, limit=20):
    """Return the periods of a play with the same actions in each."""
    episode, periods = Episode(game), []
    while not episode.done and len(periods) < limit:
        periods.append(episode.step(actions))
    return periods, episode


def earned(periods):
    return sum(step.rewards for step in periods).tolist()


def refusal(**core):
    with pytest.raises(ConfigError) as refused:
        lake(**core)
    return str(refused.value)


def test_by_default_living_costs_nothing_and_nothing_is_won():
    game = commons(archetype="lab")
    assert (game.core.living_cost, game.core.recovery_stock, game.core.recovery_bonus) == (
        0,
        None,
        0,
    )
    assert [field.name for field in game.declaration.components] == ["harvest", "contribution"]
    assert game.reasons == ("horizon", "collapse")
    assert game.seat_reasons == ()


def test_living_is_paid_in_every_period_and_is_part_of_the_reward():
    # 6 + 3 - 1.5 = 7.5
    episode = Episode(lake())
    step = episode.step(acts([3, 0, 0, 0]))
    assert {name: part[0] for name, part in step.components.items()} == {
        "harvest": 3,
        "contribution": 0,
        "living_cost": -1.5,
        "recovery_bonus": 0,
    }
    assert step.rewards.tolist() == [1.5, -1.5, -1.5, -1.5]
    assert state(episode)["wealth"] == [7.5, 4.5, 4.5, 4.5]


def test_a_seat_that_cannot_pay_for_another_period_is_out_and_the_others_go_on():
    # Seat 0 takes nothing: 6, 4.5, 3, 1.5, 0 after the fourth period, less than 1.5.
    periods, episode = played(lake(), acts([0, 1.5, 1.5, 1.5]))
    assert [step.seat_reasons[0] for step in periods[:4]] == [None, None, None, "bankrupt"]
    fourth = periods[3]
    assert fourth.endings == {0: "bankrupt"}
    assert fourth.seat_results[0] == "failure"
    assert fourth.seat_done.tolist() == [True, False, False, False]
    assert not fourth.done
    # A seat that is out pays and earns nothing, its points are frozen, and it gets no bonus.
    assert [step.rewards[0] for step in periods[4:]] == [0, 0, 0]
    assert state(episode)["wealth"][0] == 0
    assert earned(periods) == [-6, 20, 20, 20]


def test_actions_sent_for_a_seat_that_is_out_have_no_effect():
    episode = Episode(lake())
    for _ in range(4):
        episode.step(acts([0, 1.5, 1.5, 1.5]))
    assert episode.absent == (0,)
    step = episode.step(acts([10, 1.5, 1.5, 1.5]))
    assert step.used["harvest"].tolist() == [0, 1.5, 1.5, 1.5]
    again = episode.step({"harvest": [None, 1.5, 1.5, 1.5], "contribution": [None, 0, 0, 0]})
    assert again.rewards[0] == 0


def test_a_seat_that_is_out_sees_that_and_nothing_that_can_be_hidden():
    episode = Episode(lake())
    for _ in range(4):
        episode.step(acts([0, 1.5, 1.5, 1.5]))
    seen = episode.observation(0)
    assert seen["ended"]
    assert seen["period"] == 4
    assert seen["seat"] == 0
    for field in episode.game.declaration.observations:
        if field.maskable:
            assert np.isnan(seen[field.name]).all(), field.name
    assert not episode.observation(1)["ended"]
    assert episode.observation(1)["wealth"].tolist() == [0, 6, 6, 6]


def test_the_play_is_won_when_the_stock_has_recovered():
    # 6 fish per period: 61.1 after the ninth; a bonus of 20, and 0 for living.
    periods, episode = played(lake(), acts(1.5))
    assert len(periods) == 9
    assert state(episode)["stock"] == pytest.approx(61.1128, abs=1e-4)
    last = periods[-1]
    assert (last.done, last.reason, last.result) == (True, "recovery", "success")
    assert last.components["recovery_bonus"].tolist() == [20] * 4
    assert last.seat_results == ("success",) * 4
    assert earned(periods) == [20] * 4


def test_a_seat_with_just_enough_when_the_play_is_won_is_not_out():
    # Nobody fishes: 67.6 after the fourth period, in which all wealth has fallen to 0.
    periods, episode = played(lake(), acts(0))
    assert len(periods) == 4
    assert state(episode)["wealth"] == [0] * 4
    assert periods[-1].seat_reasons == ("recovery",) * 4
    assert earned(periods) == [14] * 4


def test_if_all_are_greedy_the_stock_collapses_immediately():
    periods, _ = played(lake(), acts(10))
    assert [step.reason for step in periods] == ["collapse"]
    assert earned(periods) == [6] * 4


def test_the_play_is_over_if_nobody_can_pay_for_living():
    periods, _ = played(lake(recovery_stock=99), acts(0))
    last = periods[-1]
    assert len(periods) == 4
    assert (last.done, last.reason, last.result) == (True, "all_out", "failure")
    assert last.seat_reasons == ("bankrupt",) * 4


def test_a_play_with_leavers_and_bankrupt_seats_does_not_end_as_all_left():
    game = lake(recovery_stock=99, agents={"may_leave": True})
    episode = Episode(game)
    episode.step(acts(0), leaving=[3])
    for _ in range(3):
        step = episode.step(acts(0))
    assert (step.reason, step.result) == ("all_out", "failure")
    assert step.seat_reasons == ("bankrupt", "bankrupt", "bankrupt", "left")
    left = Episode(game).step(acts(0), leaving=[0, 1, 2, 3])
    assert (left.reason, left.result) == ("all_left", "neither")


def test_nobody_is_out_in_the_last_period():
    # 6 - 4 * 1.5 = 0 after the last of 4 periods.
    periods, _ = played(lake(recovery_stock=99, periods=4), acts(0))
    assert periods[-1].seat_reasons == ("horizon",) * 4


def test_living_comes_before_the_pool():
    # Living takes 1.5 of 6 points: 4.5 can be paid, and then nothing is left.
    game = lake(governance="per_step")
    episode = Episode(game)
    assert episode.allowed(0).to_json()["contribution"] == [0, 4.5]
    step = episode.step(acts([2, 2, 2, 2], [99, 0, 0, 0]))
    assert step.used["contribution"].tolist() == [4.5, 0, 0, 0]
    assert state(episode)["wealth"] == [2, 6.5, 6.5, 6.5]


def test_rounding_of_decimals_puts_no_seat_out():
    # 0.3 - 0.1 - 0.1 is 0.09999999999999998 in binary, and enough for 0.1.
    game = lake(initial_wealth=0.3, living_cost=0.1, recovery_stock=99)
    episode = Episode(game)
    episode.step(acts(0))
    assert episode.step(acts(0)).endings == {}
    assert state(episode)["wealth"][0] < 0.1
    assert set(episode.step(acts(0)).endings.values()) == {"bankrupt"}
    assert state(episode)["wealth"] == [0.0] * 4


def test_a_shock_can_bring_the_recovery_and_the_bonus_comes_with_it():
    layers = {"uncertainty": {"intensity": 1, "shocks": {"stock": 500.0}}}
    for seed in range(20):
        step = Episode(lake(layers=layers), seed).step(acts(0))
        won = step.reason == "recovery"
        assert won == (step.state["stock"] >= 60)
        assert step.components["recovery_bonus"].tolist() == [20.0 * won] * 4


def test_a_log_says_who_is_out_and_replays():
    actions = [acts([0, 1.5, 1.5, 1.5])] * 20
    lines = json.loads(json.dumps(record.play(lake(), actions, seed=1)))
    endings = [line for line in lines if line.get("event") == "ending"]
    assert [(line.get("seat"), line["reason"]) for line in endings] == [
        (0, "bankrupt"),
        (None, "recovery"),
    ]
    assert (lines[-1]["result"], lines[-1]["returns"]) == ("success", [-6, 20, 20, 20])
    assert record.replay(lines) == []


@pytest.mark.parametrize(
    ("core", "message"),
    [
        (
            {"initial_wealth": 1.0},
            "core.initial_wealth = 1.0: should be at least the living_cost of the first period, "
            "1.5",
        ),
        (
            {"recovery_stock": 120},
            "core.recovery_stock = 120.0: should be at most the capacity, 100.0",
        ),
        (
            {"recovery_stock": 30},
            "core.recovery_stock = 30.0: should be more than the initial_stock, 30.0",
        ),
        (
            {"recovery_stock": 40, "collapse_stock": 40},
            "core.recovery_stock = 40.0: should be more than the collapse_stock, 40.0",
        ),
        (
            {"recovery_stock": None},
            "core.recovery_bonus = 20.0: has an effect only with a recovery_stock",
        ),
        ({"living_cost": -1}, "core.living_cost = -1: should be greater than or equal to 0"),
    ],
)
def test_impossible_parameters_are_refused_by_name(core, message):
    assert refusal(**core) == message


def test_no_best_is_known_for_a_play_that_can_end_early():
    assert solutions.best(lake()) is None
    assert solutions.best(lake(living_cost=0.0)) is None
    assert not solutions.has_best(lake(recovery_stock=None, recovery_bonus=0.0))
