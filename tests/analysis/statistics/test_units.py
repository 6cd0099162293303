"""One number per group; other units must be requested and cause a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from mixed_company.analysis import statistics as st
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from tests.analysis.statistics.frames import clustered, per_group

# Two groups. In the first, seat 0 has 2 and 4 (mean 3) and seat 1 has only 9: the mean over seats
# is 6, and over rows 5. In the second group both seats have 1.
ROWS = pd.DataFrame(
    [
        ("s", 0, 0, "open", 2.0),
        ("s", 0, 0, "open", 4.0),
        ("s", 0, 1, "open", 9.0),
        ("s", 1, 0, "governed", 1.0),
        ("s", 1, 1, "governed", 1.0),
    ],
    columns=["session", "group", "seat", "treatment", "points"],
)


def test_a_group_is_the_mean_of_its_seats_and_a_seat_the_mean_of_its_rows():
    units = st.units(ROWS, "points")
    assert units.sample("open").tolist() == [6.0]
    assert units.sample("governed").tolist() == [1.0]
    assert units.treatments == ("open", "governed")
    assert units.unit == "group"


@pytest.mark.parametrize(
    ("frame", "unit", "means"),
    [
        (ROWS.drop(columns="seat"), "group", [5.0]),
        (ROWS.rename(columns={"seat": "participant"}), "group", [6.0]),
        (ROWS.assign(treatment="open"), "session", [3.5]),  # (6 + 1) / 2
        (pd.concat([ROWS, ROWS.assign(session="t")]), "group", [6.0, 6.0]),
    ],
    ids=["without seats", "participants", "sessions", "a number in two sessions"],
)
def test_a_unit_is_the_mean_of_the_smaller_units_in_it(frame, unit, means):
    assert st.units(frame, "points", unit=unit).sample("open").tolist() == means


def test_groups_and_sessions_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        st.units(ROWS, "points")
        st.units(ROWS.assign(treatment="one"), "points", unit="session")


def test_pooled_decisions_warn_about_their_number_of_groups():
    """The values are 0, 2 and 4, 6 in two groups of each of two treatments. The group means 1 and 5
    differ by 2 from the treatment's mean of 3: MSB = 4 * 2 * 4 / (4 - 2) = 16. Each value differs
    by 1 from its group's mean: MSW = 8 / (8 - 4) = 2. m = 2, so the correlation is 14 / 18 = 0.78,
    and 8 values count like 8 / (1 + 0.78) = 4.5.
    """
    frame = pd.DataFrame(
        {
            "session": "s",
            "group": [0, 0, 1, 1, 2, 2, 3, 3],
            "treatment": ["a"] * 4 + ["b"] * 4,
            "points": [0, 2, 4, 6] * 2,
        }
    )
    with pytest.warns(st.PooledWarning) as warned:
        units = st.units(frame, "points", unit="decision")
    assert str(warned[0].message) == (
        "points: 8 decisions of 4 groups are not independent, because people who play together "
        "influence each other; p values are too small and intervals too narrow (intraclass "
        "correlation 0.78: they count as much as 4 independent ones). Use unit='group' for a valid "
        "test"
    )
    assert warned[0].filename == __file__
    assert "8 decisions of 4 groups" in units.notes[0]
    assert len(units.sample("a")) == 4


def test_people_as_units_warn_too():
    with pytest.warns(st.PooledWarning, match="4 people of 2 groups are not independent"):
        units = st.units(ROWS, "points", unit="person")
    assert units.sample("open").tolist() == [3.0, 9.0]


def test_missing_values_are_counted_and_lost_groups_are_named():
    frame = pd.concat(
        [
            ROWS.astype({"group": "Int64"}),
            pd.DataFrame(
                [("s", 2, 0, "open", np.nan), ("s", 2, 1, "open", np.nan)], columns=ROWS.columns
            ),
            pd.DataFrame([("s", 3, 0, "", 1.0)], columns=ROWS.columns),
            pd.DataFrame([("s", pd.NA, 0, "open", 1.0)], columns=ROWS.columns),
        ]
    )
    units = st.units(frame, "points")
    assert units.left_out == (
        "1 of 9 rows have no group",
        "1 of 8 rows have no treatment",
        "2 of 7 rows have no points, all of group 2 of s",
    )
    assert units.sample("open").tolist() == [6.0]


def test_one_missing_value_of_a_group_leaves_the_group():
    frame = ROWS.assign(points=[2.0, np.nan, 9.0, 1.0, 1.0])
    units = st.units(frame, "points")
    assert units.left_out == ("1 of 5 rows have no points",)
    assert units.sample("open").tolist() == [5.5]


def test_treatments_come_in_the_order_of_their_categories():
    order = pd.Categorical(ROWS["treatment"], ["governed", "other", "open"])
    assert st.units(ROWS.assign(treatment=order), "points").treatments == ("governed", "open")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"value": "point"}, "column 'point': not in the frame; did you mean 'points'?"),
        ({"by": "treatmnt"}, "column 'treatmnt': not in the frame; did you mean 'treatment'?"),
        ({"unit": "groups"}, "unit = 'groups': unknown; did you mean 'group'?"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(options, message):
    with pytest.raises(UnknownName) as error:
        st.units(ROWS, **({"value": "points"} | options))
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("frame", "unit", "message"),
    [
        (
            ROWS.assign(points="much"),
            "group",
            "column 'points': contains values that are not numbers",
        ),
        (
            ROWS.assign(points=np.inf),
            "group",
            "column 'points': contains a number that is not finite",
        ),
        (
            ROWS.drop(columns="seat"),
            "person",
            "unit = 'person': the frame has neither seat nor participant",
        ),
    ],
)
def test_values_that_are_not_numbers_are_refused(frame, unit, message):
    with pytest.raises(ConfigError) as error:
        st.units(frame, "points", unit=unit)
    assert str(error.value) == message


def test_flags_and_integers_with_gaps_are_accepted_as_numbers():
    frame = ROWS.assign(points=pd.array([True, False, True, None, True], dtype="boolean"))
    assert st.units(frame, "points").sample("open").tolist() == [0.75]


def test_pooled_values_find_effects_that_groups_do_not_show():
    """The six groups per treatment differ four times as much as people do, and by construction
    treatments do not differ. Only pooled values show an effect.
    """
    frame = clustered(seed=9, groups={"a": 6, "b": 6}, between=4.0)
    by_group = st.compare(st.units(frame, "points"))
    with pytest.warns(st.PooledWarning):
        by_decision = st.compare(st.units(frame, "points", unit="decision"))
    assert by_decision.p < 0.05 < by_group.p
    assert by_decision.n == {"a": 120, "b": 120}
    assert "120 decisions" in str(by_decision)
    assert "not independent" in str(by_decision)


def test_one_row_per_group_is_not_pooling():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert st.units(per_group(a=[1, 2]), "points", unit="decision").notes == ()


def test_people_of_mixed_groups_have_equal_weights_whatever_their_seats():
    """Two groups that exchange people are one unit. Ann and Bob have the same seat number in
    different groups, and Ann has another seat in her second play: (2 + 4) / 2 = 3 for her, 9 for
    Bob and 6 for Cem, so the mean is 6. By seat it would be ((2 + 9) / 2 + 4 + 6) / 3."""
    columns = ["session", "group", "seat", "participant", "treatment", "points"]
    rows = [(0, "ann", 2.0), (1, "ann", 4.0), (0, "bob", 9.0), (2, "cem", 6.0)]
    frame = pd.DataFrame([("s", 0, seat, code, "open", x) for seat, code, x in rows], None, columns)
    assert st.units(frame, "points").sample("open").tolist() == [6.0]
    nameless = frame.assign(participant="")
    assert st.units(nameless, "points").sample("open").tolist() == [15.5 / 3]
