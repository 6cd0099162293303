"""Subsets of seats: their allowed actions, as plain numbers and as a page receives them."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from mixed_company.engine import ActionError
from mixed_company.engine.contract.allowed import Allowed
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
    PAY,
    PUSH,
    SPLIT,
    TALLY,
    TRAY,
    allowed,
)

# -- parts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, 1, np.int64(1), slice(None), [1, 0], np.array([True, False])])
def test_a_subset_of_seats_has_the_limits_of_these_seats(index):
    limits = {"push": (-1.0, np.array([0.25, 0.75])), "levers": (np.array([0, 2]), 2)}
    now = allowed(PUSH, LEVERS, COUNT, shape=(2,), limits=limits, count=BARRED)
    part = now.of(index)
    for whole, values_of_part in (
        (now.low, part.low),
        (now.high, part.high),
        (now.default, part.default),
    ):
        for name, values in whole.items():
            assert values_of_part[name].tolist() == values[index].tolist()
    assert part.open(LEVERS).tolist() == now.open(LEVERS)[index].tolist()


def test_a_seat_in_a_batch_equals_the_seat_alone():
    limits = {"push": (-1.0, np.array([[0.0, 0.25], [0.5, 0.75]]))}
    now = allowed(PUSH, COUNT, shape=(2, 2), limits=limits, count=BARRED)
    alone = now.of((1, 1))
    assert alone.shape == ()
    assert alone.to_json() == {"push": [-1, 0.75], "count": [2, 2]}
    places = now.of((np.array([0, 1]), np.array([1, 0])))
    assert places.shape == (2,)
    assert places.high["push"].tolist() == [0.25, 0.5]
    assert places.high["count"].tolist() == [2, 10]


def test_rows_select_the_same_subset_as_a_list_of_seats():
    limits = {"push": (-1.0, np.array([[0.0, 0.25], [0.5, 0.75], [1, 1]]))}
    now = allowed(PUSH, TRAY, COUNT, shape=(3, 2), limits=limits, count=BARRED)
    rows = now.rows((slice(None), [1, 0]))
    assert rows.shape == (6,)
    assert rows.high["push"].tolist() == [0.25, 0, 0.75, 0.5, 1, 1]
    assert rows.high["count"].tolist() == [2, 10, 2, 10, 2, 10]
    assert rows.low["tray"].shape == (6, 2, 3)
    assert now.rows(slice(0, 1)).shape == (2,)


# -- one seat's action as plain numbers -------------------------------------------------------


def test_a_plain_action_has_the_sent_values_and_not_the_used_ones():
    now = allowed(PUSH, COUNT, DOOR, BELL)
    sent = {"push": 4, "count": 50, "door": 5, "bell": True}
    plain = now.plain(sent)
    assert plain == {"push": 4.0, "count": 50.0, "door": 5.0, "bell": 1.0}
    assert {type(value) for value in plain.values()} == {float}
    assert {name: value.item() for name, value in now.used(plain).items()} == {
        "push": 1.0,
        "count": 10,
        "door": 5,
        "bell": True,
    }


def test_a_plain_action_of_an_array_field_has_lists_of_its_shape():
    now = allowed(*ARRAYS)
    sent = {"split": (0.5, 2), "tray": np.arange(6).reshape(2, 3), "levers": [3, 0]}
    expected = {"split": [0.5, 2.0], "tray": [[0, 1, 2], [3, 4, 5]], "levers": [3, 0]}
    assert now.plain(sent) == expected
    assert json.loads(json.dumps(now.plain(sent))) == expected


def test_a_plain_action_is_refused_like_an_action_of_all_seats():
    limited = allowed(DOOR, COUNT, limits={"door": (2, 3)})
    with pytest.raises(ActionError, match=r"^count = 2\.5: must be a whole number$"):
        limited.plain({"door": 2, "count": 2.5})
    with pytest.raises(ActionError, match=r"^door = 5: not allowed right now; choose one of 2, 3$"):
        limited.plain({"door": 5, "count": 2})
    with pytest.raises(ActionError, match=r"^count = a huge number: must be a finite number$"):
        limited.plain({"door": 2, "count": 10**400})


# -- for a page -------------------------------------------------------------------------------


def test_a_missing_end_is_null_for_a_page():
    shown = allowed(PUSH, PAY, FREE, TALLY, DOOR).to_json()
    assert shown == {
        "push": [-1, 1],
        "pay": [0, None],
        "free": [None, None],
        "tally": [None, None],
        "door": [2, 5],
    }
    assert "Infinity" not in json.dumps(shown)


def test_an_array_field_has_ends_for_each_of_its_entries():
    limits = {"tray": (0, np.array([4, 5]))}
    now = allowed(SPLIT, TRAY, shape=(2,), limits=limits)
    assert now.of(1).to_json() == {"split": [0, 1], "tray": [0, 5]}


@pytest.mark.parametrize("seat", [0, 1])
def test_limits_sent_to_a_page_can_be_read_back(seat):
    limits = {"pay": (0.0, np.array([3, INF])), "levers": (np.array([0, 2]), np.array([1, 3]))}
    fields = (*ALL, *ARRAYS)
    alone = allowed(*fields, shape=(2,), limits=limits, door=BARRED, tray=BARRED).of(seat)
    read = json.loads(json.dumps(alone.to_json()))
    again = Allowed.from_json(fields, read)
    for field in fields:
        for before, after in ((alone.low, again.low), (alone.high, again.high)):
            assert after[field.name].tolist() == before[field.name].tolist()
        assert again.default[field.name].tolist() == alone.default[field.name].tolist()
    assert again.open(LEVERS).tolist() == alone.open(LEVERS).tolist()


def test_ends_are_plain_floats_without_infinities_in_the_middle():
    # A limit can be infinite although the declaration is not. Then the declared end applies.
    now = allowed(PUSH, limits={"push": (-math.inf, math.inf)})
    assert now.to_json() == {"push": [-1, 1]}
