"""Villages that learn from their own yields, and villages that see the probabilities."""

from __future__ import annotations

import pytest

from tests.bots.scripted.gem_mining.seat import Village

CHANCES = [[0.0, 0.0], [0.1, 0.1], [0.0, 0.4], [0.3, 0.0], [0.5, 0.5], [0.0, 0.0], [0.0, 0.0]]


def test_it_tries_each_mine_once_and_then_returns_to_the_best():
    village = Village("own_best_alone")
    assert village.goes() == 1
    assert village.goes(own_found=[0, 0]) == 2
    assert village.goes(own_found=[1, 1]) == 3
    assert village.goes(own_found=[1, 0]) == 2
    assert village.goes(own_found=[1, 0]) == 2
    # Averages: 0 at mine 1, (2 + 1 + 0) / 3 = 1 at mine 2, 1 at mine 3. The first wins a tie.
    assert village.goes(own_found=[0, 0]) == 2
    # 3 / 4 at mine 2 is less than 1 at mine 3.
    assert village.goes(own_found=[0, 0]) == 3


def test_it_counts_gems_by_their_weights():
    village = Village("own_best_alone", weights=[1.0, 5.0])
    for gems in (None, [1, 0], [0, 1]):
        village.goes(**({} if gems is None else {"own_found": gems}))
    assert village.goes(own_found=[1, 0]) == 2


def test_it_uses_the_chances_if_they_are_shown():
    # Alone: 0.2 * b, 0.4 * b, 0.3 * b points at mines 1, 2 and 3.
    assert Village("own_best_alone").goes(base_probabilities=CHANCES) == 2


def test_without_information_it_stays_at_home():
    village = Village("own_best_alone", information="none")
    assert [village.goes() for _ in range(5)] == [1] * 5


@pytest.mark.parametrize(("gem", "mine"), [(0, 3), (1, 2), (7, 2)])
def test_one_gem_only_looks_at_one_type(gem, mine):
    # Chances of type 0: 0.1, 0, 0.3; of type 1: 0.1, 0.4, 0. Type 7 does not exist, so the last
    # type is used.
    assert Village(f"one_gem_only:gem={gem}").goes(base_probabilities=CHANCES) == mine


def test_one_gem_only_learns_about_its_gem_only():
    village = Village("one_gem_only:gem=1")
    village.goes()
    village.goes(own_found=[1, 0])
    village.goes(own_found=[1, 0])
    assert village.goes(own_found=[0, 1]) == 3


def test_epsilon_greedy_without_epsilon_is_greedy():
    village = Village("epsilon_greedy:epsilon=0")
    assert [village.goes(), village.goes(own_found=[0, 0])] == [1, 2]
    assert village.goes(own_found=[1, 1]) == 3
    assert village.goes(own_found=[0, 1]) == 2


def test_epsilon_greedy_that_only_explores_goes_everywhere():
    village = Village("epsilon_greedy:epsilon=1")
    assert {village.goes(own_found=[0, 0]) for _ in range(60)} == {1, 2, 3}


def test_thompson_sampling_learns_to_prefer_the_better_mine():
    village = Village("thompson_sampling")
    went = [village.goes()]
    for _ in range(200):
        gems = [1, 1] if went[-1] == 2 else [0, 0]
        went.append(village.goes(own_found=gems))
    assert len(set(went[:30])) > 1
    assert went[-50:].count(2) >= 48


def test_random_goes_everywhere_in_reach():
    village = Village("random")
    assert {village.goes() for _ in range(60)} == {1, 2, 3}


@pytest.mark.parametrize(("mine", "goes"), [(0, 1), (2, 3), (9, 3)])
def test_fixed_counts_mines_from_the_first_in_reach_to_the_last(mine, goes):
    village = Village(f"fixed:mine={mine}")
    assert [village.goes(own_found=[0, 0]) for _ in range(3)] == [goes] * 3
