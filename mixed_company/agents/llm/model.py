"""Interface to language models.

    chat = Chat("llama3.2", base_url="http://127.0.0.1:11434/v1")
    reply = await chat.reply(Question(messages, schema))

`Chat` needs the `openai` package (`pip install ".[llm]"`); only this file uses it. It sends every
question once. The player (`agents.llm.player`) repeats questions and cancels those that take too
long, so one clock governs all time limits.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Json = dict[str, Any]
Messages = Sequence[dict[str, str]]
"""List of messages: [{"role": "system" or "user" or "assistant", "content": text}, ...]"""

Format = Literal["json_schema", "json_object", "tools", "text"]
"""Ways to request JSON: with a schema, as any object, as a function call, or in words. Not
every server supports all four."""

TOOL = "answer"
"""Name of the function that a model calls to answer, if the form is `tools`."""

RETRY_SECONDS = 1.0
"""Wait before a failed question is repeated, unless the server asks for a different wait."""

MOST_FAILURES = 5
"""Number of consecutive failures after which no questions are sent to the model for
PAUSE_SECONDS."""

PAUSE_SECONDS = 30.0

_MAY_PASS = (408, 409, 429)
"""Statuses below 500 after which it may help to repeat the question."""

_WORKS = (400, 409, 413, 422, 429)
"""Statuses that show that the server is up, even though it did not answer this question."""


class ModelError(Exception):
    """Error raised when a model did not answer; its text is the reason.

    `retry_after` is the time in seconds after which the question may be repeated; None: it would
    fail again.
    """

    def __init__(self, reason: str, retry_after: float | None = RETRY_SECONDS) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


@dataclass(frozen=True)
class Question:
    """Everything that is sent to a model.

    schema    JSON Schema of the answer; None: any text
    form      way of requesting JSON
    sampling  numbers for the server: temperature, seed, max_tokens
    """

    messages: Messages
    schema: Json | None = None
    form: Format = "json_schema"
    sampling: Mapping[str, float] = field(default_factory=dict)

    def digest(self, model: str) -> str:
        """Return the sha256 of the question and the model's name; it identifies a call."""
        whole = [model, list(self.messages), self.schema, self.form, dict(self.sampling)]
        text = json.dumps(whole, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Reply:
    """A model's answer.

    model    name and version, as the server reports them
    tokens   numbers of tokens in prompt and answer; 0 if the server does not report them
    """

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Model(Protocol):
    """Protocol for models."""

    name: str

    async def reply(self, question: Question) -> Reply:
        """Return the answer; its text may be empty. Raises ModelError."""


class Breaker:
    """Pause after consecutive failures. After the pause, one call tries the server again."""

    def __init__(self) -> None:
        self._failures, self._until = 0, 0.0

    def check(self, now: float) -> None:
        """Raise ModelError during a pause."""
        if self._failures < MOST_FAILURES:
            return
        if now < self._until:
            left = f"the next call will be made in {self._until - now:.0f} s"
            raise ModelError(
                f"model not called: {self._failures} calls in a row failed; {left}", None
            )
        self._until = now + PAUSE_SECONDS

    def failed(self, now: float) -> None:
        """Count a failure."""
        self._failures += 1
        self._until = now + PAUSE_SECONDS

    def succeeded(self) -> None:
        """Forget earlier failures, because the server is working."""
        self._failures = 0


class Chat:
    """Model behind the chat interface."""

    def __init__(self, name: str, base_url: str | None = None) -> None:
        from openai import AsyncOpenAI, OpenAIError

        self.name, self._breaker = name, Breaker()
        # OpenAI's newer models reject the older name, which other servers expect
        self._length = "max_completion_tokens" if base_url is None else "max_tokens"
        options: Json = {"base_url": base_url, "max_retries": 0, "timeout": None}
        try:
            self._client = AsyncOpenAI(**options)
        except OpenAIError:  # the package requires a key, but local servers do not
            if base_url is None:
                raise ModelError("OPENAI_API_KEY: not set, and --base-url is missing") from None
            self._client = AsyncOpenAI(**options, api_key="none")

    async def reply(self, question: Question) -> Reply:
        """Ask the model once, see `Model`. A cancelled call counts as a failure."""
        from openai import OpenAIError

        clock, breaker = asyncio.get_running_loop(), self._breaker
        breaker.check(clock.time())
        try:
            answer = await self._client.chat.completions.create(**self._request(question))
        except (OpenAIError, asyncio.CancelledError) as error:
            status = getattr(error, "status_code", None)
            if status in _WORKS:
                breaker.succeeded()
            else:
                breaker.failed(clock.time())
            if isinstance(error, asyncio.CancelledError):
                raise
            again = status is None or status >= 500 or status in _MAY_PASS
            wait = _retry_after(error) if again else None
            raise ModelError(f"{type(error).__name__}: {error}", wait) from None
        breaker.succeeded()
        return Reply(
            _text(answer.choices[0].message) if answer.choices else "",
            answer.model or self.name,
            answer.usage.prompt_tokens if answer.usage else 0,
            answer.usage.completion_tokens if answer.usage else 0,
        )

    def _request(self, question: Question) -> Json:
        request: Json = {"model": self.name, "messages": list(question.messages)}
        for key, number in question.sampling.items():
            request[self._length if key == "max_tokens" else key] = number
        schema = question.schema
        if schema is None or question.form == "text":
            return request
        if question.form == "tools":
            function = {"name": TOOL, "parameters": schema, "strict": True}
            chosen = {"type": "function", "function": {"name": TOOL}}
            return {
                **request,
                "tools": [{"type": "function", "function": function}],
                "tool_choice": chosen,
            }
        named = {"name": "answer", "schema": schema, "strict": True}
        by_schema = {"type": "json_schema", "json_schema": named}
        any_object = {"type": "json_object"}
        form = by_schema if question.form == "json_schema" else any_object
        return {**request, "response_format": form}


def _text(message: Any) -> str:
    """Return an answer's text, or the arguments of the function that it calls."""
    for call in getattr(message, "tool_calls", None) or ():
        return str(call.function.arguments)
    return str(message.content or "")


def _retry_after(error: Exception) -> float:
    """Return how many seconds to wait before asking a server again."""
    headers = getattr(getattr(error, "response", None), "headers", {})
    try:
        seconds = float(headers.get("retry-after", "nan"))
    except ValueError:  # a date
        seconds = math.nan
    return max(0.0, seconds) if math.isfinite(seconds) else RETRY_SECONDS
