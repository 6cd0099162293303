"""Invalid messages from a person are rejected with a sentence, and change nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mixed_company.table.directives import Directive
from mixed_company.table.protocol import Message, Refusal
from mixed_company.table.table import Table
from mixed_company.table.talk.parsing import Content
from tests.table import chosen
from tests.table.plays import SECOND, act, open_table, rows, started

MOOD = {"name": "mood", "text": "How are you?", "type": "number", "every": 1}
TALK = {"talk": "free", "talk_when": "always", "talk_seconds": 0.0}
OPTIONS: dict[str, Any] = {**TALK, "questions": (MOOD,), "decision_seconds": 60.0}


def group(people: tuple[int, ...] = (0, 1), **options: Any) -> Table:
    return started(list(people), **{**OPTIONS, **options})


def managed(kind: str, seat: int | None = None, **options: Any) -> Table:
    """Return a table after a manager's directive."""
    table = group(**options)
    table.manage(Directive(kind, "m", seat), SECOND)
    return table


SENT: dict[str, Callable[[Table, Message], Any]] = {
    "act": lambda table, message: table.act(0, message, 2 * SECOND),
    "answer": lambda table, message: table.reply(0, message, 2 * SECOND),
    "choose": lambda table, message: table.choose(0, message, 2 * SECOND),
    "back": lambda table, message: table.back(0, message, 2 * SECOND),
    "ready": lambda table, message: table.ready(0, message, 2 * SECOND),
    "say": lambda table, message: table.say(0, message, 2 * SECOND),
    "done": lambda table, message: table.say(0, message, 2 * SECOND),
}
CONTENT: dict[str, dict[str, Any]] = {
    "act": {"action": {"harvest": 1.0, "contribution": 0.0}},
    "answer": {"question": "mood", "value": 3},
    "say": {"talk": Content("Hi")},
    "done": {"talk": Content()},
}


def sent(table: Table, kind: str, period: int = 0, **more: Any) -> Any:
    """Return the answer to a message from the person in seat 0."""
    content = {**CONTENT.get(kind, {}), **more}
    return SENT[kind](table, Message(kind, "new", period, **content))


