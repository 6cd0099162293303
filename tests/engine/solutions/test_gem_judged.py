"""Quality of the choices in a period of gem mining, calculated by hand; each instance is solved
only once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import solutions
from mixed_company.engine.games.gem_mining import of_state
from mixed_company.engine.solutions import gem_mining as gems
from mixed_company.engine.solutions.gem_mining import search
from tests.engine.games.gems import mining

# Two villages with 2 and 3 workers, b = 1.5, t = 0.9; a ruby is worth 1, an emerald 4.
# Village 0 reaches A and B, village 1 reaches B and C.
GIVEN: dict[str, Any] = {
    "seats": 2,
    "max_connectivity": 2,
    "worker_bonus": 1.5,
    "weights": [1, 4],
    "information": "all",
    "instance": {
        "reach": [2, 2],
        "workers": [2, 3],
        "base_probabilities": [[0.5, 0.0], [0.0, 0.125], [0.125, 0.5]],
    },
}
BY_HAND = {
    # A with 2: 0.75 rubies. B with 3: 0.125 * 2.25 = 0.28125 emeralds, 1.125 points
    (0, 1): ([0.75, 0.28125], 1.875),
    # A with 2: 0.75. C with 3: 0.28125 rubies, 1.125 emeralds are cut to 0.9
    (0, 2): ([1.03125, 0.9], 4.63125),
    # B with 5: 0.125 * 5.0625 = 0.6328125 emeralds
    (1, 1): ([0.0, 0.6328125], 2.53125),
    # B with 2: 0.1875 emeralds; C with 3 as above
    (1, 2): ([0.28125, 1.0875], 4.63125),
}


def after(game: engine.Game[Any], *went: tuple[int, ...], seed: int = 1) -> dict[str, Any]:
    """Return the logged state after these periods."""
    play = engine.Episode(game, seed)
    for mines in went:
        play.step({"mine": list(mines)})
    return play.state_record()


def judge(game: engine.Game[Any], state: dict[str, Any]) -> dict[str, Any]:
    """Return the assessment of the period that led to this state, with constant probabilities."""
    return solutions.judge(game, state, state)


def judged(choice: tuple[int, ...], **changes: Any) -> dict[str, Any]:
    game = mining(**{**GIVEN, **changes})
    return judge(game, after(game, choice))


@pytest.mark.parametrize("choice", BY_HAND)
def test_a_joint_choice_is_judged_correctly_by_hand(choice):
    expected, points = BY_HAND[choice]
    judgement = judged(choice)
    assert set(judgement) == {
        "expected_gems",
        "expected_points",
        "best_expected_points",
        "efficiency",
    }
    assert judgement["expected_gems"] == pytest.approx(expected)
    assert judgement["expected_points"] == pytest.approx(points)
    assert judgement["best_expected_points"] == pytest.approx(4.63125)
    assert judgement["efficiency"] == pytest.approx(points / 4.63125)


def test_a_judgement_is_plain_json():
    judgement = judged((0, 1))
    assert [type(value) for value in judgement.values()] == [list, float, float, float]
    assert [type(value) for value in judgement["expected_gems"]] == [float, float]


def test_the_best_choice_depends_on_the_weights():
    # rubies alone: A and C, 1.03125; emeralds alone: B and C, 1.0875
    assert judged((0, 2), weights=[1, 0])["efficiency"] == 1
    assert judged((1, 2), weights=[1, 0])["efficiency"] == pytest.approx(0.28125 / 1.03125)
    assert judged((0, 2), weights=[0, 1])["efficiency"] == pytest.approx(0.9 / 1.0875)
    assert judged((1, 2), weights=[0, 1])["efficiency"] == 1


def test_there_is_no_closeness_to_the_best_if_gems_are_worthless():
    judgement = judged((0, 2), weights=[0, 0])
    assert judgement["efficiency"] is None
    assert judgement["expected_points"] == judgement["best_expected_points"] == 0
    assert judgement["expected_gems"] == pytest.approx([1.03125, 0.9])  # gems are still found


@pytest.mark.parametrize("seed", range(5))
def test_luck_does_not_change_a_judgement(seed):
    game = mining(**GIVEN)
    assert judge(game, after(game, (0, 1), seed=seed)) == judged((0, 1))


def test_every_period_is_judged_by_its_own_choice():
    game = mining(**GIVEN, periods=3)
    for choice in BY_HAND:
        last = after(game, (0, 2), (1, 1), choice)
        assert judge(game, last) == judged(choice)


def test_the_declared_fields_match_the_judgement_in_shape_and_number():
    game = mining(**GIVEN)
    judgement = judged((0, 1))
    fields = {field.name: field for field in solutions.judged(game)}
    assert list(fields) == list(judgement)
    assert fields["expected_gems"].shape == (2,)
    assert np.shape(judgement["expected_gems"]) == (2,)
    assert all(fields[name].shape == () for name in list(fields)[1:])
    assert all(field.meaning for field in fields.values())
    [three] = [f for f in solutions.judged(mining(gem_types=3)) if f.name == "expected_gems"]
    assert three.shape == (3,)


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_only_gem_mining_is_judged(game_id):
    game = engine.make(game_id)
    play = engine.Episode(game, seed=1)
    if game_id == "gem_mining":
        assert solutions.judged(game) != ()
    else:
        assert solutions.judged(game) == ()
        assert judge(game, play.state_record()) == {}


# -- solved once ----------------------------------------------------------------------------------


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that collects every instance solved from now on."""
    calls: list[Any] = []
    real = gems.best_joint_choice

    def counted(instance: Any, weights: Any) -> Any:
        calls.append(instance)
        return real(instance, weights)

    gems._best.cache_clear()
    monkeypatch.setattr(gems, "best_joint_choice", counted)
    return calls


