"""Villages that respond to the others, or that solve the game for everyone."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine, policies
from mixed_company.engine.games.gem_mining import of_state
from mixed_company.engine.solutions.gem_mining import best_joint_choice
from tests.bots.scripted.gem_mining.seat import Village, played

# Workers at mines 0 to 6; the village's own two are at mine 1 from the second period on.
CROWDS = [1, 4, 3, 1, 0, 0, 0]
EVEN = [[0.2, 0.2]] * 7


def second(spec, workers=2, **shown):
    """Return the mine chosen in period 1, after mine 1."""
    village = Village(spec, workers)
    village.period, village.went = 1, 1
    return village.goes(**shown)


def test_the_crowd_follower_does_not_count_its_own_workers():
    # Others: 2, 3 and 1 at mines 1, 2 and 3.
    assert second("follow_crowd", workers_at=CROWDS) == 2


def test_the_crowd_avoider_does_not_count_its_own_workers():
    assert second("avoid_crowd", workers_at=CROWDS) == 3
    # All four workers at mine 1 are its own.
    assert second("avoid_crowd", workers=4, workers_at=CROWDS) == 1


# Alone: 0.2 b, 0.8 b, 0.4 b points at mines 1, 2 and 3.
WORTHS = [[0, 0], [0.1, 0.1], [0.4, 0.4], [0.2, 0.2], [0, 0], [0, 0], [0, 0]]


def test_a_village_that_gives_way_starts_at_its_best_mine():
    assert Village("gives_way").goes(base_probabilities=WORTHS) == 2


def test_a_village_that_gives_way_stays_where_it_is_alone():
    alone = [0, 2, 0, 0, 0, 0, 0]
    assert second("gives_way", workers_at=alone, base_probabilities=WORTHS) == 1


@pytest.mark.parametrize(
    ("crowd", "mine"),
    [
        ([0, 4, 0, 0, 0, 0, 0], 2),  # nobody is at mines 2 and 3, and 2 is better
        ([0, 4, 1, 0, 0, 0, 0], 3),
        ([0, 4, 1, 1, 0, 0, 0], 1),  # others are at every mine, so it stays
    ],
)
def test_a_village_that_gives_way_leaves_for_its_best_mine_without_others(crowd, mine):
    assert second("gives_way", workers_at=crowd, base_probabilities=WORTHS) == mine


def test_a_village_that_gives_way_but_sees_nobody_goes_to_its_best_mine():
    assert second("gives_way", workers_at=[np.nan] * 7, base_probabilities=WORTHS) == 2


@pytest.mark.parametrize("spec", ["follow_crowd", "avoid_crowd"])
def test_a_village_that_sees_nobody_goes_anywhere(spec):
    village = Village(spec)
    assert {village.goes(workers_at=[np.nan] * 7) for _ in range(60)} == {1, 2, 3}


def test_the_best_response_picks_an_empty_mine_if_all_are_alike():
    # Each empty mine opened adds 0.4 b; joining others adds a few percent of it.
    shown = {"workers_at": [0, 2, 3, 0, 0, 0, 0], "base_probabilities": EVEN}
    assert second("best_response", **shown, workers=1) == 3


def test_the_best_response_joins_others_if_other_mines_are_worthless():
    chances = [[0.0, 0.0], [0.0, 0.0], [0.4, 0.4], [0.001, 0.0], [0, 0], [0, 0], [0, 0]]
    # 0.8 b^2 (b^2 - 1) = 0.052 at mine 2 beside three others, 0.001 b at mine 3.
    shown = {"workers_at": CROWDS, "base_probabilities": chances}
    assert second("best_response", **shown) == 2


def test_the_best_response_learns_from_all_mines_in_reach():
    village = Village("best_response")
    village.period, village.went = 1, 1
    mines, yields = [0, 4, 3, 1, 0, 0, 0], np.zeros((7, 2))
    yields[3] = 1
    for _ in range(20):
        village.went = 1
        village.goes(workers_at=mines, found=yields)
    efforts, gems = village.memory["effort"], village.memory["found"]
    assert efforts[0] == pytest.approx(1 + 20 * 1.03**3)
    assert efforts[3] == 1
    assert gems[2] == pytest.approx([20.255, 20.255])
    assert gems[0] == pytest.approx([0.255, 0.255])


@pytest.mark.parametrize("seed", range(5))
def test_the_joint_optimum_is_chosen_if_probabilities_are_shown(seed):
    play = played("joint_optimum", seed, known_probabilities=True, periods=2)
    state = play.state_record()
    best = best_joint_choice(of_state(play.game.core, state), play.game.core.weights)
    assert state["mine"] == best.choice.tolist()


@pytest.mark.parametrize("information", ["none", "all"])
def test_the_joint_optimum_is_chosen_if_the_instance_is_given(information):
    play = played("joint_optimum", archetype="momaland_42", information=information)
    best = best_joint_choice(play.game.core, [1, 1])
    assert play.state_record()["mine"] == best.choice.tolist()


def test_without_an_instance_the_joint_optimum_learns_as_if_alone():
    alone = played("own_best_alone", 3).state_record()
    assert played("joint_optimum", 3).state_record() == alone


def test_the_joint_optimum_does_not_search_if_it_would_take_too_long():
    game = engine.make("gem_mining", max_connectivity=9, known_probabilities=True)
    play = engine.Episode(game, 1)
    policy = policies.make("joint_optimum", game)
    action, _ = policy.act(play.observation(4), policy.start(), np.random.default_rng(0))
    together = play.observation(4)["base_probabilities"].sum(axis=1)
    in_reach = together[4 : 4 + int(play.observation(4)["reach"])]
    # The village's own best mine, because no chance comes near the truncation.
    assert action["mine"] == 4 + int(in_reach.argmax())


def test_the_joint_optimum_uses_the_weights():
    play = played("joint_optimum", 1, known_probabilities=True, periods=1, weights=[1.0, 0.0])
    instance = of_state(play.game.core, play.state_record())
    assert play.state_record()["mine"] == best_joint_choice(instance, [1, 0]).choice.tolist()
