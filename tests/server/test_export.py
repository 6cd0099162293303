"""Rows in the export: values calculated by hand, under their columns, for sessions of different
sizes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import gem_mining
from mixed_company import engine
from mixed_company.server import data_page, played
from mixed_company.server.keeping import storage
from mixed_company.server.play_clock import Stretch
from mixed_company.table.export import OPTIONAL, columns, tables
from mixed_company.table.table import Table
from tests.gem_mining.plays import CERTAIN, A, B, C, play
from tests.table.export.test_columns import HEADER


def test_the_app_exports_the_tables_of_the_game():
    offered = {
        name.removeprefix("custom_export_") for name in vars(gem_mining) if "custom_export" in name
    }
    assert offered == {*tables(engine.make("gem_mining")), *OPTIONAL}
    assert "pairs" not in offered


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return `exported(name, *tables)`, which gives a table of the export with each play in a
    separate session.
    """

    def rows(name: str, *tables: Table) -> list[list[Any]]:
        groups = [
            SimpleNamespace(
                setup=opened.setup.model_dump_json(),
                table="",
                shift_ms=0.0,
                treatment="",
                id_in_subsession=1,
                get_folder_name=lambda: "gem_mining",
                opened=opened,
            )
            for opened in tables
        ]
        players = [
            SimpleNamespace(
                seat=seat,
                group_id=number,
                group=group,
                session=SimpleNamespace(
                    id=number, code=f"session{number}", config={"name": "gems"}
                ),
                participant=SimpleNamespace(code=f"p{number}{seat}"),
                subsession=SimpleNamespace(plan=""),
                get_folder_name=lambda: "gem_mining",
            )
            for number, group in enumerate(groups)
            for seat, chair in enumerate(group.opened.seats)
            if chair.owner
        ]
        monkeypatch.setattr(
            storage,
            "logs_of",
            lambda log, wanted, *_: {key: groups[key].opened.rows for key in wanted},
        )
        monkeypatch.setattr(played, "stretches", lambda _session: [Stretch(0, 10_000, 500)])
        return list(data_page.table(name, players, None, "gem_mining"))

    return rows


def records(exported_rows: list[list[Any]]) -> list[dict[str, Any]]:
    """Return the rows by column, after checking that every row is as long as the header."""
    header, *rows = exported_rows
    assert len(set(header)) == len(header)
    return [dict(zip(header, row, strict=True)) for row in rows]


def values(row: dict[str, Any], prefix: str) -> list[Any]:
    return [value for name, value in row.items() if name.startswith(prefix)]


BASE = [1, 0, 0, 1, 1, 1]


def test_the_rows_are_right_by_hand(exported):
    """Check A, B: a ruby and an emerald, 4 of 7 points. Check B, C: a ruby and two emeralds, the
    best."""
    exported_rows = exported("periods", play((A, B), (B, C)))
    assert exported_rows[0] == HEADER
    first, second = records(exported_rows)
    assert values(first, "after_base_probabilities_") == BASE
    assert values(first, "after_workers_at_") == [2, 3, 0]
    assert values(first, "after_found_") == [True, False, False, True, False, False]
    assert values(first, "after_gems_") == [1, 1]
    assert values(first, "after_purse_") == [1, 1]
    assert values(first, "expected_gems_") == [1, 1]
    assert (first["expected_points"], first["best_expected_points"]) == (4, 7)
    assert first["efficiency"] == pytest.approx(4 / 7)
    assert (first["reward_sum"], first["ended"]) == (8, "")
    assert values(second, "after_base_probabilities_") == BASE
    assert values(second, "after_workers_at_") == [0, 2, 3]
    assert values(second, "after_found_") == [False, False, False, True, True, True]
    assert values(second, "after_gems_") == [1, 2]
    assert values(second, "after_purse_") == [2, 3]
    assert (second["expected_points"], second["efficiency"]) == (7, 1)
    assert (second["reward_sum"], second["ended"]) == (14, "horizon")
    assert [row["wall_ms"] - row["settled_ms"] for row in (first, second)] == [500, 500]


