"""Comparisons of treatments within and across sessions that differ."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mixed_company.analysis import statistics as st
from mixed_company.engine.contract.errors import ConfigError


def sat(**sessions):
    """Return groups from several sessions, given as session -> treatment -> values."""
    rows = [
        (session, group, treatment, value)
        for session, treatments in sessions.items()
        for group, (treatment, value) in enumerate(
            (treatment, value) for treatment, values in treatments.items() for value in values
        )
    ]
    return pd.DataFrame(rows, columns=["session", "group", "treatment", "points"])


MORNING = {"a": [1.0, 2], "b": [4.0, 6]}
EVENING = {"a": [101.0, 103], "b": [104.0, 108]}


def test_within_sessions_by_hand():
    """The differences 5 - 1.5 = 3.5 and 106 - 102 = 4 have the same weight, so the estimate is
    3.75. Of 6 * 6 arrangements the actual one is the highest: 2 / 36. If sessions are pooled, the
    difference of 100 hides the effect.
    """
    data = st.units(sat(morning=MORNING, evening=EVENING), "points")
    result = st.stratified(data)
    assert result.test == "permutation test of means within sessions, exact"
    assert result.effect == 3.75
    assert result.p == result.least_p == pytest.approx(2 / 36)
    assert st.compare(data, "permutation").p > 0.5


def test_weights_follow_from_the_numbers_of_groups():
    """The weights are 2 * 2 / 4 = 1 and 2 * 1 / 3: (1 * 3.5 + 2 / 3 * 2) / (5 / 3) = 2.9."""
    data = st.units(sat(morning=MORNING, evening={"a": [101.0, 103], "b": [104.0]}), "points")
    assert st.stratified(data).effect == pytest.approx(2.9)


def test_drawn_and_exact_p_agree_within_sessions():
    rng = np.random.default_rng(2)
    sessions = {
        name: {"a": rng.normal(size=4), "b": rng.normal(0.8, size=4)} for name in ("m", "n", "o")
    }
    data = st.units(sat(**sessions), "points")
    exact, drawn = st.stratified(data, resamples=400_000), st.stratified(data, resamples=4_000)
    assert "exact" in exact.test
    assert "4000 arrangements drawn" in drawn.test
    assert drawn.p == pytest.approx(exact.p, abs=0.03)
    assert (drawn.low, drawn.high) == pytest.approx((exact.low, exact.high), abs=0.15)
    assert exact.low < exact.effect < exact.high


def test_sessions_with_one_treatment_are_left_out_and_named():
    data = st.units(sat(morning=MORNING, noon={"a": [7.0, 8]}, evening=EVENING), "points")
    result = st.stratified(data)
    assert result.effect == 3.75
    assert result.left_out == ("sessions with one treatment: noon",)
    with pytest.raises(st.NoTest, match="no session has groups of both 'a' and 'b'; compare"):
        st.stratified(st.units(sat(one={"a": [1.0, 2]}, two={"b": [1.0, 2]}), "points"))
    with pytest.raises(ConfigError, match="unit = 'session'; should be 'group'"):
        st.stratified(
            st.units(sat(morning={"a": [1.0]}, noon={"b": [2.0]}), "points", unit="session")
        )


def differing(rng, sessions):
    """Return six groups per treatment without an effect. Sessions differ twice as much as
    groups.
    """
    treatments = ["a" if number < sessions / 2 else "b" for number in range(sessions)]
    return sat(
        **{
            f"s{number}": {treatment: rng.normal(scale=2) + rng.normal(size=12 // sessions)}
            for number, treatment in enumerate(treatments)
        }
    )


@pytest.mark.long
def test_a_test_by_session_keeps_its_level_and_a_test_by_group_does_not():
    """Each treatment has two sessions with three groups each, at a level of 0.1."""
    rng = np.random.default_rng(1)
    wrong = {"group": 0, "session": 0}
    for _ in range(40):
        frame = differing(rng, 4)
        for unit in wrong:
            wrong[unit] += st.compare(st.units(frame, "points", unit=unit), "welch").p <= 0.1
    assert wrong["session"] <= 8
    assert wrong["group"] >= 12