def test_a_play_is_solved_once_whatever_its_state(solved):
    game = mining(archetype="lab_0_7")
    play = engine.Episode(game, seed=3)
    first = gems.best_of_play(game, play.state_record())
    for period in range(10):
        play.step({"mine": [period % 2, 1, 2, 3]})
        assert gems.best_of_play(game, play.state_record()) is first
        judge(game, play.state_record())
    assert len(solved) == 1


def test_another_instance_or_other_rules_are_solved_separately(solved):
    game = mining(archetype="lab_0_7")
    bests = [gems.best_of_play(game, after(game, seed=seed)).rewards for seed in (1, 2, 1)]
    assert len(solved) == 2
    assert bests[0].tolist() == bests[2].tolist() != bests[1].tolist()
    for number, changes in enumerate(
        ({"weights": [1, 2]}, {"worker_bonus": 2}, {"truncation": 0.1}), start=3
    ):
        other = mining(archetype="lab_0_7", **changes)
        gems.best_of_play(other, after(game, seed=1))
        assert len(solved) == number


def test_a_configured_instance_is_used_in_every_play(solved):
    game = mining(**GIVEN)
    for seed in range(4):
        best = gems.best_of_play(game, after(game, seed=seed))
        assert best.rewards @ [1, 4] == pytest.approx(4.63125)
    assert len(solved) == 1


# -- limits on the time of a search ---------------------------------------------------------------


def wide(villages: int, reach: int, **changes: Any) -> engine.Game[Any]:
    """Return villages that reach this many mines each."""
    return mining(
        seats=villages, min_connectivity=reach, max_connectivity=reach, periods=2, **changes
    )


@pytest.mark.parametrize(("villages", "reach"), [(1, 2), (3, 2), (2, 5), (6, 4), (7, 5), (20, 3)])
def test_a_search_takes_no_more_steps_than_predicted(villages, reach):
    game = wide(villages, reach, max_workers=1000)
    instance = of_state(game.core, after(game))
    taken = sum(
        len(arrivals) for _, stage in search._stages(instance) for arrivals in stage.values()
    )
    assert taken <= gems.search_steps(instance) <= 5 * taken


def test_the_steps_of_two_villages_are_counted_by_hand():
    # Village 0 has 2 mines, from one state. Village 1 has 2 mines, from two states: the other
    # village is at B or not. Mine C is closed from two states: village 1 is there or not.
    game = mining(**GIVEN)
    assert gems.search_steps(of_state(game.core, after(game))) == 2 + 2 * 2 + 2


@pytest.mark.parametrize(
    ("villages", "reach", "solved"),
    [(20, 6, True), (1000, 4, True), (3, 10, True), (20, 7, False), (20, 10, False)],
)
def test_the_best_is_searched_for_only_as_long_as_a_server_can_wait(villages, reach, solved):
    game = wide(villages, reach)
    state = after(game, tuple(range(villages)))
    assert (gems.search_steps(of_state(game.core, state)) <= gems.MOST_STEPS) == solved
    judgement = judge(game, state)
    assert judgement["expected_points"] > 0
    assert (judgement["best_expected_points"] is not None) == solved
    assert (judgement["efficiency"] is not None) == solved
    assert (gems.best_of_play(game, state) is not None) == solved


