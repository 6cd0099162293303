"""Tests of the solutions of the public good, calculated by hand."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import solutions
from mixed_company.engine.solutions.public_good import equilibrium, social_optimum


@pytest.mark.parametrize(
    ("marginal_return", "best", "alone"),
    [
        (0.4, (20, 32), (0, 20)),  # 0.4 * 4 * 20 = 32
        (0.2, (0, 20), (0, 20)),  # 4 * 0.2 = 0.8: a point given returns less than 1
        (1.5, (20, 120), (20, 120)),  # 1.5 * 4 * 20 = 120
    ],
)
def test_the_optimum_and_the_equilibrium(marginal_return, best, alone):
    core = engine.make("public_good", marginal_return=marginal_return).core
    assert social_optimum(core) == pytest.approx(best)
    assert equilibrium(core) == pytest.approx(alone)


def test_the_best_of_a_play_is_exact():
    game = engine.make("public_good", archetype="lab")
    best = solutions.best(game)
    assert best is not None
    assert best.value == pytest.approx(10 * 4 * 32)
    assert best.error == 0.0


def test_a_play_in_which_nobody_gives_earns_20_of_32_points_before_peer_points():
    game = engine.make("public_good", archetype="lab", periods=2)
    nothing = np.zeros((1, 4))
    period = {"kept": nothing + 20, "share": nothing}
    period |= {"peer_cost": nothing - 2, "peer_received": nothing - 6}
    assert solutions.share_of_best(game, [], [period, period]).tolist() == [[20 / 32] * 2]


def test_nobody_gains_by_giving_another_amount_in_a_period():
    """Try all contributions of one of four seats, with the others at the equilibrium."""
    game = engine.make("public_good", periods=1)
    earned = []
    for amount in range(21):
        episode = engine.Episode(game, seed=1)
        earned.append(float(episode.step({"contribution": [amount, 0, 0, 0]}).rewards[0]))
    assert earned.index(max(earned)) == equilibrium(game.core).contribution
