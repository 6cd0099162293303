"""Talk as shown on a page and as stored by the table."""

from __future__ import annotations

from dataclasses import replace

from mixed_company.table.directives import Directive
from mixed_company.table.talk import talking as taking_place
from mixed_company.table.talk.memory import RECENT, REMEMBERED_IDS, Conversation, Utterance
from tests.table.plays import events, view
from tests.table.talk.tables import SECOND, say, talking, texts

EVERYBODY = [0, 1, 2, 3]


def test_only_the_page_of_a_person_who_can_write_now_says_so():
    table = talking([0, 1])
    assert [view(table, seat, SECOND)["talk"]["open"] for seat in (0, 1)] == [True, True]
    table.manage(Directive("stand_in", "s", 1), SECOND)
    assert [view(table, seat, SECOND)["talk"]["open"] for seat in (0, 1)] == [True, False]
    table.manage(Directive("pause", "p"), SECOND)
    assert view(table, 0, SECOND)["talk"]["open"] is False
    table.manage(Directive("go_on", "g"), SECOND)
    table.manage(Directive("release", "r", 0), SECOND)
    assert view(table, 0, SECOND)["talk"]["open"] is False


def test_a_message_in_a_view_names_the_seat_it_was_sent_to():
    table = talking(EVERYBODY, talk_with="one")
    say(table, 0, SECOND, "Psst", to=2)
    [shown] = view(table, 2, SECOND)["talk"]["messages"]
    assert shown == {"number": 0, "period": 0, "seat": 0, "to": 2, "text": "Psst"}


def test_a_page_shows_the_last_messages_and_late_duplicates_are_recognized():
    conversation = Conversation()
    for number in range(REMEMBERED_IDS + 2):
        conversation.remember(1, f"{number}", number)
    conversation.remember(2, "other", 0)
    assert next(iter(conversation.ids[1])) == "2"
    assert [len(ids) for ids in conversation.ids.values()] == [REMEMBERED_IDS, 1]
    table = talking(EVERYBODY)
    plain = Utterance(0, 0, 0, 1, "person", None, None, "", readers=[0])
    assert table.talk is not None
    table.talk.messages = [replace(plain, text=f"{number}") for number in range(RECENT + 1)]
    assert texts(view(table, 0, SECOND)) == [f"{number}" for number in range(1, RECENT + 1)]
    assert texts(view(table, 1, SECOND)) == []


def test_a_policy_that_fails_to_talk_is_recorded_at_its_seat(monkeypatch):
    monkeypatch.setattr(taking_place.voices, "asked", lambda *args: "raised")
    table = talking([0], bots="promises_and_keeps,sustainable")
    faults = [(row["seat"], row["detail"]) for row in events(table, "talk_fault")]
    assert faults == [(1, "raised"), (3, "raised")]
    fault = {"policy": "promises_and_keeps", "period": 0, "detail": "raised", "times": 1}
    assert [chair.talk_fault for chair in table.seats] == [None, fault, None, fault]


def test_everything_due_is_settled_before_an_agent_writes():
    table = talking([0], bots="outside:gpt")
    assert say(table, 1, 29 * SECOND, "Now")["kind"] == "ack"
    assert say(table, 1, 30 * SECOND, "Late")["reason"] == "nobody can write messages right now"
