"""Seats that decide in turn have a time of their own, and bots think in their turn alone."""

from __future__ import annotations

import pytest

from mixed_company.engine.play.decision import Decision
from mixed_company.table import answers
from tests.table.in_turn.tables import turns
from tests.table.layered import misreplayed, stay
from tests.table.plays import SECOND, act, reopened, rows, view, whole

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
    assert made.advance(3600 * SECOND, max_periods=5) is False
    assert made.episode.period == 5
    assert made.advance(3600 * SECOND, max_periods=5) is False
    assert made.episode.period == 10
    assert made.advance(3600 * SECOND, max_periods=5) is True
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
