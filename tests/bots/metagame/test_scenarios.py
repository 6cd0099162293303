"""Points of a policy and its background, as a visitor and as a resident, calculated by hand."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.learning.metagame.composition import all_played, compositions, portions
from mixed_company.learning.metagame.scenarios import (
    company,
    scenarios,
    scenarios_csv,
    scenarios_table,
)
from mixed_company.policies import look_in
from tests.bots.trained.models import always, write

pytestmark = pytest.mark.usefixtures("folders_forgotten")


def lake(seats=4):
    return engine.make("commons_game", archetype="lab_0_7", seats=seats, periods=1)


def numbered(policies, seats):
    """Return plays in which a seat earns ten times its number plus its policy's name length."""
    return {
        scenario: np.array([[10.0 * place + len(name) for place, name in enumerate(scenario)]] * 2)
        for scenario in compositions(policies, seats)
    }


def test_returns_are_means_over_the_seats_of_a_policy():
    # in (a, bb, bb, bb) the visitor a earns 1, the others 12, 22, 32; in (bb, a, a, a) the resident
    # a earns 11, 21, 31, the other 2
    game, policies = engine.make("commons_game", archetype="lab_0_7"), ("a", "bb")
    plays = numbered(policies, game.seats)
    bots_known = {"a": set(), "bb": {"a"}}
    every = scenarios(game, policies, plays, bots_known.__getitem__)
    returns = {
        (scenario.focal, scenario.seats): (
            scenario.focal_return.tolist(),
            scenario.background_return.tolist(),
        )
        for scenario in every
    }
    assert returns[("a", 1)] == ([1.0] * 2, [22.0] * 2)
    assert returns[("a", 3)] == ([21.0] * 2, [2.0] * 2)
    assert returns[("bb", 1)] == ([2.0] * 2, [21.0] * 2)
    assert [scenario.held_out for scenario in every] == [True, True, False, False]


def test_with_two_seats_a_visitor_is_also_a_resident():
    game = lake(2)
    every = scenarios(game, ("a", "bb"), numbered(("a", "bb"), 2), lambda spec: set())
    assert [(scenario.focal, scenario.seats) for scenario in every] == [("a", 1), ("bb", 1)]
    assert every[0].focal_return.tolist() == [1.0] * 2
    assert every[0].background_return.tolist() == [12.0] * 2
    assert "as resident" not in scenarios_table(every)


def test_the_table_has_means_over_held_out_backgrounds_only(tmp_path):
    # one period, from a lake of 100: greedy takes its limit of 10, `fixed` 2, the pupil 2.5
    write(tmp_path, always(-0.5, -1.0), aim="own", against="greedy")
    look_in(tmp_path)
    game, policies = lake(), ("fixed", "greedy", "pupil")
    assert company("pupil", game) == {"greedy"}
    assert company("fixed", game) == set()
    plays = all_played(tmp_path / "out", portions(game, policies, 4, 0))
    every = scenarios(game, policies, plays)
    table = scenarios_table(every)
    same = "2.0 ± 0.0 | 6.2 ± 0.0 | 2.0 ± 0.0 | 6.2 ± 0.0"  # (10 + 2.5) / 2
    assert f"| `fixed` | 2 | {same} |" in table
    assert "| `pupil` | 1 | 2.5 ± 0.0 | 2.0 ± 0.0 | 2.5 ± 0.0 | 2.0 ± 0.0 |" in table
    assert table.index("`greedy`") < table.index("`pupil`") < table.index("`fixed`")
    rows = list(csv.DictReader(io.StringIO(scenarios_csv(every))))
    assert len(rows) == 3 * 2 * 2
    rows_of_pupil = [
        row for row in rows if row["focal"] == "pupil" and row["background"] == "greedy"
    ]
    assert [(row["focal_seats"], row["held_out"]) for row in rows_of_pupil] == [
        ("1", "False"),
        ("3", "False"),
    ]
    assert {(row["focal_return"], row["background_return_low"]) for row in rows_of_pupil} == {
        ("2.5", "10.0")
    }


def test_seats_that_learned_together_count_as_trained_with_each_other(tmp_path):
    write(tmp_path, always(-0.5, -1.0), aim="group")
    look_in(tmp_path)
    assert company("pupil", lake()) == {"pupil"}


def test_a_policy_counts_as_trained_with_the_policies_it_learned_to_deter(tmp_path):
    write(tmp_path, always(-0.5, -1.0), aim="group", deviators="greedy,fixed:harvest=6")
    look_in(tmp_path)
    assert company("pupil", lake()) == {"pupil", "greedy", "fixed:harvest=6"}
