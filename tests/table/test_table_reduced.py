"""Where a seat that is left stays empty (dropout `reduced`): the others go on without it."""

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


def test_a_seat_that_is_left_stays_empty_and_the_others_are_not_kept_waiting() -> None:
    made = reduced([0, 1])
    act(made, 0, 1 * SECOND, harvest=3)
    stay(made, [0], 5, 10)
    assert made.episode.period == 0
    made.hear(0, 15 * SECOND)
    # 15 s after its last sign of life seat 1 is out; all others have decided by then
    assert occupants(made) == ["person", "nobody", "policy", "policy"]
    first = rows(made, "period")[0]
    assert first["at_ms"] == 15 * SECOND
    assert [who["by"] for who in first["seats"]] == ["person", "absent", "policy", "policy"]
    assert [who["occupant"] for who in first["seats"]] == ["person", "nobody", "policy", "policy"]
    assert first["rewards"] == [3.0, 0.0, 2.0, 2.0]
    assert events(made, "left") == [
        {"kind": "event", "at_ms": 15 * SECOND, "period": 0, "event": "left", "seat": 1}
    ]
    assert events(made, "takeover") == []
    act(made, 0, 16 * SECOND, harvest=4)
    assert rows(made, "period")[1]["at_ms"] == 16 * SECOND
    assert leaving(made) == {0: [1], 1: []}
    assert misreplayed(made) == []


def test_a_decision_made_before_leaving_counts_and_the_seat_is_empty_from_the_next_period() -> None:
    made = reduced([0, 1])
    act(made, 1, 1 * SECOND, harvest=4)
    stay(made, [0], 0, 15)
    made.hear(0, 16 * SECOND)  # 1 + 15
    assert occupants(made)[1] == "nobody"
    assert made.episode.period == 0
    act(made, 0, 17 * SECOND, harvest=3)
    act(made, 0, 18 * SECOND, harvest=3)
    played = rows(made, "period")
    assert [row["seats"][1]["by"] for row in played] == ["person", "absent"]
    assert [row["rewards"][1] for row in played] == [4.0, 0.0]
    [gone] = [row for row in rows(made, "seat") if row["reason"] == "dropout"]
    assert (gone["occupant"], gone["since_period"], gone["at_ms"]) == ("nobody", 1, 16 * SECOND)
    assert leaving(made) == {0: [], 1: [1]}
    assert (made.seats[1].points, made.seats[1].periods) == (4.0, 1)
    assert misreplayed(made) == []


def test_who_never_came_is_out_when_the_play_starts() -> None:
    made = opened([0, 2], dropout="reduced", grace_seconds=20, decision_seconds=0)
    stay(made, [0], 0, 20)
    assert made.started_ms == 20 * SECOND
    assert occupants(made)[2] == "nobody"
    assert made.waiting() == [0]
    act(made, 0, 21 * SECOND, harvest=3)
    assert rows(made, "period")[0]["rewards"] == [3.0, 2.0, 0.0, 2.0]
    assert (made.seats[2].points, made.seats[2].periods) == (0.0, 0)
    assert misreplayed(made) == []


def test_nobody_can_leave_before_the_play_has_started() -> None:
    made = opened([0, 2], dropout="reduced", grace_seconds=20, decision_seconds=0)
    made.hear(0, 0)
    made.advance(19 * SECOND)
    assert occupants(made)[0] == "person"
    made.advance(20 * SECOND)  # nobody was heard of for 20 s when it starts
    assert made.started_ms == 20 * SECOND
    assert occupants(made)[0] == occupants(made)[2] == "nobody"


def test_when_the_last_person_leaves_the_bots_play_on_to_the_end() -> None:
    made = reduced([0], core={"periods": 3})
    act(made, 0, 1 * SECOND, harvest=5)
    made.advance(16 * SECOND)
    assert made.episode.reason == "horizon"
    assert [row["at_ms"] for row in rows(made, "period")] == [1000, 16000, 16000]
    assert [row["rewards"][0] for row in rows(made, "period")] == [5.0, 0.0, 0.0]
    assert misreplayed(made) == []


