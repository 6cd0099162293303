"""Whatever a client sends: a reason to act on, and the table is untouched."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from table.protocol import Message, Refusal, parse
from tests.table.plays import SECOND, act, started

MEGABYTE = "x" * 1_000_000


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (None, "a message is an object, this is nothing"),
        (5, "a message is an object, this is a number"),
        ("sync", "a message is an object, this is a text"),
        ([{"kind": "sync"}], "a message is an object, this is a list"),
        (MEGABYTE, "a message is an object, this is a text"),
        ({}, "kind = None: one of sync, act, tick, alive"),
        ({"kind": "delete"}, "kind = 'delete': one of sync, act, tick, alive"),
        ({"kind": ["act"]}, "kind = a list of 1: one of sync, act, tick, alive"),
        ({"kind": "tick", "period": "3"}, "period = '3': should be a whole number"),
        ({"kind": "tick", "period": True}, "period = True: should be a whole number"),
        ({"kind": "tick", "period": 1.5}, "period = 1.5: should be a whole number"),
        ({"kind": "tick", "period": 10**5000}, "period = a huge number: there is no such period"),
        ({"kind": "act", "id": "a", "period": -(10**12)}, "period = -1000000000000: there is no"),
        ({"kind": "act", "period": 0, "action": {}}, "id = None: should be a text of 1 to 64"),
        ({"kind": "act", "id": "", "period": 0, "action": {}}, "id = '': should be a text"),
        ({"kind": "act", "id": MEGABYTE, "period": 0}, "id = 'xxx"),
        ({"kind": "act", "id": "a", "action": {}}, "period: is missing"),
        ({"kind": "act", "id": "a", "period": 0}, "action = None: should be an object"),
        ({"kind": "act", "id": "a", "period": 0, "action": [1]}, "action = a list of 1"),
    ],
)
def test_a_malformed_message_is_refused_with_its_reason(sent: Any, reason: str) -> None:
    found = parse(sent)
    assert isinstance(found, Refusal)
    assert found.reason.startswith(reason)
    assert len(found.reason) < 200


def test_a_refusal_carries_the_id_it_answers() -> None:
    found = parse({"kind": "act", "id": "u7", "period": 0, "action": 3})
    assert isinstance(found, Refusal)
    assert found.to_json() == {
        "kind": "refused",
        "id": "u7",
        "reason": "action = 3: should be an object",
    }


def test_well_formed_messages_are_taken() -> None:
    assert parse({"kind": "sync"}) == Message("sync")
    assert parse({"kind": "tick", "period": 4}) == Message("tick", period=4)
    assert parse({"kind": "back", "id": "b"}) == Message("back", "b")
    assert parse({"kind": "alive"}) == Message("alive")
    action = {"kind": "act", "id": "a", "period": 2, "action": {"harvest": 4}}
    assert parse(action) == Message("act", "a", 2, {"harvest": 4})


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
def test_a_bad_action_is_refused_and_the_table_is_untouched(
    changed: dict[str, Any], reason: str
) -> None:
    made = started([0, 1])
    before, rows = made.to_json(), len(made.rows)
    answer = act(made, 0, 0, **changed)
    assert answer["kind"] == "refused"
    assert answer["reason"].startswith(reason)
    assert (made.to_json(), len(made.rows)) == (before, rows)
    assert act(made, 0, 0)["kind"] == "ack"


def test_a_missing_field_is_refused() -> None:
    made = started([0, 1])
    answer = made.act(0, Message("act", "a", 0, {"harvest": 1}), 0).to_json()
    assert answer["reason"] == "action field 'contribution': is missing"


def test_a_number_beyond_the_range_is_taken_and_clamped_by_the_game() -> None:
    made = started([0])
    assert act(made, 0, 1 * SECOND, harvest=1e9, contribution=-5)["kind"] == "ack"
    row = next(row for row in made.rows if row["kind"] == "period")
    assert row["sent"]["harvest"][0] == 1e9
    assert row["used"]["harvest"][0] == 10.0
    assert row["used"]["contribution"][0] == 0.0


def test_the_same_id_twice_is_acknowledged_again_and_changes_nothing() -> None:
    made = started([0, 1])
    first = act(made, 0, 1 * SECOND, id="u1", harvest=4)
    before = made.to_json()
    assert act(made, 0, 1 * SECOND, id="u1", harvest=9) == first
    assert made.to_json() == before


def test_a_late_duplicate_of_an_old_period_is_acknowledged_again() -> None:
    made = started([0])
    act(made, 0, 1 * SECOND, id="u1")
    assert made.episode.period == 1
    before = made.to_json()
    answer = act(made, 0, 1 * SECOND, id="u1", period=0)
    assert answer == {"kind": "ack", "id": "u1", "period": 0}
    assert made.to_json() == before


def test_an_id_used_again_in_a_later_period_is_acknowledged_for_the_first_one() -> None:
    made = started([0])
    act(made, 0, 1 * SECOND, id="u1")
    assert act(made, 0, 2 * SECOND, id="u1", period=1) == {"kind": "ack", "id": "u1", "period": 0}
    assert 0 not in made.decided


def test_a_second_decision_in_a_period_is_refused() -> None:
    made = started([0, 1])
    act(made, 0, 1 * SECOND, id="u1", harvest=4)
    answer = act(made, 0, 1 * SECOND, id="u2", harvest=9)
    assert answer["reason"] == "you have decided already in this period"
    assert made.decided[0].action["harvest"] == 4.0


@pytest.mark.parametrize(
    ("period", "reason"),
    [(0, "period 1 is over; now is period 2"), (7, "period 8 has not begun; now is period 2")],
)
def test_a_decision_for_another_period_is_refused(period: int, reason: str) -> None:
    made = started([0])
    act(made, 0, 1 * SECOND)
    answer = act(made, 0, 2 * SECOND, period=period, id="new")
    assert answer["reason"] == reason
    assert 0 not in made.decided


def test_nothing_is_taken_after_the_end() -> None:
    made = started([0], archetype="lab", core={"periods": 1})
    act(made, 0, 1 * SECOND)
    answer = act(made, 0, 2 * SECOND, id="more")
    assert answer["reason"] == "the game is over"
