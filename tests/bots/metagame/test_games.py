"""Meta-games calculated by hand: rock-paper-scissors, hawk and dove, and others."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.learning.metagame.dynamics import (
    alpha_rank,
    fixation,
    moran,
    replicated,
    rest_points,
)
from mixed_company.learning.metagame.game import MetaGame, equilibria, of_plays


def of_matrix(policies, matrix):
    """Return the two-player game in which the row policy earns these points against the column
    policy.
    """
    places = {name: place for place, name in enumerate(policies)}
    return of_plays(
        policies,
        {
            (first, second): np.array([[matrix[row][column], matrix[column][row]]])
            for first, row in places.items()
            for second, column in places.items()
        },
    )


ROCK_PAPER_SCISSORS = of_matrix(("rock", "paper", "scissors"), [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
# for a prize of 2, at a cost of 4: two hawks get (2 - 4) / 2 each, two doves 2 / 2
HAWK_DOVE = of_matrix(("hawk", "dove"), [[-1, 2], [0, 1]])
STAG_HUNT = of_matrix(("stag", "hare"), [[4, 0], [3, 3]])
DILEMMA = of_matrix(("cooperate", "defect"), [[3, 0], [5, 1]])


def public_good(seats=3, factor=1.5):
    """Return a game in which givers give 1, and everyone gets an equal share of `factor` times the
    gifts."""
    points = {}
    for givers in range(seats + 1):
        composition = ("give",) * givers + ("keep",) * (seats - givers)
        share = factor * givers / seats
        points[tuple(sorted(composition, key=lambda name: (composition.count(name), name)))] = {
            **({"give": share - 1} if givers else {}),
            **({"keep": share} if givers < seats else {}),
        }
    return MetaGame(("give", "keep"), seats, points)


def mixtures(game):
    return [np.round(mixture.shares, 6).tolist() for mixture in equilibria(game)]


def test_rock_paper_scissors_has_one_equilibrium_of_a_third_each():
    assert mixtures(ROCK_PAPER_SCISSORS) == [pytest.approx([1 / 3] * 3)]
    mixture = equilibria(ROCK_PAPER_SCISSORS)[0]
    assert (mixture.points, mixture.regret) == (pytest.approx(0.0), pytest.approx(0.0))


def test_half_are_hawks_and_half_are_doves():
    # hawks earn -p + 2 (1 - p), doves 1 - p: the same at p = 1 / 2, namely 1 / 2
    (mixture,) = equilibria(HAWK_DOVE)
    assert mixture.shares == pytest.approx([0.5, 0.5])
    assert mixture.points == pytest.approx(0.5)


def test_the_stag_hunt_has_two_pure_equilibria_and_one_with_three_quarters_stags():
    # 4 p = 3 at p = 3 / 4
    assert mixtures(STAG_HUNT) == [[1, 0], [0, 1], pytest.approx([0.75, 0.25])]


def test_regret_is_the_gain_of_the_best_policy_over_the_mixture():
    # equal shares in the dilemma: 1.5 and 3, on average 2.25
    assert DILEMMA.regret(np.array([0.5, 0.5])) == pytest.approx(0.75)
    assert DILEMMA.regret(np.array([0.0, 1.0])) == 0.0


def test_fitness_averages_over_the_other_players_drawn():
    # each of two others gives with chance 0.5, so one does on average. A giver gets 1.5 / 3 x (1 +
    # 1) - 1 = 0, a keeper 1.5 / 3 = 0.5
    game = public_good()
    assert game.fitness(np.array([0.5, 0.5])) == pytest.approx([0.0, 0.5])
    assert mixtures(game) == [[0, 1]]


def test_replicators_reach_half_hawks_from_every_start():
    (rest,) = rest_points(HAWK_DOVE, 20, 0, times=200)
    assert rest.share == 1.0
    assert rest.low == pytest.approx([0.5, 0.5], abs=0.01)
    assert rest.high == pytest.approx([0.5, 0.5], abs=0.01)


def test_replicators_cycle_through_rock_paper_scissors_for_ever():
    # the product of the shares is constant: Hofbauer and Sigmund (1998), chapter 7
    start = np.array([[0.5, 0.3, 0.2]])
    path = replicated(ROCK_PAPER_SCISSORS, start, 60)[:, 0]
    assert path.prod(axis=1) == pytest.approx(np.full(61, 0.03), rel=1e-3)
    assert path[:, 0].min() < 0.25 < 0.45 < path[:, 0].max()
    (rest,) = rest_points(ROCK_PAPER_SCISSORS, 20, 0, times=300)
    assert (rest.low, rest.share) == (None, 1.0)


def test_replicators_hunt_stags_from_more_than_three_quarters_on():
    path = replicated(STAG_HUNT, np.array([[0.76, 0.24], [0.74, 0.26]]), 100)
    assert path[-1, :, 0] == pytest.approx([1.0, 0.0], abs=1e-3)
    # a quarter of evenly spread starting points
    hares, stags = rest_points(STAG_HUNT, 600, 0, times=200)
    assert (hares.high.tolist(), stags.share) == ([0, 1], pytest.approx(0.25, abs=0.04))


def test_replicators_follow_the_equation():
    # for hawks p' = p (1 - p) (1 - 2 p) / range, with range 3, so d log(p (1-p) / (1-2p)^2) = t / 3
    path = replicated(HAWK_DOVE, np.array([[0.1, 0.9]]), 6)[:, 0, 0]
    invariant = np.log(path * (1 - path) / (1 - 2 * path) ** 2)
    assert np.diff(invariant) == pytest.approx(np.full(6, 1 / 3), abs=1e-6)


def test_the_fixation_probability_by_hand():
    # without a difference 1 / N; with a constant difference of log r (1 - 1 / r) / (1 - 1 / r^N)
    assert np.exp(fixation(np.zeros(9))) == pytest.approx(0.1)
    likely = np.exp(fixation(np.full(9, np.log(2.0))))
    assert likely == pytest.approx((1 - 0.5) / (1 - 0.5**10))
    assert fixation(np.full(49, -800.0)) == pytest.approx(-49 * 800)  # too small for any float


def test_ratios_of_nearly_impossible_events_are_kept():
    # a stag hunter who meets a hare hunter gets 0, and the hare hunter 3, so hunters give up stags
    assert alpha_rank(STAG_HUNT, alpha=1e6).tolist() == [0.0, 1.0]
    # without takeovers, all states are equally hard to leave
    assert alpha_rank(of_matrix("ab", [[1, 0], [0, 1]]), alpha=1e6).tolist() == [0.5, 0.5]


def test_ranks_of_rock_paper_scissors_are_a_third_each():
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)
    assert moran(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)


def test_if_keeping_pays_everybody_keeps_most_of_the_time():
    # 3 seats: a newcomer who keeps everything gets 1 more than each giver, in a range of 2
    for shares in (moran(public_good()), alpha_rank(public_good())):
        assert shares[1] > 0.99
    assert moran(public_good(), alpha=0.0) == pytest.approx([0.5, 0.5])


def test_alpha_rank_of_two_policies_is_the_ratio_of_their_fixation_probabilities():
    # the dilemma: a defector gets 5, a cooperator 0, range 5: weight 10 / 5 x 5 = 10 a step.
    # takeover by defectors: (1 - e^-10) / (1 - e^-500); by cooperators: (e^10 - 1) / (e^500 - 1)
    shares = alpha_rank(DILEMMA)
    assert shares[0] / shares[1] == pytest.approx(np.exp(-490), rel=1e-6)


def test_a_moran_population_by_hand():
    # hawks and doves, N = 3, alpha = range = 3, so fitness is exp(points).
    # one hawk meets doves: 2; each of two doves meets a hawk or a dove: (0 + 1) / 2: 1.5 more.
    # two hawks: (-1 + 2) / 2 = 0.5; one dove meets hawks: 0: 0.5 more.
    # hawks take over: 1 / (1 + e^-1.5 + e^-2). one dove: 0.5 less, then 1.5 less:
    # 1 / (1 + e^0.5 + e^2)
    hawks, doves = 1 / (1 + np.exp(-1.5) + np.exp(-2)), 1 / (1 + np.exp(0.5) + np.exp(2))
    shares = moran(HAWK_DOVE, population=3, alpha=3.0)
    assert shares == pytest.approx([hawks / (hawks + doves), doves / (hawks + doves)])


def test_one_mixture_represents_many_if_shares_do_not_matter():
    # two equal policies and a dominated third: every mixture of the two is an equilibrium
    game = of_matrix("abc", [[1, 1, 1], [1, 1, 1], [0, 0, 0]])
    assert [mixture.one_of_many for mixture in equilibria(game)] == [False, False, True]
    assert mixtures(game)[2] == [0.5, 0.5, 0.0]
    # Starting points with almost no share of one policy end elsewhere.
    rest = rest_points(game, 100, 0, times=300)[0]
    assert rest.share > 0.9
    assert rest.low[0] < 0.2 < 0.8 < rest.high[0]
    assert rest.high[2] == 0.0
