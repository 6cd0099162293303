"""Tests of the public good by hand: the sums of its manual page, punishable seats, and seats that
leave.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.games.public_good import PublicGood


def played(*periods: tuple[list[float], list[float]], **parameters: object) -> list[engine.Period]:
    """Return the periods of a play in the lab, from (contributions, punishments)."""
    game = engine.make("public_good", archetype="lab", periods=len(periods), **parameters)
    assert isinstance(game, PublicGood)
    episode = engine.Episode(game, seed=1)
    return [episode.step({"contribution": c, "punishment": p}) for c, p in periods]


NOBODY = [0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("contributions", "points"),
    [
        ([20, 20, 20, 20], [32, 32, 32, 32]),  # 0.4 * 80
        ([0, 0, 0, 0], [20, 20, 20, 20]),
        ([0, 20, 20, 20], [44, 24, 24, 24]),  # 20 + 0.4 * 60, and 0.4 * 60
    ],
)
def test_a_period_without_punishment(contributions, points):
    (period,) = played((contributions, NOBODY))
    assert period.rewards.tolist() == points


def test_three_seats_that_spend_two_points_take_more_than_free_riding_gained():
    free = [0.0, 20.0, 20.0, 20.0]
    first, second = played((free, NOBODY), (free, [0.0, 2.0, 2.0, 2.0]))
    # 3 punishers * 2 points * strength 3 = 18; each of them pays 2
    assert second.components["suffered"].tolist() == [-18, 0, 0, 0]
    assert second.components["spent"].tolist() == [0, -2, -2, -2]
    assert (first.rewards - second.rewards).tolist() == [18, 2, 2, 2]


def test_the_loss_is_divided_among_the_lowest_seats_and_none_punishes_itself():
    # Seats 0 and 1 gave least. Seat 0 can punish only seat 1: 2 * 3 = 6. Seat 2 spends 4 on both:
    # 4 * 3 / 2 = 6 from each.
    _, second = played(([5, 5, 10, 20], NOBODY), ([0, 0, 0, 0], [2, 0, 4, 0]))
    assert second.components["suffered"].tolist() == [-6, -12, 0, 0]


def limits_after(contributions: list[float]) -> list[float]:
    game = engine.make("public_good", archetype="lab")
    episode = engine.Episode(game, seed=1)
    episode.step({"contribution": contributions, "punishment": NOBODY})
    return [episode.allowed(seat).high["punishment"].item() for seat in range(4)]


def test_a_seat_can_punish_only_if_another_seat_gave_least():
    assert limits_after([0, 20, 20, 20]) == [0, 5, 5, 5]
    assert limits_after([0, 0, 20, 20]) == [5, 5, 5, 5]
    assert limits_after([7, 7, 7, 7]) == [0, 0, 0, 0]


def test_nobody_can_be_punished_in_the_first_period_or_in_the_source():
    game = engine.make("public_good", archetype="lab")
    assert engine.Episode(game, seed=1).allowed(0).high["punishment"].item() == 0
    source = engine.make("public_good", archetype="source")
    episode = engine.Episode(source, seed=1)
    episode.step({"contribution": [0, 20, 20, 20], "punishment": NOBODY})
    assert episode.allowed(1).high["punishment"].item() == 0


def test_a_seat_that_has_left_is_neither_among_the_lowest_nor_punished():
    agents = {"may_leave": True}
    game = engine.make("public_good", archetype="lab", periods=3, agents=agents)
    episode = engine.Episode(game, seed=1)
    episode.step({"contribution": [0, 20, 20, 20], "punishment": NOBODY})
    # Seat 0 gave least and leaves before it is punished.
    second = episode.step({"contribution": [0, 10, 20, 20], "punishment": [0, 5, 5, 5]}, (0,))
    assert second.rewards[0] == 0
    assert second.components["spent"].tolist() == NOBODY
    assert second.state["lowest"].tolist() == [0, 1, 0, 0]


def test_a_penalty_is_an_event():
    free = [0.0, 20.0, 20.0, 20.0]
    _, second = played((free, NOBODY), (free, [0.0, 2.0, 2.0, 2.0]))
    assert [dict(event) for event in second.events] == [
        {"event": "penalty", "seat": 0, "points": 18.0}
    ]


def test_two_plays_in_a_batch_equal_each_play_alone():
    game = engine.make("public_good", archetype="lab")
    state, _ = game.reset(np.array([1, 2]))
    actions = {
        "contribution": np.array([[0, 20, 20, 20], [20, 20, 20, 20]], dtype=float),
        "punishment": np.zeros((2, 4)),
    }
    _, outcome = game.step(state, actions, game.draw_chance(np.array([1, 2]), 0))
    assert outcome.rewards.tolist() == [[44, 24, 24, 24], [32, 32, 32, 32]]
