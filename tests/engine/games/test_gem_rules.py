"""Gem mining calculated by hand: chances, bonus, truncation, draws, rewards and end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mixed_company import engine
from mixed_company.engine import ActionError, Episode
from mixed_company.engine.games.gem_mining.instance import bonuses
from tests.engine.games.gems import BASE, mining, small, with_luck


def found_below(game, mine, type_, mines):
    """Return the random number below which a gem is found at this mine, by bisection on the
    rules."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        state, _ = with_luck(game, mines, middle)
        low, high = (middle, high) if state["found"][mine, type_] else (low, middle)
    return high


def test_one_worker_finds_with_the_base_chance():
    # Village 0, one worker, alone at mine 1: 0.5.
    assert found_below(small(), 1, 0, [1, 2, 3]) == pytest.approx(0.5, abs=1e-12)


def test_each_further_worker_multiplies_the_chance_by_the_bonus():
    # Villages 0 and 1 bring 1 + 2 workers to mine 1: 0.125 * 1.5^2 = 0.28125.
    state, _ = with_luck(small(), [1, 1, 2], 0.5)
    assert state["workers_at"].tolist() == [0, 3, 3, 0, 0]
    assert found_below(small(), 1, 1, [1, 1, 2]) == pytest.approx(0.28125, abs=1e-12)


@pytest.mark.parametrize(("truncation", "expected"), [(0.9, 0.9), (0.6, 0.6), (1.0, 1.0)])
def test_a_chance_is_cut_at_the_truncation(truncation, expected):
    # Mine 1 with three workers: 0.5 * 1.5^2 = 1.125.
    game = small(truncation=truncation)
    assert found_below(game, 1, 0, [1, 1, 2]) == pytest.approx(expected, abs=1e-12)


def test_nothing_is_found_if_the_chance_is_0():
    state, _ = with_luck(small(), [0, 1, 2], 0.0)
    # Found: type 0 at mines 0 and 1, type 1 at mines 1 and 2; the other base chances are 0.
    assert state["found"].tolist()[:3] == [[True, False], [True, True], [False, True]]
    assert state["gems"].tolist() == [2, 2]


def test_every_village_earns_the_weighted_sum_of_gems():
    game = small(weights=[2.0, 0.5])
    _, outcome = with_luck(game, [0, 1, 2], 0.0)
    assert outcome.components["gem_0"].tolist() == [4, 4, 4]
    assert outcome.components["gem_1"].tolist() == [1, 1, 1]
    assert outcome.rewards.tolist() == [5, 5, 5]


def test_without_weights_a_gem_is_worth_a_point():
    assert small().core.weights == (1.0, 1.0)
    assert with_luck(small(), [0, 1, 2], 0.0)[1].rewards.tolist() == [4, 4, 4]


def test_each_mine_and_type_has_its_own_random_number():
    game = mining()
    luck = game.draw_chance(3, 0)["luck"]
    assert luck.shape == (23, 2)
    assert len(np.unique(luck)) == 46
    assert luck.min() >= 0
    assert luck.max() < 1
    assert not np.array_equal(luck, game.draw_chance(3, 1)["luck"])


@pytest.mark.parametrize(
    ("mines", "message"),
    [
        ([2, 1, 2], "seat 0, mine = 2: not allowed right now; choose one of 0, 1"),
        ([0, 0, 2], "seat 1, mine = 0: not allowed right now; choose one of 1, 2, 3"),
        ([0, 1, 4], "seat 2, mine = 4: not allowed right now; choose one of 2, 3"),
        ([0, 1, 5], "seat 2, mine = 5: not allowed right now; choose one of 2, 3"),
        ([0, 1.5, 2], "seat 1, mine = 1.5: must be a whole number"),
    ],
)
def test_a_mine_out_of_reach_is_refused_and_nothing_has_changed(mines, message):
    play = Episode(small(), seed=1)
    kept = play.state_json()
    with pytest.raises(ActionError) as refused:
        play.step({"mine": mines})
    assert str(refused.value) == message
    assert play.state_json() == kept


def test_a_village_that_does_not_decide_goes_to_the_first_mine_in_reach():
    play = Episode(mining(), seed=4)
    assert [play.allowed(seat).default["mine"] for seat in range(20)] == list(range(20))


