"""A table at which seats decide in turn: who may act, who sees what, each with its own time."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.play.decision import Decision
from table import answers
from table.protocol import Message
from table.table import Table
from tests.table.layered import IN_TURN, begun, misreplayed, opened, stay
from tests.table.plays import SECOND, act, events, reopened, rows, view

# In all tests seats 2 and 0 are people and decide first, bots on 1 and 3 follow.


def turns(people: tuple[int, ...] = (0, 2), **given: Any) -> Table:
    """Bots answer after two seconds, a seat has ten; all people said hello at time 0."""
    chosen = {"decision_seconds": 10, "bot_delay": "fixed:seconds=2", "grace_seconds": 600, **given}
    return begun(list(people), **{"agents": IN_TURN, **chosen})


def phases(made: Table, now: int) -> list[str]:
    return [view(made, seat, now)["phase"] for seat in range(4)]


def whole(made: Table) -> tuple[Any, list[dict[str, Any]]]:
    data = json.loads(made.to_json())
    return {**data, "episode": json.loads(data["episode"])}, list(made.rows)


# -- who may act -----------------------------------------------------------------------------


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    made = turns()
    before = whole(made)[0]["decided"]
    refused = act(made, 0, 1 * SECOND)
    assert refused == {
        "kind": "refused",
        "id": "seat 0 period 0",
        "reason": "it is the turn of Player 3",
        "period": 0,
    }
    assert whole(made)[0]["decided"] == before == {}
    assert act(made, 2, 2 * SECOND)["kind"] == "ack"
    assert act(made, 0, 3 * SECOND)["kind"] == "ack"


def test_a_refused_id_can_be_sent_again_when_the_turn_has_come() -> None:
    made = turns()
    act(made, 0, 1 * SECOND, id="mine", harvest=3)
    act(made, 2, 2 * SECOND)
    assert act(made, 0, 3 * SECOND, id="mine", harvest=3)["kind"] == "ack"
    assert made.decided[0].action["harvest"] == 3.0


def test_who_has_decided_is_not_asked_again_in_the_period() -> None:
    made = turns()
    act(made, 2, 1 * SECOND)
    refused = act(made, 2, 2 * SECOND, id="once more", harvest=9)
    assert refused["reason"] == "you have decided already in this period"
    assert made.decided[2].action["harvest"] == 1.0


def test_the_order_is_that_of_the_numbers_if_none_is_given() -> None:
    made = turns(agents={"timing": "sequential"})
    assert act(made, 2, 0)["reason"] == "it is the turn of Player 1"
    act(made, 0, 1 * SECOND)
    assert made.episode.turn == 1  # a bot
    made.advance(3 * SECOND)
    assert made.episode.turn == 2


def test_nobody_decides_before_the_start() -> None:
    made = opened([0, 2], agents=IN_TURN)
    made.hear(2, 0)
    assert act(made, 2, 1 * SECOND)["reason"] == "the game has not started yet"
    assert made.answers == {}
    assert view(made, 2, 1 * SECOND)["phase"] == "waiting"


# -- what is shown ---------------------------------------------------------------------------


def test_every_view_says_whose_turn_it_is_and_one_person_at_most_is_asked() -> None:
    made = turns()
    assert [view(made, seat, 0)["turn"] for seat in range(4)] == [2] * 4
    assert phases(made, 0) == ["waiting", "waiting", "decide", "waiting"]
    act(made, 2, 1 * SECOND)
    assert [view(made, seat, 1 * SECOND)["turn"] for seat in range(4)] == [0] * 4
    assert phases(made, 1 * SECOND) == ["decide", "waiting", "waiting", "waiting"]
    act(made, 0, 2 * SECOND)
    assert view(made, 0, 2 * SECOND)["turn"] == 1
    assert phases(made, 2 * SECOND) == ["waiting"] * 4


def test_a_view_says_who_has_decided_so_far() -> None:
    made = turns()
    act(made, 2, 1 * SECOND)
    shown = view(made, 0, 1 * SECOND)["seats"]
    assert [each["decided"] for each in shown] == [False, False, True, False]


def test_where_all_decide_together_a_view_names_no_turn() -> None:
    assert view(begun([0]), 0, 0)["turn"] is None


def test_later_seats_see_what_earlier_ones_decided_as_it_will_be_used() -> None:
    made = turns()
    nothing = [None] * 4
    assert view(made, 2, 0)["observation"]["earlier_harvest"] == nothing
    act(made, 2, 1 * SECOND, harvest=30)  # 10 is the most
    assert view(made, 0, 1 * SECOND)["observation"]["earlier_harvest"] == [None, None, 10.0, None]
    assert view(made, 2, 1 * SECOND)["observation"]["earlier_harvest"] == nothing
    act(made, 0, 2 * SECOND, harvest=4)
    assert view(made, 0, 2 * SECOND)["observation"]["earlier_harvest"] == [None, None, 10.0, None]
    assert view(made, 2, 2 * SECOND)["observation"]["earlier_harvest"] == nothing


def test_nothing_of_the_last_period_is_left_when_the_next_begins() -> None:
    made = turns()
    act(made, 2, 1 * SECOND, harvest=5)
    act(made, 0, 2 * SECOND, harvest=4)
    made.advance(6 * SECOND)  # the bots at 4 s and 6 s
    assert made.episode.period == 1
    assert made.episode.turn == 2
    assert view(made, 0, 6 * SECOND)["observation"]["earlier_harvest"] == [None] * 4


# -- time ------------------------------------------------------------------------------------


def test_each_seat_has_a_decision_time_of_its_own() -> None:
    made = turns()
    assert view(made, 2, 4 * SECOND)["remaining_ms"] == 6 * SECOND
    assert view(made, 0, 4 * SECOND)["remaining_ms"] == 6 * SECOND  # until it is the turn of others
    act(made, 2, 7 * SECOND)
    assert view(made, 0, 7 * SECOND)["remaining_ms"] == 10 * SECOND
    act(made, 0, 16 * SECOND)
    # 1 and 3 answer two seconds after their turns began
    made.advance(20 * SECOND)
    first = rows(made, "period")[0]
    assert [who["at_ms"] for who in first["seats"]] == [16000, 18000, 7000, 20000]
    assert (first["shown_ms"], first["at_ms"], made.turn_ms) == (0, 20000, 20000)


def test_when_the_time_is_up_the_default_counts_and_the_next_is_asked() -> None:
    made = turns()
    made.advance(10 * SECOND)
    assert made.episode.turn == 0
    nothing = {"harvest": 0.0, "contribution": 0.0}
    assert made.decided[2] == Decision(nothing, "default", 10 * SECOND)
    assert view(made, 0, 10 * SECOND)["phase"] == "decide"
    assert view(made, 0, 10 * SECOND)["remaining_ms"] == 10 * SECOND
    assert view(made, 0, 10 * SECOND)["observation"]["earlier_harvest"][2] == 0.0
    act(made, 0, 11 * SECOND, harvest=4)
    made.advance(15 * SECOND)
    first = rows(made, "period")[0]
    assert [who["by"] for who in first["seats"]] == ["person", "policy", "default", "policy"]
    assert first["sent"]["harvest"] == [4.0, 2.0, 0.0, 2.0]
    assert first["at_ms"] == 15 * SECOND


def test_a_decision_in_the_millisecond_in_which_time_is_up_comes_too_late() -> None:
    made = turns()
    refused = act(made, 2, 10 * SECOND)
    assert (refused["kind"], refused["reason"]) == (
        "refused",
        "you have decided already in this period",
    )
    made = turns()
    assert act(made, 2, 10 * SECOND - 1)["kind"] == "ack"


def test_a_play_nobody_attends_takes_the_time_of_every_person_in_every_period() -> None:
    made = turns(core={"periods": 3})
    made.advance(3600 * SECOND)
    # 10 + 10 for the people, 2 + 2 for the bots
    assert [row["at_ms"] for row in rows(made, "period")] == [24000, 48000, 72000]
    assert made.episode.reason == "horizon"
    assert misreplayed(made) == []


def test_without_a_time_limit_the_table_waits_for_the_seat_whose_turn_it_is() -> None:
    made = turns(decision_seconds=0)
    stay(made, [0, 2], 0, 3600)
    assert (made.episode.period, made.episode.turn) == (0, 2)
    assert view(made, 2, 3600 * SECOND)["remaining_ms"] is None


@pytest.mark.parametrize("pauses", [[200], list(range(1, 201)), [7 * n for n in range(1, 29)]])
def test_it_does_not_matter_how_often_somebody_asks(pauses: list[int]) -> None:
    made = turns(grace_seconds=30)
    act(made, 2, 1 * SECOND, harvest=5)
    for second in [*pauses, 200]:
        log = made.rows
        made = reopened(made)
        made.rows = log
        made.advance(second * SECOND)
    once = turns(grace_seconds=30)
    act(once, 2, 1 * SECOND, harvest=5)
    once.advance(200 * SECOND)
    assert whole(made) == whole(once)
    assert {row["reason"] for row in rows(made, "seat")} == {"seated", "dropout"}


def test_one_message_does_not_settle_more_periods_than_it_is_allowed_to() -> None:
    made = turns(core={"periods": 12})
    assert made.advance(3600 * SECOND, most=5) is False
    assert made.episode.period == 5
    assert made.advance(3600 * SECOND, most=5) is False
    assert made.episode.period == 10
    assert made.advance(3600 * SECOND, most=5) is True
    assert made.episode.done


# -- bots ------------------------------------------------------------------------------------


def test_bots_think_only_in_their_turn_and_see_what_was_decided_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    real = answers.question

    def question(setup, episode, chair, *talk):  # type: ignore[no-untyped-def]
        wanted = real(setup, episode, chair, *talk)
        asked.append((chair.seat, wanted.seen["earlier_harvest"].tolist()))
        return wanted

    monkeypatch.setattr(answers, "question", question)
    made = turns()
    assert (asked, made.answers) == ([], {})
    act(made, 2, 1 * SECOND, harvest=7)
    assert asked == []
    act(made, 0, 2 * SECOND, harvest=4)
    assert list(made.answers) == [1]
    made.advance(3 * SECOND)
    assert len(asked) == 1
    made.advance(4 * SECOND)
    assert list(made.answers) == [3]
    made.advance(6 * SECOND)
    seen = [(seat, [x for x in earlier if x == x]) for seat, earlier in asked]
    assert seen == [(1, [4.0, 7.0]), (3, [4.0, 2.0, 7.0])]


def test_a_bot_never_takes_longer_than_a_seat_has() -> None:
    made = turns(people=(2,), bot_delay="fixed:seconds=60")
    act(made, 2, 1 * SECOND)
    made.advance(31 * SECOND)
    # three bots of 10 s each
    assert [who["at_ms"] for who in rows(made, "period")[0]["seats"]] == [
        11000,
        21000,
        1000,
        31000,
    ]
    assert [who["by"] for who in rows(made, "period")[0]["seats"]].count("policy") == 3


# -- leaving and coming back -----------------------------------------------------------------


def test_a_stand_in_that_sits_down_in_the_middle_of_a_turn_decides_in_it() -> None:
    made = turns(decision_seconds=0, grace_seconds=15, dropout_bot="fixed:harvest=9")
    stay(made, [0], 0, 15)
    assert made.seats[2].occupant == "policy"
    assert list(made.answers) == [2]
    made.advance(16 * SECOND)
    assert made.episode.turn == 2
    made.advance(17 * SECOND)
    assert made.episode.turn == 0
    assert made.decided[2].action["harvest"] == 9.0
    assert act(made, 0, 18 * SECOND)["kind"] == "ack"
    made.advance(22 * SECOND)
    assert rows(made, "period")[0]["sent"]["harvest"] == [1.0, 2.0, 9.0, 2.0]
    assert misreplayed(made) == []


def test_a_stand_in_that_sits_down_out_of_turn_waits_for_its_turn() -> None:
    made = turns(decision_seconds=0, grace_seconds=15, dropout_bot="fixed:harvest=9")
    stay(made, [2], 0, 15)
    assert made.seats[0].occupant == "policy"
    assert (made.answers, made.episode.turn) == ({}, 2)
    made.advance(60 * SECOND - 1)  # seat 2 has been silent since 15 s: 30 s is when it leaves
    assert made.seats[2].occupant == "policy"
    # 2 answers at 32 s, then 0 at 34 s
    period = rows(made, "period")[0]
    assert [who["at_ms"] for who in period["seats"]] == [34000, 36000, 32000, 38000]


def test_a_decision_made_before_leaving_counts_and_the_stand_in_begins_later() -> None:
    made = turns(decision_seconds=0, grace_seconds=15, dropout_bot="fixed:harvest=9")
    act(made, 2, 1 * SECOND, harvest=4)
    stay(made, [0], 0, 20)
    act(made, 0, 20 * SECOND)
    made.advance(24 * SECOND)
    assert rows(made, "period")[0]["sent"]["harvest"] == [1.0, 2.0, 4.0, 2.0]
    [dropout] = [row for row in rows(made, "seat") if row["reason"] == "dropout"]
    assert (dropout["seat"], dropout["since_period"]) == (2, 1)
    assert list(made.answers) == [2]  # period 1 began with its turn
    assert made.seats[2].points == 4.0


@pytest.mark.parametrize("turn", ["own", "of another"])
def test_who_returns_decides_again_in_the_next_period(turn: str) -> None:
    seat, other = (2, 0) if turn == "own" else (0, 2)
    made = turns(decision_seconds=0, grace_seconds=15, bot_delay="fixed:seconds=3")
    stay(made, [other], 0, 16)
    made.hear(seat, 16 * SECOND)
    assert view(made, seat, 16 * SECOND)["standin"] is True
    refused = act(made, seat, 16 * SECOND + 1)
    assert "stand-in" in refused["reason"]
    made.advance(19 * SECOND)
    assert act(made, other, 19 * SECOND)["kind"] == "ack"
    made.advance(28 * SECOND)
    assert made.episode.period == 1
    assert made.seats[seat].occupant == "person"
    assert view(made, 2, 28 * SECOND)["phase"] == "decide"
    assert act(made, 2, 28 * SECOND)["kind"] == "ack"
    assert act(made, 0, 28 * SECOND)["kind"] == "ack"
    assert misreplayed(made) == []
    assert len(events(made, "takeover")) == 1


def test_who_never_comes_is_replaced_at_the_start_and_the_turns_go_on() -> None:
    made = opened(
        [0, 2], agents=IN_TURN, grace_seconds=20, decision_seconds=10, bots="fixed:harvest=2"
    )
    stay(made, [0], 0, 20)
    assert made.started_ms == 20 * SECOND
    assert made.seats[2].occupant == "policy"
    assert made.episode.turn == 0  # the stand-in has answered at once
    assert act(made, 0, 21 * SECOND)["kind"] == "ack"
    assert made.episode.period == 1


# -- storing ---------------------------------------------------------------------------------


def test_a_table_reopened_in_the_middle_of_a_period_goes_on_the_same() -> None:
    made = turns()
    act(made, 2, 1 * SECOND, harvest=7)
    act(made, 0, 2 * SECOND, harvest=4)
    made.advance(4 * SECOND)  # the bot of seat 1 has answered, that of seat 3 thinks
    again = reopened(made)
    assert again.episode.turn == 3
    assert whole(again)[0] == whole(made)[0]
    again.rows = list(made.rows)
    for each in (made, again):
        each.advance(6 * SECOND)
        act(each, 2, 7 * SECOND, harvest=3)
        assert view(each, 0, 7 * SECOND)["observation"]["earlier_harvest"][2] == 3.0
        each.advance(40 * SECOND)
    assert whole(again) == whole(made)
    assert made.episode.period >= 2
    assert misreplayed(again) == []


def test_reopening_before_every_message_changes_nothing() -> None:
    def play(store: bool) -> Any:
        made = turns(core={"periods": 4}, grace_seconds=20)
        for second in range(1, 60):
            if store:
                log = made.rows
                made = reopened(made)
                made.rows = log
            if second < 25:
                made.hear(0, second * SECOND)
            act(made, (2, 0)[second % 2], second * SECOND, id=f"{second}", harvest=second % 10)
        return whole(made)

    assert play(True) == play(False)


def test_duplicates_are_acked_again_and_change_nothing() -> None:
    made = turns()
    act(made, 2, 1 * SECOND, harvest=5)
    first = whole(made)[0]["decided"]
    again = act(made, 2, 2 * SECOND, harvest=5)
    assert again == {"kind": "ack", "id": "seat 2 period 0", "period": 0}
    assert whole(made)[0]["decided"] == first
    act(made, 0, 3 * SECOND)
    made.advance(7 * SECOND)
    assert made.episode.period == 1
    late = made.act(2, _message(period=0), 8 * SECOND).to_json()
    assert late == {"kind": "ack", "id": "seat 2 period 0", "period": 0}
    assert made.decided == {}


def _message(period: int) -> Message:
    action = {"harvest": 5.0, "contribution": 0.0}
    return Message("act", f"seat 2 period {period}", period, action)


# -- the log ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "archetype", "bot"),
    [
        ("commons_game", "lab", "conditional_cooperator,noisy_person"),
        ("commons_game", "governed", "steward,noisy_person"),
        ("commons_game", "unequal", "noisy_person,random"),
        ("sanctions", "reputation", "conditional_cooperator,noisy_person"),
        ("gem_mining", "open_book", "thompson_sampling,avoid_crowd"),
    ],
)
def test_the_log_of_a_play_in_turn_replays_exactly(game: str, archetype: str, bot: str) -> None:
    agents: dict[str, Any] = {"timing": "sequential"}
    if archetype == "unequal":
        agents |= {
            "roles": {"strong": {}, "weak": {}},
            "seats": ["strong", "weak", "strong", "weak"],
        }
    made = begun(
        [1],
        game=game,
        archetype=archetype,
        agents=agents,
        bots=bot,
        decision_seconds=10,
        grace_seconds=40,
        bot_delay="lognormal:median=2;sigma=0.5",
    )
    made.hear(1, 30 * SECOND)
    made.advance(100_000 * SECOND)
    assert made.episode.done
    by = {who["by"] for row in rows(made, "period") for who in row["seats"]}
    assert {"policy", "default"} <= by
    assert misreplayed(made) == []


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_one_seat_is_asked_and_the_log_replays(seed: int) -> None:
    chance = random.Random(seed)
    order = chance.sample(range(4), 4)
    made = begun(
        [0, 1, 2],
        agents={"timing": "sequential", "order": order},
        core={"periods": 5},
        decision_seconds=chance.choice([0, 6]),
        grace_seconds=12,
        bot_delay="lognormal:median=1;sigma=1",
        bots="noisy_person",
    )
    now = 0
    for number in range(400):
        now += chance.randrange(1, 3000)
        seat = chance.choice([0, 0, 1, 2])
        if chance.random() < 0.5:
            act(made, seat, now, id=f"{number}", harvest=chance.uniform(0, 12))
        else:
            made.hear(seat, now)
        if made.episode.done:
            break
        asked = [each for each in range(4) if view(made, each, now)["phase"] == "decide"]
        assert len(asked) <= 1
        assert asked in ([], [made.episode.turn])
        assert set(made.answers) <= {made.episode.turn}
        chairs = set(order[: len(made.decided)])
        assert set(made.decided) == chairs
    made.advance(now + 10_000 * SECOND)
    assert made.episode.done
    assert misreplayed(made) == []
