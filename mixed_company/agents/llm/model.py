"""Asking a language model: what goes there, and what comes back.

    chat = Chat("llama3.2", base_url="http://127.0.0.1:11434/v1")
    reply = await chat.reply(messages, schema, seconds=20.0)

`Chat` needs the package `openai` (`pip install ".[llm]"`) and nothing else of it than this file.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

__all__ = ["Chat", "Format", "Messages", "Model", "ModelError", "Reply", "prompt_hash"]

Json = dict[str, Any]
Messages = Sequence[dict[str, str]]
"""[{"role": "system" or "user" or "assistant", "content": text}, ...]"""

Format = Literal["schema", "object", "text"]
"""How JSON is asked for: by its schema, as any object, or in words; not all servers do all."""


class ModelError(Exception):
    """A model did not answer, and why."""


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    model    as the server reports it, with its version
    tokens   of the prompt, and of the answer; 0 where the server does not say
    seconds  from the question to the answer, tries included
    """

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


class Model(Protocol):
    """Whoever can be asked."""

    name: str

    async def reply(self, messages: Messages, schema: Json | None, seconds: float) -> Reply:
        """The answer, a text; where there is a schema, JSON by it. Raises ModelError."""


def prompt_hash(name: str, messages: Messages, schema: Json | None) -> str:
    """What a call is known by: sha256 of all that was sent but keys and addresses."""
    whole = json.dumps([name, list(messages), schema], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(whole.encode()).hexdigest()


class Chat:
    """A model behind the chat interface. `retries`: after an error of the server or the line."""

    def __init__(
        self,
        name: str,
        base_url: str | None = None,
        form: Format = "schema",
        temperature: float | None = None,
        retries: int = 2,
    ) -> None:
        from openai import AsyncOpenAI, OpenAIError

        self.name, self._form, self._temperature = name, form, temperature
        try:
            self._client = AsyncOpenAI(base_url=base_url, max_retries=retries)
        except OpenAIError:  # it wants a key, which servers of one's own do not
            if base_url is None:
                raise ModelError("OPENAI_API_KEY: is not set, and there is no --base-url") from None
            self._client = AsyncOpenAI(base_url=base_url, max_retries=retries, api_key="none")

    async def reply(self, messages: Messages, schema: Json | None, seconds: float) -> Reply:
        """See `Model`."""
        from openai import OpenAIError

        began = time.monotonic()
        given: Json = {"model": self.name, "messages": list(messages), "timeout": seconds}
        if self._temperature is not None:
            given["temperature"] = self._temperature
        if schema is not None and self._form != "text":
            given["response_format"] = _form(self._form, schema)
        try:
            answer = await self._client.chat.completions.create(**given)
        except OpenAIError as error:
            raise ModelError(f"{type(error).__name__}: {error}") from None
        if not answer.choices or not answer.choices[0].message.content:
            raise ModelError("the answer is empty")
        return Reply(
            answer.choices[0].message.content,
            answer.model or self.name,
            answer.usage.prompt_tokens if answer.usage else 0,
            answer.usage.completion_tokens if answer.usage else 0,
            time.monotonic() - began,
        )


def _form(form: Format, schema: Json) -> Json:
    if form == "object":
        return {"type": "json_object"}
    named = {"name": "answer", "schema": schema, "strict": True}
    return {"type": "json_schema", "json_schema": named}