def test_when_everybody_has_left_the_play_is_over() -> None:
    made = reduced([0, 1, 2, 3])
    for seat in range(4):
        act(made, seat, seat * SECOND, harvest=2)
    assert made.episode.period == 1
    made.advance(60 * SECOND)
    # the last one spoke at 3 s
    assert (made.episode.reason, made.episode.period) == ("all_left", 2)
    last = rows(made, "period")[-1]
    assert (last["at_ms"], last["ended"], last["rewards"]) == (18 * SECOND, "all_left", [0.0] * 4)
    assert [row["seat"] for row in events(made, "left")] == [0, 1, 2, 3]
    assert [row["at_ms"] for row in events(made, "left")] == [15000, 16000, 17000, 18000]
    assert leaving(made) == {0: [], 1: [0, 1, 2, 3]}
    assert [chair.points for chair in made.seats] == [2.0] * 4
    assert misreplayed(made) == []


def test_several_who_leave_at_the_same_time_leave_in_the_same_period() -> None:
    made = reduced([0, 1, 2, 3])
    act(made, 3, 0, harvest=6)
    stay(made, [3], 5, 15)
    first = rows(made, "period")[0]
    assert [row["seat"] for row in events(made, "left")] == [0, 1, 2]
    assert {row["at_ms"] for row in events(made, "left")} == {15 * SECOND}
    assert (first["at_ms"], first["rewards"]) == (15 * SECOND, [0.0, 0.0, 0.0, 6.0])
    assert leaving(made) == {0: [0, 1, 2]}
    assert misreplayed(made) == []


def test_leaving_comes_before_the_end_of_the_time_where_both_are_due() -> None:
    made = reduced([0, 1], decision_seconds=15)
    made.advance(15 * SECOND)
    first = rows(made, "period")[0]
    assert [who["by"] for who in first["seats"]] == ["absent", "absent", "policy", "policy"]


def test_a_sign_of_life_in_the_last_moment_keeps_the_seat_and_one_later_does_not() -> None:
    made = reduced([0, 1])
    made.hear(1, 15 * SECOND - 1)
    assert occupants(made)[1] == "person"
    made.hear(1, 30 * SECOND - 1)
    assert occupants(made)[1] == "nobody"


def test_who_leaves_in_a_play_by_the_clock_does_nothing_from_then_on() -> None:
    made = reduced([0, 1], pace="clock", decision_seconds=4)
    act(made, 1, 1 * SECOND, harvest=7)
    stay(made, [0], 0, 20)
    # seat 1: 7, then silent; it leaves at 1 + 15 = 16 s, in the moment in which turn 3 ends, and
    # leaving comes first
    assert [row["seats"][1]["by"] for row in rows(made, "period")] == [
        "person",
        "default",
        "default",
        "absent",
        "absent",
    ]
    assert [row["at_ms"] for row in rows(made, "period")] == [4000, 8000, 12000, 16000, 20000]
    assert misreplayed(made) == []


# -- leaving, in turn -----------------------------------------------------------------------


def test_who_leaves_in_its_own_turn_is_passed_over() -> None:
    made = reduced([0, 2], agents=IN_TURN)
    stay(made, [0], 0, 15)
    assert occupants(made)[2] == "nobody"
    assert made.episode.turn == 0
    # what it would have done is told as its default
    assert view(made, 0, 15 * SECOND)["observation"]["earlier_harvest"][2] == 0.0
    act(made, 0, 16 * SECOND, harvest=3)
    first = rows(made, "period")[0]
    assert first["rewards"] == [3.0, 2.0, 0.0, 2.0]
    assert first["seats"][2]["by"] == "absent"
    assert made.episode.turn == 0  # of period 1: nobody is asked before
    assert leaving(made) == {0: [2]}
    assert misreplayed(made) == []


