"""Seats that a rule removes from the play: the page says why, and the others play on."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.engine.play import record
from mixed_company.table.table import Table
from tests.table.plays import SECOND, act, reopened, rows, started, view


def lake(people: list[int], **options: Any) -> Table:
    """Return a table where living costs 1.5 and everyone has 6. The others request the cost of
    living."""
    return started(people, **{"archetype": "subsistence", "bots": "fixed:harvest=1.5", **options})


def without_fish(table: Table, seat: int, periods: int = 4) -> None:
    """Take nothing for a person, so that 6 points last for 4 periods of 1.5."""
    for _ in range(periods):
        act(table, seat, (table.episode.period + 1) * SECOND, harvest=0)


@pytest.mark.parametrize("again", [False, True])
def test_the_page_of_a_person_who_is_out_says_why(again: bool) -> None:
    table = lake([0, 1])
    for period in range(4):
        act(table, 0, (2 * period + 1) * SECOND, harvest=0)
        act(table, 1, (2 * period + 2) * SECOND, harvest=1.5)
    table = reopened(table) if again else table
    out, other = view(table, 0, 9 * SECOND), view(table, 1, 9 * SECOND)
    assert out["phase"] == "over"
    assert out["ended"] == {"reason": "bankrupt", "result": "failure"}
    assert out["observation"]["ended"] is True
    assert out["observation"]["stock"] is None
    assert out["points"] == -6.0
    assert other["phase"] == "decide"
    assert other["ended"] == {"reason": None, "result": None}


def test_nobody_waits_for_a_seat_that_is_out_and_its_messages_do_not_count() -> None:
    table = lake([0, 1])
    for period in range(4):
        act(table, 0, (2 * period + 1) * SECOND, harvest=0)
        act(table, 1, (2 * period + 2) * SECOND, harvest=1.5)
    refused = act(table, 0, 9 * SECOND, harvest=5)
    assert (refused["kind"], refused["reason"]) == ("refused", "the game is over")
    assert act(table, 1, 10 * SECOND, harvest=1.5)["kind"] == "ack"
    assert table.episode.period == 5
    last = rows(table, "period")[-1]
    assert [seat["by"] for seat in last["seats"]] == ["absent", "person", "policy", "policy"]
    assert last["rewards"] == [0.0] * 4  # 1.5 from fish, 1.5 for living


def test_a_person_who_is_out_is_not_replaced_and_keeps_the_earnings() -> None:
    table = lake([0], decision_seconds=5.0, grace_seconds=10.0)
    without_fish(table, 0)
    table.advance(1000 * SECOND)
    assert table.episode.reason == "recovery"
    assert table.seats[0].occupant == "person"
    assert table.seats[0].points == -6.0
    assert view(table, 0, 1000 * SECOND)["ended"] == {"reason": "bankrupt", "result": "failure"}


def test_a_person_who_is_still_in_when_the_play_is_won_sees_that() -> None:
    table = lake([0])
    for period in range(9):
        act(table, 0, (period + 1) * SECOND, harvest=1.5)
    shown = view(table, 0, 10 * SECOND)
    assert shown["ended"] == {"reason": "recovery", "result": "success"}
    assert shown["last"]["components"]["recovery_bonus"] == 20.0
    assert shown["points"] == 20.0


def test_in_turns_a_seat_that_is_out_has_none() -> None:
    table = lake([0, 1], core={"agents": {"timing": "sequential"}})
    for period in range(4):
        act(table, 0, (2 * period + 1) * SECOND, harvest=0)
        act(table, 1, (2 * period + 2) * SECOND, harvest=1.5)
    assert table.episode.absent == (0,)
    assert table.episode.turn == 1


def test_the_journal_of_such_a_play_matches_the_engine() -> None:
    table = lake([0])
    without_fish(table, 0)
    table.advance(10 * SECOND)
    played = rows(table, "period")
    game, seed = table.game, table.episode.seed
    again = record.replayed(game.config.model_dump(mode="json"), seed, [r["sent"] for r in played])
    assert [step.rewards.tolist() for step in again] == [row["rewards"] for row in played]