def test_there_is_no_front_if_it_is_not_computed():
    game = wide(20, 10)
    assert gems.front_of_play(game, after(game), (0, 1)).shape == (0, 2)


def test_a_front_covers_the_requested_kinds():
    game = mining(**GIVEN)
    state = after(game)
    # A, C yields the most rubies and B, C the most emeralds, see above
    assert gems.front_of_play(game, state, (0, 1)) == pytest.approx(
        np.array([[1.03125, 0.9], [0.28125, 1.0875]])
    )
    assert gems.front_of_play(game, state, (1, 0)) == pytest.approx(
        np.array([[1.0875, 0.28125], [0.9, 1.03125]])
    )
    assert gems.front_of_play(game, state, (1,)) == pytest.approx(np.array([[1.0875]]))


def test_a_front_is_computed_once(monkeypatch):
    calls = []
    real = gems.pareto_set
    monkeypatch.setattr(
        gems, "pareto_set", lambda instance: calls.append(instance) or real(instance)
    )
    gems._front.cache_clear()
    game = mining(**GIVEN, periods=3)
    for went in ([], [(0, 1)], [(0, 1), (1, 2)]):
        gems.front_of_play(game, after(game, *went), (0, 1))
    assert len(calls) == 1
    gems.front_of_play(game, after(game), (1, 0))
    assert len(calls) == 2


# -- changing chances, and villages that leave ----------------------------------------------------


def test_a_period_is_judged_by_the_chances_in_force():
    layers = {"uncertainty": {"intensity": 1.0, "shocks": {"base_probabilities": 0.2}}}
    game = mining(**GIVEN, periods=2, layers=layers)
    play = engine.Episode(game, seed=1)
    states = []
    for _ in range(2):
        play.step({"mine": [0, 1]})
        states.append(play.state_record())
    first, second = solutions.judge_play(game, 1, states)
    # the first period: as by hand, whatever the shock after it
    assert first["expected_gems"] == pytest.approx([0.75, 0.28125])
    # the second: A with 2 workers, B with 3, at the chances after the first shock
    moved = states[0]["base_probabilities"]
    chances = [min(0.9, moved[0][k] * 1.5) + min(0.9, moved[1][k] * 2.25) for k in range(2)]
    assert second["expected_gems"] == pytest.approx(chances)
    assert second["expected_gems"] != first["expected_gems"]


def test_a_village_that_has_left_is_expected_to_find_nothing():
    game = mining(**GIVEN, periods=2, agents={"may_leave": True})
    play = engine.Episode(game, seed=1)
    before = play.state_record()
    play.step({"mine": [0, None]}, leaving=[1])
    judgement = solutions.judge(game, before, play.state_record())
    assert judgement["expected_gems"] == pytest.approx([0.75, 0.0])  # A with 2 workers, as by hand
    # the first village alone cannot do better: at B it finds 0.1875 emeralds, 0.75 points
    assert judgement["efficiency"] == 1


def test_a_front_is_computed_only_as_long_as_a_server_can_wait():
    small, large = wide(3, 2), wide(gems.MOST_VILLAGES + 1, 2)
    assert len(gems.front_of_play(small, after(small), (0, 1))) > 0
    assert gems.front_of_play(large, after(large), (0, 1)).shape == (0, 2)


def test_a_barred_village_stays_put_in_the_best_choice_too():
    # The first village is barred and stays at mine 0; the others are free.
    agents = {"roles": {"free": {}, "fixed": {"acts": ()}}, "seats": ("fixed",) + ("free",) * 3}
    game = mining(archetype="lab_0_7", agents=agents)
    for seed in range(5):
        state = after(game, seed=seed)
        best = gems.best_of_play(game, state)
        play = engine.Episode(game, seed)
        play.step({"mine": best.choice.tolist()})
        assert play.state_record()["mine"] == best.choice.tolist()
        assert best.choice[0] == 0
        solution = solutions.best(game, seed)
        assert solution.value == pytest.approx(
            20 * 4 * best.rewards @ np.asarray(game.core.weights)
        )
    assert solutions.has_best(game)
