"""Layers, each calculated by hand."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import Episode
from tests.engine.layers.plays import commons, with_layer
from tests.engine.plays import acts, state

STRONG_WEAK = {"roles": {"strong": {}, "weak": {}}, "seats": ["strong", "weak", "weak", "strong"]}


def steps(game, *actions, seed=0):
    play = Episode(game, seed)
    return play, [play.step(actions_of_period) for actions_of_period in actions]


# -- power ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("s", "limit"), [(1.0, 4.0), (0.5, 7.0)])
def test_a_limit_moves_the_upper_end_of_an_action_towards_it(s, limit):
    # The declared bound is 10, the limit 4: 10 + 0.5 (4 - 10) = 7.
    game = commons("power", s, STRONG_WEAK, limits={"weak": {"harvest": 4.0}})
    play, (step,) = steps(game, acts(10))
    assert step.used["harvest"].tolist() == [10, limit, limit, 10]
    assert play.allowed(1).to_json()["harvest"] == [0, limit]
    assert play.allowed(0).to_json()["harvest"] == [0, 10]


def test_a_limit_of_an_unbounded_action_applies_together_with_the_state():
    limits = {"weak": {"contribution": 2.0}}
    core = {"governance": "per_step", "initial_wealth": 3.0}
    game = commons("power", 1.0, STRONG_WEAK, core, limits=limits)
    _, (step,) = steps(game, acts(0, 5))
    assert step.used["contribution"].tolist() == [3, 2, 2, 3]


@pytest.mark.parametrize("timing", ["simultaneous", "sequential"])
@pytest.mark.parametrize(("s", "level"), [(1.0, 0.5), (0.5, 0.3)])
def test_a_heavy_vote_moves_the_level_by_its_weight(timing, s, level):
    # From 0.1 in steps of 0.1: seat 0's vote counts 1 + s (5 - 1) up, another seat's 1 down.
    agents = {"roles": {"elder": {}, "member": {}}, "seats": ["elder", "member", "member"]}
    core = {"vote_step": 0.1, "timing": timing}
    game = with_layer("punishment_vote", "power", s, core, agents, weights={"elder": 5.0})
    play, _ = steps(game, {"action": [4, 6, 5]})
    assert state(play)["level"] == pytest.approx(level)


# -- incentives -------------------------------------------------------------------------------


def test_a_fee_is_paid_on_the_amount_above_the_quota():
    # The fee is half of 2 points per fish above 3: seats request 2, 3, 5 and 10 and pay 0, 0, 2 and
    # 7.
    game = commons("incentives", 0.5, quota={"harvest": 3.0}, fee={"harvest": 2.0})
    _, (step,) = steps(game, acts([2, 3, 5, 10]))
    assert step.components["fee"].tolist() == [0, 0, -2, -7]
    assert step.rewards.tolist() == [2, 3, 3, 3]


# -- interaction ------------------------------------------------------------------------------


def test_sharing_moves_points_from_above_the_mean_to_below():
    # Rewards 2, 4, 6, 8, mean 5; s sigma = 0.25: each moves a quarter of the way to 5.
    game = commons("interaction", 0.5, share=0.5)
    _, (step,) = steps(game, acts([2, 4, 6, 8]))
    assert step.components["shared"].tolist() == [0.75, 0.25, -0.25, -0.75]
    assert step.rewards.tolist() == [2.75, 4.25, 5.75, 7.25]


def test_the_stock_loses_more_than_the_harvest():
    # 1 + 0.5 (3 - 1) = 2 fish per fish taken: 100 - 2 * 8, no growth at the capacity.
    play, (step,) = steps(commons("interaction", 0.5, externality=3.0), acts(2))
    assert state(play)["stock"] == 84
    assert step.rewards.tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("game", "core", "read", "value"),
    [
        ("gem_mining", {}, lambda core: [core.worker_bonus], [1.06]),
        ("sanctions", {"archetype": "lab_0_7"}, lambda core: [core.mpcr], [0.8]),
        ("sanctions", {}, lambda core: [core.synergy, core.dependence], [1.3, 0.7]),
        ("punishment_vote", {}, lambda core: [core.resources["D"].harm], [3.0]),
    ],
)
def test_the_externality_of_a_game_is_doubled(game, core, read, value):
    result = read(with_layer(game, "interaction", 1.0, core, externality=2.0).core)
    assert result == pytest.approx(value)


# -- temporal ---------------------------------------------------------------------------------


def test_a_share_of_each_reward_is_paid_two_periods_later_and_all_by_the_end():
    # Half of 4, then of 8, 0 and 2 is delayed: 2, 4 and 0 are owed, and the last period pays the
    # rest, 4 + 0.
    game = commons("temporal", 0.5, core={"periods": 4}, reward_delay=2)
    _, played = steps(game, acts(4), acts(8), acts(0), acts(2))
    assert [step.components["delayed"][0] for step in played] == [-2, -4, 2, 4]
    assert [step.rewards[0] for step in played] == [2, 4, 2, 6]


def test_a_collapse_pays_outstanding_rewards():
    game = commons("temporal", reward_delay=9, core={"collapse_stock": 95.0})
    _, played = steps(game, acts(1), acts(2))
    assert played[1].reason == "collapse"
    assert [step.components["delayed"][0] for step in played] == [-1, 1]


def test_a_reputation_is_the_mean_cooperation_of_the_last_periods():
    # 1 - h / 10: 0.8, 0.6, 0.1; over two periods 0.8, 0.7, 0.35. Before the first period nothing is
    # shown.
    play = Episode(commons("temporal", reputation_window=2), 0)
    assert np.isnan(play.observation(1)["reputation"]).all()
    for harvest, mean in ((2, 0.8), (4, 0.7), (9, 0.35)):
        play.step(acts([harvest, 0, 0, 0]))
        assert play.observation(1)["reputation"].tolist() == pytest.approx([mean, 1, 1, 1])


def test_cooperation_of_sanctions_is_the_share_of_the_endowment():
    play = Episode(
        with_layer("sanctions", "temporal", reputation_window=1, core={"archetype": "lab_0_7"})
    )
    play.step({"contribution": [0, 5, 10, 20]})
    assert play.observation(0)["mean_cooperation"].tolist() == [0, 0.25, 0.5, 1]


def test_a_seat_that_collects_harmful_resources_does_not_cooperate():
    game = with_layer("punishment_vote", "temporal", reputation_window=1)
    after = {"collected": np.array([0, 1, 5])}
    assert game.cooperation({}, {}, after).tolist() == [1, 0, 0]


# -- hierarchy --------------------------------------------------------------------------------


def test_a_seat_sees_the_sums_of_its_own_group():
    game = commons("hierarchy", groups=[0, 1, 1, 0])
    play, _ = steps(game, acts([1, 2, 3, 4]), acts([1, 1, 2, 2]))
    seen = [play.observation(seat) for seat in range(4)]
    assert [int(view["group"]) for view in seen] == [0, 1, 1, 0]
    assert [float(view["group_harvest"]) for view in seen] == [3, 3, 3, 3]
    assert [float(view["group_wealth"]) for view in seen] == [8, 8, 8, 8]
    assert [float(view["group_reward"]) for view in seen] == [3, 3, 3, 3]
    assert state(play)["group_points"] == [8, 8]


# -- information ------------------------------------------------------------------------------


def test_a_delayed_stock_is_from_two_periods_ago():
    # Without growth: 100, 96, 92, 88.
    play = Episode(commons("information", delay={"stock": 2}, core={"growth_rate": 0.0}))
    seen = []
    for _ in range(4):
        seen.append((float(play.observation(0)["stock"]), int(play.observation(0)["age_stock"])))
        play.step(acts(1))
    assert seen == [(100, 0), (100, 1), (100, 2), (96, 2)]


def test_the_delay_times_the_intensity_is_rounded():
    game = commons("information", 0.5, delay={"stock": 3}, core={"growth_rate": 0.0})
    play, _ = steps(game, acts(1), acts(1), acts(1))
    assert int(play.observation(0)["age_stock"]) == 2  # round(1.5)


def test_noise_has_the_configured_deviation_times_the_intensity():
    game = commons("information", 0.5, noise={"stock": 8.0})
    read = game.reset(np.arange(20_000))[1]["stock"]
    assert read.std() == pytest.approx(4.0, rel=0.03)
    assert read.mean() == pytest.approx(100.0, abs=0.1)


def test_neighbours_on_a_ring_see_each_other():
    play, _ = steps(commons("information", graph="ring"), acts([1, 2, 3, 4]))
    seen = play.observation(0)["harvest"]
    np.testing.assert_equal(seen, [1, 2, np.nan, 4])


def test_pairs_of_neighbours_see_each_other_and_themselves():
    play, _ = steps(commons("information", graph=[(0, 1), (2, 3)]), acts([1, 2, 3, 4]))
    np.testing.assert_equal(play.observation(0)["harvest"], [1, 2, np.nan, np.nan])
    np.testing.assert_equal(play.observation(3)["harvest"], [np.nan, np.nan, 3, 4])


def test_shown_fields_hold_the_state_and_hidden_ones_are_missing():
    game = commons("information", show=["empty_periods"], hide=["stock"])
    play, _ = steps(game, acts(1))
    assert float(play.observation(2)["shown_empty_periods"]) == 0.0
    assert np.isnan(play.observation(2)["stock"])


@pytest.mark.parametrize(
    ("options", "field"), [({"hide": ["stock"]}, "stock"), ({"show": ["pool"]}, "shown_pool")]
)
def test_hiding_and_showing_apply_with_a_chance_equal_to_the_intensity(options, field):
    seen = commons("information", 0.25, **options).reset(np.arange(4000))[1][field]
    share = np.isnan(seen).mean()
    assert share == pytest.approx(0.25 if "hide" in options else 0.75, abs=0.02)


# -- uncertainty ------------------------------------------------------------------------------


def test_a_shock_moves_the_stock_after_the_harvest_and_is_an_event():
    game = commons("uncertainty", 0.5, shocks={"stock": 4.0}, core={"initial_stock": 50.0})
    play, (step,) = steps(game, acts(2), seed=3)
    drawn = float(game.draw_chance(3, 0)["uncertainty.stock"])
    assert drawn != 0
    assert state(play)["stock"] == 50 - 8 + 0.3 * 50 * 0.5 + drawn
    assert step.events == [{"event": "shock", "quantity": "stock", "shock": drawn}]
    assert step.rewards.tolist() == [2, 2, 2, 2]


def test_shocks_have_the_configured_deviation_times_the_intensity():
    game = commons("uncertainty", 0.5, shocks={"stock": 4.0})
    drawn = game.draw_chance(np.arange(20_000), 0)["uncertainty.stock"]
    assert drawn.std() == pytest.approx(2.0, rel=0.03)


def test_a_shock_can_make_the_stock_collapse_in_the_same_period():
    game = commons("uncertainty", shocks={"stock": 1e6}, core={"collapse_stock": 50.0})
    reasons = {
        bool(drawn < 0): Episode(game, seed).step(acts(0)).reason
        for seed in range(8)
        for drawn in [game.draw_chance(seed, 0)["uncertainty.stock"]]
    }
    assert reasons == {True: "collapse", False: None}


def test_a_drifting_rate_follows_the_period_of_every_play_in_a_batch():
    # 0.4 (1 - 0.5 * 0.5 t): 0.4, 0.3, 0.2, 0.1, and never below 0.
    game = commons("uncertainty", 0.5, drift={"growth_rate": -0.5}, core={"growth_rate": 0.4})
    states, _ = game.reset(np.arange(6))
    states = {**states, "period": np.arange(6), "stock": np.full(6, 50.0)}
    actions = {"harvest": np.zeros((6, 4)), "contribution": np.zeros((6, 4))}
    after, _ = game.step(states, actions, game.draw_chance(np.arange(6), np.arange(6)))
    assert after["stock"].tolist() == pytest.approx([60, 57.5, 55, 52.5, 50, 50])


def test_the_return_of_a_public_good_can_drift():
    # 0.4 (1 + 0.1 t) times 40 contributed.
    core = {"archetype": "lab_0_7", "periods": 3}
    game = with_layer("sanctions", "uncertainty", 1.0, core, drift={"mpcr": 0.1})
    _, played = steps(game, *[{"contribution": [10] * 4}] * 3)
    assert [s.components["production"][0] for s in played] == pytest.approx([16, 17.6, 19.2])


def test_layers_are_applied_in_their_order():
    # A fee of 1 per fish above 2, then half is shared, then all of it is paid a period later.
    layers = {
        "incentives": {"intensity": 1, "quota": {"harvest": 2}, "fee": {"harvest": 1}},
        "interaction": {"intensity": 1, "share": 0.5},
        "temporal": {"intensity": 1, "reward_delay": 1},
    }
    game = engine.make("commons_game", layers=layers, seats=2)
    _, (first, second) = steps(game, acts([6, 0], seats=2), acts(0, seats=2))
    assert first.components["fee"].tolist() == [-4, 0]
    assert first.components["shared"].tolist() == [-0.5, 0.5]
    assert first.rewards.tolist() == [0, 0]
    assert second.rewards.tolist() == [1.5, 0.5]
