"""Tests of how long a language model's decision takes, with a simulated clock."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest

from mixed_company.agents import client
from mixed_company.agents.client import GiveUp
from mixed_company.agents.llm.calls import Budget, Calls
from mixed_company.agents.llm.model import ModelError, Question, Reply
from mixed_company.agents.llm.player import Players
from mixed_company.agents.llm.treatment import Treatment
from tests.server.loop import Loop

ANSWER = '{"action": {"harvest": 2}}'
GAME = {
    "kind": "game",
    "place": "commons_game/1/2",
    "game": "commons_game",
    "seat": 2,
    "instructions": "",
    "rules": "",
}
SCHEMA = {"type": "object", "properties": {"harvest": {"type": "number"}}, "required": ["harvest"]}


def view(remaining_ms: int | None) -> dict[str, Any]:
    about = {"kind": "view", "place": GAME["place"], "period": 3, "phase": "decide"}
    words = {"text": "", "asked": "", "schema": SCHEMA}
    return {**about, **words, "remaining_ms": remaining_ms}


class Slow:
    """Model whose answers and errors take some time. It keeps repeating its last answer or
    error."""

    name = "slow"

    def __init__(self, *answers: tuple[float, str | ModelError]) -> None:
        self.answers = list(answers)
        self.count = 0

    async def reply(self, question: Question) -> Reply:
        seconds, answer = self.answers[min(self.count, len(self.answers) - 1)]
        self.count += 1
        await asyncio.sleep(seconds)
        if isinstance(answer, ModelError):
            raise answer
        return Reply(answer, "slow-1")


def decided(
    model: Slow, remaining_ms: int | None, memory: Literal["transcript", "summary"] = "transcript"
) -> tuple[Any, float, Calls]:
    """Return the decision or the reason why there is none, the seconds it took, and the calls."""
    loop, calls, results = Loop(), Calls(), []
    players = Players(model, Treatment("plain", memory=memory), calls, Budget())

    async def decide() -> None:
        began = loop.time()
        try:
            results.append(await players.decide(GAME, view(remaining_ms)))
        except GiveUp as given_up:
            results.append(str(given_up))
        results.append(loop.time() - began)

    loop.complete(decide())
    return results[0], results[1], calls


def test_a_late_answer_is_not_awaited() -> None:
    """Allow 3 s for a decision, with 0.5 s reserved for sending; the answer would take 24.8 s."""
    reason, seconds, calls = decided(Slow((24.8, ANSWER)), 3000)
    assert (reason, seconds) == ("no answer within 2.5 s", pytest.approx(2.5))
    assert [(row["error"], row["seconds"]) for row in calls.rows] == [(reason, 2.5)]


def test_a_question_is_not_repeated_after_the_deadline() -> None:
    model = Slow((0.5, ModelError("busy", 25.0)))
    reason, seconds, _ = decided(model, 3000)
    assert (reason, model.count) == ("busy; there is no time to ask again", 1)
    assert seconds == pytest.approx(0.5)


def test_a_question_is_repeated_when_the_server_says() -> None:
    model = Slow((0.5, ModelError("busy", 25.0)), (1.0, ANSWER))
    action, seconds, calls = decided(model, 45_000)
    assert (action, seconds) == ({"harvest": 2}, pytest.approx(26.5))
    assert [(row["error"], row["retry_after"], row["seconds"]) for row in calls.rows] == [
        ("busy", 25.0, 0.5),
        ("", "", 1.0),
    ]


def test_all_attempts_share_the_time() -> None:
    """Allow 9.5 s: two unusable answers take 4 s each, so the third call is cut short."""
    reason, seconds, calls = decided(Slow((4.0, "nonsense")), 10_000)
    assert (reason, seconds) == ("no answer within 1.5 s", pytest.approx(9.5))
    assert [row["seconds"] for row in calls.rows] == [4.0, 4.0, 1.5]


def test_a_call_without_a_deadline_has_a_limit() -> None:
    reason, seconds, _ = decided(Slow((1000.0, ANSWER)), None)
    assert (reason, seconds) == ("no answer within 120.0 s", pytest.approx(120.0))


def test_a_player_does_not_wait_after_its_last_attempt() -> None:
    """Expect three calls of 0.5 s with waits of 10 s between them."""
    reason, seconds, calls = decided(Slow((0.5, ModelError("busy", 10.0))), 24_000)
    assert (reason, len(calls.rows)) == ("busy", 3)
    assert seconds == pytest.approx(21.5)


def test_an_error_that_stays_is_not_repeated() -> None:
    model = Slow((0.0, ModelError("no such key", None)))
    assert decided(model, 45_000)[0] == "no such key"
    assert model.count == 1


def test_slow_notes_do_not_delay_a_decision_beyond_its_deadline() -> None:
    action, seconds, calls = decided(Slow((2.0, ANSWER), (100.0, "my notes")), 10_000, "summary")
    assert (action, seconds) == ({"harvest": 2}, pytest.approx(9.5))
    assert [row["purpose"] for row in calls.rows] == ["decide", "summary"]
    action, _, calls = decided(Slow((9.4, ANSWER), (100.0, "my notes")), 10_000, "summary")
    assert action == {"harvest": 2}


def test_a_client_says_the_time_that_is_left() -> None:
    """Let each attempt take 4 s. Of the 10 s, 6 s are left after the refusal."""
    loop, sent, left = Loop(), [], []

    class Line:
        async def send(self, text: str) -> None:
            sent.append(text)
            if "act" in text:
                agent._take({"kind": "refused", "id": f"m{len(sent) - 1}", "reason": "too much"})

    async def decide(_game: Any, shown: Any) -> Any:
        left.append(shown["remaining_ms"])
        await asyncio.sleep(4.0)
        return {"harvest": 4}

    async def run() -> None:
        for message in (GAME, view(10_000)):
            agent._take(message)
        await asyncio.sleep(30.0)

    agent = client.Client(decide)
    agent._socket = Line()
    loop.complete(run())
    assert left == [10_000, 6000, 2000]
