"""Tests of the results page of gem mining: summary, tables and picture, calculated by hand and by
brute force.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.games.gem_mining import Instance
from mixed_company.engine.solutions.gem_mining import pareto_set
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.table import Table
from tests.gem_mining.plays import CERTAIN, A, B, C, D, play, summary

guide = guide_of("gem_mining")


TWO = ((A, B), (B, C), (B, B))
# Finds are certain: a ruby and an emerald (4 points), a ruby and two emeralds (7: the best), an
# emerald (3). The total is 2 rubies and 4 emeralds, 14 points of 3 * 7 = 21.

ONE_CHANCE: dict[str, Any] = {
    "seats": 2,
    "max_connectivity": 2,
    "gem_types": 1,
    "weights": [2],
    "truncation": 1,
    "worker_bonus": 1,
    "instance": {"reach": [2, 2], "workers": [1, 1], "base_probabilities": [[0], [0.25], [0]]},
}
"""A ruby is worth 2 points and has a chance of a quarter at mine B, so half a point is expected."""


def seed_with(gems: int) -> int:
    """Return a seed that gives this number of rubies in the only period."""
    return next(
        seed
        for seed in range(100)
        if play((B, B), seed=seed, **ONE_CHANCE).episode.state_record()["purse"] == [gems]
    )


# -- the summary ------------------------------------------------------------------------------


def test_the_summary_adds_up_by_hand():
    table = play(*TWO)
    for seat in (0, 1):
        assert summary(table, seat) == [
            "Your team found 2 rubies and 4 emeralds, worth 14 points to every village.",
            "With the mines it chose, your team could expect 66.7% of the best possible result.",
            "Overall, luck made no difference.",
            "Your team made the best joint choice, or an equally good one, in 1 of 3 periods.",
            "Of the best joint choices, this one is closest to what your team did: "
            f"{('Village 1 (you)', 'Village 1')[seat]} to Mine B and "
            f"{('Village 2', 'Village 2 (you)')[seat]} to Mine C.",
            # an emerald at B, worth 3, and one of each kind at C
            f"It earns every village 7 points per period, {(3, 4)[seat]} of them from your mine.",
        ]
    assert [chair.points for chair in table.seats] == [14, 14]


ALIKE: dict[str, Any] = {
    "gem_types": 1,
    "weights": [1],
    "worker_bonus": 0,
    "instance": {"reach": [2, 2], "workers": [1, 1], "base_probabilities": [[1], [1], [1]]},
}
"""In each of three mines a ruby is certain, but two workers together find nothing, so three joint
choices are best.
"""


@pytest.mark.parametrize(
    ("went", "first", "second"),
    [
        (((B, C), (B, C), (A, B)), "B", "C"),
        (((A, B), (B, B), (A, B)), "A", "B"),
        (((A, C), (A, C), (B, C)), "A", "C"),
    ],
)
def test_of_equally_good_joint_choices_the_one_closest_to_the_play_is_named(went, first, second):
    table = play(*went, **ALIKE)
    assert summary(table, 1)[-2] == (
        "Of the best joint choices, this one is closest to what your team did: "
        f"Village 1 to Mine {first} and Village 2 (you) to Mine {second}."
    )
    rows = tables(table)["Best joint choice"]["rows"]
    assert [row[1] for row in rows] == [f"Mine {first}", f"Mine {second}"]


def test_a_best_joint_choice_counts_even_if_it_is_not_the_one_named():
    assert summary(play((A, B), (B, C), (B, B), **ALIKE))[-3] == (
        "Your team made the best joint choice, or an equally good one, in 2 of 3 periods."
    )


def test_of_many_villages_a_sentence_names_only_your_mine():
    villages = 7
    instance = {
        "reach": [2] * villages,
        "workers": [1] * villages,
        "base_probabilities": [[1]] * (villages + 1),
    }
    table = play(tuple(range(villages)), **{**ALIKE, "seats": villages, "instance": instance})
    assert summary(table, 3)[-2:] == [
        "Of the best joint choices, this one is closest to what your team did: Village 4 (you) to "
        "Mine D.",
        "It earns every village 7 points per period, 1 of them from your mine.",
    ]


def test_one_gem_is_in_the_singular():
    assert summary(play((A, B)))[0] == (
        "Your team found 1 ruby and 1 emerald, worth 4 points to every village."
    )


def test_one_point_is_in_the_singular():
    text = " ".join(summary(play((B, B), weights=[1, 1])))  # an emerald
    assert "worth 1 point to every village" in text
    assert "1 points" not in text


def test_the_summary_of_a_team_that_found_nothing():
    # only A has gems, and no village goes there
    changes = {"instance": {**CERTAIN["instance"], "base_probabilities": [[1, 1], [0, 0], [0, 0]]}}
    assert summary(play((B, C), **changes))[:3] == [
        "Your team found 0 rubies and 0 emeralds, worth 0 points to every village.",
        "With the mines it chose, your team could expect 0% of the best possible result.",
        "Overall, luck made no difference.",
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"weights": [0, 0]},
        {"truncation": 0},
        {"instance": {**CERTAIN["instance"], "base_probabilities": [[0, 0]] * 3}},
    ],
)
def test_if_nothing_could_be_earned_the_team_is_not_compared(changes):
    lines = summary(play((A, B), **changes))
    assert len(lines) == 1
    assert lines[0].endswith("worth 0 points to every village.")


@pytest.mark.parametrize(
    ("gems", "finds", "points", "chance"),
    [
        (1, "1 ruby", "2", "Good luck gave every village 1.50 extra points."),
        (0, "0 rubies", "0", "Bad luck cost every village 0.50 points."),
    ],
)
def test_the_effect_of_chance_is_shown(gems, finds, points, chance):
    assert summary(play((B, B), seed=seed_with(gems), **ONE_CHANCE))[:3] == [
        f"Your team found {finds}, worth {points} points to every village.",
        "With the mines it chose, your team could expect 100% of the best possible result.",
        chance,
    ]


def test_the_expected_points_use_weights_and_bonus():
    # B with 5 workers: 0.1 * 1.5^4 = 0.50625 emeralds, 1.51875 points. Best: B, C with 0.1 * 1.5
    # = 0.15 emeralds at B, 1 ruby of chance 0.1 * 1.5^2 = 0.225 and as many emeralds at C:
    # 0.225 + 3 * 0.375 = 1.35. So B, B is the best.
    base = [[0.1, 0], [0, 0.1], [0.1, 0.1]]
    changes = {"instance": {**CERTAIN["instance"], "base_probabilities": base}}
    for went, expected, share in (((B, B), 1.51875, "100"), ((B, C), 1.35, "88.9")):
        table = play(went, **changes)
        assert f"your team could expect {share}% of the best" in summary(table)[1]
        bar = guide.picture(*both(table), 0)["bar"]
        assert (bar["expected"], bar["best"]) == (pytest.approx(expected), pytest.approx(1.51875))


def test_there_is_no_summary_before_the_first_period_is_over():
    table = play()
    assert summary(table) == []
    assert guide.details(table, table.rows, 0) == []
    picture = guide.picture(table, table.rows, 0)
    assert (picture["bar"], picture["fronts"]) == (None, [])


def test_the_results_are_the_same_after_the_table_is_stored_and_reloaded():
    table = play(*TWO)
    again = Table.from_json(table.setup, table.to_json())
    assert guide.summary(again, table.rows, 1) == summary(table, 1)
    assert guide.details(again, table.rows, 1) == guide.details(table, table.rows, 1)
    assert guide.picture(again, table.rows, 0) == guide.picture(table, table.rows, 0)


@pytest.mark.parametrize("gems", [0, 1])
def test_the_bar_shows_the_found_the_expected_and_the_best_points(gems):
    # a ruby is worth 2 points and has a chance of a quarter; no mine is better
    table = play((B, B), seed=seed_with(gems), **ONE_CHANCE)
    bar = guide.picture(*both(table), 0)["bar"]
    assert bar == {"earned": 2.0 * gems, "expected": 0.5, "best": 0.5}


def test_the_bar_of_a_whole_play_adds_up_its_periods():
    assert guide.picture(*both(play(*TWO)), 0)["bar"] == {"earned": 14, "expected": 14, "best": 21}
    course = guide.picture(*both(play(*TWO)), 0)["course"]
    assert course == {"best": {"name": "The most you could expect", "points": [7, 14, 21]}}


# -- the tables ---------------------------------------------------------------------------------


def tables(table: Table, seat: int = 0) -> dict[str, dict[str, Any]]:
    return {detail["title"]: detail for detail in guide.details(table, table.rows, seat)}


def test_the_tables_are_right_by_hand():
    villages, mines, periods = guide.details(play(*TWO), play(*TWO).rows, 1)
    assert villages == {
        "title": "Best joint choice",
        "heads": ["Village", "Mine", "points from this mine", "periods there", "most often at"],
        "rows": [
            ["Village 1", "Mine B", "3", "2 / 3", "Mine B (2)"],
            ["Village 2 (you)", "Mine C", "4", "1 / 3", "Mine B (2)"],
        ],
    }
    # A was mined once, B in all periods, C once
    assert mines == {
        "title": "Chances of finding gems, with one worker",
        "heads": ["Mine", "ruby, %", "emerald, %", "periods mined", "rubies found",
                  "emeralds found"],
        "rows": [
            ["Mine A", "100", "0", "1", "1", "0"],
            ["Mine B", "0", "100", "3", "0", "3"],
            ["Mine C", "100", "100", "1", "1", "1"],
        ],
    }  # fmt: skip
    assert periods == {
        "title": "Period by period",
        "heads": ["Period", "your mine", "rubies", "emeralds", "points expected", "% of the best"],
        "rows": [
            [1, "Mine B", "1", "1", "4", "57.1"],  # 4 / 7
            [2, "Mine C", "1", "2", "7", "100"],
            [3, "Mine B", "0", "1", "3", "42.9"],
        ],
    }


def test_each_village_sees_its_own_choices():
    table = play(*TWO)
    for seat, mines in ((0, ["Mine A", "Mine B", "Mine B"]), (1, ["Mine B", "Mine C", "Mine B"])):
        assert [row[1] for row in tables(table, seat)["Period by period"]["rows"]] == mines
    first, second = tables(table, 0)["Best joint choice"]["rows"]
    assert (first[0], second[0]) == ("Village 1 (you)", "Village 2")


def test_an_undefined_share_is_left_empty():
    table = play((A, B), weights=[0, 0])
    assert tables(table)["Period by period"]["rows"] == [[1, "Mine A", "1", "1", "0", ""]]


@pytest.mark.parametrize("kinds", [1, 3])
def test_every_kind_has_its_own_columns(kinds):
    base = [[1] * kinds] * 3
    table = play(
        (A, C),
        gem_types=kinds,
        weights=[1] * kinds,
        instance={**CERTAIN["instance"], "base_probabilities": base},
    )
    details_by_title = tables(table)
    assert (
        len(details_by_title["Chances of finding gems, with one worker"]["heads"]) == 2 + 2 * kinds
    )
    assert details_by_title["Period by period"]["rows"] == [
        [1, "Mine A", *["2"] * kinds, str(2 * kinds), "100"]
    ]


@pytest.mark.parametrize("archetype", ["lab_0_7", "momaland_42"])
def test_every_column_of_the_tables_has_a_heading(archetype):
    game = engine.make("gem_mining", archetype=archetype, periods=2)
    changes = game.config.core.model_dump(mode="json")
    went = tuple(range(game.seats))
    table = play(went, went, **changes)
    details = guide.details(table, table.rows, 0)
    assert [len(detail["rows"]) for detail in details] == [game.seats, game.core.mines, 2]
    for detail in details:
        assert {len(row) for row in detail["rows"]} == {len(detail["heads"])}


def test_the_chances_of_one_worker_are_shown_as_used():
    """The limit cuts the chance of a ruby at A from 100% to 40%."""
    table = play((A, B), truncation=0.4)
    row = tables(table)["Chances of finding gems, with one worker"]["rows"][A]
    assert row[:2] == ["Mine A", "40"]


# -- the picture --------------------------------------------------------------------------------

SHARED: dict[str, Any] = {
    "seats": 3,
    "max_connectivity": 3,
    "worker_bonus": 1.5,
    "truncation": 1,
    "instance": {
        "reach": [2, 3, 2],
        "workers": [1, 2, 3],
        "base_probabilities": [[0.25, 0.0], [0.5, 0.125], [0.0, 0.25], [0.125, 0.5], [0.0, 1.0]],
    },
}
"""Game with three villages and five mines, exact in binary, with 2 * 3 * 2 = 12 joint choices."""


def every_vector(changes: dict[str, Any]) -> list[tuple[float, ...]]:
    """Return the expected gems of each joint choice, computed by the formula mine by mine."""
    instance = changes["instance"]
    vectors = []
    for choice in itertools.product(*(range(i, i + r) for i, r in enumerate(instance["reach"]))):
        total = [0.0] * len(instance["base_probabilities"][0])
        for mine, base in enumerate(instance["base_probabilities"]):
            workers_there = sum(
                w for w, to in zip(instance["workers"], choice, strict=True) if to == mine
            )
            for kind, chance in enumerate(base):
                if workers_there:
                    total[kind] += min(changes["truncation"], chance * 1.5 ** (workers_there - 1))
        vectors.append(tuple(total))
    return vectors


def unbeaten(vectors: list[tuple[float, ...]]) -> list[list[float]]:
    """Return the distinct non-dominated vectors, sorted by their first number, largest first."""
    kept = {
        vector
        for vector in vectors
        if not any(
            other != vector and all(x >= y for x, y in zip(other, vector, strict=True))
            for other in vectors
        )
    }
    return [list(kept_vector) for kept_vector in sorted(kept, reverse=True)]


def test_the_picture_is_right_by_hand():
    table = play(*TWO)
    [front] = guide.picture(table, table.rows, 0)["fronts"]
    assert front == {
        "kinds": [0, 1],
        "front": [[2, 1], [1, 2]],  # A, C and B, C; 1, 1 and 0, 1 are dominated
        "best": [1, 2],
        "periods": [[1, 1], [1, 2], [0, 1]],
        "team": [2 / 3, 4 / 3],
        "found": [2 / 3, 4 / 3],
    }


def test_three_kinds_are_shown_in_pairs_regardless_of_the_third():
    base = [[0.25, 0, 0.5], [0.5, 0.125, 0], [0, 0.25, 0.125], [0.125, 0.5, 0.25], [0, 1, 0.0625]]
    settings = {**SHARED, "instance": {**SHARED["instance"], "base_probabilities": base}}
    table = play((A, C, D), (B, B, C), gem_types=3, **{**settings, "weights": [1, 3, 2]})
    fronts = guide.picture(table, table.rows, 0)["fronts"]
    assert [front["kinds"] for front in fronts] == [[0, 1], [1, 2]]
    every = every_vector(settings)
    for front in fronts:
        j, k = front["kinds"]
        assert front["front"] == unbeaten([(vector[j], vector[k]) for vector in every])
    best = max(every, key=lambda front: front[0] + 3 * front[1] + 2 * front[2])
    assert [front["best"] for front in fronts] == [list(best[:2]), list(best[1:])]


def test_the_team_is_drawn_at_its_mean_expected_gems_not_at_its_finds():
    table = play((A, B, C), (B, B, C), (A, D, D), **SHARED, seed=3)
    [front] = guide.picture(table, table.rows, 0)["fronts"]
    # A, B, C with 1, 2, 3 workers: 1/4 and 3/4 rubies; 0.125 * 1.5 + 0.25 * 2.25 = 0.75 emeralds.
    # B with 3, C with 3: 0.5 * 2.25 is cut to 1; 0.125 * 2.25 + 0.5625 = 0.84375.
    # A with 1, D with 5: 0.25 + 0.125 * 5.0625 = 0.8828125; 0.5 * 5.0625 is cut to 1.
    wanted = [[1.0, 0.75], [1.0, 0.84375], [0.8828125, 1.0]]
    assert front["periods"] == wanted
    assert front["team"] == pytest.approx(np.mean(wanted, axis=0))
    gems = [row["state"]["gems"] for row in table.rows if row["kind"] == "period"]
    assert front["found"] == pytest.approx(np.mean(gems, axis=0))
    assert front["found"] != pytest.approx(front["team"])


def test_one_kind_has_no_picture():
    assert guide.picture(*both(play((B, B), **ONE_CHANCE)), 0)["fronts"] == []


def both(table: Table) -> tuple[Table, list[dict[str, Any]]]:
    return table, table.rows


def wide(reach: int, villages: int = 20) -> Table:
    """Return a play of villages with this reach, after a period in which each chose its first
    mine."""
    changes = {"seats": villages, "min_connectivity": reach, "max_connectivity": reach}
    return play(tuple(range(villages)), **changes, instance=None)


@pytest.mark.long
def test_twenty_villages_that_reach_six_mines_are_solved_and_drawn():
    table = wide(6)
    assert len(guide.picture(*both(table), 0)["fronts"]) == 1
    assert "% of the best possible result" in summary(table)[1]
    assert len(guide.details(table, table.rows, 0)) == 3


@pytest.mark.parametrize("reach", [7, 10])
def test_the_best_is_left_out_if_the_search_would_take_the_server_too_long(reach):
    table = wide(reach)
    picture = guide.picture(*both(table), 0)
    assert (picture["bar"]["best"], picture["fronts"]) == (None, [])
    assert picture["course"] == {"best": None}
    [line] = summary(table)
    assert line.startswith("Your team found ")
    mines, periods = guide.details(table, table.rows, 0)
    assert mines["title"] == "Chances of finding gems, with one worker"
    [row] = periods["rows"]
    assert row[:2] == [1, "Mine A"]
    assert float(row[-2]) > 0  # points expected
    assert row[-1] == ""  # % of the best


def test_two_villages_are_drawn_however_wide_their_reach():
    assert len(guide.picture(*both(wide(10, villages=2)), 0)["fronts"]) == 1


def test_the_picture_of_the_published_game_is_its_pareto_set():
    changes = engine.make("gem_mining", archetype="momaland_42").core.model_dump(mode="json")
    table = play(tuple(range(20)), **changes)
    [front] = guide.picture(table, table.rows, 0)["fronts"]
    fields = changes["instance"]
    instance = Instance(*(np.array(fields[name]) for name in fields), 0.9, 1.03)
    assert front["front"] == [point.rewards.tolist() for point in pareto_set(instance)]
    assert len(front["front"]) > 50


def test_if_chances_change_no_choice_is_called_the_best_throughout():
    shocks = {"uncertainty": {"intensity": 1.0, "shocks": {"base_probabilities": 0.2}}}
    for play_table in (play((A, B), layers=shocks), play((A, B), (B, C), layers=shocks)):
        assert guide.picture(play_table, play_table.rows, 0)["fronts"] == []
        [table] = guide.details(play_table, play_table.rows, 0)
        assert table["title"] == "Period by period"
