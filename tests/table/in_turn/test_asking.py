"""Decisions in turn: which seats may decide, and which decisions are visible."""

from __future__ import annotations

from mixed_company.table.table import Table
from tests.table.in_turn.tables import turns
from tests.table.layered import IN_TURN, begun, opened
from tests.table.plays import SECOND, act, view, whole


def phases(table: Table, now: int) -> list[str]:
    return [view(table, seat, now)["phase"] for seat in range(4)]


# -- permitted seats -------------------------------------------------------------------


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    table = turns()
    before = whole(table)[0]["decided"]
    refused = act(table, 0, 1 * SECOND)
    assert refused == {
        "kind": "refused",
        "id": "seat 0 period 0",
        "reason": "it is Player 3's turn",
        "period": 0,
    }
    assert whole(table)[0]["decided"] == before == {}
    assert act(table, 2, 2 * SECOND)["kind"] == "ack"
    assert act(table, 0, 3 * SECOND)["kind"] == "ack"


def test_a_refused_id_can_be_sent_again_when_the_turn_comes() -> None:
    table = turns()
    act(table, 0, 1 * SECOND, id="mine", harvest=3)
    act(table, 2, 2 * SECOND)
    assert act(table, 0, 3 * SECOND, id="mine", harvest=3)["kind"] == "ack"
    assert table.decided[0].action["harvest"] == 3.0


def test_a_seat_that_has_decided_is_not_asked_again_in_the_period() -> None:
    table = turns()
    act(table, 2, 1 * SECOND)
    refused = act(table, 2, 2 * SECOND, id="once more", harvest=9)
    assert refused["reason"] == "you have already made your decision"
    assert table.decided[2].action["harvest"] == 1.0


def test_without_a_given_order_seats_decide_by_number() -> None:
    table = turns(agents={"timing": "sequential"})
    assert act(table, 2, 0)["reason"] == "it is Player 1's turn"
    act(table, 0, 1 * SECOND)
    assert table.episode.turn == 1  # a bot
    table.advance(3 * SECOND)
    assert table.episode.turn == 2


def test_nobody_decides_before_the_start() -> None:
    table = opened([0, 2], agents=IN_TURN)
    table.hear(2, 0)
    assert act(table, 2, 1 * SECOND)["reason"] == "the game has not started yet"
    assert table.answers == {}
    assert view(table, 2, 1 * SECOND)["phase"] == "waiting"


# -- views -----------------------------------------------------------------------------


def test_every_view_says_whose_turn_it_is_and_at_most_one_person_is_asked() -> None:
    table = turns()
    assert [view(table, seat, 0)["turn"] for seat in range(4)] == [2] * 4
    assert phases(table, 0) == ["waiting", "waiting", "decide", "waiting"]
    act(table, 2, 1 * SECOND)
    assert [view(table, seat, 1 * SECOND)["turn"] for seat in range(4)] == [0] * 4
    assert phases(table, 1 * SECOND) == ["decide", "waiting", "waiting", "waiting"]
    act(table, 0, 2 * SECOND)
    assert view(table, 0, 2 * SECOND)["turn"] == 1
    assert phases(table, 2 * SECOND) == ["waiting"] * 4


def test_a_view_says_who_has_decided_so_far() -> None:
    table = turns()
    act(table, 2, 1 * SECOND)
    shown = view(table, 0, 1 * SECOND)["seats"]
    assert [seat["decided"] for seat in shown] == [False, False, True, False]


def test_if_all_decide_together_a_view_names_no_turn() -> None:
    assert view(begun([0]), 0, 0)["turn"] is None


def test_later_seats_see_earlier_decisions_as_they_will_be_used() -> None:
    table = turns()
    nothing = [None] * 4
    assert view(table, 2, 0)["observation"]["earlier_harvest"] == nothing
    act(table, 2, 1 * SECOND, harvest=30)  # 10 is the maximum
    assert view(table, 0, 1 * SECOND)["observation"]["earlier_harvest"] == [None, None, 10.0, None]
    assert view(table, 2, 1 * SECOND)["observation"]["earlier_harvest"] == nothing
    act(table, 0, 2 * SECOND, harvest=4)
    assert view(table, 0, 2 * SECOND)["observation"]["earlier_harvest"] == [None, None, 10.0, None]
    assert view(table, 2, 2 * SECOND)["observation"]["earlier_harvest"] == nothing


def test_nothing_of_the_last_period_remains_when_the_next_one_begins() -> None:
    table = turns()
    act(table, 2, 1 * SECOND, harvest=5)
    act(table, 0, 2 * SECOND, harvest=4)
    table.advance(6 * SECOND)  # the bots at 4 s and 6 s
    assert table.episode.period == 1
    assert table.episode.turn == 2
    assert view(table, 0, 6 * SECOND)["observation"]["earlier_harvest"] == [None] * 4
