"""What is known of a game is found by its id, typed, and says with which error it holds."""

from __future__ import annotations

import math

import pytest

import engine
from engine import solutions
from engine.solutions.commons_game import best_group_plan

GAMES = engine.game_ids()


def test_a_game_without_a_solution_has_the_neutral_one():
    vote = engine.make("punishment_vote")
    assert solutions.find("punishment_vote") == solutions.Solution()
    assert solutions.best(vote) is None
    assert solutions.share_of_best(vote, [], []) is None
    assert solutions.judge(vote, {}, {}) == {}


@pytest.mark.parametrize("game_id", GAMES)
def test_parts_that_need_each_other_are_declared_together(game_id):
    solution = solutions.find(game_id)
    assert (solution.judged is None) == (solution.judge is None)
    assert (solution.best is None) == (solution.share_of_best is None)


def test_the_best_of_a_public_good_is_that_of_its_social_optimum():
    """Lab: 4 seats give all they have, 20 each, and earn 0.4 * 80 = 32 a seat and period."""
    game = engine.make("sanctions", archetype="lab", periods=7)
    best = solutions.best(game)
    assert best is not None
    assert best.value == pytest.approx(4 * 32 * 7)
    assert best.error == 0.0


def test_the_best_of_gem_mining_is_the_best_joint_choice_in_every_period_for_every_village():
    game = engine.make("gem_mining", archetype="lab", periods=6)
    start = engine.Episode(game, 3).state_record()
    after = {**start, "mine": list(range(game.seats))}
    judged = solutions.judge(game, start, after)
    best = solutions.best(game, seed=3)
    assert best is not None
    assert best.value == pytest.approx(6 * game.seats * judged["best_expected_points"])
    assert best.error == 0.0
    assert solutions.find("gem_mining").expected_points(game.core, start, after) == pytest.approx(
        judged["expected_points"]
    )


def test_a_plan_that_can_be_played_does_not_claim_that_nothing_is_better():
    game = engine.make("commons_game", archetype="lab")
    best = solutions.best(game)
    assert best is not None
    assert best.value == best_group_plan(game.core).value
    assert math.isnan(best.error)


def test_under_layers_that_change_what_can_be_earned_no_best_is_known():
    game = engine.make("sanctions", layers={"interaction": {"intensity": 1, "share": 0.5}})
    assert solutions.best(game) is None
    assert not solutions.has_best(game)
