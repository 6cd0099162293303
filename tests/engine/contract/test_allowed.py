"""Allowed actions calculated by hand: bounds, defaults, used values, and barred seats."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine.contract.space import Field
from tests.engine.contract.fields import (
    ALL,
    ARRAYS,
    BARRED,
    BELL,
    COUNT,
    DOOR,
    FREE,
    INF,
    LEVERS,
    NAN,
    PAY,
    PUSH,
    SENT,
    SPLIT,
    TALLY,
    TRAY,
    allowed,
    of_all,
    refusal,
)

# -- bounds and defaults -----------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (2,), (3, 2)])
def test_the_declared_ends_and_defaults_apply_without_other_limits(shape):
    now = allowed(*ALL, *ARRAYS, shape=shape)
    ends = {
        "push": (-1, 1, 0.5),
        "pay": (0, INF, 0),
        "free": (-INF, INF, 0),
        "count": (0, 10, 2),
        "tally": (-INF, INF, 0),
        "door": (2, 5, 3),
        "bell": (0, 1, 0),
        "split": (0, 1, 0),
        "tray": (0, INF, 0),
        "levers": (0, 3, 0),
    }
    for field in now.fields:
        for values, expected in zip(
            (now.low, now.high, now.default), ends[field.name], strict=True
        ):
            assert values[field.name].shape == shape + field.shape
            assert (values[field.name] == expected).all()
        assert now.default[field.name].dtype == field.dtype


def test_the_state_narrows_the_declared_ends_and_never_widens_them():
    # Seat 0: -1 .. 0.25; seat 1: 0.75 .. 1. The default 0.5 is moved inside.
    limits = {"push": (np.array([-3, 0.75]), np.array([0.25, 9]))}
    now = allowed(PUSH, shape=(2,), limits=limits)
    assert now.low["push"].tolist() == [-1, 0.75]
    assert now.high["push"].tolist() == [0.25, 1]
    assert now.default["push"].tolist() == [0.25, 0.75]
    assert now.used({"push": [5, 0]})["push"].tolist() == [0.25, 0.75]


def test_a_limit_is_per_seat_and_applies_to_every_entry_of_an_array_field():
    limits = {"tray": (0, np.array([1, 4])), "levers": (np.array([0, 2]), np.array([1, 3]))}
    now = allowed(TRAY, LEVERS, shape=(2,), limits=limits)
    assert now.high["tray"].tolist() == [[[1] * 3] * 2, [[4] * 3] * 2]
    assert now.low["levers"].tolist() == [[0, 0], [2, 2]]
    used = now.used({"tray": np.full((2, 2, 3), 3), "levers": [[0, 1], [2, 3]]})
    assert used["tray"].tolist() == [[[1] * 3] * 2, [[3] * 3] * 2]
    assert used["levers"].tolist() == [[0, 1], [2, 3]]


def test_a_limit_in_a_batch_belongs_to_its_play():
    limits = {"pay": (0.0, np.array([[1.0, 2.0], [3.0, 4.0]]))}
    now = allowed(PAY, shape=(2, 2), limits=limits)
    assert now.used({"pay": np.full((2, 2), 9)})["pay"].tolist() == [[1, 2], [3, 4]]
    assert now.of((1, 0)).used({"pay": 9})["pay"] == 3


# -- used values -------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (2,), (3, 2)])
def test_an_action_within_its_range_is_used_as_sent_in_the_type_of_its_field(shape):
    used = allowed(*ALL, shape=shape).used(of_all(shape))
    for field in ALL:
        assert used[field.name].shape == shape
        assert used[field.name].dtype == field.dtype
        assert (used[field.name] == SENT[field.name]).all()


@pytest.mark.parametrize(
    ("field", "sent", "used"),
    [
        (PUSH, -3, -1),
        (PUSH, 1e300, 1),
        (PAY, -0.5, 0),
        (PAY, 1e300, 1e300),
        (FREE, -1e300, -1e300),
        (COUNT, 12, 10),
        (COUNT, -1e12, 0),
        (COUNT, 10**30, 10),
        (COUNT, 10**308, 10),
        (COUNT, 2**63, 10),
        (TALLY, 10**30, 2**62),
        (TALLY, -(10**30), -(2**62)),
        (BELL, 5, True),
        (BELL, -1, False),
    ],
)
def test_a_finite_amount_out_of_range_is_clamped(field, sent, used):
    assert allowed(field).used({field.name: sent})[field.name] == used
    assert allowed(field, shape=(2,)).used({field.name: [sent, 0]})[field.name][0] == used


def test_an_array_field_appends_its_shape_to_that_of_the_seats():
    now = allowed(*ARRAYS, shape=(2,))
    tray = [[[1, 2, 3], [4, 5, 6]], [[-1, 0, 0], [0, 0, 9]]]
    used = now.used({"split": [[0.5, 2], [-1, 1]], "tray": tray, "levers": [[0, 3], [1, 2]]})
    assert used["split"].tolist() == [[0.5, 1], [0, 1]]
    assert used["tray"].tolist() == [[[1, 2, 3], [4, 5, 6]], [[0, 0, 0], [0, 0, 9]]]
    assert used["levers"].tolist() == [[0, 3], [1, 2]]
    assert used["tray"].dtype == used["levers"].dtype == np.int64


def test_rows_of_arrays_are_accepted_like_rows_of_lists():
    rows = [np.array([0.5, 2]), np.array([-1.0, 1])]
    assert allowed(SPLIT, shape=(2,)).used({"split": rows})["split"].tolist() == [[0.5, 1], [0, 1]]
    bells = Field("bells", "", kind="flag", low=0, high=1, shape=(2,))
    rung = [np.array([True, False]), np.array([False, False])]
    used = allowed(bells, shape=(2,)).used({"bells": rung})["bells"]
    assert used.tolist() == [[True, False], [False, False]]


@pytest.mark.parametrize("field", ALL, ids=lambda field: field.name)
def test_the_used_array_is_never_the_array_that_was_sent(field):
    sent = np.full(2, SENT[field.name], dtype=field.dtype)
    used = allowed(field, shape=(2,)).used({field.name: sent})[field.name]
    assert not np.shares_memory(sent, used)


def test_allowed_actions_are_read_only():
    for limits in (allowed(*ALL, *ARRAYS), allowed(*ALL, *ARRAYS, shape=(2,)).of(1)):
        for arrays in (limits.low, limits.high, limits.default):
            assert not any(value.flags.writeable for value in arrays.values())


# -- seats whose role bars them ----------------------------------------------------------------


def test_a_barred_seat_always_plays_its_default():
    now = allowed(COUNT, DOOR, shape=(2,), count=BARRED, door=BARRED)
    assert [now.low["count"].tolist(), now.high["count"].tolist()] == [[0, 2], [10, 2]]
    assert now.used({"count": [9, 9], "door": [5, 5]})["count"].tolist() == [9, 2]
    assert now.used({"count": [9, 9], "door": [5, 5]})["door"].tolist() == [5, 3]
    assert now.open(DOOR).tolist() == [[True] * 4, [False, True, False, False]]
    assert now.of(1).to_json() == {"count": [2, 2], "door": [3, 3]}


def test_the_default_of_a_barred_seat_is_moved_into_the_open_range():
    limits = {"door": (np.array([2, 4]), np.array([3, 5]))}
    now = allowed(DOOR, shape=(2,), limits=limits, door=BARRED)
    assert now.used({"door": [2, 2]})["door"].tolist() == [2, 4]
    assert now.open(DOOR).tolist() == [[True, True, False, False], [False, False, True, False]]


def test_an_action_sent_by_a_barred_seat_must_be_well_formed():
    now = allowed(DOOR, shape=(2,), door=BARRED)
    assert refusal(now, door=[2, 9]).startswith("seat 1, door = 9: unknown choice")
    assert refusal(now, door=[2, NAN]) == "seat 1, door = nan: must be a finite number"


def test_a_barred_array_field_keeps_its_default_in_every_entry():
    now = allowed(TRAY, shape=(2, 2), tray=BARRED)
    used = now.used({"tray": np.full((2, 2, 2, 3), 7)})["tray"]
    assert (used[:, 0] == 7).all()
    assert (used[:, 1] == 0).all()
