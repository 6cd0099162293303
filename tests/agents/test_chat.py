"""Tests of the `openai` package with a server that answers well, badly, slowly, or never.

If the package is not installed, the stand-in in `interface` takes its place.
"""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from mixed_company.agents.llm.model import (
    MOST_FAILURES,
    PAUSE_SECONDS,
    Breaker,
    Chat,
    ModelError,
    Question,
    Reply,
)
from mixed_company.agents.llm.stub import MODEL, Stub
from tests.loops import complete

SCHEMA = {
    "type": "object",
    "properties": {"action": {"type": "number", "minimum": 0.0, "maximum": 12.0}},
    "required": ["action"],
    "additionalProperties": False,
}
MESSAGES = [{"role": "user", "content": "How many fish do you take?"}]


@pytest.fixture(autouse=True)
def _interface(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("openai") is None:
        monkeypatch.syspath_prepend(str(Path(__file__).parent / "interface"))


def asked(stub: Stub, **more: Any) -> Reply:
    return complete(Chat("stub", stub.base_url).reply(Question(MESSAGES, SCHEMA, **more)))


def test_an_answer_comes_with_model_and_tokens():
    with Stub() as stub:
        assert asked(stub) == Reply('{"action": 6.0}', MODEL, 6, 2)
    [question] = stub.questions
    assert question["response_format"]["json_schema"]["schema"] == SCHEMA


def test_json_can_be_requested_in_other_ways():
    with Stub() as stub:
        asked(stub, form="json_object")
        asked(stub, form="text")
        assert asked(stub, form="tools").text == '{"action": 6.0}'
    assert stub.questions[0]["response_format"] == {"type": "json_object"}
    assert not {"response_format", "tools"} & set(stub.questions[1])
    [tool] = stub.questions[2]["tools"]
    assert tool["function"]["parameters"] == SCHEMA
    assert stub.questions[2]["tool_choice"]["function"]["name"] == tool["function"]["name"]


def test_numbers_for_the_server_are_sent():
    with Stub() as stub:
        asked(stub, sampling={"temperature": 0.7, "seed": 3, "max_tokens": 40})
    [question] = stub.questions
    numbers = {key: question[key] for key in ("temperature", "seed", "max_tokens")}
    assert numbers == {"temperature": 0.7, "seed": 3, "max_tokens": 40}


def test_an_empty_answer_has_tokens():
    with Stub("empty") as stub:
        assert asked(stub) == Reply("", MODEL, 6, 0)


@pytest.mark.parametrize(
    ("mood", "retry_after"), [("refusing", None), ("busy", 25.0), ("failing", 1.0)]
)
def test_an_error_is_sent_once_and_says_when_to_ask_again(mood, retry_after):
    with Stub(mood, seconds=25.0) as stub, pytest.raises(ModelError, match=mood) as error:
        asked(stub)
    assert error.value.retry_after == retry_after
    assert len(stub.questions) == 1


def test_an_outage_ends_the_calls():
    async def ask(chat: Chat) -> list[str]:
        errors = []
        for _ in range(MOST_FAILURES + 2):
            with pytest.raises(ModelError) as error:
                await chat.reply(Question(MESSAGES, SCHEMA))
            errors.append(str(error.value))
        return errors

    with Stub("failing") as stub:
        *failed, first, second = complete(ask(Chat("stub", stub.base_url)))
    assert len(stub.questions) == MOST_FAILURES
    assert all("500" in error for error in failed)
    for error in (first, second):
        assert (
            error == "model not called: 5 calls in a row failed; the next call will be made in 30 s"
        )


def test_after_a_pause_a_single_call_tries_the_server():
    breaker = Breaker()
    for _ in range(MOST_FAILURES):
        breaker.check(0.0)
        breaker.failed(0.0)
    with pytest.raises(ModelError, match="in 1 s"):
        breaker.check(PAUSE_SECONDS - 1)
    breaker.check(PAUSE_SECONDS)
    with pytest.raises(ModelError, match="in 30 s"):
        breaker.check(PAUSE_SECONDS)
    breaker.succeeded()
    breaker.check(PAUSE_SECONDS)


def test_calls_that_are_cancelled_count_as_failures():
    async def ask(chat: Chat) -> None:
        for _ in range(MOST_FAILURES):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await chat.reply(Question(MESSAGES, SCHEMA))
        with pytest.raises(ModelError, match="model not called"):
            await chat.reply(Question(MESSAGES, SCHEMA))

    with Stub("silent") as stub:
        chat = Chat("stub", stub.base_url)

        async def both() -> None:
            await ask(chat)
            stub.ended.set()  # the stub has answered, and no thread is waiting any more

        complete(both())