def test_a_seat_that_may_not_choose_goes_to_its_first_mine():
    agents = {"roles": {"member": {}, "idle": {"acts": []}}, "seats": ["member", "member", "idle"]}
    used = Episode(small(agents=agents)).step({"mine": [1, 3, 3]}).used
    assert used["mine"].tolist() == [1, 3, 2]


@pytest.mark.parametrize("periods", [1, 4])
def test_a_play_is_over_after_its_last_period(periods):
    play = Episode(small(periods=periods))
    for period in range(periods):
        assert not play.done
        assert play.period == period
        step = play.step({"mine": [0, 1, 2]})
    assert step.done
    assert step.seat_done.all()
    assert (step.reason, step.result) == ("horizon", "neither")
    with pytest.raises(ActionError, match="the play is over"):
        play.step({"mine": [0, 1, 2]})


def test_the_instance_stays_the_same_in_all_periods():
    play = Episode(mining(periods=6), seed=9)
    before = play.state_record()
    while not play.done:
        play.step({"mine": list(range(20))})
        after = play.state_record()
        for name in ("reach", "workers", "base_probabilities"):
            assert after[name] == before[name]


@given(st.floats(0, 100), st.integers(1, 50))
def test_the_bonus_of_workers_follows_the_formula(bonus, limit):
    factors = bonuses(bonus, limit)
    assert len(factors) == limit + 1
    assert factors[0] == 0
    for workers in range(1, limit + 1):
        assert factors[workers] == pytest.approx(bonus ** (workers - 1), rel=1e-12)


def test_a_huge_bonus_finds_only_what_can_be_found():
    game = small(worker_bonus=100.0, instance={**SMALL_CROWD, "base_probabilities": BASE})
    state, _ = with_luck(game, [1, 1, 2], 0.5)
    assert state["found"].tolist() == [
        [False, False],
        [True, True],
        [False, True],
        [False, False],
        [False, False],
    ]


SMALL_CROWD = {"reach": [2, 3, 2], "workers": [1000, 1000, 1000]}


def test_frequencies_match_the_chances_within_four_standard_errors():
    # 200,000 plays of one period; mines 1 with three workers, 3 with three, the others empty.
    game = small(truncation=0.9, worker_bonus=1.25)
    seeds = np.arange(200_000)
    state, _ = game.reset(seeds)
    mines = np.broadcast_to([1, 1, 3], (len(seeds), 3))
    after, outcome = game.step(state, {"mine": mines}, game.draw_chance(seeds, 0))
    expected = np.zeros((5, 2))
    for mine in (1, 3):
        expected[mine] = np.minimum(0.9, np.array(BASE[mine]) * 1.25**2)
    error = np.sqrt(expected * (1 - expected) / len(seeds))
    assert (np.abs(after["found"].mean(axis=0) - expected) <= 4 * error).all()
    # Draws of two types at a mine, and of two mines, are independent.
    both = (after["found"][:, 1, 0] & after["found"][:, 3, 1]).mean()
    product = expected[1, 0] * expected[3, 1]
    assert abs(both - product) <= 4 * np.sqrt(product * (1 - product) / len(seeds))
    assert np.array_equal(outcome.rewards[:, 0], after["gems"].sum(axis=1))


@pytest.mark.parametrize("archetype", ["source", "momaland_42", "lab"])
def test_a_batch_equals_its_plays_one_by_one(archetype):
    game = engine.make("gem_mining", archetype=archetype, periods=3)
    seeds = np.array([0, 5, 2**40])
    batch, _ = game.reset(seeds)
    alone = [game.reset(int(seed))[0] for seed in seeds]
    for period in range(3):
        reach = batch["reach"]
        mines = np.arange(game.seats) + (period + np.arange(3)[:, None]) % reach
        batch, outcome = game.step(batch, {"mine": mines}, game.draw_chance(seeds, period))
        for i, seed in enumerate(seeds):
            chance = game.draw_chance(int(seed), period)
            alone[i], single = game.step(alone[i], {"mine": mines[i]}, chance)
            for name, value in alone[i].items():
                assert np.array_equal(batch[name][i], value)
            assert np.array_equal(outcome.rewards[i], single.rewards)
