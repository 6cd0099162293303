"""Points for answers that are not numbers are reported as a problem and never raise an error."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.analysis.audit import people


@pytest.mark.parametrize(("prizes", "points"), [("", 10.0), (2.5, 12.5), ("many", 10.0)])
def test_points_of_answers_count_only_if_they_are_numbers(monkeypatch, prizes, points):
    earned = {"points": 10.0, "seat_points": 10.0, "bot_share": 0.0}
    monkeypatch.setattr(people, "credited", lambda played, seat: earned)
    group: Any = SimpleNamespace(played=None, option=lambda name, default: default)
    rules = people._by_rules(group, {"seat": 0, "question_points": prizes})
    assert rules["paid_points"] == points
