"""Messages of policies at a table: their content, their time, and how they react to other
messages."""

from __future__ import annotations

from typing import Any

import pytest

from bots.commons_game.promises_and_keeps import PromisesAndKeeps
from mixed_company import engine
from mixed_company.policies.policy import Policy
from mixed_company.policies.talk import Saying, Talk
from mixed_company.table.options import Options
from mixed_company.table.table import Table
from mixed_company.table.talk.voices import reading_ms, writing_ms
from tests.table.plays import act, rows
from tests.table.talk.tables import SECOND, say, talking


def spoken(table: Table) -> list[tuple[int, int, str]]:
    return [(row["period"], row["seat"], row["text"]) for row in rows(table, "message")]


def harvests(table: Table, period: int) -> list[float]:
    """Return the harvests that the bots in seats 1 to 3 sent."""
    return [float(sent) for sent in rows(table, "period")[period]["sent"]["harvest"][1:]]


def test_a_bot_announces_what_it_does_and_another_one_breaks_its_word() -> None:
    """The stock allows 2.5 each, so they announce 2 whole fish. They take 2, 2 times 2 = 4, and
    2."""
    table = talking([0], bots="promises_and_keeps,promises_and_breaks")
    table.advance(30 * SECOND)
    act(table, 0, 31 * SECOND)
    assert spoken(table)[:3] == [(0, seat, "I will take 2.") for seat in (1, 2, 3)]
    assert harvests(table, 0) == [2.0, 4.0, 2.0]


def test_a_bot_uses_the_language_of_the_session() -> None:
    table = talking([0], bots="promises_and_keeps", language="de")
    table.advance(30 * SECOND)
    assert spoken(table)[0][2] == "Ich nehme 2."


def test_from_a_list_a_bot_says_the_nearest_sentence_and_acts_on_it() -> None:
    sentences = ("I do not say.", "I will take 3.", "I will take 7.")
    table = talking([0], bots="promises_and_keeps", talk="list", talk_sentences=sentences)
    table.advance(30 * SECOND)
    act(table, 0, 31 * SECOND)
    assert {text for _, _, text in spoken(table)} == {"I will take 3."}
    assert harvests(table, 0) == [3.0, 3.0, 3.0]


def test_a_bot_writes_for_as_long_as_people_do_and_not_after_the_time_is_up() -> None:
    options = Options(talk="free", bot_delay="people")
    times = [writing_ms(options, 7, seat, 0, "I will take 2.") for seat in range(400)]
    # 4 s to think and 14 characters at 0.2 s, in the median
    assert sorted(times)[200] == pytest.approx(1000 * (4 + 14 * 0.2), rel=0.1)
    assert len(set(times)) > 390
    assert writing_ms(Options(talk="free", bot_delay="instant"), 7, 1, 0, "a") == 0
    assert writing_ms(Options(talk="free", bot_delay="fixed:seconds=3"), 7, 1, 0, "a") == 3000
    assert reading_ms(options, 7, 1, 0) != writing_ms(options, 7, 1, 0, "")
    table = talking([0], bots="promises_and_keeps", bot_delay="people", talk_seconds=4.0)
    due = sorted(
        time_ms
        for time_ms in (
            writing_ms(table.options, 7, seat, 0, "I will take 2.") for seat in (1, 2, 3)
        )
        if time_ms < 4 * SECOND
    )
    table.advance(4 * SECOND)
    assert [row["at_ms"] for row in rows(table, "message")] == due


class Repeats(PromisesAndKeeps):
    """Policy that repeats the last message that it received."""

    id = "repeats"

    def say(self, talk: Talk, observation: Any, rng: Any) -> Saying | None:
        return talk.saying(talk.heard[-1].text) if talk.heard else None


def with_policy(table: Table, spec: str, policy: type[Policy]) -> Table:
    table.setup._policies[spec] = policy(table.game.core)
    return table


def test_a_policy_hears_what_reached_its_seat_in_earlier_talks() -> None:
    table = with_policy(talking([0], talk_with="one", bots="sustainable"), "sustainable", Repeats)
    say(table, 0, SECOND, "Only for you", to=2)
    table.advance(30 * SECOND)
    act(table, 0, 31 * SECOND)
    table.advance(32 * SECOND)
    # only seat 2 received it; it names no seat, so the bot writes to the next seat
    assert spoken(table)[1:] == [(1, 2, "Only for you")]
    assert rows(table, "message")[1]["to"] == 3


def test_a_policy_that_is_asked_outside_the_loop_says_nothing_and_that_is_logged() -> None:
    table = talking([0], bots="promises_and_keeps")
    table.setup.policy("promises_and_keeps").slow = True
    table.apart = True
    table.advance(30 * SECOND)  # period 0
    act(table, 0, 31 * SECOND)
    table.advance(32 * SECOND)  # its answers are late, and the next talk has begun
    faults = [row for row in table.rows if row.get("event") == "talk_fault"]
    assert [(row["period"], row["seat"]) for row in faults] == [(1, 1), (1, 2), (1, 3)]
    assert "outside the server's loop" in faults[0]["detail"]


def test_a_bot_writes_no_more_often_than_people_can() -> None:
    options: dict[str, Any] = {"talk_when": "always", "talk_seconds": 0.0, "talk_per_minute": 2}
    table = talking([0], bots="promises_and_keeps", bot_delay="instant", **options)
    for period in range(5):
        act(table, 0, period * SECOND)
    assert [seat for _, seat, _ in spoken(table)].count(1) == 2


def test_a_policy_that_does_not_talk_is_not_asked() -> None:
    class Deaf(PromisesAndKeeps):
        id = "deaf"
        say = Policy.say

    assert Deaf(engine.make("commons_game").core).talks is False
    table = with_policy(talking([0], bots="sustainable"), "sustainable", Deaf)
    table.advance(30 * SECOND)
    assert rows(table, "message") == []


@pytest.mark.parametrize("game", ["commons_game", "sanctions"])
def test_promises_are_amounts_that_people_can_choose(game: str) -> None:
    for archetype in engine.find(game).archetypes:
        rules = engine.make(game, archetype=archetype)
        policy: Any = PromisesAndKeeps.for_game(rules) if game == "commons_game" else None
        if policy is None:
            from bots.sanctions.promises_and_keeps import PromisesAndKeeps as Gives

            policy = Gives.for_game(rules)
        for seat in range(rules.seats):
            amount = policy.amount(seat)
            assert amount == round(amount, 1)
