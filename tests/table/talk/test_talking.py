"""People talk at a table: when, with whom and within which limits; also rejections."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.table.directives import Directive
from tests.table.plays import act, events, reopened, rows, view
from tests.table.talk.tables import SECOND, done, report, say, talking, texts

EVERYBODY = [0, 1, 2, 3]


def test_before_each_period_nobody_decides_until_the_time_is_up() -> None:
    table = talking(EVERYBODY)
    shown = view(table, 0, 10 * SECOND)
    assert (shown["phase"], shown["remaining_ms"], shown["started"]) == ("talk", 20 * SECOND, True)
    refused = act(table, 0, 11 * SECOND)
    assert refused["reason"] == "your group is still talking; you can decide afterwards"
    table.advance(30 * SECOND)
    shown = view(table, 0, 30 * SECOND)
    assert (shown["phase"], shown["remaining_ms"]) == ("decide", 20 * SECOND)
    for seat in EVERYBODY:
        assert act(table, seat, 31 * SECOND)["kind"] == "ack"
    assert view(table, 0, 31 * SECOND)["phase"] == "talk"
    assert [(row["event"], row["period"], row["at_ms"]) for row in rows(table, "event")] == [
        ("talk", 0, 0),
        ("talk_over", 0, 30 * SECOND),
        ("talk", 1, 31 * SECOND),
    ]


def test_talk_ends_when_all_people_are_ready_and_a_press_counts_once() -> None:
    table = talking(EVERYBODY)
    for seat in (0, 1, 2, 2):
        assert done(table, seat, (seat + 1) * SECOND)["kind"] == "ack"
    assert view(table, 0, 4 * SECOND)["phase"] == "talk"
    assert view(table, 0, 4 * SECOND)["talk"]["done"] is True
    assert view(table, 3, 4 * SECOND)["talk"]["done"] is False
    done(table, 3, 5 * SECOND)
    assert view(table, 0, 5 * SECOND)["phase"] == "decide"
    assert [row["seat"] for row in events(table, "talk_done")] == [0, 1, 2, 3]


def test_a_press_for_an_earlier_talk_does_not_end_this_one() -> None:
    table = talking([0])
    table.advance(30 * SECOND)
    act(table, 0, 31 * SECOND)
    assert done(table, 0, 32 * SECOND, period=0)["kind"] == "ack"
    assert view(table, 0, 32 * SECOND)["phase"] == "talk"


def test_before_the_play_people_talk_once() -> None:
    table = talking(EVERYBODY, talk_when="before")
    table.advance(30 * SECOND)
    for seat in EVERYBODY:
        act(table, seat, 31 * SECOND)
    assert view(table, 0, 31 * SECOND)["phase"] == "decide"
    assert say(table, 0, 32 * SECOND, "And now?")["reason"] == "nobody can write messages right now"
    assert len(events(table, "talk")) == 1


def test_with_talk_at_all_times_talk_and_decisions_run_together() -> None:
    table = talking(EVERYBODY, talk_when="always", talk_seconds=0)
    assert view(table, 0, 1)["phase"] == "decide"
    assert say(table, 0, SECOND, "Two each")["kind"] == "ack"
    assert act(table, 0, 2 * SECOND)["kind"] == "ack"
    assert say(table, 0, 3 * SECOND, "I took one")["kind"] == "ack"
    assert texts(view(table, 3, 3 * SECOND)) == ["Two each", "I took one"]
    assert events(table, "talk") == []


def test_the_first_seconds_of_each_period_are_for_talk_if_set() -> None:
    table = talking(EVERYBODY, talk_when="always", talk_seconds=5)
    assert view(table, 0, SECOND)["talk"]["remaining_ms"] == 4 * SECOND
    assert say(table, 0, 4 * SECOND, "a")["kind"] == "ack"
    assert say(table, 0, 5 * SECOND, "b")["reason"] == "nobody can write messages right now"
    assert view(table, 0, 5 * SECOND)["talk"]["open"] is False
    table.advance(20 * SECOND)  # period 1 begins
    assert say(table, 0, 24 * SECOND, "c")["kind"] == "ack"


def test_a_message_reaches_everybody_with_the_seat_and_the_period() -> None:
    table = talking(EVERYBODY)
    say(table, 2, SECOND, " Take two <b>each</b> ")
    expected = {"number": 0, "period": 0, "seat": 2, "text": "Take two <b>each</b>"}
    assert [view(table, seat, SECOND)["talk"]["messages"] for seat in EVERYBODY] == [[expected]] * 4
    (entry,) = rows(table, "message")
    assert entry["occupant"] == "person"
    assert entry["at_ms"] == SECOND


def test_a_private_message_can_be_read_only_by_its_recipient() -> None:
    table = talking(EVERYBODY, talk_with="one")
    assert say(table, 0, SECOND, "Psst", to=2)["kind"] == "ack"
    assert [texts(view(table, seat, SECOND)) for seat in EVERYBODY] == [["Psst"], [], ["Psst"], []]
    reasons = [
        say(table, 0, SECOND, "Psst", to=to, id=f"{to}")["reason"] for to in (0, 4, -1, None)
    ]
    assert reasons == ["you cannot write to this player"] * 3 + ["choose a player to write to"]
    talked_to_all = talking(EVERYBODY)
    refused = say(talked_to_all, 0, SECOND, "Psst", to=2)
    assert refused["reason"] == ("messages go to everybody who can read them, not to one player")


def test_neighbours_hear_each_other() -> None:
    table = talking(EVERYBODY, archetype="local_view", talk_with="neighbours")
    say(table, 0, SECOND, "Hello")
    heard = [texts(view(table, seat, SECOND)) for seat in EVERYBODY]
    assert heard == [["Hello"], ["Hello"], [], ["Hello"]]  # a circle of four


def test_with_a_list_people_choose_a_sentence_and_write_nothing_else() -> None:
    table = talking(EVERYBODY, talk="list", talk_sentences=("I take two", "I take three"))
    assert say(table, 0, SECOND, sentence=1)["kind"] == "ack"
    assert texts(view(table, 1, SECOND)) == ["I take three"]
    assert rows(table, "message")[0]["sentence"] == 1
    for wrong in ({"sentence": 2}, {"sentence": -1}, {"text": "I take two"}):
        refused = say(table, 0, 2 * SECOND, wrong.get("text"), sentence=wrong.get("sentence"))
        assert refused["reason"] == "choose one of the sentences"
    free = talking(EVERYBODY)
    assert "there are no sentences to choose from" in say(free, 0, SECOND, sentence=0)["reason"]


def test_a_role_that_cannot_write_can_read() -> None:
    roles = {"roles": {"member": {}, "mute": {}}, "seats": ["member", "mute", "member", "member"]}
    table = talking(EVERYBODY, core={"agents": roles}, talk_roles=("member",))
    assert say(table, 1, SECOND, "a")["reason"] == "your role can read messages but not write them"
    say(table, 0, SECOND, "b")
    shown = view(table, 1, SECOND)["talk"]
    assert (shown["open"], [message["text"] for message in shown["messages"]]) == (False, ["b"])


def test_a_flood_is_refused_until_a_minute_has_passed_and_a_repeated_id_counts_once() -> None:
    table = talking(EVERYBODY, talk_per_minute=3, talk_seconds=100)
    for number in range(3):
        assert say(table, 0, number * SECOND, f"{number}")["kind"] == "ack"
        assert say(table, 0, number * SECOND, f"{number}")["kind"] == "ack"  # the same id
    assert len(rows(table, "message")) == 3
    for number in range(100):
        assert "sent many messages" in say(table, 0, 3 * SECOND, "x", id=f"x{number}")["reason"]
    assert say(table, 1, 3 * SECOND, "another seat")["kind"] == "ack"
    assert say(table, 0, 60 * SECOND, "later")["kind"] == "ack"
    assert len(rows(table, "message")) == 5


@pytest.mark.parametrize("text", ["", "  ", "a" * 10_000, "a\x00b", "a\nb"])
def test_an_invalid_message_is_refused_and_leaves_no_trace(text: str) -> None:
    table = talking(EVERYBODY)
    assert say(table, 0, SECOND, text, id="a")["kind"] == "refused"
    assert rows(table, "message") == []


def test_a_blocked_message_reaches_nobody_and_is_in_the_data() -> None:
    table = talking(EVERYBODY, talk_blocklist=("fool",))
    for _ in range(2):  # rejected again, but written only once
        refused = say(table, 0, SECOND, "You Fool!", id="a")
        assert (
            refused["reason"]
            == "the message contains a word that is not allowed here; nobody has received it"
        )
    assert [texts(view(table, seat, SECOND)) for seat in EVERYBODY] == [[], [], [], []]
    assert [row["blocked"] for row in rows(table, "message")] == [True]


@pytest.mark.parametrize("disclosure", ["none", "possible", "count", "labels"])
def test_the_author_of_a_message_is_shown_if_bots_are_marked(disclosure: str) -> None:
    options = {"bots": "promises_and_keeps", "bot_delay": "fixed:seconds=1"}
    table = talking([0, 1], disclosure=disclosure, **options)
    say(table, 0, SECOND, "Two each")
    table.advance(2 * SECOND)
    table.manage(Directive("stand_in", "a", 0), 3 * SECOND)  # the author, not the current occupant
    shown = view(table, 1, 4 * SECOND)["talk"]["messages"]
    marks = {message["seat"]: message.get("occupant") for message in shown}
    marked = {0: "person", 2: "policy", 3: "policy"}
    assert marks == (marked if disclosure == "labels" else dict.fromkeys(marked))
    messages = [
        message
        for message in view(table, 0, 4 * SECOND)["talk"]["messages"]
        if message["seat"] == 0
    ]
    assert "occupant" not in messages[0]


def test_a_message_can_be_reported_once_by_people_who_can_read_it() -> None:
    table = talking(EVERYBODY, talk_with="one")
    say(table, 0, SECOND, "Psst", to=2)
    for seat, number in ((1, 0), (0, 0), (2, 1), (2, -1)):  # not readable, own, missing
        assert "this message cannot be reported" in report(table, seat, SECOND, number)["reason"]
    for _ in range(2):
        assert report(table, 2, 2 * SECOND, 0)["kind"] == "ack"
    assert len(rows(table, "report")) == 1
    assert view(table, 2, 2 * SECOND)["talk"]["messages"][0]["reported"] is True
    assert "reported" not in view(table, 0, 2 * SECOND)["talk"]["messages"][0]


def test_nobody_talks_before_or_after_the_play_or_during_a_pause() -> None:
    table = talking(EVERYBODY, core={"periods": 1})
    table.manage(Directive("pause", "p"), SECOND)
    assert say(table, 0, SECOND, "a")["reason"] == "the game is paused"
    table.manage(Directive("go_on", "g", ms=0), SECOND)
    table.advance(50 * SECOND)
    assert table.over
    assert say(table, 0, 51 * SECOND, "b")["reason"] == "the game is over"
    assert done(table, 0, 51 * SECOND)["reason"] == "the game is over"
    assert view(table, 0, 51 * SECOND)["talk"]["open"] is False
    assert rows(table, "message") == []


def test_a_session_without_talk_has_no_trace_of_it() -> None:
    table = talking(EVERYBODY, talk="off")
    assert say(table, 0, SECOND, "a")["reason"] == "players cannot write messages in this game"
    assert report(table, 0, SECOND, 0)["reason"] == "players cannot write messages in this game"
    assert done(table, 0, SECOND)["kind"] == "ack"
    assert "talk" not in view(table, 0, SECOND)
    assert '"talk"' not in table.to_json()
    assert not {row["kind"] for row in table.rows} & {"message", "report", "done"}


def test_nobody_can_write_to_a_person_who_has_gone() -> None:
    table = talking(
        EVERYBODY,
        talk_with="one",
        dropout="reduced",
        grace_seconds=10.0,
        core={"agents": {"may_leave": True}},
    )
    for second in range(1, 60):
        for seat in (0, 1, 2):
            table.hear(seat, second * SECOND)
    assert table.out(3)
    refused = say(table, 0, 60 * SECOND, "Where are you?", to=3)
    assert refused["reason"] == "Player 4 is no longer in the game"


def test_no_seat_is_taken_over_while_the_group_talks_but_only_when_the_period_begins() -> None:
    table = talking(EVERYBODY, grace_seconds=10.0)
    for seat in (0, 1, 2):
        table.hear(seat, 29 * SECOND)
    assert events(table, "takeover") == []
    table.advance(30 * SECOND)
    assert [(row["seat"], row["at_ms"]) for row in events(table, "takeover")] == [(3, 30 * SECOND)]


def test_a_person_who_returns_has_the_seat_again_when_the_talk_begins() -> None:
    table = talking([0, 1], grace_seconds=10.0)
    for second in range(1, 31):
        table.hear(0, second * SECOND)
    assert table.seats[1].occupant == "policy"
    table.hear(1, 31 * SECOND)
    act(table, 0, 32 * SECOND)
    assert table.talking
    assert say(table, 1, 33 * SECOND, "I am back")["kind"] == "ack"


def test_the_manager_can_hand_a_seat_over_during_a_talk_and_nobody_waits_for_it() -> None:
    table = talking([0, 1], disclosure="labels")
    assert "the group is talking" in str(table.manage(Directive("skip", "s", 1), SECOND).to_json())
    assert "the group is talking" in str(
        table.manage(Directive("extend", "e", ms=9), SECOND).to_json()
    )
    done(table, 0, 2 * SECOND)
    assert table.talking
    table.manage(Directive("stand_in", "h", 1), 5 * SECOND)
    assert not table.talking
    assert events(table, "talk_over")[0]["at_ms"] == 5 * SECOND
    table.manage(Directive("end", "x"), 6 * SECOND)
    assert table.over


def test_the_last_person_can_be_released_during_a_talk() -> None:
    table = talking([0])
    table.manage(Directive("release", "r", 0), SECOND)
    assert table.over
    assert not table.talking


def test_a_table_continues_from_a_snapshot_in_the_middle_of_a_talk() -> None:
    table = talking(EVERYBODY, bots="promises_and_keeps")
    say(table, 0, SECOND, "Two each", id="a")
    report(table, 1, SECOND, 0)
    done(table, 1, SECOND)
    again = reopened(table)
    assert again.to_json() == table.to_json()
    assert say(again, 0, 2 * SECOND, "Two each", id="a")["kind"] == "ack"
    assert texts(view(again, 3, 2 * SECOND)) == ["Two each"]


def hidden(**options: Any) -> Any:
    """Return a table of one person and three bots that take about as long as people do."""
    return talking([0], bot_delay="people", disclosure="none", talk_seconds=600.0, **options)


def test_an_unmarked_bot_lets_the_talk_go_on_as_a_person_would() -> None:
    """If the talk ended as soon as the only person was ready, it would reveal that the others are
    bots."""
    table = hidden()
    done(table, 0, 10)
    assert table.talking
    table.advance(60 * SECOND)
    over = events(table, "talk_over")[0]["at_ms"]
    assert SECOND < over < 60 * SECOND
    labelled = talking([0], bot_delay="people", disclosure="labels", talk_seconds=600.0)
    done(labelled, 0, 10)
    assert not labelled.talking


def test_the_remaining_talk_is_known_if_decisions_have_no_limit() -> None:
    table = talking(EVERYBODY, decision_seconds=0.0)
    assert table.ends_ms == 30 * SECOND
    table.advance(30 * SECOND)
    assert table.ends_ms is None


def test_the_time_of_a_talk_does_not_reveal_who_is_a_person_and_who_is_silent() -> None:
    """The views in two groups, one with silent people and one with silent bots, are the same."""
    people = talking(EVERYBODY, disclosure="none", bot_delay="people")
    bots = talking([0], disclosure="none", bot_delay="people", bots="sustainable")
    for now in range(0, 30 * SECOND, SECOND):
        assert view(people, 0, now) == view(bots, 0, now)
