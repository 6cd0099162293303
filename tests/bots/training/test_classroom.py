"""Training environment: observed numbers, remembered means, and the learner's seats."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the `training` extra", exc_type=ImportError)
pytest.importorskip("sb3_contrib", reason="needs the `training` extra", exc_type=ImportError)

import torch
from gymnasium import spaces

from mixed_company import engine
from mixed_company.learning.training.classroom import Classroom, Deviator, chosen_numbers, rooms
from mixed_company.learning.training.scaling import Scaled, scaling
from mixed_company.policies.flat.observations import FlatObservations

GAME = engine.make("commons_game", archetype="lab_0_7", periods=3)
FLAT = FlatObservations(GAME.declaration.observations, GAME.seats)
FIVE = [0.0, -1.0]  # a harvest of 5, nothing paid


def classroom(fields, remembered=(), plays=2, **more):
    options = {"seed": 1, "aim": "own", "against": "", "seats": range(4), **more}
    return Classroom(
        rooms(GAME, plays, **options), chosen_numbers(FLAT, fields), np.array(remembered, int)
    )


def test_it_sees_the_chosen_fields_in_their_order():
    seen = classroom(["seat", "stock"]).reset()
    assert seen.tolist() == [[seat, 100.0] for _ in range(2) for seat in range(4)]


def test_it_remembers_the_mean_of_its_observations_in_this_play():
    room = classroom(["stock"], [0])
    assert room.reset()[0].tolist() == [100, 100]
    # 20 of 100 are taken and nothing grows; then 20 of 80, and 0.4 * 80 * 0.2 = 6.4 grow
    stocks = [100, 80, 66.4]
    for period in (1, 2):
        seen, _, _, _ = room.step(np.array([FIVE] * 8))
        assert seen[0] == pytest.approx([stocks[period], np.mean(stocks[: period + 1])])
    seen, _, dones, infos = room.step(np.array([FIVE] * 8))
    assert dones.all()
    assert seen[0].tolist() == [100, 100]
    assert infos[0]["episode"]["r"] == pytest.approx(15.0)


def test_each_seat_learns_in_plays_of_its_own_among_others():
    room = classroom(["seat", "harvest"], against="greedy", seats=[1, 3], plays=2)
    assert room.num_envs == 4
    assert room.reset()[:, 0].tolist() == [1, 1, 3, 3]
    seen = room.step(np.array([FIVE] * 4))[0]
    assert seen[0].tolist() == [1, 10, 5, 10, 10]
    assert seen[2].tolist() == [3, 10, 10, 10, 5]


def test_half_of_the_plays_have_a_deviator_whose_earnings_the_others_lose():
    # in 8 of 16 plays all learn together; in the other 8, each of two deviators plays once in each
    # of four seats
    room = classroom(
        ["seat"], deviators=[Deviator("greedy"), Deviator("fixed:harvest=2")], plays=16
    )
    assert room.num_envs == 8 * 4 + 8 * 3
    assert room.reset()[32:38, 0].tolist() == [1, 2, 3, 0, 2, 3]
    rewards = room.step(np.array([FIVE] * 56))[1] * room.unit
    assert rewards == pytest.approx([5.0] * 32 + [-10.0] * 12 + [-2.0] * 12)


def test_every_deviator_is_met_in_every_seat_however_few_plays_there_are():
    assert classroom(["seat"], deviators=[Deviator("greedy")], plays=2).num_envs == 4 + 4 * 3


def test_rewards_are_divided_by_a_fixed_number_and_episodes_are_in_points():
    room = classroom(["stock"])
    room.reset()
    _, rewards, _, _ = room.step(np.array([FIVE] * 8))
    assert rewards == pytest.approx([5.0 / room.unit] * 8)
    # a harvest of 5 on average, if everything is drawn at random, in three periods
    assert room.unit == pytest.approx(5.0 * np.sqrt(3), rel=0.2)


def test_numbers_are_scaled_by_their_ends_and_the_seat_is_encoded_separately():
    observed = chosen_numbers(FLAT, ["period", "seat", "stock", "pool"])
    rules = scaling(GAME, observed, np.array([2]))
    box = spaces.Box(-np.inf, np.inf, (5,), dtype=np.float32)
    scaled = Scaled(box, rules)(torch.tensor([[3.0, 2.0, 25.0, 2.0, 100.0]]))[0].tolist()
    # 3 of 3 periods, a seat without an end, a quarter of the stock, asinh(2), a full stock; seat 2
    assert scaled == pytest.approx([1.0, 1.4436355, -0.5, 1.4436355, 1.0, 0, 0, 1, 0])