def test_a_missing_value_is_empty(exported):
    [row] = records(exported("periods", play((A, B), weights=[0, 0])))
    assert row["efficiency"] == ""
    assert (row["expected_points"], row["best_expected_points"]) == (0, 0)
    assert values(row, "expected_gems_") == [1, 1]


THREE: dict[str, Any] = {
    "seats": 3,
    "instance": {
        "reach": [2, 2, 2],
        "workers": [5, 6, 7],
        "base_probabilities": [[0, 1], [1, 0], [0, 0], [1, 1]],
    },
}
"""Three villages have four mines, and all parameters differ from those for the two villages."""


@pytest.mark.parametrize("more_first", [True, False])
def test_sessions_of_different_sizes_have_all_columns_and_no_row_is_shifted(exported, more_first):
    two, three = play((A, B), (B, C)), play((A, B, 3), **THREE)
    together = exported("periods", *((three, two) if more_first else (two, three)))
    header = together[0]
    for opened in (two, three):
        assert set(exported("periods", opened)[0]) <= set(header)
    assert len(header) == len(HEADER) + 5  # of mine D: two chances, workers, two finds
    rows = records(together)
    of_two, of_three = (rows[1:], rows[:1]) if more_first else (rows[:2], rows[2:])
    for opened, expected in ((two, of_two), (three, of_three)):
        for alone, row in zip(records(exported("periods", opened)), expected, strict=True):
            same = [name for name in alone if name not in ("session", "group_id")]
            assert {name: row[name] for name in same} == {name: alone[name] for name in same}
            assert {row[name] for name in set(header) - set(alone)} <= {""}
    assert of_two[0]["after_workers_at_3"] == ""
    assert of_two[0]["after_found_3_1"] == ""
    [row] = of_three
    assert [row[f"after_workers_at_{mine}"] for mine in range(4)] == [5, 6, 0, 7]
    assert [row[f"after_found_{mine}_1"] for mine in range(4)] == [True, False, False, True]
    assert row["ended"] == "horizon"


def test_sessions_with_more_kinds_have_their_own_columns_of_gems(exported):
    base = [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    instance = {**CERTAIN["instance"], "base_probabilities": base}
    three = play((A, B), gem_types=3, weights=[1, 2, 4], instance=instance)
    first, second = records(exported("periods", play((A, B)), three))
    assert [first[f"after_gems_{kind}"] for kind in range(3)] == [1, 1, ""]
    assert [second[f"after_gems_{kind}"] for kind in range(3)] == [0, 1, 1]
    assert [first[f"expected_gems_{kind}"] for kind in range(3)] == [1, 1, ""]
    assert [second[f"expected_gems_{kind}"] for kind in range(3)] == [0, 1, 1]
    assert (first["expected_points"], second["expected_points"]) == (4, 6)


def test_decisions_of_different_kinds_have_a_part_of_the_reward_for_each(exported):
    base = [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    instance = {**CERTAIN["instance"], "base_probabilities": base}
    three = play((A, B), gem_types=3, weights=[1, 2, 4], instance=instance)
    rows = records(exported("decisions", play((A, B)), three))
    assert [row["used_mine"] for row in rows] == [0, 1, 0, 1]
    assert [row["after_workers"] for row in rows] == [2, 3, 2, 3]
    parts = [[row[f"reward_gem_{kind}"] for kind in range(3)] for row in rows]
    assert parts == [[1, 3, ""]] * 2 + [[0, 2, 4]] * 2


def test_a_session_without_a_group_has_the_unchanged_columns_of_the_game(exported):
    [header] = exported("periods")
    game = engine.make("gem_mining")
    assert header == [name for column in columns("periods", game) for name in column.names()]
