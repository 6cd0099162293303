"""Messages to people and log entries that follow from the manager's actions."""

from __future__ import annotations

from mixed_company.table.directives import Directive
from mixed_company.table.exchange import managed
from tests.table.managing.tables import DAY, manage, two
from tests.table.plays import SECOND, rows, view

# -- messages -------------------------------------------------------------------------------------


def test_a_message_is_shown_to_its_recipients_even_after_a_reload() -> None:
    table = two()
    _, views = managed(table, Directive("message", "m", 1, text="Hurry up."), SECOND, 100)
    assert list(views) == [1]
    assert view(table, 1, DAY)["note"] == {"id": "m", "text": "Hurry up."}
    assert "note" not in view(table, 0, DAY)
    _, views = managed(table, Directive("message", "n", text="All."), SECOND, 100)
    assert list(views) == [0, 1]


def test_nobody_else_sees_anything_when_a_seat_is_handed_over() -> None:
    """A view that nobody requested would reveal that a player has become a bot."""
    table = two(bot_delay="fixed:seconds=5")
    _, views = managed(table, Directive("stand_in", "a", 1), SECOND, 100)
    assert list(views) == [1]


# -- events ---------------------------------------------------------------------------------------


def test_an_event_names_the_seat_it_concerns_or_none_if_it_concerns_all() -> None:
    table = two()
    manage(table, "extend", 1 * SECOND, ms=SECOND)
    manage(table, "message", 1 * SECOND, seat=1, text="Hello.")
    manage(table, "message", 1 * SECOND, text="All.")
    logged = [{**row, "kind": "", "at_ms": 0} for row in rows(table, "event")]
    plain = {"kind": "", "at_ms": 0, "period": 0}
    assert logged == [
        {**plain, "event": "extended", "extra_ms": SECOND},
        {**plain, "event": "message", "seat": 1, "text": "Hello."},
        {**plain, "event": "message", "text": "All."},
    ]


def test_every_directive_is_an_event_with_its_details() -> None:
    table = two(dropout_bot="greedy")
    for number, (kind, seat, ms) in enumerate(
        [
            *(("stand_in", 1, 0), ("give_back", 1, 0), ("pause", None, 0), ("go_on", None, 7)),
            *(("exclude", 1, 0), ("release", 0, 0)),
        ]
    ):
        assert manage(table, kind, SECOND + number, seat, ms=ms) == "ack"
    kinds = [
        {key: row[key] for key in row if key not in ("kind", "at_ms", "period")}
        for row in rows(table, "event")
    ]
    assert kinds == [
        {"event": "handed", "seat": 1, "detail": "greedy"},
        {"event": "given_back", "seat": 1},
        {"event": "paused"},
        {"event": "resumed", "stood_ms": 7},
        {"event": "excluded", "seat": 1},
        {"event": "released", "seat": 1},
        {"event": "handed", "seat": 0, "detail": "greedy"},
        {"event": "released", "seat": 0},
        {"event": "ended"},
    ]
