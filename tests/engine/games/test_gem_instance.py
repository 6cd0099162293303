"""Instances of gem mining: drawn from the seed, configured, or published."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mixed_company import engine
from mixed_company.engine import ConfigError
from mixed_company.engine.games import gem_mining
from mixed_company.engine.solutions.gem_mining import expected_rewards
from tests.engine.games.gems import BASE, PUBLISHED, REACH, WORKERS, mining, published, small


def drawn(seeds, **core):
    return mining(**core).reset(np.asarray(seeds))[0]


def test_reach_and_workers_are_uniform_between_their_ends():
    state = drawn(np.arange(10_000))
    for name, values in (("reach", [2, 3, 4]), ("workers", [1, 2, 3, 4, 5])):
        numbers, counts = np.unique(state[name], return_counts=True)
        assert numbers.tolist() == values
        share, size = 1 / len(values), state[name].size
        error = np.sqrt(share * (1 - share) / size)
        assert (np.abs(counts / size - share) <= 4 * error).all()


@given(st.integers(0, 2**63 - 1), st.integers(1, 6), st.floats(0, 0.1), st.floats(0.6, 1))
def test_correlated_chances_keep_minimum_and_joint_maximum(seed, types, low, high):
    core = {"gem_types": types, "min_probability": low, "max_probability": high}
    base = mining(**core).reset(seed)[0]["base_probabilities"]
    assert base.shape == (23, types)
    assert (base >= low).all()
    assert (base.sum(axis=-1) <= high + 1e-12).all()


@given(st.integers(0, 2**63 - 1), st.floats(0, 0.5), st.floats(0.5, 1))
def test_uncorrelated_chances_lie_between_the_ends(seed, low, high):
    core = {"correlated": False, "min_probability": low, "max_probability": high}
    base = mining(**core).reset(seed)[0]["base_probabilities"]
    assert (base >= low).all()
    assert (base <= high).all()


def test_uncorrelated_types_can_exceed_the_maximum_together():
    core = {"correlated": False, "min_probability": 0.4, "max_probability": 0.5}
    assert (drawn(range(10), **core)["base_probabilities"].sum(axis=-1) > 0.5).all()


def test_correlated_types_trade_off_against_each_other():
    base = drawn(np.arange(2000))["base_probabilities"]
    assert np.corrcoef(base[..., 0].ravel(), base[..., 1].ravel())[0, 1] < -0.1
    free = drawn(np.arange(2000), correlated=False)["base_probabilities"]
    assert abs(np.corrcoef(free[..., 0].ravel(), free[..., 1].ravel())[0, 1]) < 0.03


@pytest.mark.parametrize("types", [2, 3])
def test_the_rich_type_is_shuffled_for_each_mine(types):
    base = drawn(np.arange(2000), gem_types=types)["base_probabilities"]
    richest = base.argmax(axis=-1)
    share = 1 / types
    error = np.sqrt(share * (1 - share) / richest.size)
    for type_ in range(types):
        assert abs((richest == type_).mean() - share) <= 4 * error
    # Some mines of a play are rich in the first type, some in the last.
    assert (richest.min(axis=-1) == 0).mean() > 0.99
    assert (richest.max(axis=-1) == types - 1).mean() > 0.99


def test_two_types_share_the_maximum_by_the_rule():
    # One type has 0.01 + 0.48 u, the other 0.01 + 0.48 (1 - u) v, with means of 0.25 and 0.13.
    base = drawn(np.arange(5000))["base_probabilities"]
    assert base.mean() == pytest.approx((0.25 + 0.13) / 2, abs=0.002)


def test_equal_ends_leave_nothing_to_chance():
    core = {"min_connectivity": 3, "max_connectivity": 3, "min_workers": 2, "max_workers": 2}
    state = drawn([1, 2], **core, min_probability=0.25, max_probability=0.5)
    assert (state["reach"] == 3).all()
    assert (state["workers"] == 2).all()
    assert np.array_equal(state["base_probabilities"], np.full((2, 22, 2), 0.25))


def test_instances_depend_on_the_seed():
    first, again, other = (mining().reset(seed)[0] for seed in (1, 1, 2))
    for name in ("reach", "workers", "base_probabilities"):
        assert np.array_equal(first[name], again[name])
        assert not np.array_equal(first[name], other[name])


def test_a_configured_instance_is_used_unchanged_whatever_the_seed():
    for seed in (0, 1):
        state, _ = small().reset(seed)
        assert state["reach"].tolist() == REACH
        assert state["workers"].tolist() == WORKERS
        assert state["base_probabilities"].tolist() == BASE


def test_a_configured_instance_survives_json():
    game = small()
    assert engine.make(game.config.model_dump(mode="json")).config == game.config


def test_a_core_returns_its_configured_instance():
    assert gem_mining.given(mining().core) is None
    assert gem_mining.given(small().core).workers.tolist() == WORKERS
    state, _ = mining().reset(3)
    instance = gem_mining.of_state(mining().core, state)
    assert (instance.villages, instance.mines, instance.truncation, instance.worker_bonus) == (
        20,
        23,
        0.9,
        1.03,
    )


def test_the_archetype_of_the_published_game_has_the_reach_listed_in_the_source():
    listed = [4, 3, 4, 2, 3, 3, 4, 3, 4, 3, 4, 2, 4, 4, 2, 4, 4, 3, 4, 3]
    state, _ = mining(archetype="momaland_42").reset(0)
    assert state["reach"].tolist() == listed
    for name in ("reach", "workers", "base_probabilities"):
        assert state[name].tolist() == PUBLISHED["42"][name]


@pytest.mark.parametrize("seed", ["42", "0", "7"])
def test_expected_gems_match_the_published_instances(seed):
    instance, wanted = published(seed), PUBLISHED[seed]["expected_rewards"]
    first = np.arange(20)
    last = first + instance.reach - 1
    assert expected_rewards(instance, first) == pytest.approx(wanted["all_first_mine"], abs=1e-12)
    assert expected_rewards(instance, last) == pytest.approx(wanted["all_last_mine"], abs=1e-12)


def test_the_archetypes_match_their_descriptions():
    source, lab = mining(archetype="source").core, mining(archetype="lab").core
    assert (source.seats, source.gem_types, source.mines, source.periods) == (20, 2, 23, 1)
    assert (lab.seats, lab.gem_types, lab.periods, lab.information) == (4, 2, 20, "all")


A, B, C, D, E, F = range(6)


@pytest.mark.parametrize(
    ("choice", "gems"),
    [
        ((B, C, D, E), 4 * 1.7),
        ((C, B, E, D), 4 * 1.7),
        ((B, B, C, D), 1.7 * 0.25 + 2 * 1.7),
        ((C, C, C, E), 1.7 * 0.25**2 + 1.7),
        ((A, B, C, F), 0.01 + 2 * 1.7 + 0.01),
    ],
)
def test_in_the_lab_coordinating_pays_and_crowding_costs(choice, gems):
    lab = mining(archetype="lab").core
    assert expected_rewards(lab, np.array(choice)).sum() == pytest.approx(gems)


def test_in_the_lab_five_joint_choices_are_best_and_random_ones_find_less_than_half():
    lab = mining(archetype="lab").core
    choices = list(itertools.product(*(range(i, i + 3) for i in range(4))))
    points = np.array([expected_rewards(lab, np.array(choice)).sum() for choice in choices])
    assert points.max() == pytest.approx(6.8)
    assert [choice for choice, value in zip(choices, points, strict=True) if value > 6.79] == [
        (B, C, D, E), (B, C, E, D), (B, D, C, E), (C, B, D, E), (C, B, E, D)
    ]  # fmt: skip
    assert points.mean() == pytest.approx(3.32, abs=0.005)


REFUSED = [
    (
        {"gem_types": 3, "min_probability": 0.2},
        "core.min_probability = 0.2: 3 gem types add up to at least 0.6, above "
        "max_probability = 0.5",
    ),
    (
        {"min_probability": 0.6},
        "core.min_probability = 0.6: should be at most max_probability = 0.5",
    ),
    ({"min_connectivity": 5}, "core.min_connectivity = 5: should be at most max_connectivity = 4"),
    (
        {"max_workers": 2, "min_workers": 3},
        "core.min_workers = 3: should be at most max_workers = 2",
    ),
    ({"weights": [1.0]}, "core.weights: [1.0]: should be 2 numbers, one per gem type"),
    (
        {"instance": {"reach": [2], "workers": WORKERS, "base_probabilities": BASE}},
        "core.instance.reach = [2]: should be 3 numbers, one per village",
    ),
    (
        {"instance": {"reach": REACH, "workers": [1, 1], "base_probabilities": BASE}},
        "core.instance.workers = [1, 1]: should be 3 numbers, one per village",
    ),
    (
        {"instance": {"reach": [2, 4, 2], "workers": WORKERS, "base_probabilities": BASE}},
        "core.instance.reach = [2, 4, 2]: 4 is above max_connectivity = 3",
    ),
    (
        {
            "min_connectivity": 3,
            "instance": {"reach": [3, 3, 2], "workers": WORKERS, "base_probabilities": BASE},
        },
        "core.instance.reach = [3, 3, 2]: 2 is below min_connectivity = 3",
    ),
    (
        {"instance": {"reach": REACH, "workers": WORKERS, "base_probabilities": [[0.5, 0.5]]}},
        "core.instance.base_probabilities = [[0.5, 0.5]]: should be 5 rows "
        "(seats + max_connectivity - 1) of 2 numbers",
    ),
]


@pytest.mark.parametrize(("core", "message"), REFUSED)
def test_impossible_parameters_are_refused_by_name(core, message):
    make = small if "instance" in core else mining
    with pytest.raises(ConfigError) as refused:
        make(**core)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("core", "name"),
    [
        ({"instance": {"reach": REACH}}, "core.instance.workers: is missing"),
        (
            {"instance": {"reach": [0, 3, 2], "workers": WORKERS, "base_probabilities": BASE}},
            "core.instance.reach.0 = 0",
        ),
        (
            {"instance": {"reach": REACH, "workers": [0, 1, 1], "base_probabilities": BASE}},
            "core.instance.workers.0 = 0",
        ),
        ({"instance": "drawn"}, "core.instance"),
        ({"min_connectivity": 1}, "core.min_connectivity = 1"),
        ({"information": "some"}, "core.information"),
        ({"periods": 0}, "core.periods = 0"),
        ({"truncation": 1.1}, "core.truncation = 1.1"),
        ({"weights": [-1.0, 1.0]}, "core.weights.0 = -1.0"),
        ({"gem_typs": 3}, "did you mean 'gem_types'"),
    ],
)
def test_a_wrong_value_is_refused_by_name(core, name):
    with pytest.raises(ConfigError) as refused:
        small(**core)
    assert name in str(refused.value)


def test_uncorrelated_types_need_no_room_for_each_other():
    core = {"correlated": False, "min_probability": 0.3, "max_probability": 0.5}
    assert mining(**core).core.min_probability == 0.3


def test_values_that_fit_exactly_are_accepted():
    game = mining(gem_types=3, min_probability=0.1, max_probability=0.3)
    base = game.reset(0)[0]["base_probabilities"]
    assert base == pytest.approx(np.full((23, 3), 0.1))