OVER, PAUSED = "the game is over", "the game is paused"
BEFORE, NO_VOTE = "the game has not started yet", "there is no vote in this game"
ENDED = {"act": OVER, "answer": OVER, "choose": OVER, "back": OVER, "ready": OVER, "say": OVER}
STATES: dict[str, tuple[Callable[[], Table], dict[str, str]]] = {
    "the play was ended": (lambda: managed("end"), {**ENDED, "done": OVER}),
    "the person was released": (lambda: managed("release", 0), {**ENDED, "done": OVER}),
    "the person was excluded": (lambda: managed("exclude", 0), {**ENDED, "done": OVER}),
    "the play is paused": (
        lambda: managed("pause"),
        dict.fromkeys(("act", "answer", "choose", "say"), PAUSED),
    ),
    "not all people are there": (
        lambda: open_table([0, 1], **OPTIONS),
        {**dict.fromkeys(("act", "answer", "say"), BEFORE), "choose": NO_VOTE},
    ),
    "a stand-in has the seat": (
        lambda: managed("stand_in", 0),
        {
            **dict.fromkeys(
                ("act", "answer"),
                "a stand-in is deciding for you in this period; you decide again in the next one",
            ),
            "say": "a stand-in is deciding for you; you can write again once you decide for "
            "yourself",
            "choose": NO_VOTE,
        },
    ),
    "the group talks first": (
        lambda: group(talk_when="periods", talk_seconds=30.0),
        {
            **dict.fromkeys(
                ("act", "answer"), "your group is still talking; you can decide afterwards"
            ),
            "choose": NO_VOTE,
        },
    ),
    "nothing is in the way": (group, {"choose": NO_VOTE}),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", SENT)
def test_a_message_refused_in_a_state_of_the_table_gets_the_sentence_for_it(state, kind):
    make, refused = STATES[state]
    table = make()
    if kind == "act" and kind not in refused:
        sent(table, "answer", value=1)
    answer = sent(table, kind)
    reason = refused.get(kind)
    assert (answer.reason if isinstance(answer, Refusal) else None) == reason
    assert answer.id == "new"
    assert answer.period == table.episode.period
    written = {row["kind"] for row in table.rows if row.get("id") == "new" and row["kind"] == kind}
    assert not written or reason is None


@pytest.mark.parametrize("kind", ["act", "answer"])
@pytest.mark.parametrize(
    ("period", "reason"),
    [
        (0, "period 1 is over; this is period 2"),
        (2, "period 3 has not begun yet; this is period 2"),
    ],
)
def test_a_message_for_another_period_is_refused(kind, period, reason):
    table = group((0,), questions=())
    act(table, 0, SECOND)
    assert table.episode.period == 1
    assert sent(table, kind, period).reason == reason


def test_if_seats_decide_in_turn_the_player_whose_turn_it_is_is_named():
    table = group(core={"agents": {"timing": "sequential"}}, questions=())
    assert table.act(1, Message("act", "a", 0, CONTENT["act"]["action"]), SECOND).to_json() == {
        "kind": "refused",
        "id": "a",
        "reason": "it is Player 1's turn",
        "period": 0,
    }


# -- the manager's directives -----------------------------------------------------------------


def directed(table: Table, kind: str, seat: int | None = None) -> str:
    before = json.loads(table.to_json())
    answer = table.manage(Directive(kind, f"new {kind}", seat, ms=SECOND), 2 * SECOND)
    if not isinstance(answer, Refusal):
        return "ack"
    assert json.loads(table.to_json()) == before
    assert (answer.id, answer.period) == (f"new {kind}", table.episode.period)
    return answer.reason


OF_GROUP = ("pause", "go_on", "extend", "end", "message")
OF_SEAT = ("skip", "stand_in", "give_back", "release", "exclude", "message")
NOT_PAUSED, NOT_HANDED = "the group is not paused", "this seat was not handed to a stand-in"
OUT, STOOD_IN = "this person's part is over", "a stand-in already has this seat"
PLAIN = {"go_on": NOT_PAUSED}
DECIDES = {"give_back": NOT_HANDED}
DIRECTED: list[tuple[Callable[[], Table], int | None, dict[str, str]]] = [
    (group, None, PLAIN),
    (lambda: managed("end"), None, dict.fromkeys(OF_GROUP, "this group's play is over")),
    (lambda: managed("pause"), None, {"pause": "the group is already paused"}),
    (lambda: open_table([0, 1], **OPTIONS), None, {**PLAIN, "extend": BEFORE}),
    (
        lambda: group(talk_when="periods", talk_seconds=30.0),
        None,
        {**PLAIN, "extend": "the group is talking; time can be added once it decides"},
    ),
    (
        lambda: group(decision_seconds=0.0),
        None,
        {**PLAIN, "extend": "decisions have no time limit in this session"},
    ),
    (group, 0, DECIDES),
    (group, 2, dict.fromkeys(OF_SEAT, "seat 2 is not a person's seat")),
    (lambda: managed("end"), 0, dict.fromkeys(OF_SEAT, "this group's play is over")),
    (lambda: managed("release", 0), 0, dict.fromkeys(OF_SEAT, OUT)),
    (
        lambda: open_table([0, 1], **OPTIONS),
        0,
        {**dict.fromkeys(("skip", "stand_in", "release", "exclude"), BEFORE), **DECIDES},
    ),
    (lambda: managed("stand_in", 0), 0, dict.fromkeys(("skip", "stand_in"), STOOD_IN)),
    (
        lambda: group(talk_when="periods", talk_seconds=30.0),
        0,
        {
            **DECIDES,
            "skip": "the group is talking and will not wait for this person afterwards",
        },
    ),
    (lambda: group(pace="clock"), 0, {**DECIDES, "skip": "nobody waits for this person"}),
    (
        lambda: group(core={"agents": {"timing": "sequential"}}),
        1,
        {**DECIDES, "skip": "nobody waits for this person"},
    ),
    (lambda: group(core={"agents": {"timing": "sequential"}}), 0, DECIDES),
    (lambda: chosen.voting([0, 1]), 0, {
        **dict.fromkeys(("stand_in", "release", "exclude"), BEFORE), **DECIDES
    }),
]  # fmt: skip


@pytest.mark.parametrize(("make", "seat", "refused"), DIRECTED)
def test_a_directive_that_makes_no_sense_now_is_refused_in_a_sentence_for_the_manager(
    make: Callable[[], Table], seat: int | None, refused: dict[str, str]
) -> None:
    kinds = OF_GROUP if seat is None else OF_SEAT
    refusals = {kind: directed(make(), kind, seat) for kind in kinds}
    assert refusals == {kind: refused.get(kind, "ack") for kind in kinds}


def test_a_person_who_has_decided_or_voted_is_not_skipped():
    decided = group(questions=())
    act(decided, 0, SECOND)
    assert directed(decided, "skip", 0) == "this person has already decided"
    voted = chosen.voting([0, 1])
    chosen.choose(voted, 0, "pool", SECOND)
    assert directed(voted, "skip", 0) == "this person has already voted"
    assert directed(voted, "skip", 1) == "ack"


def test_a_person_who_reports_back_has_the_seat_at_the_next_period_and_keeps_it():
    """The server does not need to hear from the person again before the period begins."""
    table = managed("stand_in", 0)
    assert sent(table, "back").to_json() == {"kind": "ack", "id": "new", "period": 0}
    chair = table.seats[0]
    assert (chair.called, chair.held, chair.returning) == (False, False, True)
    assert sent(table, "back").to_json()["kind"] == "ack"
    assert len(rows(table, "back")) == 1
