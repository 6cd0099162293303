"""Figures and regressions by period for treatments with different bots."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis.report import courses, figures
from mixed_company.analysis.report.measured import Measured
from mixed_company.analysis.report.parts import Figure
from tests.analysis.report.made import played

BOT = "fixed:contribution=0"


def series(measured: Measured, measure: str) -> pd.DataFrame:
    table = courses.series(measured)
    return table[table["measure"] == measure]


@cache
def mixed(person: str, bots: int, groups: int = 1) -> Measured:
    """Return the measures of groups of four people, and of groups with two bots, which contribute
    nothing. If there is one bot, all groups have it."""
    rules = {"game": "sanctions", "groups": groups, "periods": 3}
    four = {"people": [person] * 4, "bots": []}
    fewer = {"people": [person] * (4 - bots), "bots": [BOT] * bots}
    return Measured(
        analysis.joined(
            played(**rules, **(four if bots == 2 else fewer), treatment="zero"),
            played(**rules, **fewer, treatment="other", seed=2),
        )
    )


def drawn(measured: Measured, measure: str) -> Figure:
    rows = series(measured, measure)
    tables = {"measures_periods": measured.periods, "periods_of_people": measured.by_period}
    periods = tables[figures.groups_by_period(rows)]
    return figures.course(measure, rows, periods, measured.data.treatments)


def test_people_who_do_the_same_have_the_same_line_whatever_bots_do() -> None:
    """Over all seats the mean of `other` would be 5."""
    measured = mixed("fixed:contribution=10", 2)
    rows = series(measured, "contribution")
    assert set(rows["mean"]) == {10.0}
    assert set(rows["seats"]) == {"people only"}
    groups = courses.of_people(measured)
    assert set(groups["contribution"]) == {10.0}
    assert sorted(set(groups["period"])) == [1, 2, 3]
    assert set(measured.periods["contribution"]) == {5.0, 10.0}
    figure = drawn(measured, "contribution")
    assert figure.title == "Contribution by period: people only"
    assert figure.tables == ("series", "periods_of_people")
    assert "people only" in figure.svg


def test_a_quantity_of_the_whole_group_is_said_to_include_bots() -> None:
    measured = mixed("fixed:contribution=10", 2)
    rows = series(measured, "trust")
    assert set(rows["seats"]) == {"all seats, including bots"}
    assert measured.by_period["trust"].equals(measured.periods["trust"])
    figure = drawn(measured, "trust")
    assert figure.title == "Trust by period: all seats, including bots"
    assert figure.tables == ("series", "measures_periods")


def test_with_the_same_bots_in_all_treatments_the_line_is_of_all_seats() -> None:
    rows = series(mixed("fixed:contribution=10", 1), "contribution")
    assert set(rows["mean"]) == {7.5}
    assert set(rows["seats"]) == {"all seats, including bots"}


def test_without_bots_nothing_is_said_about_seats() -> None:
    measured = mixed("fixed:contribution=10", 0)
    assert set(series(measured, "contribution")["seats"]) == {""}
    assert drawn(measured, "contribution").title == "Contribution by period"


def test_regressions_have_the_decisions_of_people_only() -> None:
    measured = mixed("random", 2, groups=3)
    rows = measured.data.decisions[measured.data.decisions["decided_by"] == "person"]
    treatment = measured.data.groups.set_index(["session", "group"])["treatment"].astype(str)
    names = treatment.reindex(pd.MultiIndex.from_frame(rows[["session", "group"]])).to_numpy()
    lines = {
        name: np.polyfit(some["period"].astype(float), some["used_contribution"], 1)
        for name, some in rows.groupby(names)
    }
    table = courses.regressions(measured)
    table = table[table["measure"] == "contribution"].set_index("coefficient")
    assert set(table["seats"]) == {"people only"}
    for place, when in enumerate(("per period", "first period")):
        expected = lines["other"][place] - lines["zero"][place]
        assert table.loc[f"other - zero, {when}", "effect"] == pytest.approx(expected)
