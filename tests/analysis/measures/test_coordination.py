"""Distribution of villages over the mines."""

from __future__ import annotations

import math

import pytest

from mixed_company import analysis
from mixed_company.analysis import measures
from mixed_company.analysis.games.gem_mining import coordination
from mixed_company.analysis.games.gem_mining.coordination import (
    best_choices,
    crowding,
    excess_crowding,
    pareto_distance,
)
from mixed_company.analysis.measures import Plays
from mixed_company.engine.solutions import gem_mining as solutions
from tests.analysis.measures.played import played, values

RULES = {
    "seats": 2,
    "max_connectivity": 2,
    "worker_bonus": 1.0,
    "weights": (1, 2),
    "instance": {
        "reach": (2, 2),
        "workers": (1, 1),
        "base_probabilities": ((0.3, 0.0), (0.4, 0.1), (0.0, 0.5)),
    },
}
"""Two villages: village 0 reaches mines 0 and 1, village 1 mines 1 and 2. Expected points:

    0 and 1   (0.7, 0.1)   0.9 points, on the front
    0 and 2   (0.3, 0.5)   1.3 points, beaten by (0.4, 0.6)
    1 and 1   (0.4, 0.1)   0.6 points: two workers find no more than one
    1 and 2   (0.4, 0.6)   1.6 points, the best, on the front
"""


def gems(*choices, **changes):
    rules = RULES | {"periods": len(choices)} | changes
    return played("gem_mining", [{"mine": choice} for choice in choices], **rules)


ALL = ([0, 1], [0, 2], [1, 1], [1, 2])


def test_the_share_of_choices_in_the_best_joint_choice():
    data = gems(*ALL)
    assert values(best_choices, data, "period") == [0, 0.5, 0.5, 1]
    assert values(best_choices, data, "person") == [0.5, 0.5]
    assert values(best_choices, data, "group") == [0.5]


def test_the_share_of_villages_that_meet():
    data = gems(*ALL)
    assert values(crowding, data, "period") == [0, 0, 1, 0]
    assert values(crowding, data, "person") == [0.25, 0.25]
    assert values(excess_crowding, data, "period") == [0, 0, 1, 0]
    assert values(excess_crowding, data, "group") == [0.25]


def test_meeting_is_no_excess_if_it_is_best():
    # Two at mine 1 find 0.4 * 2 = 0.8, more than 0.4 + 0.2 apart.
    instance = {"reach": (2, 2), "workers": (1, 1), "base_probabilities": ((0.2,), (0.4,), (0.2,))}
    options = {"instance": instance, "gem_types": 1, "weights": None, "worker_bonus": 2.0}
    data = gems([1, 1], [0, 1], **options)
    assert values(best_choices, data, "period") == [1, 0.5]
    assert values(excess_crowding, data, "period") == [0, -1]


def test_the_distance_to_the_front_in_points():
    # (0.3, 0.5) is 0.1 and 0.1 short of (0.4, 0.6): sqrt(0.1^2 + (2 * 0.1)^2). (0.4, 0.1) is 0.3 of
    # the first type short of (0.7, 0.1), and 2 * 0.5 of the second short of (0.4, 0.6): 0.3 is
    # nearer.
    data = gems(*ALL)
    assert values(pareto_distance, data, "period") == pytest.approx([0, math.sqrt(0.05), 0.3, 0])
    assert values(pareto_distance, data, "group") == pytest.approx([(math.sqrt(0.05) + 0.3) / 4])


def test_worthless_gems_do_not_affect_the_front():
    # With only the second type the maximum is 0.6: 0.1 / 0.5 / 0.1 / 0.6 are expected.
    data = gems(*ALL, weights=(0, 1))
    assert values(pareto_distance, data, "period") == pytest.approx([0.5, 0.1, 0.5, 0])
    assert values(pareto_distance, gems(*ALL, weights=(0, 0)), "group") == [None]


def test_measures_that_need_too_long_a_search_are_missing(monkeypatch):
    monkeypatch.setattr(solutions, "MOST_STEPS", 0)
    data = gems(*ALL)
    for measure in (best_choices, excess_crowding, pareto_distance):
        assert values(measure, data, "group") == [None]
        assert values(measure, data, "period") == [None] * 4
    assert values(crowding, data, "group") == [0.25]
    assert measures.groups(data)["efficiency"].isna().all()


def test_villages_that_are_out_are_left_out_of_mines_and_the_best():
    # Village 0 is out from period 1 on: mine 2 is best for village 1, worth 1 point of 0.6.
    options = {"leaving": {1: [0]}, "agents": {"may_leave": True}}
    data = gems([1, 2], [1, 1], [1, 2], **options)
    assert values(best_choices, data, "period") == [1, 0, 1]
    assert values(crowding, data, "period") == [0, 0, 0]
    assert values(pareto_distance, data, "period")[2] == pytest.approx(0)


@pytest.mark.long
def test_changing_chances_are_taken_from_their_period():
    options = {"groups": 20, "seed": 3, "archetype": "open_book"}
    data = analysis.simulated("gem_mining", ["random"] * 4, **options)
    table = measures.periods(data)
    best = table["best_choices"] == 1
    assert best.any()
    assert table.loc[best, "efficiency"].tolist() == pytest.approx([1] * best.sum())
    assert table.loc[best, "pareto_distance"].tolist() == pytest.approx([0] * best.sum())


def test_one_period_with_too_long_a_search_makes_the_group_missing_but_not_others(monkeypatch):
    original, calls = coordination.best_of_play, []

    def second_too_long(core, state):
        calls.append(core)
        return None if len(calls) == 2 else original(core, state)

    monkeypatch.setattr(coordination, "best_of_play", second_too_long)
    data = gems(*ALL)
    for measure in (best_choices, excess_crowding):
        calls.clear()
        plays = Plays(data)
        assert values(measure, plays, "group") == [None]
        missing = [value is None for value in values(measure, plays, "period")]
        assert missing == [False, True, False, False]
    assert values(best_choices, plays, "person") == [None] * 2
