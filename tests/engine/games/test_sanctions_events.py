"""Events of the sanctions game: a loss of points is an event, but a reward from reciprocity is
not."""

from __future__ import annotations

import pytest

from tests.engine.games.sanctions_plays import HALF, PLAIN, STILL, sanctions, steps

TWO = {
    **STILL,
    **PLAIN,
    "seats": 2,
    "baseline": 40.0,
    "kappa": HALF,
    "lambda_R": 2.0,
    "omega": 0.0,
    "rho_0": 1.0,
    "eta": 0.0,
    "memory": 1,
}
# An effect is lambda_R * trust * tanh: 2 * 0.5 * tanh. One point off the baseline gives one half.


def events(*contributions, **core):
    return [step.events for step in steps(sanctions(**{**TWO, **core}), *contributions)]


def test_expected_contributions_are_never_sanctioned():
    assert events(40, 40) == [[], []]


def test_the_seat_that_gave_less_lost_points():
    (((event),),) = events([39, 40])
    assert event == {"event": "penalty", "seat": 0, "points": pytest.approx(0.5)}


def test_a_reward_for_giving_more_is_no_event():
    assert events([41, 40]) == [[]]


def test_the_observer_is_named_if_sanctions_fall_on_observers():
    (((event),),) = events([39, 40], falls_on="observer")
    assert (event["seat"], event["points"]) == (1, pytest.approx(0.5))


def test_a_multiplier_takes_a_share_of_what_was_earned():
    # 61 of 100 are kept; the effect of -0.5 is relative to the mean endowment: 61 * 0.5 / 100
    (((event),),) = events([39, 40], form="multiplier")
    assert event["points"] == pytest.approx(0.305)


def test_the_points_match_the_reward():
    game = sanctions(**TWO)
    for step in steps(game, [39, 38], [0, 41]):
        lost = [-points for points in step.components["sanctions"].tolist()]
        expected = [(seat, points) for seat, points in enumerate(lost) if points > 0]
        pairs = [(event["seat"], event["points"]) for event in step.events]
        assert pairs == expected != []


def test_a_rounded_average_is_no_penalty():
    # three times 0.1 is 0.30000000000000004, and other sums fall slightly short
    game = {"signal": "deviation", "memory": 6, "baseline": 0.7}
    assert events(*[0.7] * 12, **game) == [[]] * 12
