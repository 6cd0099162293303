"""Keys of a view, and the pages that receive one."""

from __future__ import annotations

from typing import Any

from mixed_company.table.directives import Directive
from mixed_company.table.exchange import Exchange, exchange, looked_at
from mixed_company.table.protocol import Message
from mixed_company.table.table import Table
from mixed_company.table.talk.parsing import Content
from mixed_company.table.view import history, phase
from tests.table import chosen
from tests.table.plays import SECOND, act, open_table, started, view

ALWAYS = {
    *("kind", "period", "phase", "remaining_ms", "observation", "limits", "decision", "last"),
    *("seats", "points", "standin", "started", "turn", "ended"),
}
"""Keys of every view. Other keys are present only if they have something to show."""


def test_a_view_of_a_play_that_has_begun() -> None:
    table = started([0, 1], decision_seconds=20)
    shown = view(table, 1, SECOND)
    assert set(shown) == ALWAYS
    assert {key: value for key, value in shown.items() if key not in ("observation", "limits")} == {
        "kind": "view",
        "period": 0,
        "phase": "decide",
        "remaining_ms": 19_000,
        "decision": None,
        "last": None,
        "points": 0.0,
        "standin": False,
        "started": True,
        "turn": None,
        "ended": {"reason": None, "result": None},
        "seats": [{"seat": seat, "you": seat == 1, "decided": seat > 1} for seat in range(4)],
    }
    assert set(shown["observation"]) == {
        field.name for field in table.game.declaration.observations if not field.bulk
    }
    assert set(shown["limits"]) == {"harvest", "contribution"}


def test_players_with_new_names_in_every_period_are_marked_under_these_names() -> None:
    """The marks of bots and of decisions follow the newly drawn order of the numbers."""
    core = {"peer": "punishment", "peer_names": "shuffled"}
    marked = {"disclosure": "labels", "bot_delay": "instant", "decision_seconds": 20}
    table = started([0, 1], archetype="lab", core=core, bots="sustainable+never_punishes", **marked)
    orders = []
    for period in range(10):
        act(table, 1, 1000 * period + SECOND, id=f"{period}", period=period)
        shown = view(table, 0, 1000 * period + SECOND)["seats"]
        order = table.episode.shown_as(0)
        assert [seat["seat"] for seat in shown] == [0, 1, 2, 3]
        assert [seat["you"] for seat in shown] == [True, False, False, False]
        is_person = [seat["occupant"] == "person" for seat in shown]
        assert is_person == [other in (0, 1) for other in order]
        assert [seat["decided"] for seat in shown] == [other != 0 for other in order]
        orders.append(order.index(1))
        act(table, 0, 1000 * period + SECOND, id=f"{period}", period=period)
        for seat in (0, 1):
            points = Message("act", f"points {period}", period, {"assign": [0] * 4})
            table.act(seat, points, 1000 * period + SECOND)
    assert len(set(orders)) == 3


def test_a_view_shows_the_decision_of_the_person_and_its_result() -> None:
    table = started([0, 1])
    act(table, 0, SECOND, harvest=4)
    assert view(table, 0, SECOND)["decision"] == {"harvest": 4.0, "contribution": 0.0}
    assert view(table, 1, SECOND)["decision"] is None
    act(table, 1, 2 * SECOND, harvest=3)
    last = [view(table, seat, 2 * SECOND)["last"] for seat in range(2)]
    assert [entry["reward"] for entry in last] == [4.0, 3.0]
    assert [entry["used"] for entry in last] == [
        {"harvest": harvest, "contribution": 0.0} for harvest in (4.0, 3.0)
    ]
    assert [entry["by"] for entry in last] == ["person", "person"]
    assert [sum(entry["components"].values()) for entry in last] == [4.0, 3.0]
    assert view(table, 0, 2 * SECOND)["points"] == 4.0


def test_optional_keys_are_present_if_they_have_something_to_show() -> None:
    waiting = open_table([0, 1], ready=True, countdown_seconds=3.0)
    assert set(view(waiting, 0, 0)) - ALWAYS == {"to_confirm"}
    counting = open_table([0], countdown_seconds=3.0)
    counting.hear(0, 0)
    shown = view(counting, 0, SECOND)
    assert set(shown) - ALWAYS == {"ready"}
    assert (shown["started"], shown["phase"], shown["remaining_ms"]) == (False, "waiting", 2000)
    table = started([0, 1])
    for number, kind in enumerate(("stand_in", "message", "pause")):
        seat = None if kind == "pause" else 0
        table.manage(Directive(kind, f"{number}", seat, text="Hello."), SECOND)
    shown = view(table, 0, SECOND)
    assert set(shown) - ALWAYS == {"called", "note", "paused"}
    assert (shown["standin"], shown["note"]) == (True, {"id": "1", "text": "Hello."})
    assert set(view(table, 1, SECOND)) - ALWAYS == {"paused"}


