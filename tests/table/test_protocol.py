"""Messages from a client: any invalid one gets a reason and leaves the table unchanged."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from mixed_company.table.protocol import (
    KINDS,
    Ack,
    LobbyView,
    Message,
    Refusal,
    SeatView,
    parse,
    short,
)
from mixed_company.table.talk.parsing import Content
from tests.table.plays import SECOND, act, started

MEGABYTE = "x" * 1_000_000


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (None, "a message should be an object, but this is nothing"),
        (5, "a message should be an object, but this is a number"),
        ("sync", "a message should be an object, but this is a string"),
        ([{"kind": "sync"}], "a message should be an object, but this is a list"),
        (MEGABYTE, "a message should be an object, but this is a string"),
        ({}, "kind = None: should be one of sync, act, tick, alive"),
        ({"kind": "delete"}, "kind = 'delete': should be one of sync, act, tick, alive"),
        ({"kind": ["act"]}, "kind = a list of 1: should be one of sync, act, tick, alive"),
        ({"kind": "tick", "period": "3"}, "period = '3': should be a whole number"),
        ({"kind": "tick", "period": True}, "period = True: should be a whole number"),
        ({"kind": "tick", "period": 1.5}, "period = 1.5: should be a whole number"),
        ({"kind": "tick", "period": 10**5000}, "period = a huge number: there is no such period"),
        ({"kind": "act", "id": "a", "period": -(10**12)}, "period = -1000000000000: there is no"),
        ({"kind": "sync", "drawn": 0}, "drawn = 0: should be true or false"),
        ({"kind": "sync", "drawn": None}, "drawn = None: should be true or false"),
        ({"kind": "act", "period": 0, "action": {}}, "id = None: should be a string of 1 to 64"),
        ({"kind": "act", "id": "", "period": 0, "action": {}}, "id = '': should be a string"),
        ({"kind": "act", "id": MEGABYTE, "period": 0}, "id = 'xxx"),
        ({"kind": "act", "id": "a", "action": {}}, "period: is missing"),
        ({"kind": "act", "id": "a", "period": 0}, "action = None: should be an object"),
        ({"kind": "act", "id": "a", "period": 0, "action": [1]}, "action = a list of 1"),
    ],
)
def test_a_malformed_message_is_refused_with_its_reason(sent, reason):
    parsed = parse(sent)
    assert isinstance(parsed, Refusal)
    assert parsed.reason.startswith(reason)
    assert len(parsed.reason) < 200


WELL_FORMED: list[tuple[dict[str, Any], Message]] = [
    ({"kind": "sync"}, Message("sync")),
    ({"kind": "sync", "drawn": True}, Message("sync")),
    ({"kind": "sync", "drawn": False}, Message("sync", drawn=False)),
    ({"kind": "alive"}, Message("alive")),
    ({"kind": "tick", "period": 4}, Message("tick", period=4)),
    ({"kind": "shown", "sent_ms": 17}, Message("shown", sent_ms=17)),
    ({"kind": "ready", "id": "r"}, Message("ready", "r")),
    ({"kind": "back", "id": "b"}, Message("back", "b")),
    ({"kind": "choose", "id": "c", "rule": "pool"}, Message("choose", "c", rule="pool")),
    ({"kind": "choose", "id": "c", "rule": ""}, Message("choose", "c")),
    (
        {"kind": "act", "id": "a", "period": 2, "action": {"harvest": 4}},
        Message("act", "a", 2, {"harvest": 4}),
    ),
    (
        {"kind": "answer", "id": "q", "period": 3, "question": "mood", "value": 70},
        Message("answer", "q", 3, question="mood", value=70),
    ),
    (
        {"kind": "answer", "id": "q", "period": 3, "question": "mood", "value": "well"},
        Message("answer", "q", 3, question="mood", value="well"),
    ),
    (
        {"kind": "answer", "id": "q", "period": 3, "question": "mood", "value": None},
        Message("answer", "q", 3, question="mood"),
    ),
    ({"kind": "say", "id": "s", "text": "Hi"}, Message("say", "s", talk=Content("Hi"))),
    (
        {"kind": "say", "id": "s", "sentence": 2, "to": 3},
        Message("say", "s", talk=Content(None, 2, 3)),
    ),
    ({"kind": "report", "id": "r", "message": 7}, Message("report", "r", talk=Content(number=7))),
    ({"kind": "done", "id": "d", "period": 3}, Message("done", "d", 3, talk=Content())),
]


@pytest.mark.parametrize(("sent", "message"), WELL_FORMED)
def test_a_well_formed_message_is_parsed_as_its_kind(sent, message):
    assert parse(sent) == message
    assert parse({**sent, "more": "is not read"}) == message


def test_there_is_an_example_of_every_kind_of_message():
    assert {message.kind for _, message in WELL_FORMED} == set(KINDS)


@pytest.mark.parametrize("kind", sorted({sent["kind"] for sent, _ in WELL_FORMED if "id" in sent}))
@pytest.mark.parametrize("name", [None, 7, "", "x" * 65])
def test_a_message_that_is_answered_by_its_id_needs_an_id_that_can_be_kept(kind, name):
    sent = next(sent for sent, _ in WELL_FORMED if sent["kind"] == kind)
    refused = parse({**sent, "id": name})
    assert isinstance(refused, Refusal)
    assert refused.id is None
    assert refused.reason.endswith("should be a string of 1 to 64 characters")


LONGEST = "x" * 64


@pytest.mark.parametrize(
    ("limit", "more", "reason"),
    [
        ({"kind": "back", "id": LONGEST}, {"id": LONGEST + "x"}, "id = "),
        ({"kind": "choose", "id": "c", "rule": LONGEST}, {"rule": LONGEST + "x"}, "rule = "),
        ({"kind": "tick", "period": 10**9}, {"period": 10**9 + 1}, "period = 1000000001: there"),
        ({"kind": "tick", "period": -(10**9)}, {"period": -(10**9) - 1}, "period = -1000000001: "),
        (
            {"kind": "say", "id": "s", "sentence": 10**9 - 1},
            {"sentence": 10**9},
            "sentence = 1000000000: should be a whole number",
        ),
        (
            {"kind": "say", "id": "s", "text": "", "to": 1 - 10**9},
            {"to": -(10**9)},
            "to = -1000000000: should be a whole number",
        ),
    ],
)
def test_a_limit_is_the_last_accepted_value(limit, more, reason):
    assert isinstance(parse(limit), Message)
    refused = parse({**limit, **more})
    assert isinstance(refused, Refusal)
    assert refused.reason.startswith(reason)


ANSWER = {"kind": "answer", "id": "q", "period": 3, "question": "mood", "value": 7}
WHOLE, TEXT = "should be a whole number", "should be a string"


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"kind": "shown"}, f"sent_ms = None: {WHOLE}"),
        ({"kind": "shown", "sent_ms": True}, f"sent_ms = True: {WHOLE}"),
        ({"kind": "shown", "sent_ms": 1.5}, f"sent_ms = 1.5: {WHOLE}"),
        ({"kind": "choose", "id": "c"}, "rule = None: should be the name of a rule"),
        ({"kind": "choose", "id": "c", "rule": 3}, "rule = 3: should be the name of a rule"),
        (
            {"kind": "choose", "id": "c", "rule": "pool", "period": "now"},
            f"period = 'now': {WHOLE}",
        ),
        ({"kind": "answer", "id": "q", "question": "mood"}, "period: is missing"),
        ({**ANSWER, "question": None}, f"question = None: {TEXT}"),
        ({**ANSWER, "value": True}, "value = True: should be a number or a string"),
        ({**ANSWER, "value": {}}, "value = an object of 0: should be a number or a string"),
        ({**ANSWER, "value": [1, 2]}, "value = a list of 2: should be a number or a string"),
        ({"kind": "done", "id": "d"}, "period: is missing"),
        ({"kind": "report", "id": "r"}, f"message = None: {WHOLE}"),
        ({"kind": "report", "id": "r", "message": "1"}, f"message = '1': {WHOLE}"),
        ({"kind": "report", "id": "r", "message": False}, f"message = False: {WHOLE}"),
        ({"kind": "say", "id": "s"}, "text, sentence: set exactly one of the two"),
        (
            {"kind": "say", "id": "s", "text": "a", "sentence": 0},
            "text, sentence: set exactly one of the two",
        ),
        ({"kind": "say", "id": "s", "text": 5}, f"text = 5: {TEXT}"),
        ({"kind": "say", "id": "s", "sentence": "a"}, f"sentence = 'a': {WHOLE}"),
        ({"kind": "say", "id": "s", "text": "a", "to": True}, f"to = True: {WHOLE}"),
    ],
)
def test_an_unreadable_part_is_named_with_the_expected_value(sent, reason):
    assert parse(sent) == Refusal(reason, sent.get("id"))


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        (Ack("u", 3), {"kind": "ack", "id": "u", "period": 3}),
        (Refusal("no"), {"kind": "refused", "id": None, "reason": "no"}),
        (Refusal("no", "u", 0), {"kind": "refused", "id": "u", "reason": "no", "period": 0}),
        (SeatView(2, you=False), {"seat": 2, "you": False}),
        (
            SeatView(0, you=True, decided=False, occupant="person"),
            {"seat": 0, "you": True, "decided": False, "occupant": "person"},
        ),
        (LobbyView("over"), {"kind": "view", "phase": "over"}),
        (
            LobbyView("waiting", 0, 2, extended=False, remaining_ms=0),
            {
                "kind": "view",
                "phase": "waiting",
                "here": 0,
                "needed": 2,
                "extended": False,
                "remaining_ms": 0,
            },
        ),
    ],
)
def test_a_message_to_a_page_has_no_unknown_part(answer, sent):
    assert answer.to_json() == sent


def test_a_value_is_quoted_back_in_short():
    assert short([1, 2]) == "a list of 2"
    assert short({"a": 1}) == "an object of 1"
    assert short("a") == "'a'"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"harvest": "4"}, "harvest = '4': must be a number"),
        ({"harvest": True}, "harvest = True: must be a number"),
        ({"harvest": None}, "harvest = None: must be a number"),
        ({"harvest": [4]}, "harvest = [4]: must be a number"),
        ({"harvest": math.nan}, "harvest = nan: must be a finite number"),
        ({"harvest": math.inf}, "harvest = inf: must be a finite number"),
        ({"harvest": 10**400}, "harvest = a huge number: must be a finite number"),
        ({"harvest": MEGABYTE}, "harvest = 'xxx"),
        ({"harvest": json.loads("[" * 900 + "1" + "]" * 900)}, "harvest = "),
        ({"stock": 100}, "action field 'stock': unknown; one of: contribution, harvest"),
        ({"harvets": 1}, "action field 'harvets': unknown; did you mean 'harvest'?"),
        ({"seat": 1}, "action field 'seat': unknown"),
    ],
)
def test_a_bad_action_is_refused_and_the_table_is_untouched(changed, reason):
    table = started([0, 1])
    before, rows = table.to_json(), len(table.rows)
    answer = act(table, 0, 0, **changed)
    assert answer["kind"] == "refused"
    assert answer["reason"].startswith(reason)
    assert (table.to_json(), len(table.rows)) == (before, rows)
    assert act(table, 0, 0)["kind"] == "ack"


def test_a_number_beyond_the_range_is_accepted_and_clamped_by_the_game():
    table = started([0])
    assert act(table, 0, 1 * SECOND, harvest=1e9, contribution=-5)["kind"] == "ack"
    row = next(row for row in table.rows if row["kind"] == "period")
    assert row["sent"]["harvest"][0] == 1e9
    assert row["used"]["harvest"][0] == 10.0
    assert row["used"]["contribution"][0] == 0.0


def test_the_same_id_twice_is_acknowledged_again_and_changes_nothing():
    table = started([0, 1])
    first = act(table, 0, 1 * SECOND, id="u1", harvest=4)
    before = table.to_json()
    assert act(table, 0, 1 * SECOND, id="u1", harvest=9) == first
    assert table.to_json() == before


def test_a_late_duplicate_of_an_old_period_is_acknowledged_again():
    table = started([0])
    act(table, 0, 1 * SECOND, id="u1")
    assert table.episode.period == 1
    before = table.to_json()
    answer = act(table, 0, 1 * SECOND, id="u1", period=0)
    assert answer == {"kind": "ack", "id": "u1", "period": 0}
    assert table.to_json() == before


def test_an_id_reused_in_a_later_period_is_acknowledged_for_the_first_one():
    table = started([0])
    act(table, 0, 1 * SECOND, id="u1")
    assert act(table, 0, 2 * SECOND, id="u1", period=1) == {"kind": "ack", "id": "u1", "period": 0}
    assert 0 not in table.decided


def test_a_second_decision_in_a_period_is_refused():
    table = started([0, 1])
    act(table, 0, 1 * SECOND, id="u1", harvest=4)
    answer = act(table, 0, 1 * SECOND, id="u2", harvest=9)
    assert answer["reason"] == "you have already made your decision"
    assert table.decided[0].action["harvest"] == 4.0


def test_nothing_is_accepted_after_the_end():
    table = started([0], archetype="lab", core={"periods": 1})
    act(table, 0, 1 * SECOND)
    answer = act(table, 0, 2 * SECOND, id="more")
    assert answer["reason"] == "the game is over"
