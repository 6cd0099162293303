"""What the manager has done at a table: what follows, what is refused, and that all is replayed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.directives import MOST_TEXT, Directive, parse_directive
from table.exchange import exchange, managed
from table.protocol import Message, Refusal
from table.rebuilding import rebuilt
from table.table import Table
from tests.table.plays import SECOND, act, events, reopened, rows, setup, started, table, view

DAY = 86_400 * SECOND


def manage(made: Table, kind: str, now: int, seat: int | None = None, **more: Any) -> str:
    """Have something done; `ack`, or why not."""
    name = more.pop("id", f"{kind} {seat} {now}")
    answer = made.manage(Directive(kind, name, seat, **more), now)
    return answer.reason if isinstance(answer, Refusal) else "ack"


def two(**options: Any) -> Table:
    """People on seats 0 and 1, bots that answer at once on 2 and 3; decisions last 20 s."""
    return started([0, 1], **{"decision_seconds": 20, "grace_seconds": 60, **options})


# -- a seat is handed to a policy, and given back -------------------------------------------------


def test_a_seat_that_is_handed_over_is_played_by_the_policy_that_follows_on_dropouts() -> None:
    made = two(dropout_bot="fixed:harvest=3")
    assert manage(made, "stand_in", 2 * SECOND, seat=1) == "ack"
    act(made, 0, 3 * SECOND)
    assert rows(made, "period")[0]["sent"]["harvest"] == [1.0, 3.0, 2.5, 2.5]
    assert events(made, "handed")[0] | {"at_ms": 0} == {
        "kind": "event",
        "at_ms": 0,
        "period": 0,
        "event": "handed",
        "seat": 1,
        "detail": "fixed:harvest=3",
    }
    assert made.seats[1].points == 0.0
    assert made.seats[1].gaps == 0  # it was no silence


def test_a_page_that_is_open_does_not_take_the_seat_back_by_itself() -> None:
    made = two()
    manage(made, "stand_in", 2 * SECOND, seat=1)
    for second in range(3, 30):
        made.hear(0, second * SECOND)
        made.hear(1, second * SECOND)
    assert made.episode.period == 1
    assert made.seats[1].occupant == "policy"
    assert view(made, 1, 30 * SECOND)["called"] is True
    assert "called" not in view(made, 0, 30 * SECOND)


def test_who_says_that_he_or_she_is_there_has_the_seat_again_at_the_next_period() -> None:
    made = two()
    manage(made, "stand_in", 2 * SECOND, seat=1)
    outcome = exchange(made, 1, Message("back", "b"), 3 * SECOND)
    assert outcome.answer is not None
    assert outcome.answer.to_json() == {"kind": "ack", "id": "b", "period": 0}
    assert list(outcome.views) == [1]
    assert exchange(made, 1, Message("back", "b"), 3 * SECOND).answer == outcome.answer
    act(made, 0, 4 * SECOND)
    assert made.seats[1].occupant == "person"
    timeline = [(row["occupant"], row["reason"]) for row in rows(made, "seat") if row["seat"] == 1]
    assert timeline == [("person", "seated"), ("policy", "handed"), ("person", "returned")]


def test_a_seat_that_is_given_back_waits_for_its_person() -> None:
    made = two()
    manage(made, "stand_in", 2 * SECOND, seat=1)
    assert manage(made, "give_back", 3 * SECOND, seat=1) == "ack"
    act(made, 0, 4 * SECOND)
    assert made.seats[1].occupant == "policy"
    made.hear(1, 5 * SECOND)
    act(made, 0, 6 * SECOND)
    assert made.seats[1].occupant == "person"


def test_a_decision_made_before_counts_and_the_policy_begins_with_the_next_period() -> None:
    made = two()
    act(made, 1, 1 * SECOND, harvest=4)
    manage(made, "stand_in", 2 * SECOND, seat=1)
    act(made, 0, 3 * SECOND)
    assert rows(made, "period")[0]["seats"][1]["by"] == "person"
    assert made.seats[1].points == 4.0


def test_who_is_skipped_decides_again_in_the_next_period_however_soon_that_comes() -> None:
    """Both people are: the play does not run away among policies that answer at once."""
    made = two(dropout_bot="fixed:harvest=3")
    assert manage(made, "skip", 2 * SECOND, seat=0) == "ack"
    assert view(made, 0, 2 * SECOND)["called"] is True
    assert manage(made, "skip", 2 * SECOND, seat=1) == "ack"
    assert rows(made, "period")[0]["sent"]["harvest"] == [3.0, 3.0, 2.5, 2.5]
    made.advance(3 * SECOND)
    assert made.episode.period == 1
    assert [made.seats[seat].occupant for seat in (0, 1)] == ["person", "person"]
    assert "called" not in view(made, 0, 3 * SECOND)


def test_who_is_skipped_and_is_not_there_comes_back_as_after_any_absence() -> None:
    made = two()
    act(made, 0, 18 * SECOND)
    assert manage(made, "skip", 19 * SECOND, seat=1) == "ack"  # silent for 19 s
    act(made, 0, 19 * SECOND)
    assert made.episode.period == 2
    assert made.seats[1].occupant == "policy"
    made.hear(1, 20 * SECOND)
    act(made, 0, 20 * SECOND)
    assert made.seats[1].occupant == "person"


def test_who_has_decided_is_not_skipped() -> None:
    made = two()
    act(made, 1, 1 * SECOND)
    assert manage(made, "skip", 2 * SECOND, seat=1) == "this person has decided already"
    by_clock = two(pace="clock")
    assert manage(by_clock, "skip", 2 * SECOND, seat=1) == "nobody waits for this person"


# -- the table stands still -----------------------------------------------------------------------


def test_nothing_happens_at_a_table_that_is_paused_and_nobody_can_decide() -> None:
    made = two()
    manage(made, "pause", 5 * SECOND)
    assert made.clock_ms(DAY) == 5 * SECOND
    assert act(made, 0, 5 * SECOND)["reason"] == "the game is paused"
    shown = view(made, 0, 5 * SECOND)
    assert (shown["phase"], shown["paused"], shown["remaining_ms"]) == ("waiting", True, None)
    made.advance(DAY)
    assert made.episode.period == 0


def test_after_a_pause_everybody_has_the_time_that_was_left() -> None:
    # 20 s per decision, of which 5 s are gone when the clock is stopped for 100 s: 15 s are left
    made = two()
    manage(made, "pause", 5 * SECOND)
    assert made.stands_ms(105 * SECOND) == 100 * SECOND
    manage(made, "go_on", 5 * SECOND, ms=100 * SECOND)
    assert made.clock_ms(105 * SECOND) == 5 * SECOND
    assert view(made, 0, made.clock_ms(106 * SECOND))["remaining_ms"] == 14 * SECOND
    assert act(made, 0, made.clock_ms(110 * SECOND))["kind"] == "ack"
    made.advance(made.clock_ms(120 * SECOND))
    assert rows(made, "period")[0]["at_ms"] == 20 * SECOND
    assert made.seats[1].occupant == "person"  # not silent: no time had passed
    assert [row["event"] for row in rows(made, "event")][:2] == ["paused", "resumed"]


def test_a_play_that_was_paused_before_it_began_begins_after_it() -> None:
    made = table([0], grace_seconds=60)
    manage(made, "pause", 1 * SECOND)
    made.hear(0, 1 * SECOND)
    assert made.started_ms is None
    manage(made, "go_on", 1 * SECOND, ms=DAY)
    assert made.started_ms == 1 * SECOND


# -- more time ------------------------------------------------------------------------------------


def test_more_time_is_for_the_decision_that_is_open_and_not_for_the_next() -> None:
    made = two()
    assert manage(made, "extend", 18 * SECOND, ms=30 * SECOND) == "ack"
    assert view(made, 0, 18 * SECOND)["remaining_ms"] == 32 * SECOND
    assert act(made, 0, 45 * SECOND)["kind"] == "ack"
    made.hear(1, 45 * SECOND)
    made.advance(50 * SECOND)
    assert made.episode.period == 1
    assert made.deadline_ms == 70 * SECOND


def test_a_policy_keeps_the_time_it_began_with() -> None:
    # the bots think for 30 s and have 20 s: they decide at 20 s, though 10 s were added at 5 s
    made = two(bot_delay="fixed:seconds=30")
    manage(made, "extend", 5 * SECOND, ms=10 * SECOND)
    made.advance(30 * SECOND)
    seats = rows(made, "period")[0]["seats"]
    assert [seat["at_ms"] for seat in seats] == [30_000, 30_000, 20_000, 20_000]


# -- a play or a part ends ------------------------------------------------------------------------


def test_a_play_that_is_ended_is_over_for_all_who_keep_what_they_have() -> None:
    made = two()
    act(made, 0, 1 * SECOND, harvest=5)
    act(made, 1, 1 * SECOND, harvest=5)
    assert manage(made, "end", 2 * SECOND) == "ack"
    assert (made.over, made.episode.done) == (True, False)
    assert [made.status(seat) for seat in (0, 1)] == ["ended", "ended"]
    assert made.seats[0].points == 5.0
    shown = view(made, 0, 2 * SECOND)
    assert (shown["phase"], shown["ended"]["reason"]) == ("over", "ended")
    assert act(made, 0, 3 * SECOND)["reason"] == "the game is over"
    made.advance(DAY)
    assert made.episode.period == 1


def test_who_is_released_keeps_what_was_earned_and_the_others_play_on() -> None:
    made = two()
    act(made, 0, 1 * SECOND, harvest=5)
    act(made, 1, 1 * SECOND, harvest=5)
    assert manage(made, "release", 2 * SECOND, seat=1) == "ack"
    assert view(made, 1, 2 * SECOND)["phase"] == "over"
    assert view(made, 1, 2 * SECOND)["ended"]["reason"] == "released"
    assert act(made, 1, 2 * SECOND)["reason"] == "the game is over"
    act(made, 0, 3 * SECOND)
    assert made.episode.period == 2
    assert (made.status(0), made.status(1)) == ("seated", "released")
    assert made.seats[1].points == 5.0
    assert made.seats[1].seat_points > 5.0


def test_with_the_last_person_the_play_ends() -> None:
    made = two()
    manage(made, "release", 2 * SECOND, seat=0)
    assert not made.over
    manage(made, "release", 3 * SECOND, seat=1)
    assert made.over
    assert [row["event"] for row in rows(made, "event")] == [
        *("handed", "released", "handed", "released", "ended")
    ]


def test_a_play_that_is_ended_ended_for_who_was_called_away_by_the_manager_too() -> None:
    """Who left by himself has left; a stand-in that the manager sent has not made anybody leave."""
    made = two()
    manage(made, "stand_in", 1 * SECOND, seat=0)
    manage(made, "end", 2 * SECOND)
    assert [made.status(seat) for seat in (0, 1)] == ["ended", "ended"]
    silent = two(grace_seconds=10)
    for second in range(1, 13):
        silent.hear(0, second * SECOND)
    assert silent.seats[1].occupant == "policy"
    manage(silent, "end", 13 * SECOND)
    assert [silent.status(seat) for seat in (0, 1)] == ["ended", "left"]


def test_who_is_released_while_a_stand_in_plays_is_asked_nothing_more() -> None:
    made = two()
    manage(made, "stand_in", 1 * SECOND, seat=1)
    assert view(made, 1, 1 * SECOND)["called"] is True
    manage(made, "release", 2 * SECOND, seat=1)
    chair = made.seats[1]
    assert (chair.called, chair.held, chair.returning, chair.released) == (*[False] * 3, True)


# -- messages -------------------------------------------------------------------------------------


def test_a_message_is_shown_to_whom_it_is_for_also_after_a_reload() -> None:
    made = two()
    _, views = managed(made, Directive("message", "m", 1, text="Hurry up."), SECOND, 100)
    assert list(views) == [1]
    assert view(made, 1, DAY)["note"] == {"id": "m", "text": "Hurry up."}
    assert "note" not in view(made, 0, DAY)
    _, views = managed(made, Directive("message", "n", text="All."), SECOND, 100)
    assert list(views) == [0, 1]


def test_nobody_else_is_shown_anything_when_a_seat_is_handed_over() -> None:
    """An unasked view would tell that somebody has become a bot."""
    made = two(bot_delay="fixed:seconds=5")
    _, views = managed(made, Directive("stand_in", "a", 1), SECOND, 100)
    assert list(views) == [1]


# -- what is refused ------------------------------------------------------------------------------


def test_what_cannot_be_done_is_refused_in_a_sentence_and_changes_nothing() -> None:
    made = two(decision_seconds=0)
    before = json.loads(made.to_json())
    assert manage(made, "stand_in", 1, seat=2) == "seat 2 is not the seat of a person"
    assert manage(made, "give_back", 1, seat=1) == "this seat was not handed to a stand-in"
    assert manage(made, "go_on", 1) == "the group is not paused"
    assert manage(made, "extend", 1, ms=1) == "decisions have no time limit in this session"
    assert json.loads(made.to_json()) == before
    manage(made, "stand_in", 1, seat=1)
    assert manage(made, "stand_in", 1, seat=1, id="again") == "a stand-in has this seat already"
    manage(made, "pause", 1)
    assert manage(made, "pause", 1, id="once more") == "the group is paused already"
    manage(made, "end", 1)
    assert manage(made, "pause", 1, id="late") == "the play of this group is over"
    for kind in ("skip", "stand_in", "release"):
        assert manage(table([0]), kind, 1, seat=0) == "the game has not started yet"
    released = two()
    manage(released, "release", 1, seat=1)
    for kind in ("stand_in", "give_back", "release"):
        assert manage(released, kind, 2, seat=1) == "the part of this person is over"


def test_an_event_names_the_seat_that_it_concerns_and_none_if_it_is_all() -> None:
    made = two()
    manage(made, "extend", 1 * SECOND, ms=SECOND)
    manage(made, "message", 1 * SECOND, seat=1, text="Hello.")
    manage(made, "message", 1 * SECOND, text="All.")
    logged = [{**row, "kind": "", "at_ms": 0} for row in rows(made, "event")]
    plain = {"kind": "", "at_ms": 0, "period": 0}
    assert logged == [
        {**plain, "event": "extended", "extra_ms": SECOND},
        {**plain, "event": "message", "seat": 1, "text": "Hello."},
        {**plain, "event": "message", "text": "All."},
    ]


def test_a_directive_that_comes_twice_is_taken_once() -> None:
    made = two()
    for _ in range(3):
        assert manage(made, "extend", 1, ms=10 * SECOND, id="same") == "ack"
    assert made.deadline_ms == 30 * SECOND


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "a directive is an object"),
        ({"kind": "pause"}, "id = None: should be a text"),
        ({"kind": "paus", "id": "a"}, "kind = 'paus': one of skip"),
        ({"kind": "stand_in", "id": "a"}, "seat = None: should be the number of a seat"),
        ({"kind": "release", "id": "a", "seat": True}, "seat = True: should be the number"),
        ({"kind": "message", "id": "a", "text": "x", "seat": "1"}, "seat = '1': should be"),
        ({"kind": "extend", "id": "a", "seconds": 0}, "seconds = 0: should be a number from 1"),
        ({"kind": "extend", "id": "a", "seconds": float("nan")}, "seconds = nan: should be"),
        ({"kind": "message", "id": "a", "text": " "}, "text = ' ': should be a text of 1 to 500"),
        ({"kind": "message", "id": "a", "text": "x" * (MOST_TEXT + 1)}, "should be a text of 1"),
    ],
)
def test_nonsense_is_refused_by_name(data: Any, words: str) -> None:
    refused = parse_directive(data)
    assert isinstance(refused, Refusal)
    assert words in refused.reason


def test_a_directive_is_read() -> None:
    data = {"kind": "extend", "id": "a", "seconds": 1.5, "seat": 3}
    assert parse_directive(data) == Directive("extend", "a", ms=1500)


# -- all is replayed ------------------------------------------------------------------------------


BUSY: list[tuple[str, int | None, dict[str, Any]]] = [
    ("extend", None, {"ms": 7 * SECOND}),
    ("message", 1, {"text": "Hello."}),
    ("stand_in", 0, {}),
    ("pause", None, {}),
    ("go_on", None, {"ms": 50 * SECOND}),
    ("message", None, {"text": "All."}),
    ("give_back", 0, {}),
    ("stand_in", 1, {}),
    *[("skip", seat, {}) for seat in (0, 1, 0, 1)],
    ("release", 1, {}),
    ("end", None, {}),
]
"""All that can be done, one after the other; the person on seat 1 answers when asked."""


@pytest.mark.parametrize("agents", [{}, {"timing": "sequential"}], ids=["together", "in turn"])
def test_a_table_is_built_anew_after_everything_that_a_manager_can_have_done(
    agents: dict[str, Any],
) -> None:
    times = {"decision_seconds": 9, "grace_seconds": 20, "bot_delay": "fixed:seconds=2"}
    chosen = setup(core={"periods": 60}, **times)
    if agents:
        config = {**chosen.config, "agents": {**chosen.config["agents"], **agents}}
        chosen = type(chosen)(config=config, options=chosen.options)
    made = Table.open(chosen, [0, 1], seed=7, now=0)
    journal: list[dict[str, Any]] = []
    now = 0
    for kind, seat, more in BUSY:
        for _ in range(3):
            now = made.clock_ms(now + made.stood_ms + SECOND)
            for person in (0, 1):
                made.hear(person, now)
                if kind != "skip":
                    act(made, person, now)
        exchange(made, 1, Message("back", f"back {now}"), now)
        answer = manage(made, kind, now, seat, **more)
        assert answer == "ack" or kind == "skip", (kind, answer)
        journal += json.loads(json.dumps(made.take_rows()))
        again = rebuilt(chosen, journal)
        for restored in (again, reopened(made)):
            restored.advance(now)
            restored.take_rows()
            assert json.loads(restored.to_json()) == json.loads(made.to_json()), kind
    assert any(row["kind"] == "back" for row in journal)
    assert {row["what"] for row in journal if row["kind"] == "manager"} == {
        kind for kind, _, _ in BUSY
    }
    for length in range(1 + chosen.game.seats, len(journal)):
        restored = rebuilt(chosen, journal[:length])
        lacking = json.loads(json.dumps(restored.take_rows()))
        assert journal[:length] + lacking == journal[: length + len(lacking)]


def test_who_is_barred_is_paid_nothing_and_a_stand_in_plays_on() -> None:
    made = started([0, 1])
    made.manage(Directive("exclude", "x", 1), 5 * SECOND)
    assert (made.status(1), made.seats[1].occupant) == ("excluded", "policy")
    assert made.parted(1)
    named = [row["event"] for row in made.rows if row["kind"] == "event"]
    assert named[-3:] == ["excluded", "handed", "released"]
    reread = Table.from_json(made.setup, made.to_json())
    assert reread.status(1) == "excluded"