def test_the_phase_of_a_seat() -> None:
    table = started([0, 1], core={"agents": {"timing": "sequential"}})
    assert [phase(table, seat) for seat in (0, 1)] == ["decide", "waiting"]
    act(table, 0, SECOND)
    assert [phase(table, seat) for seat in (0, 1)] == ["waiting", "decide"]
    table.manage(Directive("pause", "p"), SECOND)
    assert [phase(table, seat) for seat in (0, 1)] == ["waiting", "waiting"]
    by_clock = started([0], pace="clock", decision_seconds=9.0)
    act(by_clock, 0, SECOND)
    assert phase(by_clock, 0) == "decide"
    voting = chosen.voting([0, 1])
    assert phase(voting, 0) == "choose"
    voting.manage(Directive("pause", "p"), SECOND)
    assert phase(voting, 0) == "waiting"


def test_the_history_of_a_seat_has_the_start_and_every_period() -> None:
    table = started([0])
    act(table, 0, SECOND, harvest=4)
    first, second = history(table.game, table.rows, 0)
    assert set(first) == {"period", "observation"}
    assert first["period"] == -1
    assert {key: second[key] for key in ("period", "reward", "used")} == {
        "period": 0,
        "reward": 4.0,
        "used": {"harvest": 4.0, "contribution": 0.0},
    }
    assert second["observation"] == view(table, 0, SECOND)["observation"]


# -- the receiving pages --------------------------------------------------------------------------


def sent(table: Table, seat: int, kind: str, now: int, **more: Any) -> Exchange:
    return exchange(table, seat, Message(kind, f"{kind} {now}", **more), now)


ACTION = {"action": {"harvest": 1.0, "contribution": 0.0}}


def test_everybody_sees_that_somebody_has_decided_except_by_the_clock() -> None:
    assert list(sent(started([0, 1]), 0, "act", SECOND, **ACTION).views) == [0, 1]
    by_clock = started([0, 1], pace="clock", decision_seconds=9.0)
    assert list(sent(by_clock, 0, "act", SECOND, **ACTION).views) == []


def test_everybody_sees_that_the_play_begins_and_that_its_pages_count_down() -> None:
    table = open_table([0, 1], countdown_seconds=3.0)
    assert list(sent(table, 0, "alive", SECOND).views) == []
    assert list(sent(table, 1, "alive", 2 * SECOND).views) == [0, 1]
    assert list(looked_at(table, 4 * SECOND).views) == []
    assert list(looked_at(table, 5 * SECOND).views) == [0, 1]


def test_everybody_sees_that_a_vote_begins_and_is_over() -> None:
    table = chosen.open_table([0, 1])
    assert list(sent(table, 0, "alive", SECOND).views) == []
    assert list(sent(table, 1, "alive", SECOND).views) == [0, 1]
    assert list(sent(table, 0, "choose", 2 * SECOND, rule="pool").views) == [0]
    assert list(sent(table, 1, "choose", 3 * SECOND, rule="pool").views) == [0, 1]


def test_everybody_sees_whose_turn_it_is_and_that_the_talk_is_over() -> None:
    in_turn = started([0, 1], core={"agents": {"timing": "sequential"}})
    assert list(sent(in_turn, 0, "act", SECOND, **ACTION).views) == [0, 1]
    talking = started([0, 1], talk="free", talk_seconds=30.0)
    assert list(sent(talking, 0, "done", SECOND, talk=Content()).views) == [0]
    assert list(sent(talking, 1, "done", SECOND, talk=Content()).views) == [0, 1]


def test_a_message_is_shown_to_everybody_it_reached() -> None:
    options: dict[str, Any] = {"talk": "free", "talk_when": "always", "talk_seconds": 0.0}
    table = started([0, 1, 2], talk_with="one", **options)
    assert list(sent(table, 0, "say", SECOND, talk=Content("Psst", None, 2)).views) == [0, 2]


def test_everybody_sees_that_a_bot_has_the_seat_only_if_bots_are_marked() -> None:
    for disclosure, shown in (("labels", [0, 1]), ("none", [])):
        table = started([0, 1], disclosure=disclosure, decision_seconds=0, grace_seconds=20)
        act(table, 1, SECOND)
        table.hear(0, 15 * SECOND)
        assert list(looked_at(table, 22 * SECOND).views) == shown
        assert table.seats[1].occupant == "policy"


def test_everybody_sees_that_the_play_waits_for_somebody_and_no_longer_waits() -> None:
    table = started([0, 1], dropout="pause", grace_seconds=15, decision_seconds=0)
    act(table, 0, SECOND)
    table.hear(0, 14 * SECOND)
    assert list(looked_at(table, 16 * SECOND).views) == [0, 1]
    assert list(sent(table, 1, "alive", 17 * SECOND).views) == [0, 1]
