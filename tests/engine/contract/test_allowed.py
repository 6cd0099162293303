"""What seats may do now, by hand: every kind of field, with and without ends, alone and in many."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from engine import ActionError
from engine.contract.allowed import Allowed
from engine.contract.space import Field

NAN, INF = float("nan"), float("inf")
PUSH = Field("push", "", low=-1, high=1, default=0.5)
PAY = Field("pay", "", low=0)
FREE = Field("free", "")
COUNT = Field("count", "", kind="whole", low=0, high=10, default=2)
TALLY = Field("tally", "", kind="whole")
DOOR = Field("door", "", kind="choice", low=2, high=5, default=3)
BELL = Field("bell", "", kind="flag", low=0, high=1)
ALL = (PUSH, PAY, FREE, COUNT, TALLY, DOOR, BELL)
SPLIT = Field("split", "", low=0, high=1, shape=(2,))
TRAY = Field("tray", "", kind="whole", low=0, shape=(2, 3))
LEVERS = Field("levers", "", kind="choice", low=0, high=3, shape=(2,))
ARRAYS = (SPLIT, TRAY, LEVERS)
SENT = {"push": 0.25, "pay": 3, "free": -7.5, "count": 4, "tally": -9, "door": 5, "bell": True}
BARRED = np.array([False, True])


def allowed(*fields, shape=(), limits=None, **barred):
    return Allowed(fields, shape, limits or {}, barred)


def of_all(shape):
    """SENT, the same from every seat of these."""
    return {name: np.full(shape, value).tolist() for name, value in SENT.items()}


def refusal(now, **sent):
    with pytest.raises(ActionError) as refused:
        now.used(sent)
    return str(refused.value)


# -- ends and defaults ------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (2,), (3, 2)])
def test_the_declared_ends_and_defaults_hold_where_nothing_else_is_said(shape):
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


def test_a_limit_is_per_seat_and_holds_for_every_place_of_an_array_field():
    limits = {"tray": (0, np.array([1, 4])), "levers": (np.array([0, 2]), np.array([1, 3]))}
    now = allowed(TRAY, LEVERS, shape=(2,), limits=limits)
    assert now.high["tray"].tolist() == [[[1] * 3] * 2, [[4] * 3] * 2]
    assert now.low["levers"].tolist() == [[0, 0], [2, 2]]
    used = now.used({"tray": np.full((2, 2, 3), 3), "levers": [[0, 1], [2, 3]]})
    assert used["tray"].tolist() == [[[1] * 3] * 2, [[3] * 3] * 2]
    assert used["levers"].tolist() == [[0, 1], [2, 3]]


def test_a_limit_of_a_batch_is_that_of_its_play():
    limits = {"pay": (0.0, np.array([[1.0, 2.0], [3.0, 4.0]]))}
    now = allowed(PAY, shape=(2, 2), limits=limits)
    assert now.used({"pay": np.full((2, 2), 9)})["pay"].tolist() == [[1, 2], [3, 4]]
    assert now.of((1, 0)).used({"pay": 9})["pay"] == 3


# -- what is used -----------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (2,), (3, 2)])
def test_an_action_within_its_ends_is_used_as_sent_in_the_type_of_its_field(shape):
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
def test_a_finite_amount_outside_its_ends_is_used_as_the_end(field, sent, used):
    assert allowed(field).used({field.name: sent})[field.name] == used
    assert allowed(field, shape=(2,)).used({field.name: [sent, 0]})[field.name][0] == used


def test_an_array_field_takes_its_own_shape_after_that_of_the_seats():
    now = allowed(*ARRAYS, shape=(2,))
    tray = [[[1, 2, 3], [4, 5, 6]], [[-1, 0, 0], [0, 0, 9]]]
    used = now.used({"split": [[0.5, 2], [-1, 1]], "tray": tray, "levers": [[0, 3], [1, 2]]})
    assert used["split"].tolist() == [[0.5, 1], [0, 1]]
    assert used["tray"].tolist() == [[[1, 2, 3], [4, 5, 6]], [[0, 0, 0], [0, 0, 9]]]
    assert used["levers"].tolist() == [[0, 3], [1, 2]]
    assert used["tray"].dtype == used["levers"].dtype == np.int64


def test_rows_of_arrays_are_taken_like_rows_of_lists():
    rows = [np.array([0.5, 2]), np.array([-1.0, 1])]
    assert allowed(SPLIT, shape=(2,)).used({"split": rows})["split"].tolist() == [[0.5, 1], [0, 1]]
    bells = Field("bells", "", kind="flag", low=0, high=1, shape=(2,))
    rung = [np.array([True, False]), np.array([False, False])]
    used = allowed(bells, shape=(2,)).used({"bells": rung})["bells"]
    assert used.tolist() == [[True, False], [False, False]]


@pytest.mark.parametrize("field", ALL, ids=lambda field: field.name)
def test_what_is_used_is_never_the_array_that_was_sent(field):
    sent = np.full(2, SENT[field.name], dtype=field.dtype)
    used = allowed(field, shape=(2,)).used({field.name: sent})[field.name]
    assert not np.shares_memory(sent, used)


def test_nobody_writes_into_what_is_allowed():
    for own in (allowed(*ALL, *ARRAYS), allowed(*ALL, *ARRAYS, shape=(2,)).of(1)):
        for arrays in (own.low, own.high, own.default):
            assert not any(value.flags.writeable for value in arrays.values())


def within_lists(depth):
    """A number in lists within lists."""
    value = 1
    for _ in range(depth):
        value = [value]
    return value


# -- what is refused --------------------------------------------------------------------------

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
            "push is a masked array: must be numbers, none masked",
        ),
        ([0, np.ma.masked], "seat 1, push = masked: must be a number"),
        ([0, np.timedelta64(1)], "seat 1, push = np.timedelta64(1): must be a number"),
        ([np.array([1]), 0], "seat 0, push = array([1]): must be a number"),
        (
            [0, within_lists(90)],
            f"seat 1, push = {'[' * 37}...: must be a number",
        ),
        ([0, within_lists(5000)], "seat 1, push = a list: must be a number"),
    ],
)
def test_what_is_no_number_is_refused_by_seat_field_value_and_rule(sent, message):
    assert refusal(PAIR, push=sent) == message


def test_an_array_of_truth_values_is_one_of_flags_alone():
    bells = {"bell": np.array([True, False])}
    assert allowed(BELL, shape=(2,)).used(bells)["bell"].tolist() == [True, False]
    message = "count is an array of bool: must be an array of numbers"
    assert refusal(allowed(COUNT, shape=(2,)), count=np.array([True, False])) == message


@pytest.mark.parametrize("field", [COUNT, TALLY, DOOR, BELL], ids=lambda field: field.name)
def test_half_a_piece_is_refused(field):
    message = f"{field.name} = 2.5: must be a whole number"
    assert refusal(allowed(field), **{field.name: 2.5}) == message


@pytest.mark.parametrize("door", [1, 6, 1e300, 10**30])
def test_an_unknown_choice_is_refused(door):
    shown = "a huge number" if isinstance(door, int) and door > 10**20 else door
    message = refusal(allowed(DOOR, shape=(2,)), door=[2, door])
    assert message.startswith("seat 1, door = ")
    assert message.endswith(": unknown choice; one of 2, 3, 4, 5")
    assert str(shown) in message or "e+" in message


def test_a_choice_that_is_not_open_now_is_refused_by_what_is():
    limits = {"door": (np.array([2, 4]), np.array([3, 4]))}
    now = allowed(DOOR, shape=(2,), limits=limits)
    assert now.used({"door": [3, 4]})["door"].tolist() == [3, 4]
    message = "seat 1, door = 3: not open to this seat now; one of 4"
    assert refusal(now, door=[3, 3]) == message


def test_a_refusal_in_a_batch_names_the_play_and_one_of_an_array_field_its_seat():
    now = allowed(LEVERS, shape=(3, 2))
    levers = np.zeros((3, 2, 2))
    levers[2, 1, 0] = 4
    message = "play (2,), seat 1, levers = 4.0: unknown choice; one of 0, 1, 2, 3"
    assert refusal(now, levers=levers) == message
    assert (
        refusal(allowed(LEVERS), levers=[0, 4]) == "levers = 4: unknown choice; one of 0, 1, 2, 3"
    )


@pytest.mark.parametrize(
    ("sent", "shape"),
    [([1, 2], (2,)), (np.zeros((2, 3)), (2, 3)), (np.zeros((2, 2, 2)), (2, 2, 2))],
)
def test_an_array_field_of_another_shape_is_refused_by_both_shapes(sent, shape):
    message = f"action field 'tray': shape {shape} should be (2, 2, 3) (one per seat)"
    assert refusal(allowed(TRAY, shape=(2,)), tray=sent) == message


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (None, "action = None: must map push, door to numbers"),
        ([1, 2], "action = [1, 2]: must map push, door to numbers"),
        ({"push": 0}, "action field 'door': is missing"),
        (
            {"push": 0, "dor": 2, "door": 2},
            "action field 'dor': unknown; did you mean 'door'?",
        ),
        ({"push": 0, "door": 2, 3: 1}, "action field 3: unknown; one of: door, push"),
    ],
)
def test_what_does_not_name_every_field_once_is_refused(actions, message):
    for check in (allowed(PUSH, DOOR).used, allowed(PUSH, DOOR).plain):
        with pytest.raises(ActionError) as refused:
            check(actions)
        assert str(refused.value) == message


# -- seats whose role bars them ---------------------------------------------------------------


def test_all_that_counts_of_a_barred_seat_is_its_default():
    now = allowed(COUNT, DOOR, shape=(2,), count=BARRED, door=BARRED)
    assert [now.low["count"].tolist(), now.high["count"].tolist()] == [[0, 2], [10, 2]]
    assert now.used({"count": [9, 9], "door": [5, 5]})["count"].tolist() == [9, 2]
    assert now.used({"count": [9, 9], "door": [5, 5]})["door"].tolist() == [5, 3]
    assert now.open(DOOR).tolist() == [[True] * 4, [False, True, False, False]]
    assert now.of(1).to_json() == {"count": [2, 2], "door": [3, 3]}


def test_the_default_of_a_barred_seat_is_moved_to_what_is_open():
    limits = {"door": (np.array([2, 4]), np.array([3, 5]))}
    now = allowed(DOOR, shape=(2,), limits=limits, door=BARRED)
    assert now.used({"door": [2, 2]})["door"].tolist() == [2, 4]
    assert now.open(DOOR).tolist() == [[True, True, False, False], [False, False, True, False]]


def test_what_a_barred_seat_sends_must_be_well_formed():
    now = allowed(DOOR, shape=(2,), door=BARRED)
    assert refusal(now, door=[2, 9]).startswith("seat 1, door = 9: unknown choice")
    assert refusal(now, door=[2, NAN]) == "seat 1, door = nan: must be a finite number"


def test_a_barred_array_field_keeps_its_default_in_every_place():
    now = allowed(TRAY, shape=(2, 2), tray=BARRED)
    used = now.used({"tray": np.full((2, 2, 2, 3), 7)})["tray"]
    assert (used[:, 0] == 7).all()
    assert (used[:, 1] == 0).all()


# -- parts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, 1, np.int64(1), slice(None), [1, 0], np.array([True, False])])
def test_a_part_of_the_seats_has_what_these_seats_have(index):
    limits = {"push": (-1.0, np.array([0.25, 0.75])), "levers": (np.array([0, 2]), 2)}
    now = allowed(PUSH, LEVERS, COUNT, shape=(2,), limits=limits, count=BARRED)
    part = now.of(index)
    for whole, own in ((now.low, part.low), (now.high, part.high), (now.default, part.default)):
        for name, values in whole.items():
            assert own[name].tolist() == values[index].tolist()
    assert part.open(LEVERS).tolist() == now.open(LEVERS)[index].tolist()


def test_a_seat_of_a_play_of_a_batch_is_the_seat_alone():
    limits = {"push": (-1.0, np.array([[0.0, 0.25], [0.5, 0.75]]))}
    now = allowed(PUSH, COUNT, shape=(2, 2), limits=limits, count=BARRED)
    one = now.of((1, 1))
    assert one.shape == ()
    assert one.to_json() == {"push": [-1, 0.75], "count": [2, 2]}
    places = now.of((np.array([0, 1]), np.array([1, 0])))
    assert places.shape == (2,)
    assert places.high["push"].tolist() == [0.25, 0.5]
    assert places.high["count"].tolist() == [2, 10]


def test_rows_are_a_part_as_a_list_of_seats():
    limits = {"push": (-1.0, np.array([[0.0, 0.25], [0.5, 0.75], [1, 1]]))}
    now = allowed(PUSH, TRAY, COUNT, shape=(3, 2), limits=limits, count=BARRED)
    rows = now.rows((slice(None), [1, 0]))
    assert rows.shape == (6,)
    assert rows.high["push"].tolist() == [0.25, 0, 0.75, 0.5, 1, 1]
    assert rows.high["count"].tolist() == [2, 10, 2, 10, 2, 10]
    assert rows.low["tray"].shape == (6, 2, 3)
    assert now.rows(slice(0, 1)).shape == (2,)


# -- one seat's action as plain numbers ---------------------------------------------------------


def test_a_plain_action_is_what_was_sent_and_not_what_is_used():
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


def test_a_plain_action_of_an_array_field_is_lists_of_its_shape():
    now = allowed(*ARRAYS)
    sent = {"split": (0.5, 2), "tray": np.arange(6).reshape(2, 3), "levers": [3, 0]}
    expected = {"split": [0.5, 2.0], "tray": [[0, 1, 2], [3, 4, 5]], "levers": [3, 0]}
    assert now.plain(sent) == expected
    assert json.loads(json.dumps(now.plain(sent))) == expected


def test_a_plain_action_is_refused_as_the_action_of_all_is():
    limited = allowed(DOOR, COUNT, limits={"door": (2, 3)})
    with pytest.raises(ActionError, match=r"^count = 2\.5: must be a whole number$"):
        limited.plain({"door": 2, "count": 2.5})
    with pytest.raises(ActionError, match=r"^door = 5: not open to this seat now; one of 2, 3$"):
        limited.plain({"door": 5, "count": 2})
    with pytest.raises(ActionError, match=r"^count = a huge number: must be a finite number$"):
        limited.plain({"door": 2, "count": 10**400})


# -- for a page -------------------------------------------------------------------------------


def test_an_end_that_there_is_not_is_null_for_a_page():
    shown = allowed(PUSH, PAY, FREE, TALLY, DOOR).to_json()
    assert shown == {
        "push": [-1, 1],
        "pay": [0, None],
        "free": [None, None],
        "tally": [None, None],
        "door": [2, 5],
    }
    assert "Infinity" not in json.dumps(shown)


def test_the_ends_of_an_array_field_are_those_of_each_of_its_places():
    limits = {"tray": (0, np.array([4, 5]))}
    now = allowed(SPLIT, TRAY, shape=(2,), limits=limits)
    assert now.of(1).to_json() == {"split": [0, 1], "tray": [0, 5]}


@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_page_was_told_says_the_same_again(seat):
    limits = {"pay": (0.0, np.array([3, INF])), "levers": (np.array([0, 2]), np.array([1, 3]))}
    fields = (*ALL, *ARRAYS)
    one = allowed(*fields, shape=(2,), limits=limits, door=BARRED, tray=BARRED).of(seat)
    told = json.loads(json.dumps(one.to_json()))
    again = Allowed.from_json(fields, told)
    for field in fields:
        for before, after in ((one.low, again.low), (one.high, again.high)):
            assert after[field.name].tolist() == before[field.name].tolist()
        assert again.default[field.name].tolist() == one.default[field.name].tolist()
    assert again.open(LEVERS).tolist() == one.open(LEVERS).tolist()


# -- numbers of a batch that may be no actions ----------------------------------------------------


def test_sound_is_what_would_not_be_refused():
    now = allowed(COUNT, DOOR, shape=(6,))
    count = np.array([1, NAN, 1, 2.5, 99, INF])
    door = np.array([2, 2, 9, 2, 5, 2])
    assert now.sound({"count": count, "door": door}).tolist() == [
        True,
        False,  # no number
        False,  # unknown
        False,  # no whole number
        True,  # cut to 10
        False,  # not finite
    ]


def test_sound_looks_at_every_place_of_an_array_field_and_passes_over_barred_seats():
    limits = {"levers": (0, np.array([1, 1, 1]))}
    barred = np.array([False, False, True])
    now = allowed(LEVERS, shape=(3,), limits=limits, levers=barred)
    levers = np.array([[0, 1], [0, 2], [0, 3]], dtype=float)
    assert now.sound({"levers": levers}).tolist() == [True, False, True]
    unknown = {"levers": np.array([[0, 1], [0, 1], [0, 9]], dtype=float)}
    assert now.sound(unknown).tolist() == [True, True, False]


# -- seats that are out -------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [None, NAN, "no", [1, 2]])
def test_a_seat_that_is_out_does_its_default_whatever_is_sent(sent):
    now = allowed(COUNT, shape=(2,))
    filled = now.filled({"count": [5, sent]}, np.array([False, True]))
    assert now.used(filled)["count"].tolist() == [5, 2]


def test_seats_that_are_out_of_plays_of_a_batch_do_their_default():
    now = allowed(COUNT, SPLIT, shape=(2, 2))
    out = np.array([[False, True], [True, False]])
    count, split = np.full((2, 2), 7.0), np.full((2, 2, 2), 0.5)
    count[0, 1] = split[0, 1] = NAN
    used = now.used(now.filled({"count": count, "split": split}, out))
    assert used["count"].tolist() == [[7, 2], [2, 7]]
    assert used["split"].tolist() == [[[0.5, 0.5], [0, 0]], [[0, 0], [0.5, 0.5]]]


def test_what_has_no_shape_of_seats_is_left_to_be_refused():
    now, out = allowed(COUNT, shape=(2,)), np.array([False, True])
    for actions in (None, {"count": 1}, {"count": [[1], [2, 3], 4]}, {"cuont": [1, 1]}):
        with pytest.raises(ActionError):
            now.used(now.filled(actions, out))


# -- random actions -----------------------------------------------------------------------------


def sample(*fields, shape=(500, 2), limits=None):
    return allowed(*fields, shape=shape, limits=limits).sample(np.random.default_rng(0))


def test_a_sample_lies_in_the_declared_ranges_and_reaches_their_ends():
    drawn = sample(PUSH, SPLIT, COUNT, DOOR, BELL)
    assert drawn["push"].shape == (500, 2)
    assert drawn["split"].shape == (500, 2, 2)
    assert -1 <= drawn["push"].min() < -0.99
    assert 0.99 < drawn["push"].max() <= 1
    assert set(np.unique(drawn["count"])) == set(range(11))
    assert set(np.unique(drawn["door"])) == {2, 3, 4, 5}
    assert drawn["door"].dtype == np.int64
    assert set(np.unique(drawn["bell"])) == {False, True}


def test_a_sample_of_choices_keeps_to_limits_and_one_of_amounts_does_not_need_to():
    limits = {"door": (np.array([2, 5]), np.array([3, 5])), "push": (0, 0)}
    drawn = sample(DOOR, PUSH, shape=(300, 2), limits=limits)
    assert [set(drawn["door"][:, seat].tolist()) for seat in (0, 1)] == [{2, 3}, {5}]
    assert drawn["push"].max() > 0.9


def test_a_sample_of_an_array_of_choices_keeps_to_the_limits_of_its_seat():
    limits = {"levers": (np.array([0, 2]), np.array([1, 9]))}
    drawn = sample(LEVERS, shape=(300, 2), limits=limits)["levers"]
    assert [set(np.unique(drawn[:, seat])) for seat in (0, 1)] == [{0, 1}, {2, 3}]


def test_a_sample_without_an_end_goes_ten_beyond_the_other():
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


def test_ends_are_plain_floats_without_infinities_in_the_middle():
    # A limit may be infinite where the declaration is not: the declared end holds.
    now = allowed(PUSH, limits={"push": (-math.inf, math.inf)})
    assert now.to_json() == {"push": [-1, 1]}
