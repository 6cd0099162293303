"""A seat that a rule puts out of the play: its page says why, and the others go on."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.engine.play import record
from mixed_company.table.table import Table
from tests.table.plays import SECOND, act, reopened, rows, started, view


def lake(people: list[int], **options: Any) -> Table:
    """Living costs 1.5, all have 6; the others ask for what living costs."""
    return started(people, **{"archetype": "subsistence", "bots": "fixed:harvest=1.5", **options})


def without_fish(made: Table, seat: int, periods: int = 4) -> None:
    """A person takes nothing: 6 points last for 4 periods of 1.5."""
    for _ in range(periods):
        act(made, seat, (made.episode.period + 1) * SECOND, harvest=0)


@pytest.mark.parametrize("again", [False, True])
def test_the_page_of_who_is_out_says_why(again: bool) -> None:
    made = lake([0, 1])
    for period in range(4):
        act(made, 0, (2 * period + 1) * SECOND, harvest=0)
        act(made, 1, (2 * period + 2) * SECOND, harvest=1.5)
    made = reopened(made) if again else made
    out, other = view(made, 0, 9 * SECOND), view(made, 1, 9 * SECOND)
    assert out["phase"] == "over"
    assert out["ended"] == {"reason": "bankrupt", "result": "failure"}
    assert out["observation"]["ended"] is True
    assert out["observation"]["stock"] is None
    assert out["points"] == -6.0
    assert other["phase"] == "decide"
    assert other["ended"] == {"reason": None, "result": None}


def test_nobody_waits_for_who_is_out_and_nothing_counts_that_it_sends() -> None:
    made = lake([0, 1])
    for period in range(4):
        act(made, 0, (2 * period + 1) * SECOND, harvest=0)
        act(made, 1, (2 * period + 2) * SECOND, harvest=1.5)
    refused = act(made, 0, 9 * SECOND, harvest=5)
    assert (refused["kind"], refused["reason"]) == ("refused", "the game is over")
    assert act(made, 1, 10 * SECOND, harvest=1.5)["kind"] == "ack"
    assert made.episode.period == 5
    last = rows(made, "period")[-1]
    assert [seat["by"] for seat in last["seats"]] == ["absent", "person", "policy", "policy"]
    assert last["rewards"] == [0.0] * 4  # 1.5 of fish, 1.5 for living


def test_a_person_who_is_out_is_not_taken_over_and_keeps_what_it_earned() -> None:
    made = lake([0], decision_seconds=5.0, grace_seconds=10.0)
    without_fish(made, 0)
    made.advance(1000 * SECOND)
    assert made.episode.reason == "recovery"
    assert made.seats[0].occupant == "person"
    assert made.seats[0].points == -6.0
    assert view(made, 0, 1000 * SECOND)["ended"] == {"reason": "bankrupt", "result": "failure"}


def test_who_is_still_in_when_the_play_is_won_sees_that_it_is() -> None:
    made = lake([0])
    for period in range(9):
        act(made, 0, (period + 1) * SECOND, harvest=1.5)
    shown = view(made, 0, 10 * SECOND)
    assert shown["ended"] == {"reason": "recovery", "result": "success"}
    assert shown["last"]["components"]["recovery_bonus"] == 20.0
    assert shown["points"] == 20.0


def test_in_turns_who_is_out_has_none() -> None:
    made = lake([0, 1], core={"agents": {"timing": "sequential"}})
    for period in range(4):
        act(made, 0, (2 * period + 1) * SECOND, harvest=0)
        act(made, 1, (2 * period + 2) * SECOND, harvest=1.5)
    assert made.episode.absent == (0,)
    assert made.episode.turn == 1


def test_the_journal_of_such_a_play_is_that_of_the_engine() -> None:
    made = lake([0])
    without_fish(made, 0)
    made.advance(10 * SECOND)
    played = rows(made, "period")
    game, seed = made.game, made.episode.seed
    again = record.replayed(game.config.model_dump(mode="json"), seed, [r["sent"] for r in played])
    assert [step.rewards.tolist() for step in again] == [row["rewards"] for row in played]
