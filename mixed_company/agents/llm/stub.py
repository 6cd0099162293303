"""Server with OpenAI's chat interface but without a model, for tests and trials.

    with Stub("well") as stub: Chat("stub", base_url=stub.base_url)

The moods:

    well      answers follow the schema: the middle of each range, the default of a list, a short
              message, a summary
    badly     the first answer to a question is not JSON; the second answer follows the schema
    nonsense  no answer is usable
    slowly    like well, after `seconds`
    silent    questions are accepted and never answered
    empty     answers are empty
    failing   answers are errors with status 500
    busy      answers are errors with status 429, and `Retry-After` in `seconds`
    refusing  answers are errors with status 401
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

FAILURES = {"failing": 500, "busy": 429, "refusing": 401}
"""Statuses of the answers, by mood."""

MOODS = ("well", "badly", "nonsense", "slowly", "silent", "empty", *FAILURES)
MODEL = "stub-1"


class Stub:
    """Server without a model (see the module's docstring). `questions` lists all requests, oldest
    first."""

    def __init__(self, mood: str = "well", port: int = 0, seconds: float = 1.0) -> None:
        if mood not in MOODS:
            raise ValueError(f"mood = {mood!r}: should be one of {', '.join(MOODS)}")
        self.mood, self.seconds = mood, seconds
        self.questions: list[dict[str, Any]] = []
        self.ended = threading.Event()
        self._times: Counter[str] = Counter()
        stub = self

        class Handler(_Handler):
            owner = stub

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    def text(self, question: dict[str, Any]) -> str:
        """Return the answer to a question."""
        self.questions.append(question)
        key = json.dumps(question["messages"][:2])
        self._times[key] += 1
        if self.mood == "empty":
            return ""
        if self.mood == "nonsense" or (self.mood == "badly" and self._times[key] % 2):
            return "As a fisher I would rather not say."
        schema = question.get("response_format", {}).get("json_schema", {}).get("schema")
        for tool in question.get("tools", ()):
            schema = tool["function"]["parameters"]
        if schema is None:
            return "Others take about as much as I do."
        return json.dumps(filled(schema))


def filled(schema: dict[str, Any]) -> Any:
    """Return a value that a schema allows: its default for a list, the middle of each range."""
    kind = schema.get("type")
    if "enum" in schema:
        return schema["enum"][len(schema["enum"]) // 2]
    if kind == "object":
        return {name: filled(field_schema) for name, field_schema in schema["properties"].items()}
    if kind == "array" and "default" in schema:
        return schema["default"]
    if kind == "array":
        return [filled(schema["items"]) for _ in range(schema["minItems"])]
    if kind in ("number", "integer"):
        middle = (schema.get("minimum", 0) + schema.get("maximum", 0)) / 2
        return int(middle) if kind == "integer" else middle
    return 0 if kind == ["integer", "null"] else "Let us all take the same."


class _Handler(BaseHTTPRequestHandler):
    owner: Stub

    def do_POST(self) -> None:
        """Answer a request to the chat interface."""
        length = int(self.headers.get("Content-Length", 0))
        question = json.loads(self.rfile.read(length))
        owner = self.owner
        if owner.mood == "silent":
            owner.ended.wait()
            return
        if owner.mood == "slowly":
            owner.ended.wait(owner.seconds)
        if owner.mood in FAILURES:
            owner.questions.append(question)
            error = {"message": f"the stub is {owner.mood}", "type": "server_error"}
            self._send(FAILURES[owner.mood], {"error": error})
            return
        words = sum(len(message["content"].split()) for message in question["messages"])
        text = owner.text(question)
        usage = {"prompt_tokens": words, "completion_tokens": len(text.split())}
        usage["total_tokens"] = sum(usage.values())
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if "tools" in question:
            function = {"name": question["tools"][0]["function"]["name"], "arguments": text}
            calls = [{"id": "call-1", "type": "function", "function": function}]
            message = {"role": "assistant", "content": None, "tool_calls": calls}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        whole = {"id": "stub", "object": "chat.completion", "created": 0, "model": MODEL}
        self._send(200, {**whole, "choices": [choice], "usage": usage})

    def _send(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status == FAILURES["busy"]:
            self.send_header("Retry-After", f"{self.owner.seconds:g}")
        with contextlib.suppress(ConnectionError):  # the client has given up
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Suppress the logging of requests."""
