"""Solutions of gem mining compared with brute force over every joint choice."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_company.engine import ConfigError
from mixed_company.engine.games.gem_mining import Instance, of_state
from mixed_company.engine.solutions.gem_mining import (
    best_joint_choice,
    expected_rewards,
    pareto_set,
)
from tests.engine.games.gems import mining, published, small


def all_choices(instance):
    return itertools.product(*(range(i, i + reach) for i, reach in enumerate(instance.reach)))


def by_hand(instance, choice):
    """Return the expected gems, computed by the formula mine by mine, shape (K,)."""
    total = np.zeros(instance.base_probabilities.shape[1])
    for mine, base in enumerate(instance.base_probabilities):
        workers = sum(w for w, to in zip(instance.workers, choice, strict=True) if to == mine)
        if workers:
            total += np.minimum(instance.truncation, base * instance.worker_bonus ** (workers - 1))
    return total


def non_dominated(vectors):
    """Return the distinct non-dominated vectors, found pair by pair."""
    distinct = sorted({tuple(vector) for vector in np.round(vectors, 10).tolist()})
    return [
        a
        for a in distinct
        if not any(b != a and all(x >= y for x, y in zip(b, a, strict=True)) for b in distinct)
    ]


@st.composite
def instances(draw, limit=8, types=2, connectivity=3):
    """Draw small instances with probabilities in steps of 1/64, so that ties occur."""
    villages = draw(st.integers(1, limit))
    whole = st.integers(0, 32)
    rows = draw(
        st.lists(
            st.lists(whole, min_size=types, max_size=types),
            min_size=villages + connectivity - 1,
            max_size=villages + connectivity - 1,
        )
    )
    sizes = {"min_size": villages, "max_size": villages}
    return Instance(
        reach=np.array(draw(st.lists(st.integers(1, connectivity), **sizes))),
        workers=np.array(draw(st.lists(st.integers(1, 5), **sizes))),
        base_probabilities=np.array(rows) / 64,
        truncation=draw(st.sampled_from([0.3, 0.9, 1.0])),
        worker_bonus=draw(st.sampled_from([0.5, 1.0, 1.03, 1.5])),
    )


@settings(max_examples=30)
@given(instances(), st.floats(0, 3), st.floats(0, 3))
def test_the_best_joint_choice_matches_brute_force(instance, first, second):
    best = best_joint_choice(instance, [first, second])
    every = [by_hand(instance, choice) @ [first, second] for choice in all_choices(instance)]
    assert best.rewards @ [first, second] == pytest.approx(max(every), abs=1e-9)
    assert best.rewards == pytest.approx(by_hand(instance, best.choice), abs=1e-12)


@settings(max_examples=30)
@given(instances(limit=5), st.data())
def test_of_equally_good_joint_choices_the_preferred_one_matches_brute_force(instance, data):
    shape = (instance.villages, instance.mines)
    parts = st.lists(st.integers(0, 4), min_size=shape[1], max_size=shape[1])
    rows = data.draw(st.lists(parts, min_size=shape[0], max_size=shape[0]))
    preferred = np.array(rows) / 4
    choice = best_joint_choice(instance, [1.0, 2.0], preferred).choice
    values = {other: by_hand(instance, other) @ [1.0, 2.0] for other in all_choices(instance)}
    liking = {
        other: preferred[np.arange(shape[0]), other].sum()
        for other, value in values.items()
        if value > max(values.values()) - 1e-7
    }
    assert liking[tuple(choice.tolist())] == pytest.approx(max(liking.values()))


@settings(max_examples=20)
@given(instances() | instances(limit=5, types=3))
def test_the_pareto_set_of_two_or_three_types_matches_brute_force(instance):
    every = np.array([by_hand(instance, choice) for choice in all_choices(instance)])
    front = pareto_set(instance)
    vectors = np.array([point.rewards for point in front])
    # Rounding may break a tie by 1e-16; to ten digits the fronts are the same.
    by_brute_force = np.array(non_dominated(every))
    assert np.array(non_dominated(vectors)) == pytest.approx(by_brute_force, abs=2e-10)
    for point in front:
        assert point.rewards == pytest.approx(by_hand(instance, point.choice), abs=1e-12)


def random_instance(seed, types):
    """Draw probabilities whose sums are equal except for rounding, such as 0.1 + 0.2 and 0.3."""
    rng = np.random.default_rng(seed)
    villages, limit = int(rng.integers(2, 9)), int(rng.integers(1, 5))
    return Instance(
        reach=rng.integers(1, limit + 1, villages),
        workers=rng.integers(1, 6, villages),
        base_probabilities=rng.choice(
            [0.01, 0.05, 0.1, 0.2, 0.3, 0.45], (villages + limit - 1, types)
        ),
        truncation=0.9,
        worker_bonus=1.03,
    )


@pytest.mark.parametrize(("seed", "types"), [(99, 2), (10, 3), (63, 3), (87, 3)])
def test_no_vector_of_the_front_beats_another_by_hidden_rounding(seed, types):
    check_front(random_instance(seed, types))


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 3]))
def test_no_vector_of_a_front_beats_another(seed, types):
    check_front(random_instance(seed, types))


def check_front(instance):
    vectors = np.array([point.rewards for point in pareto_set(instance)])
    for shown in (vectors, np.round(vectors, 9)):
        at_least = (shown[:, None] >= shown).all(axis=-1)
        np.fill_diagonal(at_least, False)
        assert not at_least.any()


@settings(max_examples=30)
@given(instances(limit=6, connectivity=4), st.data())
def test_expected_rewards_follow_the_formula(instance, data):
    choice = [i + data.draw(st.integers(0, reach - 1)) for i, reach in enumerate(instance.reach)]
    assert expected_rewards(instance, choice) == pytest.approx(by_hand(instance, choice), abs=1e-12)


@pytest.mark.parametrize("seed", ["42", "0", "7"])
def test_on_published_instances_the_best_choice_is_on_the_front_for_any_weights(seed):
    instance = published(seed)
    front = pareto_set(instance)
    vectors = np.array([point.rewards for point in front])
    assert (np.diff(vectors[:, 0]) < 0).all()
    assert (np.diff(vectors[:, 1]) > 0).all()
    for share in np.linspace(0, 1, 11):
        weights = np.array([share, 1 - share])
        best = best_joint_choice(instance, weights)
        assert best.rewards @ weights == pytest.approx((vectors @ weights).max(), abs=1e-12)
        assert best.rewards @ weights >= expected_rewards(instance, np.arange(20)) @ weights


def test_a_core_with_a_configured_instance_can_be_solved_alone():
    core = mining(archetype="momaland_42").core
    best = best_joint_choice(core, core.weights)
    assert best.rewards == pytest.approx(best_joint_choice(published("42"), [1, 1]).rewards)
    assert len(pareto_set(core)) == len(pareto_set(published("42")))


def test_a_core_with_a_drawn_instance_cannot_be_solved_alone():
    with pytest.raises(ConfigError, match="instance = None: the instance is drawn from the seed"):
        best_joint_choice(mining().core, [1, 1])


@pytest.mark.parametrize("choice", [[2, 1, 2], [0, 1], [0, 0, 2], [0, 1, 4]])
def test_a_joint_choice_out_of_reach_is_refused(choice):
    with pytest.raises(ConfigError, match="a mine in reach for each village"):
        expected_rewards(small().core, choice)


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (1e308, "choice: seat 0, mine = 1e+308: not allowed right now; choose one of 0, 1; "),
        (1.5, "choice: seat 0, mine = 1.5: must be a whole number; "),
        (True, "choice: seat 0, mine = True: must be a number; "),
    ],
)
def test_a_choice_is_refused_by_its_value(sent, message):
    with pytest.raises(ConfigError) as refused:
        expected_rewards(small().core, [sent, 1, 2])
    assert str(refused.value) == message + "name a mine in reach for each village"


def test_the_example_of_the_manual_is_right():
    def instance(bonus, workers):
        base = np.array([[0.2], [0.4], [0.2]])
        return Instance(np.array([2, 2]), np.array([workers] * 2), base, 0.9, bonus)

    assert expected_rewards(instance(1.5, 1), [1, 1]) == pytest.approx([0.6])
    assert expected_rewards(instance(1.5, 1), [0, 1]) == pytest.approx([0.6])
    assert expected_rewards(instance(1.4, 1), [1, 1]) == pytest.approx([0.56])
    assert best_joint_choice(instance(1.4, 1), [1]).rewards == pytest.approx([0.6])
    assert expected_rewards(instance(1.5, 3), [1, 1]) == pytest.approx([0.9])
    assert best_joint_choice(instance(1.5, 3), [1]).rewards == pytest.approx([1.35])


def test_expected_gems_equal_the_average_found():
    game = mining(archetype="lab_0_7")
    instance = of_state(game.core, game.reset(2)[0])
    best = best_joint_choice(instance, game.core.weights)
    # The same instance in 50,000 periods.
    parameters = {
        "reach": instance.reach.tolist(),
        "workers": instance.workers.tolist(),
        "base_probabilities": instance.base_probabilities.tolist(),
    }
    same = mining(archetype="lab_0_7", instance=parameters)
    seeds = np.arange(50_000)
    state, _ = same.reset(seeds)
    mines = np.broadcast_to(best.choice, (len(seeds), 4))
    after, _ = same.step(state, {"mine": mines}, same.draw_chance(seeds, 0))
    error = after["gems"].std(axis=0) / np.sqrt(len(seeds))
    assert (np.abs(after["gems"].mean(axis=0) - best.rewards) <= 4 * error).all()


def test_two_hundred_villages_are_solved():
    game = mining(seats=200, min_connectivity=4)
    instance = of_state(game.core, game.reset(1)[0])
    best = best_joint_choice(instance, [1, 1])
    offsets = best.choice - np.arange(200)
    assert ((offsets >= 0) & (offsets < instance.reach)).all()
    # No village can do better by moving alone.
    for village in range(200):
        for mine in range(village, village + 4):
            moved = best.choice.copy()
            moved[village] = mine
            assert expected_rewards(instance, moved).sum() <= best.rewards.sum() + 1e-9


def test_villages_that_reach_one_mine_have_no_choice():
    instance = Instance(np.ones(3, int), np.ones(3, int), np.full((3, 1), 0.5), 0.9, 1.1)
    assert best_joint_choice(instance, [1]).choice.tolist() == [0, 1, 2]
    assert [point.rewards.tolist() for point in pareto_set(instance)] == [[1.5]]
