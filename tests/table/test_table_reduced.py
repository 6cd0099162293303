"""Dropout `reduced`: a seat whose person has left stays empty, and the others play on without
it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mixed_company import engine
from tests.table.layered import (
    IN_TURN,
    LATER,
    leaving,
    left,
    misreplayed,
    occupants,
    opened,
    reduced,
    stay,
)
from tests.table.plays import SECOND, act, events, reopened, rows, view, whole

# -- leaving, all together ------------------------------------------------------------------


def test_a_seat_whose_person_left_stays_empty_and_the_others_need_not_wait() -> None:
    table = reduced([0, 1])
    act(table, 0, 1 * SECOND, harvest=3)
    stay(table, [0], 5, 10)
    assert table.episode.period == 0
    table.hear(0, 15 * SECOND)
    # seat 1 is out 15 s after its last heartbeat; all others have decided by then
    assert occupants(table) == ["person", "nobody", "policy", "policy"]
    first = rows(table, "period")[0]
    assert first["at_ms"] == 15 * SECOND
    assert [who["by"] for who in first["seats"]] == ["person", "absent", "policy", "policy"]
    assert [who["occupant"] for who in first["seats"]] == ["person", "nobody", "policy", "policy"]
    assert first["rewards"] == [3.0, 0.0, 2.0, 2.0]
    assert events(table, "left") == [
        {"kind": "event", "at_ms": 15 * SECOND, "period": 0, "event": "left", "seat": 1}
    ]
    assert events(table, "takeover") == []
    act(table, 0, 16 * SECOND, harvest=4)
    assert rows(table, "period")[1]["at_ms"] == 16 * SECOND
    assert leaving(table) == {0: [1], 1: []}
    assert misreplayed(table) == []


def test_a_decision_made_before_leaving_counts_and_the_seat_is_empty_from_the_next_period() -> None:
    table = reduced([0, 1])
    act(table, 1, 1 * SECOND, harvest=4)
    stay(table, [0], 0, 15)
    table.hear(0, 16 * SECOND)  # 1 + 15
    assert occupants(table)[1] == "nobody"
    assert table.episode.period == 0
    act(table, 0, 17 * SECOND, harvest=3)
    act(table, 0, 18 * SECOND, harvest=3)
    played = rows(table, "period")
    assert [row["seats"][1]["by"] for row in played] == ["person", "absent"]
    assert [row["rewards"][1] for row in played] == [4.0, 0.0]
    [gone] = [row for row in rows(table, "seat") if row["reason"] == "dropout"]
    assert (gone["occupant"], gone["since_period"], gone["at_ms"]) == ("nobody", 1, 16 * SECOND)
    assert leaving(table) == {0: [], 1: [1]}
    assert (table.seats[1].points, table.seats[1].periods) == (4.0, 1)
    assert misreplayed(table) == []


def test_a_person_who_never_came_is_out_when_the_play_starts() -> None:
    table = opened([0, 2], dropout="reduced", grace_seconds=20, decision_seconds=0)
    stay(table, [0], 0, 20)
    assert table.started_ms == 20 * SECOND
    assert occupants(table)[2] == "nobody"
    assert table.waiting() == [0]
    act(table, 0, 21 * SECOND, harvest=3)
    assert rows(table, "period")[0]["rewards"] == [3.0, 2.0, 0.0, 2.0]
    assert (table.seats[2].points, table.seats[2].periods) == (0.0, 0)
    assert misreplayed(table) == []


def test_nobody_can_leave_before_the_play_has_started() -> None:
    table = opened([0, 2], dropout="reduced", grace_seconds=20, decision_seconds=0)
    table.hear(0, 0)
    table.advance(19 * SECOND)
    assert occupants(table)[0] == "person"
    table.advance(20 * SECOND)  # no person was heard from in the 20 s before the start
    assert table.started_ms == 20 * SECOND
    assert occupants(table)[0] == occupants(table)[2] == "nobody"


def test_when_the_last_person_leaves_the_bots_play_on_to_the_end() -> None:
    table = reduced([0], core={"periods": 3})
    act(table, 0, 1 * SECOND, harvest=5)
    table.advance(16 * SECOND)
    assert table.episode.reason == "horizon"
    assert [row["at_ms"] for row in rows(table, "period")] == [1000, 16000, 16000]
    assert [row["rewards"][0] for row in rows(table, "period")] == [5.0, 0.0, 0.0]
    assert misreplayed(table) == []


def test_when_everybody_has_left_the_play_is_over() -> None:
    table = reduced([0, 1, 2, 3])
    for seat in range(4):
        act(table, seat, seat * SECOND, harvest=2)
    assert table.episode.period == 1
    table.advance(60 * SECOND)
    # the last one was heard from at 3 s
    assert (table.episode.reason, table.episode.period) == ("all_left", 2)
    last = rows(table, "period")[-1]
    assert (last["at_ms"], last["ended"], last["rewards"]) == (18 * SECOND, "all_left", [0.0] * 4)
    assert [row["seat"] for row in events(table, "left")] == [0, 1, 2, 3]
    assert [row["at_ms"] for row in events(table, "left")] == [15000, 16000, 17000, 18000]
    assert leaving(table) == {0: [], 1: [0, 1, 2, 3]}
    assert [chair.points for chair in table.seats] == [2.0] * 4
    assert misreplayed(table) == []


def test_people_who_leave_at_the_same_time_leave_in_the_same_period() -> None:
    table = reduced([0, 1, 2, 3])
    act(table, 3, 0, harvest=6)
    stay(table, [3], 5, 15)
    first = rows(table, "period")[0]
    assert [row["seat"] for row in events(table, "left")] == [0, 1, 2]
    assert {row["at_ms"] for row in events(table, "left")} == {15 * SECOND}
    assert (first["at_ms"], first["rewards"]) == (15 * SECOND, [0.0, 0.0, 0.0, 6.0])
    assert leaving(table) == {0: [0, 1, 2]}
    assert misreplayed(table) == []


def test_leaving_is_settled_before_the_deadline_if_both_are_due() -> None:
    table = reduced([0, 1], decision_seconds=15)
    table.advance(15 * SECOND)
    first = rows(table, "period")[0]
    assert [who["by"] for who in first["seats"]] == ["absent", "absent", "policy", "policy"]


def test_a_sign_of_life_at_the_last_moment_keeps_the_seat_but_a_later_one_does_not() -> None:
    table = reduced([0, 1])
    table.hear(1, 15 * SECOND - 1)
    assert occupants(table)[1] == "person"
    table.hear(1, 30 * SECOND - 1)
    assert occupants(table)[1] == "nobody"


def test_a_person_who_leaves_a_play_by_the_clock_does_nothing_from_then_on() -> None:
    table = reduced([0, 1], pace="clock", decision_seconds=4)
    act(table, 1, 1 * SECOND, harvest=7)
    stay(table, [0], 0, 20)
    # seat 1: 7, then silent; it leaves at 1 + 15 = 16 s, at the moment turn 3 ends, and
    # leaving comes first
    assert [row["seats"][1]["by"] for row in rows(table, "period")] == [
        "person",
        "default",
        "default",
        "absent",
        "absent",
    ]
    assert [row["at_ms"] for row in rows(table, "period")] == [4000, 8000, 12000, 16000, 20000]
    assert misreplayed(table) == []


# -- leaving, in turn -----------------------------------------------------------------------


def test_a_seat_that_leaves_in_its_own_turn_is_skipped() -> None:
    table = reduced([0, 2], agents=IN_TURN)
    stay(table, [0], 0, 15)
    assert occupants(table)[2] == "nobody"
    assert table.episode.turn == 0
    # its default is logged as its action
    assert view(table, 0, 15 * SECOND)["observation"]["earlier_harvest"][2] == 0.0
    act(table, 0, 16 * SECOND, harvest=3)
    first = rows(table, "period")[0]
    assert first["rewards"] == [3.0, 2.0, 0.0, 2.0]
    assert first["seats"][2]["by"] == "absent"
    assert table.episode.turn == 0  # of period 1: no seat is asked before
    assert leaving(table) == {0: [2]}
    assert misreplayed(table) == []


def test_a_seat_that_leaves_before_its_turn_is_skipped_when_the_turn_comes() -> None:
    table = reduced([0, 2], agents=IN_TURN)
    stay(table, [2], 0, 15)
    assert (occupants(table)[0], table.episode.turn) == ("nobody", 2)
    assert act(table, 2, 16 * SECOND, harvest=3)["kind"] == "ack"
    first = rows(table, "period")[0]
    assert (first["at_ms"], first["rewards"]) == (16 * SECOND, [0.0, 2.0, 3.0, 2.0])
    assert leaving(table) == {0: [0]}
    assert misreplayed(table) == []


def test_a_person_who_leaves_after_the_turn_has_decided_in_this_period() -> None:
    table = reduced([0, 2], agents=IN_TURN)
    act(table, 2, 1 * SECOND, harvest=4)
    stay(table, [0], 0, 20)
    assert occupants(table)[2] == "nobody"
    act(table, 0, 20 * SECOND, harvest=3)
    act(table, 0, 21 * SECOND, harvest=3)
    assert [row["rewards"][2] for row in rows(table, "period")] == [4.0, 0.0]
    assert leaving(table) == {0: [], 1: [2]}
    assert table.seats[2].points == 4.0
    assert misreplayed(table) == []


def test_when_everybody_has_left_in_turn_the_play_is_over() -> None:
    table = reduced([0, 1, 2, 3], agents=IN_TURN)
    act(table, 2, 1 * SECOND, harvest=4)
    act(table, 0, 2 * SECOND, harvest=3)
    table.advance(60 * SECOND)
    # 1 and 3 leave at 15 s, period 0 ends; 2 leaves at 16 s, 0 at 17 s
    assert [row["at_ms"] for row in rows(table, "period")] == [15000, 17000]
    assert leaving(table) == {0: [1, 3], 1: [0, 2]}
    assert (table.episode.reason, table.episode.done) == ("all_left", True)
    assert [chair.points for chair in table.seats] == [3.0, 0.0, 4.0, 0.0]
    assert misreplayed(table) == []


# -- the person who has left ----------------------------------------------------------------


@pytest.mark.parametrize("agents", [None, IN_TURN])
def test_a_person_who_left_sees_the_end_and_cannot_act_or_return(agents: Any) -> None:
    table = reduced([0, 2], agents=agents)
    stay(table, [0], 0, 20)
    shown = view(table, 2, 20 * SECOND)
    assert (shown["phase"], shown["standin"], shown["points"]) == ("over", False, 0.0)
    assert shown["ended"] == {"reason": "left", "result": "neither"}
    assert view(table, 0, 20 * SECOND)["ended"] == {"reason": None, "result": None}
    assert table.out(2)
    assert not table.out(0)
    assert table.seats[2].returning is False
    refused = act(table, 2, 21 * SECOND, harvest=9)
    assert (refused["kind"], refused["reason"]) == ("refused", "the game is over")
    for _ in range(3):
        act(table, 0, 22 * SECOND, harvest=1)
        table.hear(2, 22 * SECOND)
    assert occupants(table)[2] == "nobody"
    assert {row["seats"][2]["by"] for row in rows(table, "period")} == {"absent"}
    # once it is out in the engine too, it sees nothing
    seen = view(table, 2, 23 * SECOND)["observation"]
    assert seen["ended"] is True
    assert seen["stock"] is None
    assert view(table, 0, 23 * SECOND)["observation"]["stock"] is not None


def test_the_others_learn_who_has_left_if_occupants_are_disclosed() -> None:
    table = reduced([0, 2], disclosure="labels")
    stay(table, [0], 0, 15)
    occupants_shown = [seat["occupant"] for seat in view(table, 0, 15 * SECOND)["seats"]]
    assert occupants_shown == ["person", "policy", "nobody", "policy"]


def test_a_table_that_somebody_has_left_can_be_stored_and_reopened() -> None:
    for agents in (None, IN_TURN):
        table = reduced([0, 2], agents=agents)
        act(table, 2, 1 * SECOND, harvest=4)
        stay(table, [0], 0, 20)
        again = reopened(table)
        again.rows = list(table.rows)
        for played in (table, again):
            act(played, 0, 21 * SECOND)
            act(played, 0, 22 * SECOND)
            assert act(played, 2, 23 * SECOND)["reason"] == "the game is over"
        assert whole(again) == whole(table)
        assert misreplayed(again) == []


# -- points and pay -------------------------------------------------------------------------


@pytest.mark.parametrize("agents", [None, IN_TURN])
def test_amounts_owed_are_paid_to_the_person_who_left(agents: Any) -> None:
    # Half of a reward comes two periods later. Seat 2 takes 4 and 6: 2 and 3 now, 2 and 3 owed.
    table = reduced([0, 2], layers=LATER, agents=agents)
    for period, amount in enumerate((4, 6)):
        act(table, 2, (period + 1) * SECOND, harvest=amount)
        act(table, 0, (period + 1) * SECOND, harvest=1)
    assert table.seats[2].points == 5.0
    stay(table, [0], 5, 20)
    assert occupants(table)[2] == "nobody"
    act(table, 0, 20 * SECOND, harvest=1)
    assert rows(table, "period")[2]["rewards"][2] == 5.0
    assert (table.seats[2].points, table.seats[2].periods) == (10.0, 2)
    act(table, 0, 21 * SECOND, harvest=1)
    assert rows(table, "period")[3]["rewards"][2] == 0.0
    assert (table.seats[2].points, table.seats[2].seat_points) == (10.0, 10.0)
    assert misreplayed(table) == []


def test_amounts_owed_at_the_end_of_the_play_are_paid_then() -> None:
    # As above, but the play ends in the period after which seat 2 counts as gone.
    table = reduced([0, 2], layers=LATER, core={"periods": 1})
    act(table, 2, 1 * SECOND, harvest=4)
    stay(table, [0], 5, 20)
    act(table, 0, 20 * SECOND, harvest=1)
    assert table.episode.reason == "horizon"
    assert [table.seats[seat].points for seat in (0, 2)] == [1.0, 4.0]


# -- the log --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", engine.game_ids())
@pytest.mark.parametrize("layered", [False, True])
def test_the_log_with_seats_that_left_replays_exactly(game: str, layered: bool) -> None:
    table = left(game, 2, decision_seconds=0, layers=LATER if layered else None)
    table.advance(10**9)
    assert table.episode.done
    assert [seats for seats in leaving(table).values() if seats] == [[1], [0]]
    assert misreplayed(table) == []


@pytest.mark.parametrize("seed", range(16))
def test_nobody_waits_for_people_who_leave_at_any_time_and_the_log_replays(seed: int) -> None:
    chance = random.Random(seed)
    order = chance.sample(range(4), 4)
    agents: dict[str, Any] = {"timing": "sequential", "order": order} if seed % 2 else {}
    people = list(range(chance.choice([2, 3, 4])))
    table = reduced(
        people,
        agents=agents,
        layers=chance.choice([None, LATER]),
        core={"periods": 6},
        decision_seconds=chance.choice([0, 7]),
        bots="noisy_person",
        bot_delay="lognormal:median=1;sigma=1",
    )
    now, alive = 0, {seat: chance.randrange(1, 90) * SECOND for seat in people}
    while not table.episode.done and now < 120 * SECOND:
        now += chance.randrange(1, 2000)
        for seat in people:
            if now < alive[seat]:
                table.hear(seat, now)
                act(table, seat, now, id=f"{seat} {now}", harvest=chance.uniform(0, 12))
        if not table.episode.done and table.started_ms is not None:
            stuck = set(table.waiting()) & {c.seat for c in table.seats if c.occupant == "nobody"}
            assert table.episode.turn is not None or not stuck
            turn = table.episode.turn
            assert turn is None or table.seats[turn].occupant != "nobody"
    table.advance(now + 10_000 * SECOND)
    assert table.episode.done
    assert misreplayed(table) == []
    # all points of a person's seat belong to that person, because nobody else ever had it
    for seat in people:
        earned = sum(row["rewards"][seat] for row in rows(table, "period"))
        assert table.seats[seat].points == table.seats[seat].seat_points == pytest.approx(earned)
