"""Solutions of a game are found by its id, have the right types, and state their error."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import solutions
from mixed_company.engine.solutions.commons_game import best_group_plan

GAMES = engine.game_ids()
SHELF = [(game_id, archetype) for game_id in GAMES for archetype in engine.find(game_id).archetypes]


def test_a_game_without_a_solution_has_a_neutral_one():
    assert solutions.find("a_game_to_come") == solutions.Solution()


def test_a_game_with_only_a_bound_has_no_best():
    vote = engine.make("punishment_vote")
    assert solutions.best(vote).kind == "bound"
    assert solutions.share_of_best(vote, [], []) is None
    assert solutions.judge(vote, {}, {}) == {}


@pytest.mark.parametrize("game_id", GAMES)
def test_plays_are_compared_with_a_playable_plan_and_never_with_a_bound(game_id):
    best = solutions.best(engine.make(game_id))
    assert solutions.has_best(engine.make(game_id)) == (best is not None and best.kind == "plan")


@pytest.mark.parametrize(("game_id", "archetype"), SHELF)
def test_every_best_states_its_method_and_error(game_id, archetype):
    best = solutions.best(engine.make(game_id, archetype=archetype))
    if best is None:
        return
    assert best.name
    assert best.how
    assert math.isnan(best.error) or best.error >= 0


@pytest.mark.parametrize("game_id", GAMES)
def test_parts_that_need_each_other_are_declared_together(game_id):
    solution = solutions.find(game_id)
    assert (solution.judged is None) == (solution.judge is None)
    if solution.share_of_best is not None:
        assert solution.best is not None


@pytest.mark.parametrize(
    ("earned", "best", "error", "ends"),
    [
        (30.0, 60.0, 0.0, [0.5, 0.5]),
        (30.0, 50.0, 10.0, [0.5, 0.6]),
        (55.0, 50.0, 10.0, [55 / 60, 1.0]),  # the best is at least as good as what was earned
        (50.0 * (1 + 1e-12), 50.0, 0.0, [1.0, 1.0]),  # rounding
        (0.0, 0.0, 10.0, [0.0, 0.0]),
        (-30.0, 50.0, 10.0, [-0.6, -0.5]),
    ],
)
def test_a_share_of_a_best_with_an_error_has_two_ends_and_is_never_above_1(
    earned, best, error, ends
):
    assert solutions.shares(np.array([earned]), best, error) == pytest.approx(np.array([ends]))
    assert solutions.shares(np.array([earned]), best, error).max() <= 1.0


def test_there_is_no_share_of_nothing():
    assert np.isnan(solutions.shares(np.zeros(2), np.array([0.0, np.nan]))).all()


def test_shares_of_a_best_are_before_peer_points_in_every_game(monkeypatch):
    game = engine.make("sanctions", archetype="unsanctioned", peer="punishment")
    total = solutions.Solution(share_of_best=lambda _game, _states, parts: sum(parts[0].values()))
    monkeypatch.setattr(solutions, "find", lambda _game_id: total)
    parts = {"kept": 10.0, "production": 12.0, "peer_cost": -2.0, "peer_received": -6.0}
    assert solutions.share_of_best(game, [], [parts]) == 22.0


def test_the_best_of_a_public_good_is_its_social_optimum():
    """In `lab` 4 seats give everything, 20 each, and earn 0.4 * 80 = 32 per seat and period."""
    game = engine.make("sanctions", archetype="lab", periods=7)
    best = solutions.best(game)
    assert best is not None
    assert best.value == pytest.approx(4 * 32 * 7)
    assert best.error == 0.0


def test_the_best_of_gem_mining_is_the_best_joint_choice_in_every_period():
    game = engine.make("gem_mining", archetype="lab", periods=6)
    start = engine.Episode(game, 3).state_record()
    after = {**start, "mine": list(range(game.seats))}
    judged = solutions.judge(game, start, after)
    best = solutions.best(game, seed=3)
    assert best is not None
    assert best.value == pytest.approx(6 * game.seats * judged["best_expected_points"])
    assert best.error == 0.0
    assert solutions.find("gem_mining").expected_points(game, start, after) == pytest.approx(
        judged["expected_points"]
    )


def test_the_best_of_the_commons_is_the_best_group_plan_with_its_error():
    game = engine.make("commons_game", archetype="lab_0_7")
    best = solutions.best(game)
    assert best is not None
    assert best.value == best_group_plan(game.core).value == pytest.approx(229.6, abs=1e-9)
    assert 0 <= best.error < 1e-6


def test_no_best_is_known_under_layers_that_change_earnings():
    game = engine.make("sanctions", layers={"interaction": {"intensity": 1, "share": 0.5}})
    assert solutions.best(game) is None
    assert not solutions.has_best(game)