def test_who_leaves_before_its_turn_is_passed_over_when_it_comes() -> None:
    made = reduced([0, 2], agents=IN_TURN)
    stay(made, [2], 0, 15)
    assert (occupants(made)[0], made.episode.turn) == ("nobody", 2)
    assert act(made, 2, 16 * SECOND, harvest=3)["kind"] == "ack"
    first = rows(made, "period")[0]
    assert (first["at_ms"], first["rewards"]) == (16 * SECOND, [0.0, 2.0, 3.0, 2.0])
    assert leaving(made) == {0: [0]}
    assert misreplayed(made) == []


def test_who_leaves_after_its_turn_has_decided_in_this_period() -> None:
    made = reduced([0, 2], agents=IN_TURN)
    act(made, 2, 1 * SECOND, harvest=4)
    stay(made, [0], 0, 20)
    assert occupants(made)[2] == "nobody"
    act(made, 0, 20 * SECOND, harvest=3)
    act(made, 0, 21 * SECOND, harvest=3)
    assert [row["rewards"][2] for row in rows(made, "period")] == [4.0, 0.0]
    assert leaving(made) == {0: [], 1: [2]}
    assert made.seats[2].points == 4.0
    assert misreplayed(made) == []


def test_when_everybody_has_left_in_turn_the_play_is_over() -> None:
    made = reduced([0, 1, 2, 3], agents=IN_TURN)
    act(made, 2, 1 * SECOND, harvest=4)
    act(made, 0, 2 * SECOND, harvest=3)
    made.advance(60 * SECOND)
    # 1 and 3 leave at 15 s, period 0 ends; 2 leaves at 16 s, 0 at 17 s
    assert [row["at_ms"] for row in rows(made, "period")] == [15000, 17000]
    assert leaving(made) == {0: [1, 3], 1: [0, 2]}
    assert (made.episode.reason, made.episode.done) == ("all_left", True)
    assert [chair.points for chair in made.seats] == [3.0, 0.0, 4.0, 0.0]
    assert misreplayed(made) == []


# -- the one who has left --------------------------------------------------------------------


@pytest.mark.parametrize("agents", [None, IN_TURN])
def test_who_has_left_sees_the_end_and_cannot_act_or_come_back(agents: Any) -> None:
    made = reduced([0, 2], agents=agents)
    stay(made, [0], 0, 20)
    shown = view(made, 2, 20 * SECOND)
    assert (shown["phase"], shown["standin"], shown["points"]) == ("over", False, 0.0)
    assert shown["ended"] == {"reason": "left", "result": "neither"}
    assert view(made, 0, 20 * SECOND)["ended"] == {"reason": None, "result": None}
    assert made.out(2)
    assert not made.out(0)
    assert made.seats[2].returning is False
    refused = act(made, 2, 21 * SECOND, harvest=9)
    assert (refused["kind"], refused["reason"]) == ("refused", "the game is over")
    for _ in range(3):
        act(made, 0, 22 * SECOND, harvest=1)
        made.hear(2, 22 * SECOND)
    assert occupants(made)[2] == "nobody"
    assert {row["seats"][2]["by"] for row in rows(made, "period")} == {"absent"}
    # once it is out in the engine too, it sees nothing any more
    seen = view(made, 2, 23 * SECOND)["observation"]
    assert seen["ended"] is True
    assert seen["stock"] is None
    assert view(made, 0, 23 * SECOND)["observation"]["stock"] is not None


def test_the_others_are_told_who_has_left_where_occupants_are_disclosed() -> None:
    made = reduced([0, 2], disclosure="labels")
    stay(made, [0], 0, 15)
    told = [each["occupant"] for each in view(made, 0, 15 * SECOND)["seats"]]
    assert told == ["person", "policy", "nobody", "policy"]


def test_a_table_at_which_somebody_has_left_is_stored_and_reopened() -> None:
    for agents in (None, IN_TURN):
        made = reduced([0, 2], agents=agents)
        act(made, 2, 1 * SECOND, harvest=4)
        stay(made, [0], 0, 20)
        again = reopened(made)
        again.rows = list(made.rows)
        for each in (made, again):
            act(each, 0, 21 * SECOND)
            act(each, 0, 22 * SECOND)
            assert act(each, 2, 23 * SECOND)["reason"] == "the game is over"
        assert whole(again) == whole(made)
        assert misreplayed(again) == []


