"""Journal entries for heartbeats, and how they are stored."""

from __future__ import annotations

from tests.table.plays import SECOND, act, open_table, rows


def test_signs_of_life_are_written_once_before_the_next_entry() -> None:
    """Both are present at 1 s. The server then hears from seat 0 at 2 s and from seat 1 at 3 s, the
    last time."""
    table = open_table([0, 1], decision_seconds=20)
    for seat in (0, 1):
        table.hear(seat, SECOND)
    table.take_rows()
    table.hear(0, 2 * SECOND)
    table.hear(1, 3 * SECOND)
    act(table, 0, 4 * SECOND)
    assert [row["kind"] for row in table.rows] == ["seen", "act"]
    assert table.rows[0] == {"kind": "seen", "at_ms": 4000, "seats": [[0, 4000], [1, 3000]]}
    table.take_rows()
    table.hear(1, 5 * SECOND)
    assert rows(table, "seen") == []
    assert table.take_rows() == [{"kind": "seen", "at_ms": 5000, "seats": [[1, 5000]]}]
    assert table.take_rows() == []


def test_a_message_of_a_person_is_in_the_journal_as_it_arrived() -> None:
    table = open_table([0, 1], decision_seconds=20)
    for seat in (0, 1):
        table.hear(seat, 0)
    act(table, 0, SECOND, harvest=4)
    assert rows(table, "act") == [
        {
            "kind": "act",
            "at_ms": SECOND,
            "seat": 0,
            "id": "seat 0 period 0",
            "period": 0,
            "action": {"harvest": 4, "contribution": 0.0},
        }
    ]


def test_a_snapshot_has_no_unneeded_space() -> None:
    assert ": " not in open_table([0]).to_json()
    assert ", " not in open_table([0], bots="sustainable").to_json()
