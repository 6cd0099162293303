"""Messages to people, log entries and rejections that follow from the manager's actions."""

from __future__ import annotations

import json

from mixed_company.table.directives import Directive
from mixed_company.table.exchange import managed
from tests.table.managing.tables import DAY, manage, two
from tests.table.plays import SECOND, open_table, rows, view

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


# -- refusals -------------------------------------------------------------------------------------


def test_impossible_directives_are_refused_in_a_sentence_and_change_nothing() -> None:
    table = two(decision_seconds=0)
    before = json.loads(table.to_json())
    assert manage(table, "stand_in", 1, seat=2) == "seat 2 is not the seat of a person"
    assert manage(table, "give_back", 1, seat=1) == "this seat was not handed to a stand-in"
    assert manage(table, "go_on", 1) == "the group is not paused"
    assert manage(table, "extend", 1, ms=1) == "decisions have no time limit in this session"
    assert json.loads(table.to_json()) == before
    manage(table, "stand_in", 1, seat=1)
    assert manage(table, "stand_in", 1, seat=1, id="again") == "a stand-in already has this seat"
    manage(table, "pause", 1)
    assert manage(table, "pause", 1, id="once more") == "the group is already paused"
    manage(table, "end", 1)
    assert manage(table, "pause", 1, id="late") == "the play of this group is over"
    for kind in ("skip", "stand_in", "release"):
        assert manage(open_table([0]), kind, 1, seat=0) == "the game has not started yet"
    released = two()
    manage(released, "release", 1, seat=1)
    for kind in ("stand_in", "give_back", "release"):
        assert manage(released, kind, 2, seat=1) == "the part of this person is over"


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


def test_a_repeated_directive_counts_once() -> None:
    table = two()
    for _ in range(3):
        assert manage(table, "extend", 1, ms=10 * SECOND, id="same") == "ack"
    assert table.deadline_ms == 30 * SECOND
