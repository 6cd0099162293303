"""Columns for peer points in `decisions` and `pairs`, calculated by hand, and who decided when."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.export import tables_of
from mixed_company.table.export import columns, pair_rows, seat_rows, sent_of, spread, tables
from mixed_company.table.export.played import ROWS, Played
from tests.analysis.audit.tables import play, setup

ZEROS = [0, 0, 0, 0]


def line(assign: list[list[int]], **changes: Any) -> tuple[Any, dict[str, Any]]:
    """Return the game and the line of a period in which seats contribute 0, 5, 10 and 20 of 20.
    `changes` are parameters."""
    peers = {"peer": "punishment", **changes}
    game = engine.make("sanctions", archetype="unsanctioned", **peers)
    sent = {"contribution": [0.0, 5.0, 10.0, 20.0], "assign": assign}
    return game, engine.Episode(game, 7).play_period(sent).to_json()


def test_points_stand_in_pairs_from_both_sides_and_their_sums_in_decisions() -> None:
    """Each gets 0.4 * 35 = 14 from the pool: incomes are 34, 29, 24 and 14. Seats 2 and 3 take 3
    points each for every point from seat 0."""
    game, played = line([ZEROS, ZEROS, [1, 0, 0, 0], [2, 1, 0, 0]])
    rows = seat_rows(game, played)
    assert [row["income"] for row in rows] == pytest.approx([34, 29, 24, 14])
    assert [row["received"] for row in rows] == [3, 1, 0, 0]
    assert [row["reward_peer_cost"] for row in rows] == [0, 0, -1, -3]
    assert [row["reward_peer_received"] for row in rows] == [-9, -3, 0, 0]
    assert [row["reward"] for row in rows] == pytest.approx([25, 26, 23, 11])
    points = {(row["seat"], row["partner"]): row for row in pair_rows(game, played)}
    assert (points[3, 0]["assigned"], points[3, 0]["received"]) == (2, 0)
    assert (points[0, 3]["assigned"], points[0, 3]["received"]) == (0, 2)
    assert points[0, 3]["partner_income"] == pytest.approx(14)
    assert sum(row["assigned"] for row in points.values()) == 4
    assert sent_of(game, rows) == played["sent"]


def test_with_shuffled_names_pairs_have_the_seats_and_where_they_were_shown() -> None:
    game, played = line([[0, 1, 2, 3], ZEROS, ZEROS, ZEROS], peer_names="shuffled")
    order = played["state"]["shown_as"][0]
    assert order != [0, 1, 2, 3]
    mine = [row for row in pair_rows(game, played) if row["seat"] == 0]
    assert [row["assigned"] for row in mine] == [order.index(seat) for seat in (1, 2, 3)]
    assert [row["shown_as"] for row in mine] == [row["assigned"] for row in mine]


@pytest.mark.parametrize("name", ["commons_game", "sanctions"])
def test_every_value_has_a_column_and_what_is_kept_between_stages_has_none(name: str) -> None:
    archetype = {"sanctions": "unsanctioned", "commons_game": "lab"}[name]
    game = engine.make(name, archetype=archetype, peer="both", peer_names="shuffled")
    sent = {"assign": [ZEROS] * 4, "contribution": [1.0] * 4, "harvest": [1.0] * 4}
    fields = {field.name for field in game.declaration.actions}
    changes = {field: value for field, value in sent.items() if field in fields}
    played = engine.Episode(game, 1).play_period(changes).to_json()
    assert set(seat_rows(game, played)[0]) <= set(spread(columns("decisions", game)))
    assert set(pair_rows(game, played)[0]) <= set(spread(columns("pairs", game)))
    listed = {name for table in tables(game) for name in spread(columns(table, game))}
    assert not {column for column in listed if "held" in column or "stage" in column}
    assert not {"after_income", "after_assigned", "after_shown_as", "partner_received"} & listed


def test_without_peer_points_there_are_no_pairs_in_a_game_without_trust() -> None:
    game = engine.make("commons_game", archetype="lab")
    assert "pairs" not in tables(game)
    sent = {"harvest": [1.0] * 4, "contribution": [0.0] * 4}
    assert pair_rows(game, engine.Episode(game, 1).step(sent).to_json()) == []


def test_a_server_exports_pairs_if_one_of_its_groups_has_peer_points() -> None:
    settings = [setup("commons_game"), setup("commons_game", peer="reward")]
    groups = [
        [SimpleNamespace(group=SimpleNamespace(setup=setting.model_dump_json()))]
        for setting in settings
    ]
    assert "pairs" not in tables_of(groups[:1], "commons_game")
    assert "pairs" in tables_of(groups, "commons_game")


def rows_of(**options: Any) -> list[dict[str, Any]]:
    """Return the rows of `decisions` for a group of two people who played on a clock."""
    settings = setup(
        "sanctions",
        archetype="unsanctioned",
        peer="punishment",
        periods=3,
        decision_seconds=6.0,
        peer_seconds=5.0,
        bots="random+antisocial",
        **options,
    )
    table = play(settings, 2, 1, 0.0)
    played = Played({}, settings, table.rows, {}, lambda at_ms: at_ms + 250)
    return list(ROWS["decisions"](played))


def test_the_second_stage_begins_when_the_last_has_decided_and_has_its_own_times() -> None:
    rows = rows_of()
    for row in rows:
        same = [other for other in rows if other["period"] == row["period"]]
        assert row["peer_shown_ms"] == max(other["received_ms"] for other in same)
        assert 0 <= row["peer_at_ms"] - row["peer_shown_ms"] <= 5000
        assert row["peer_wall_ms"] == row["peer_at_ms"] + 250
        bot = row["peer_policy_id"] == "random+antisocial"
        assert row["peer_occupant"] == ("policy" if bot else "person")
        assert row["peer_delay_ms"] == (2000 if bot else "")
    assert {row["peer_by"] for row in rows} >= {"person", "policy"}


def test_a_stage_in_which_seats_decide_in_turn_begins_once_for_all() -> None:
    rows = rows_of(agents={"timing": "sequential"})
    for period in range(3):
        same = [row for row in rows if row["period"] == period]
        assert {row["peer_shown_ms"] for row in same} == {same[-1]["received_ms"]}
