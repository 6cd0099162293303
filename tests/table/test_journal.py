"""Journal entries: all entries of the play, and the last ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mixed_company.table import timing
from mixed_company.table.directives import Directive
from mixed_company.table.journal import of_play
from mixed_company.table.protocol import Message
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.talk.parsing import Content
from tests.table import chosen
from tests.table.plays import SECOND, act, events, open_table, rows, setup, started


def test_only_a_start_is_cancelled_by_a_later_start():
    first, last = {"kind": "start", "seed": 1}, {"kind": "start", "seed": 2}
    seat, vote = {"kind": "seat"}, {"kind": "event", "event": "chosen"}
    assert of_play([first, seat, vote, last]) == [seat, vote, last]
    assert of_play([first, seat]) == [first, seat]
    assert of_play([]) == []


def test_the_play_of_a_group_that_has_chosen_begins_once():
    table = chosen.voting([0, 1])
    for seat in (0, 1):
        chosen.choose(table, seat, "pool", SECOND)
    table.advance(5 * SECOND)
    assert len(rows(table, "start")) == 2
    assert [row for row in of_play(table.rows) if row["kind"] == "start"] == rows(table, "start")[
        1:
    ]


def test_the_end_of_a_play_says_why():
    table = started([0], archetype="lab", core={"periods": 1})
    act(table, 0, SECOND)
    assert events(table, "ending") == [
        {"kind": "event", "at_ms": SECOND, "period": 1, "event": "ending", "detail": "horizon"}
    ]


def test_a_rebuilt_table_asks_its_policies_like_any_other():
    table = started([0])
    act(table, 0, SECOND)
    again = rebuilt(setup(), chosen.entries(table))
    assert again.recalled is None
    assert again.to_json() == table.to_json()


@pytest.mark.parametrize(
    ("dropout", "come"), [("bot", 30_000), ("pause", 30_000), ("reduced", 90_000), ("end", 90_000)]
)
def test_people_who_can_return_are_awaited_for_at_most_half_a_minute_if_others_wait(dropout, come):
    assert timing.come_ms(90_000, dropout, alone=False) == come
    assert timing.come_ms(10_000, dropout, alone=False) == 10_000
    assert timing.come_ms(90_000, dropout, alone=True) == 90_000


@pytest.mark.parametrize(
    ("round_trip", "longest", "waits"),
    [
        *((0, 1500, 0), (198, 1500, 0), (199, 1500, 150), (200, 1500, 150), (201, 1500, 200)),
        *((300, 1500, 200), (301, 1500, 250), (9000, 1500, 1500), (300, 0, 0)),
    ],
)
def test_the_wait_for_a_slow_line_is_half_a_round_trip_rounded_up_and_a_step(
    round_trip: int, longest: int, waits: int
) -> None:
    assert timing.line_ms(round_trip, longest) == waits


def test_times_follow_from_the_options_by_hand():
    assert (timing.limit_ms(0), timing.limit_ms(2.5)) == (None, 2500)
    assert timing.grace_ms(1.5) == 1500
    assert (timing.longest_line_ms(1.5, 9), timing.longest_line_ms(1.5, 1)) == (1500, 1000)
    silences = [timing.is_silence(seen, 20_000) for seen in (None, 5000, 4999)]
    assert silences == [False, False, True]
    added = [(100, 5), (200, 7)]
    assert [timing.extra_ms(added, trip_ms) for trip_ms in (None, 100, 200, 201)] == [12, 0, 5, 12]
    assert [timing.answers_at(100, 50, end) for end in (None, 200, 120, 90)] == [150, 150, 120, 100]
    assert [timing.takes_over_at(100, 50, begun) for begun in (0, 400)] == [150, 400]


def test_an_agent_that_does_not_decide_is_replaced_by_a_policy_that_starts_anew():
    """A trigger strategy remembers from the start that nobody has broken the rule."""
    options: dict[str, Any] = {"bots": "outside:gpt", "agent_misses": 1, "decision_seconds": 9.0}
    table = open_table([0], dropout_bot="grim_trigger", **options)
    table.apart = True
    table.hear(0, 0)
    act(table, 0, SECOND)
    table.hear(0, 8 * SECOND)
    table.advance(9 * SECOND)
    assert [chair.policy_id for chair in table.seats[1:]] == ["grim_trigger"] * 3
    taken = [(row["seat"], row["detail"]) for row in events(table, "takeover")]
    assert taken == [(seat, "grim_trigger") for seat in (1, 2, 3)]
    follower = table.setup.policy("grim_trigger")
    assert follower.start() != {}
    assert [set(chair.memory) for chair in table.seats[1:]] == [set(follower.start())] * 3


def test_a_rebuilt_table_asks_policies_whose_answer_the_journal_lacks():
    options: dict[str, Any] = {"bots": "outside:gpt", "decision_seconds": 9.0}
    table = open_table([0], **options)
    table.apart = True
    table.hear(0, 0)
    before = [entry for entry in chosen.entries(table) if entry["kind"] != "asked"]
    assert table.pending == {1: 0, 2: 0, 3: 0}
    assert rebuilt(setup(**options), before, apart=True).pending == table.pending


def everything() -> Iterator[dict[str, Any]]:
    """Yield the entries of tables where every kind of entry occurs."""
    mood = {"name": "mood", "text": "?", "every": 1, "type": "number", "required": False}
    options: dict[str, Any] = {"talk": "free", "talk_when": "always", "talk_seconds": 0.0}
    table = open_table(
        [0, 1], bots="outside:gpt", questions=(mood,), decision_seconds=9.0, **options
    )
    table.apart = True
    for seat in (0, 1):
        table.hear(seat, 0)
    table.time_line(0, 900, SECOND)
    table.reply(0, Message("answer", "q", 0, question="mood", value=3), SECOND)
    table.say(0, Message("say", "s", talk=Content("Hi")), SECOND)
    table.say(1, Message("report", "r", talk=Content(number=0)), SECOND)
    table.manage(Directive("stand_in", "m", 1), 2 * SECOND)
    table.back(1, Message("back", "b"), 3 * SECOND)
    act(table, 0, 4 * SECOND)
    table.hear(0, 5 * SECOND)
    table.advance(20 * SECOND)
    yield from table.take_rows()
    talking = started([0, 1], talk="free", talk_seconds=30.0)
    talking.say(0, Message("done", "d", 0, talk=Content()), SECOND)
    yield from talking.take_rows()
    voting = chosen.voting([0, 1])
    chosen.choose(voting, 0, "pool", SECOND)
    yield from voting.take_rows()


SPOKEN = ("number", "seat", "occupant", "policy_id", "to", "text", "sentence", "blocked")
ENTRIES: dict[str, set[str]] = {
    "start": {"seed", "observations"},
    "seat": {"seat", "occupant", "policy_id", "since_period", "reason"},
    "act": {"seat", "id", "period", "action"},
    "choose": {"seat", "id", "rule"},
    "heard": {"seat", "gap"},
    "seen": {"seats"},
    "answered": {"seat", "id", "period", "question", "value"},
    "line": {"seat", "round_trip_ms"},
    "asked": {"seat", "period"},
    "answer": {"seat", "period", "action", "memory", "fault"},
    "message": {*SPOKEN, "period", "id"},
    "report": {"seat", "id", "message"},
    "done": {"seat", "id", "period"},
    "manager": {"what", "id", "seat"},
    "back": {"seat", "id"},
}


def test_an_entry_of_a_journal_has_the_keys_of_its_kind():
    keys: dict[str, set[str]] = {}
    for entry in everything():
        keys.setdefault(entry["kind"], set(entry) - {"kind", "at_ms"})
    assert {kind: keys[kind] for kind in ENTRIES} == ENTRIES
    assert set(keys) == {*ENTRIES, "period", "event"}
    assert keys["period"] == {
        *("period", "sent", "used", "rewards", "components", "state", "observations", "ended"),
        *("shown_ms", "seats"),
    }


def test_a_decision_is_a_sign_of_life_and_needs_no_other_entry():
    table = started([0, 1])
    table.take_rows()
    act(table, 0, SECOND)
    assert [row["kind"] for row in table.take_rows()] == ["act"]
    table.hear(1, 2 * SECOND)
    [seen] = table.take_rows()
    assert (seen["kind"], [list(pair) for pair in seen["seats"]]) == ("seen", [[1, 2 * SECOND]])
