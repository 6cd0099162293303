"""Stand-in for the `openai` package if it is missing, with the same names and HTTP requests.

It is on the path only in processes that tests start.
"""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from types import SimpleNamespace
from typing import Any

__all__ = ["AsyncOpenAI", "OpenAIError"]


class OpenAIError(Exception):
    """Connection error, or server error, which has a status and a response."""

    def __init__(self, text: str, answer: urllib.error.HTTPError | None = None) -> None:
        super().__init__(text)
        if answer is not None:
            self.status_code, self.response = answer.code, answer


class AsyncOpenAI:
    """Client with the only method that is used: `client.chat.completions.create(**question)`."""

    def __init__(self, base_url: str, **_more: Any) -> None:
        self._url = f"{base_url}/chat/completions"
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))

    async def _create(self, **question: Any) -> Any:
        return await asyncio.to_thread(self._asked, question)

    def _asked(self, question: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            self._url, json.dumps(question).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer, object_hook=lambda parts: SimpleNamespace(**parts))
        except urllib.error.HTTPError as error:
            raise OpenAIError(f"{error}: {error.read().decode()}", error) from None
        except OSError as error:
            raise OpenAIError(str(error)) from None
