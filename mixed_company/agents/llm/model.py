"""Interface to language models.

    chat = Chat("llama3.2", base_url="http://127.0.0.1:11434/v1")
    reply = await chat.reply(messages, schema, seconds=20.0)

`Chat` needs the package `openai` (`pip install ".[llm]"`); only this file uses it.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Json = dict[str, Any]
Messages = Sequence[dict[str, str]]
"""List of messages: [{"role": "system" or "user" or "assistant", "content": text}, ...]"""

Format = Literal["schema", "object", "text"]
"""Way to ask for JSON: by a schema, as any object, or in words. Not every server supports all
three."""


class ModelError(Exception):
    """Error for a model that did not answer; its text is the reason."""


@dataclass(frozen=True)
class Reply:
    """Answer of a model.

    model    name and version, as the server reports them
    tokens   of the prompt, and of the answer; 0 if the server does not report them
    seconds  from the question to the answer, including retries
    """

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


class Model(Protocol):
    """Protocol of a model that can be asked."""

    name: str

    async def reply(self, messages: Messages, schema: Json | None, seconds: float) -> Reply:
        """Return the answer as a string; with a schema, JSON that follows it. Raises ModelError."""


def prompt_hash(name: str, messages: Messages, schema: Json | None) -> str:
    """Return the sha256 of everything that is sent except keys and addresses; it identifies a
    call."""
    whole = json.dumps([name, list(messages), schema], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(whole.encode()).hexdigest()


class Chat:
    """Model behind the chat interface.

    `retries` is the number of retries after an error of the server or the connection.
    """

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
        except OpenAIError:  # the package requires a key, local servers do not
            if base_url is None:
                raise ModelError("OPENAI_API_KEY: is not set, and --base-url is missing") from None
            self._client = AsyncOpenAI(base_url=base_url, max_retries=retries, api_key="none")

    async def reply(self, messages: Messages, schema: Json | None, seconds: float) -> Reply:
        """Ask the model, see `Model`."""
        from openai import OpenAIError

        began = time.monotonic()
        request: Json = {"model": self.name, "messages": list(messages), "timeout": seconds}
        if self._temperature is not None:
            request["temperature"] = self._temperature
        if schema is not None and self._form != "text":
            request["response_format"] = _form(self._form, schema)
        try:
            answer = await self._client.chat.completions.create(**request)
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
