"""Tests of the package `openai` with a server that answers well, badly, slowly, or never."""

from __future__ import annotations

import pytest

from mixed_company.agents.llm.model import Chat, ModelError, Reply
from mixed_company.agents.llm.stub import MODEL, Stub
from tests.loops import complete

pytest.importorskip("openai")

SCHEMA = {
    "type": "object",
    "properties": {"action": {"type": "number", "minimum": 0.0, "maximum": 12.0}},
    "required": ["action"],
    "additionalProperties": False,
}
QUESTION = [{"role": "user", "content": "How many fish do you take?"}]


def asked(stub: Stub, seconds: float = 20.0, **more: object) -> Reply:
    chat = Chat("stub", base_url=stub.base_url, **more)  # type: ignore[arg-type]
    return complete(chat.reply(QUESTION, SCHEMA, seconds))


def test_an_answer_comes_with_model_and_tokens() -> None:
    with Stub() as stub:
        reply = asked(stub)
    assert (reply.text, reply.model) == ('{"action": 6.0}', MODEL)
    assert (reply.prompt_tokens, reply.completion_tokens) == (6, 2)
    [question] = stub.questions
    assert question["response_format"]["json_schema"]["schema"] == SCHEMA


def test_json_can_be_requested_in_other_ways() -> None:
    with Stub() as stub:
        asked(stub, form="object")
        asked(stub, form="text")
    assert stub.questions[0]["response_format"] == {"type": "json_object"}
    assert "response_format" not in stub.questions[1]


def test_a_slow_answer_is_awaited() -> None:
    with Stub("slowly", seconds=0.3) as stub:
        assert asked(stub).seconds >= 0.3


def test_a_missing_answer_is_reported_in_time() -> None:
    with Stub("silent") as stub, pytest.raises(ModelError, match="APITimeoutError"):
        asked(stub, seconds=0.5, retries=0)


def test_an_error_of_the_server_is_retried_and_then_reported() -> None:
    with Stub("failing") as stub, pytest.raises(ModelError, match="the stub fails"):
        asked(stub, retries=1)
