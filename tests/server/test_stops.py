"""A slider can stop wherever a table of outcomes has a row."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.server.pages.plain import stops


@pytest.mark.parametrize(
    ("game_id", "name", "low", "high", "expected"),
    [
        ("sanctions", "contribution", 0.0, 3.0, [0, 1, 2, 3]),
        ("gem_mining", "mine", 2.0, 5.0, [2, 3, 4, 5]),
        ("sanctions", "contribution", 0.0, float("inf"), []),
        ("sanctions", "contribution", 0.0, 1e9, []),
    ],
)
def test_stops_follow_the_grain(game_id, name, low, high, expected):
    assert stops(engine.make(game_id), name, low, high) == expected


def test_stops_have_no_rounding_errors():
    small = engine.make("sanctions", endowment=0.7, baseline=0.3)  # moves by 0.1
    assert stops(small, "contribution", 0.0, 0.7) == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