# -- points and pay --------------------------------------------------------------------------


@pytest.mark.parametrize("agents", [None, IN_TURN])
def test_what_is_owed_is_paid_to_the_one_who_has_left(agents: Any) -> None:
    # Half of a reward comes two periods later. Seat 2 takes 4 and 6: 2 and 3 now, 2 and 3 owed.
    made = reduced([0, 2], layers=LATER, agents=agents)
    for period, amount in enumerate((4, 6)):
        act(made, 2, (period + 1) * SECOND, harvest=amount)
        act(made, 0, (period + 1) * SECOND, harvest=1)
    assert made.seats[2].points == 5.0
    stay(made, [0], 5, 20)
    assert occupants(made)[2] == "nobody"
    act(made, 0, 20 * SECOND, harvest=1)
    assert rows(made, "period")[2]["rewards"][2] == 5.0
    assert (made.seats[2].points, made.seats[2].periods) == (10.0, 2)
    act(made, 0, 21 * SECOND, harvest=1)
    assert rows(made, "period")[3]["rewards"][2] == 0.0
    assert (made.seats[2].points, made.seats[2].seat_points) == (10.0, 10.0)
    assert misreplayed(made) == []


def test_what_is_owed_at_the_end_of_the_play_is_paid_then() -> None:
    # As above, but the play ends in the period after which seat 2 is seen to be gone.
    made = reduced([0, 2], layers=LATER, core={"periods": 1})
    act(made, 2, 1 * SECOND, harvest=4)
    stay(made, [0], 5, 20)
    act(made, 0, 20 * SECOND, harvest=1)
    assert made.episode.reason == "horizon"
    assert [made.seats[seat].points for seat in (0, 2)] == [1.0, 4.0]


# -- the log ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", engine.game_ids())
@pytest.mark.parametrize("layered", [False, True])
def test_the_log_with_seats_that_left_replays_exactly(game: str, layered: bool) -> None:
    made = left(game, 2, decision_seconds=0, layers=LATER if layered else None)
    made.advance(10**9)
    assert made.episode.done
    assert [each for each in leaving(made).values() if each] == [[1], [0]]
    assert misreplayed(made) == []


@pytest.mark.parametrize("seed", range(16))
def test_whoever_leaves_whenever_nobody_waits_for_them_and_the_log_replays(seed: int) -> None:
    chance = random.Random(seed)
    order = chance.sample(range(4), 4)
    agents: dict[str, Any] = {"timing": "sequential", "order": order} if seed % 2 else {}
    people = list(range(chance.choice([2, 3, 4])))
    made = reduced(
        people,
        agents=agents,
        layers=chance.choice([None, LATER]),
        core={"periods": 6},
        decision_seconds=chance.choice([0, 7]),
        bots="noisy_person",
        bot_delay="lognormal:median=1;sigma=1",
    )
    now, alive = 0, {seat: chance.randrange(1, 90) * SECOND for seat in people}
    while not made.episode.done and now < 120 * SECOND:
        now += chance.randrange(1, 2000)
        for seat in people:
            if now < alive[seat]:
                made.hear(seat, now)
                act(made, seat, now, id=f"{seat} {now}", harvest=chance.uniform(0, 12))
        if not made.episode.done and made.started_ms is not None:
            stuck = set(made.waiting()) & {c.seat for c in made.seats if c.occupant == "nobody"}
            assert made.episode.turn is not None or not stuck
            turn = made.episode.turn
            assert turn is None or made.seats[turn].occupant != "nobody"
    made.advance(now + 10_000 * SECOND)
    assert made.episode.done
    assert misreplayed(made) == []
    # everything that a seat of a person earned is that person's: nobody else ever sat there
    for seat in people:
        earned = sum(row["rewards"][seat] for row in rows(made, "period"))
        assert made.seats[seat].points == made.seats[seat].seat_points == pytest.approx(earned)
