"""Actions in a batch of many plays: valid actions, actions of ended seats, and random actions."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine import ActionError
from mixed_company.engine.contract.space import Field
from tests.engine.contract.fields import (
    ALL,
    ARRAYS,
    BELL,
    COUNT,
    DOOR,
    FREE,
    INF,
    LEVERS,
    NAN,
    PUSH,
    SPLIT,
    allowed,
)

# -- numbers of a batch that may be invalid -----------------------------------------------------


def test_sound_marks_actions_that_would_not_be_refused():
    now = allowed(COUNT, DOOR, shape=(6,))
    count = np.array([1, NAN, 1, 2.5, 99, INF])
    door = np.array([2, 2, 9, 2, 5, 2])
    assert now.sound({"count": count, "door": door}).tolist() == [
        True,
        False,  # not a number
        False,  # unknown
        False,  # not a whole number
        True,  # cut to 10
        False,  # not finite
    ]


def test_sound_checks_every_entry_of_an_array_field_and_skips_barred_seats():
    limits = {"levers": (0, np.array([1, 1, 1]))}
    barred = np.array([False, False, True])
    now = allowed(LEVERS, shape=(3,), limits=limits, levers=barred)
    levers = np.array([[0, 1], [0, 2], [0, 3]], dtype=float)
    assert now.sound({"levers": levers}).tolist() == [True, False, True]
    unknown = {"levers": np.array([[0, 1], [0, 1], [0, 9]], dtype=float)}
    assert now.sound(unknown).tolist() == [True, True, False]


# -- seats that are out -------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [None, NAN, "no", [1, 2]])
def test_a_seat_that_is_out_plays_its_default_whatever_is_sent(sent):
    now = allowed(COUNT, shape=(2,))
    filled = now.filled({"count": [5, sent]}, np.array([False, True]))
    assert now.used(filled)["count"].tolist() == [5, 2]


def test_seats_that_are_out_in_a_batch_play_their_default():
    now = allowed(COUNT, SPLIT, shape=(2, 2))
    out = np.array([[False, True], [True, False]])
    count, split = np.full((2, 2), 7.0), np.full((2, 2, 2), 0.5)
    count[0, 1] = split[0, 1] = NAN
    used = now.used(now.filled({"count": count, "split": split}, out))
    assert used["count"].tolist() == [[7, 2], [2, 7]]
    assert used["split"].tolist() == [[[0.5, 0.5], [0, 0]], [[0, 0], [0.5, 0.5]]]


def test_values_without_the_shape_of_seats_are_passed_on_and_refused():
    now, out = allowed(COUNT, shape=(2,)), np.array([False, True])
    for actions in (None, {"count": 1}, {"count": [[1], [2, 3], 4]}, {"cuont": [1, 1]}):
        with pytest.raises(ActionError):
            now.used(now.filled(actions, out))


# -- random actions -----------------------------------------------------------------------------


def sample(*fields, shape=(500, 2), limits=None):
    return allowed(*fields, shape=shape, limits=limits).sample(np.random.default_rng(0))


def test_samples_stay_in_the_declared_ranges_and_reach_their_ends():
    drawn = sample(PUSH, SPLIT, COUNT, DOOR, BELL)
    assert drawn["push"].shape == (500, 2)
    assert drawn["split"].shape == (500, 2, 2)
    assert -1 <= drawn["push"].min() < -0.99
    assert 0.99 < drawn["push"].max() <= 1
    assert set(np.unique(drawn["count"])) == set(range(11))
    assert set(np.unique(drawn["door"])) == {2, 3, 4, 5}
    assert drawn["door"].dtype == np.int64
    assert set(np.unique(drawn["bell"])) == {False, True}


def test_samples_of_choices_respect_limits_and_samples_of_amounts_need_not():
    limits = {"door": (np.array([2, 5]), np.array([3, 5])), "push": (0, 0)}
    drawn = sample(DOOR, PUSH, shape=(300, 2), limits=limits)
    assert [set(drawn["door"][:, seat].tolist()) for seat in (0, 1)] == [{2, 3}, {5}]
    assert drawn["push"].max() > 0.9


def test_a_sample_of_an_array_of_choices_respects_the_limits_of_its_seat():
    limits = {"levers": (np.array([0, 2]), np.array([1, 9]))}
    drawn = sample(LEVERS, shape=(300, 2), limits=limits)["levers"]
    assert [set(np.unique(drawn[:, seat])) for seat in (0, 1)] == [{0, 1}, {2, 3}]


def test_a_sample_without_one_end_spans_ten_from_the_other():
    drawn = sample(
        Field("up", "", low=5),
        Field("pieces", "", kind="whole", low=5),
        Field("down", "", high=-3),
        FREE,
    )
    assert drawn["up"].min() >= 5
    assert 14 < drawn["up"].max() <= 15
    assert set(np.unique(drawn["pieces"])) == set(range(5, 16))
    assert -13 <= drawn["down"].min() < drawn["down"].max() <= -3
    assert 0 <= drawn["free"].min() < drawn["free"].max() <= 10


@pytest.mark.parametrize("shape", [(), (2,), (3, 2)])
def test_a_sample_is_never_refused(shape):
    now = allowed(*ALL, *ARRAYS, shape=shape, limits={"door": (3, 4), "levers": (1, 2)})
    rng = np.random.default_rng(1)
    for _ in range(20):
        drawn = now.sample(rng)
        assert now.sound(drawn).all()
        assert set(now.used(drawn)) == {field.name for field in now.fields}
