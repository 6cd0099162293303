"""Measures of the stock."""

from __future__ import annotations

import pytest

from mixed_company.analysis.games.commons_game.sustainability import (
    catch_over_msy,
    collapsed,
    final_stock,
    periods_survived,
    stock_over_msy,
    stock_share,
)
from tests.analysis.measures.played import played, values


def commons(*harvests, **changes):
    periods = [{"harvest": [harvest] * 4, "contribution": [0] * 4} for harvest in harvests]
    return played("commons_game", periods, archetype="lab_0_7", **changes)


def test_greed_in_the_lab_by_hand():
    # 100 - 40 = 60; 60 + 0.4 * 60 * 0.4 - 40 = 29.6; all of it is taken and 0.4 * 29.6 * 0.704
    # grow: 8.33536 < 10, a collapse in the third period. K/2 = 50 grows fastest, by 10.
    data = commons(10, 10, 10)
    assert values(periods_survived, data) == [3]
    assert values(collapsed, data) == [1]
    assert values(final_stock, data) == pytest.approx([8.33536])
    assert values(stock_share, data, "period") == pytest.approx([0.6, 0.296, 0.0833536])
    assert values(stock_share, data, "group") == pytest.approx([0.9793536 / 3])
    assert values(stock_over_msy, data, "period") == pytest.approx([1.2, 0.592, 0.1667072])
    assert values(stock_over_msy, data, "group") == pytest.approx([1.9587072 / 3])
    assert values(catch_over_msy, data, "period") == pytest.approx([4, 4, 2.96])
    assert values(catch_over_msy, data, "group") == pytest.approx([10.96 / 3])


def test_an_untouched_stock_survives_all_periods_played():
    data = commons(0, 0)
    assert values(periods_survived, data) == [2]
    assert values(collapsed, data) == [0]
    assert values(final_stock, data) == [100]
    assert values(stock_share, data, "group") == [1]
    assert values(catch_over_msy, data, "group") == [0]


def test_survival_ends_at_the_collapse_even_if_play_goes_on():
    data = commons(10, 10, 10, 0, 0, terminate_on_collapse=False)
    assert values(periods_survived, data) == [3]
    assert values(collapsed, data) == [1]


def test_linear_growth_yields_the_same_at_any_stock():
    # 5 grow in every period: a harvest of 4 * 1 is 0.8 of that, and only K sustains it.
    data = commons(1, growth="linear", growth_rate=5)
    assert values(catch_over_msy, data, "group") == pytest.approx([0.8])
    assert values(stock_over_msy, data, "group") == [1]  # 100 - 4 + 5, at most 100


def test_the_sustainable_yield_is_missing_without_growth_or_under_drift():
    drifting = {"uncertainty": {"intensity": 1, "drift": {"growth_rate": 0.1}}}
    scaled = {"interaction": {"intensity": 1, "externality": 2}}
    assert values(catch_over_msy, commons(1, growth_rate=0), "group") == [None]
    assert values(catch_over_msy, commons(1, layers=drifting), "group") == [None]
    assert values(catch_over_msy, commons(1, layers=scaled), "period") == [None]
    assert values(stock_over_msy, commons(1, layers=drifting), "group") == pytest.approx([1.92])
