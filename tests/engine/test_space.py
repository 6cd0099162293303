"""Fields and named arrays: what a seat receives, and conversion to JSON and back."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from mixed_company.engine.contract.space import Field, from_json, of_seat, to_json

LAYOUT = (
    Field("stock", "", low=0, high=100, maskable=True),
    Field("wealth", "", shape=(2,), visibility="private", maskable=True),
    Field("turn", "", kind="whole", low=0),
    Field("door", "", kind="choice", low=0, high=2, visibility="private"),
    Field("over", "", kind="flag", low=0, high=1),
)
SEEN = {
    "stock": np.array(12.5),
    "wealth": np.array([[1.0, np.nan], [np.nan, 2.0]]),
    "turn": np.array(3),
    "door": np.array([2, 0]),
    "over": np.array(False),
}


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [("real", np.float64), ("whole", np.int64), ("choice", np.int64), ("flag", np.bool_)],
)
def test_a_kind_has_one_numeric_type(kind, dtype):
    assert Field("x", "", kind=kind).dtype is dtype


def test_a_field_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        LAYOUT[0].low = 5


def test_a_seat_gets_its_own_private_values_and_all_public_ones():
    seen = of_seat(LAYOUT, SEEN, 1)
    assert seen["stock"] == 12.5
    assert seen["door"] == 0
    assert np.array_equal(seen["wealth"], [np.nan, 2.0], equal_nan=True)
    assert list(seen) == [field.name for field in LAYOUT]


def test_values_outside_the_layout_reach_no_seat():
    assert "secret" not in of_seat(LAYOUT, {**SEEN, "secret": np.array(1)}, 0)


def test_hidden_values_are_null_in_json():
    assert to_json(SEEN) == {
        "stock": 12.5,
        "wealth": [[1.0, None], [None, 2.0]],
        "turn": 3,
        "door": [2, 0],
        "over": False,
    }


def test_a_hidden_single_number_is_null_too():
    assert to_json({"pool": np.array(np.nan)}) == {"pool": None}


@pytest.mark.parametrize("value", [np.inf, [1.0, -np.inf], [np.nan, np.inf]])
def test_an_infinite_value_has_no_json_form(value):
    with pytest.raises(ValueError, match="an infinite value has no JSON form"):
        to_json({"stock": np.array(value)})


def test_arrays_survive_json_unchanged():
    again = from_json(LAYOUT, json.loads(json.dumps(to_json(SEEN))))
    for field in LAYOUT:
        assert again[field.name].dtype == field.dtype
        assert np.array_equal(again[field.name], SEEN[field.name], equal_nan=field.kind == "real")


def test_every_bit_of_a_number_survives_json():
    value = np.array([0.1 + 0.2, 1e-310, -0.0, 2**53 + 1.0])
    (field,) = (Field("x", "", shape=(4,)),)
    again = from_json((field,), json.loads(json.dumps(to_json({"x": value}))))["x"]
    assert again.tobytes() == value.tobytes()


def test_a_field_that_is_missing_in_json_is_named():
    with pytest.raises(KeyError, match="over"):
        from_json(LAYOUT, {"stock": 1, "wealth": [1, 2], "turn": 1, "door": [1, 1]})
