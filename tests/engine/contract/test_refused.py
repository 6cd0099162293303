"""Rejected actions: the message names the seat, field, value and rule."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine import ActionError
from tests.engine.contract.fields import (
    BELL,
    COUNT,
    DOOR,
    INF,
    LEVERS,
    NAN,
    PUSH,
    TALLY,
    TRAY,
    allowed,
    refusal,
)


def within_lists(depth):
    """Return a number nested in lists."""
    value = 1
    for _ in range(depth):
        value = [value]
    return value


PAIR = allowed(PUSH, shape=(2,))


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (None, "push = None: must be a number"),
        ([0, None], "seat 1, push = None: must be a number"),
        ([0, {}], "seat 1, push = {}: must be a number"),
        ({"push": 1}, "push = {'push': 1}: must be a number"),
        ([True, 0], "seat 0, push = True: must be a number"),
        ([np.True_, 0], "seat 0, push = np.True_: must be a number"),
        ([0, 2j], "seat 1, push = 2j: must be a number"),
        ([0, "1"], "seat 1, push = '1': must be a number"),
        ([0, NAN], "seat 1, push = nan: must be a finite number"),
        ([0, -INF], "seat 1, push = -inf: must be a finite number"),
        ([10**400, 0], "seat 0, push = a huge number: must be a finite number"),
        ([0, -(10**400)], "seat 1, push = a huge number: must be a finite number"),
        ([0, [1, 2]], "seat 1, push = [1, 2]: must be a number"),
        ([[1], [2, 3]], "seat 0, push = [1]: must be a number"),
        ([1, 2, 3], "action field 'push': shape (3,) should be (2,) (one per seat)"),
        (1, "action field 'push': shape () should be (2,) (one per seat)"),
        (np.array([0, 1], object), "push is an array of object: must be an array of numbers"),
        (np.array([0, None]), "push is an array of object: must be an array of numbers"),
        (np.array([True, False]), "push is an array of bool: must be an array of numbers"),
        (np.array([0, 1j]), "push is an array of complex128: must be an array of numbers"),
        (np.array(["1", "0"]), "push is an array of <U1: must be an array of numbers"),
        (np.array([NAN, 0]), "seat 0, push = nan: must be a finite number"),
        (np.array([0, np.longdouble("1e400")]), "seat 1, push = inf: must be a finite number"),
        (
            np.ma.masked_array([0.0, 1.0], [False, True]),
            "push is a masked array: must be numbers, without masked values",
        ),
        ([0, np.ma.masked], "seat 1, push = masked: must be a number"),
        ([0, np.timedelta64(1)], "seat 1, push = np.timedelta64(1): must be a number"),
        ([np.array([1]), 0], "seat 0, push = array([1]): must be a number"),
        ([0, within_lists(90)], f"seat 1, push = {'[' * 37}...: must be a number"),
        ([0, within_lists(5000)], "seat 1, push = a list: must be a number"),
    ],
)
def test_a_value_that_is_not_a_number_is_refused_by_seat_field_value_and_rule(sent, message):
    assert refusal(PAIR, push=sent) == message


def test_an_array_of_booleans_is_accepted_for_flags_only():
    bells = {"bell": np.array([True, False])}
    assert allowed(BELL, shape=(2,)).used(bells)["bell"].tolist() == [True, False]
    message = "count is an array of bool: must be an array of numbers"
    assert refusal(allowed(COUNT, shape=(2,)), count=np.array([True, False])) == message


@pytest.mark.parametrize("field", [COUNT, TALLY, DOOR, BELL], ids=lambda field: field.name)
def test_a_fraction_is_refused_for_whole_numbers(field):
    message = f"{field.name} = 2.5: must be a whole number"
    assert refusal(allowed(field), **{field.name: 2.5}) == message


@pytest.mark.parametrize("door", [1, 6, 1e300, 10**30])
def test_an_unknown_choice_is_refused(door):
    shown = "a huge number" if isinstance(door, int) and door > 10**20 else door
    message = refusal(allowed(DOOR, shape=(2,)), door=[2, door])
    assert message.startswith("seat 1, door = ")
    assert message.endswith(": unknown choice; choose one of 2, 3, 4, 5")
    assert str(shown) in message or "e+" in message


def test_a_closed_choice_is_refused_with_the_open_ones():
    limits = {"door": (np.array([2, 4]), np.array([3, 4]))}
    now = allowed(DOOR, shape=(2,), limits=limits)
    assert now.used({"door": [3, 4]})["door"].tolist() == [3, 4]
    message = "seat 1, door = 3: not allowed right now; choose one of 4"
    assert refusal(now, door=[3, 3]) == message


def test_a_refusal_names_the_play_of_a_batch_and_the_seat_of_an_array_field():
    now = allowed(LEVERS, shape=(3, 2))
    levers = np.zeros((3, 2, 2))
    levers[2, 1, 0] = 4
    message = "play (2,), seat 1, levers = 4.0: unknown choice; choose one of 0, 1, 2, 3"
    assert refusal(now, levers=levers) == message
    assert (
        refusal(allowed(LEVERS), levers=[0, 4])
        == "levers = 4: unknown choice; choose one of 0, 1, 2, 3"
    )


@pytest.mark.parametrize(
    ("sent", "shape"),
    [([1, 2], (2,)), (np.zeros((2, 3)), (2, 3)), (np.zeros((2, 2, 2)), (2, 2, 2))],
)
def test_an_array_field_of_another_shape_is_refused_with_both_shapes(sent, shape):
    message = f"action field 'tray': shape {shape} should be (2, 2, 3) (one per seat)"
    assert refusal(allowed(TRAY, shape=(2,)), tray=sent) == message


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (None, "action = None: must map push, door to numbers"),
        ([1, 2], "action = [1, 2]: must map push, door to numbers"),
        ({"push": 0}, "action field 'door': is missing"),
        ({"push": 0, "dor": 2, "door": 2}, "action field 'dor': unknown; did you mean 'door'?"),
        ({"push": 0, "door": 2, 3: 1}, "action field 3: unknown; one of: door, push"),
    ],
)
def test_an_action_that_does_not_name_every_field_once_is_refused(actions, message):
    for check in (allowed(PUSH, DOOR).used, allowed(PUSH, DOOR).plain):
        with pytest.raises(ActionError) as refused:
            check(actions)
        assert str(refused.value) == message
