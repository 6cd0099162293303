"""Tests of the public good, calculated by hand: the sums of its manual page, and seats that
leave."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.games.public_good import PublicGood

NOBODY = [0, 0, 0, 0]


def play(archetype: str, **parameters: object) -> engine.Episode:
    game = engine.make("public_good", archetype=archetype, **parameters)
    assert isinstance(game, PublicGood)
    return engine.Episode(game, seed=1)


@pytest.mark.parametrize(
    ("contributions", "points"),
    [
        ([20, 20, 20, 20], [32, 32, 32, 32]),  # 0.4 * 80
        ([0, 0, 0, 0], [20, 20, 20, 20]),
        ([0, 20, 20, 20], [44, 24, 24, 24]),  # 20 + 0.4 * 60, and 0.4 * 60
    ],
)
def test_a_period_without_punishment(contributions, points):
    assert play("source").step({"contribution": contributions}).rewards.tolist() == points


def test_three_seats_that_spend_two_points_take_more_than_free_riding_gained():
    episode, punish = play("lab"), [2, 0, 0, 0]
    period = episode.play_period(
        {"contribution": [0, 20, 20, 20], "assign": [NOBODY, punish, punish, punish]}
    )
    assert period.rewards.tolist() == [26, 22, 22, 22]  # 44 - 18, and 24 - 2


def test_a_seat_that_has_left_gives_and_earns_nothing():
    episode = play("source", agents={"may_leave": True})
    period = episode.step({"contribution": [20, 10, 20, 20]}, (0,))
    assert period.state["contribution"].tolist() == [0, 10, 20, 20]
    assert period.rewards.tolist() == [0, 30, 20, 20]  # 0.4 * 50 = 20, and 10 kept


def test_two_plays_in_a_batch_equal_each_play_alone():
    game = engine.make("public_good")
    state, _ = game.reset(np.array([1, 2]))
    actions = {"contribution": np.array([[0, 20, 20, 20], [20, 20, 20, 20]], dtype=float)}
    _, outcome = game.step(state, actions, game.draw_chance(np.array([1, 2]), 0))
    assert outcome.rewards.tolist() == [[44, 24, 24, 24], [32, 32, 32, 32]]
