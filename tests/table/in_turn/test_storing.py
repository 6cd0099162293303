"""Storage of a play with turns: a table reopened at any message continues unchanged, and its log
can be replayed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.table.in_turn.tables import turns
from tests.table.layered import begun, misreplayed
from tests.table.plays import SECOND, act, reopened, rows, view, whole


def test_a_table_reopened_in_the_middle_of_a_period_continues_unchanged() -> None:
    table = turns()
    act(table, 2, 1 * SECOND, harvest=7)
    act(table, 0, 2 * SECOND, harvest=4)
    table.advance(4 * SECOND)  # the bot in seat 1 has answered, and the one in seat 3 is thinking
    again = reopened(table)
    assert again.episode.turn == 3
    assert whole(again)[0] == whole(table)[0]
    again.rows = list(table.rows)
    for played in (table, again):
        played.advance(6 * SECOND)
        act(played, 2, 7 * SECOND, harvest=3)
        assert view(played, 0, 7 * SECOND)["observation"]["earlier_harvest"][2] == 3.0
        played.advance(40 * SECOND)
    assert whole(again) == whole(table)
    assert table.episode.period >= 2
    assert misreplayed(again) == []


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
    table = begun(
        [1],
        game=game,
        archetype=archetype,
        agents=agents,
        bots=bot,
        decision_seconds=10,
        grace_seconds=40,
        bot_delay="lognormal:median=2;sigma=0.5",
    )
    table.hear(1, 30 * SECOND)
    table.advance(100_000 * SECOND)
    assert table.episode.done
    by = {who["by"] for row in rows(table, "period") for who in row["seats"]}
    assert {"policy", "default"} <= by
    assert misreplayed(table) == []


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_one_seat_is_asked_and_the_log_replays(seed: int) -> None:
    chance = random.Random(seed)
    order = chance.sample(range(4), 4)
    table = begun(
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
            act(table, seat, now, id=f"{number}", harvest=chance.uniform(0, 12))
        else:
            table.hear(seat, now)
        if table.episode.done:
            break
        deciding = [seat for seat in range(4) if view(table, seat, now)["phase"] == "decide"]
        assert len(deciding) <= 1
        assert deciding in ([], [table.episode.turn])
        assert set(table.answers) <= {table.episode.turn}
        chairs = set(order[: len(table.decided)])
        assert set(table.decided) == chairs
    table.advance(now + 10_000 * SECOND)
    assert table.episode.done
    assert misreplayed(table) == []
