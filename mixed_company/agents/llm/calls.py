"""Table of calls: one line of JSON for each question to a model, and its cost.

COLUMNS lists the fields of a line. A call is written when its seat is next asked for a decision or
message, or at the end, because the table may still refuse the answer (`refused`). A run can be
replayed from the file, without a model (`Recorded`).
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mixed_company.agents.llm.answers import EMPTY
from mixed_company.agents.llm.model import ModelError, Question, Reply
from mixed_company.engine.contract.errors import LogError, short

Json = dict[str, Any]

COLUMNS: Mapping[str, str] = {
    "call": "number of the call, from 0",
    "at": "time of the question, UTC",
    "place": "the server's name for the seat: app/group/seat; without a server: play/seat",
    "game": "the game",
    "seat": "the seat, from 0",
    "period": "the period, from 0",
    "purpose": "decide, talk or summary",
    "attempt": "number of the attempt at this decision, from 0",
    "treatment": "the name of the prompt file",
    "prompt_hash": "sha256 of everything sent: model, messages, schema, format and sampling",
    "answer": "the model's answer, as text; empty if there was none",
    "rationale": "the model's reasoning, if it was asked to think first",
    "action": "the decision, as JSON; empty if there was none or it was unusable",
    "error": "reason why there was no answer, or why it was unusable or refused; empty: no error",
    "retry_after": "after a failed call: seconds before the question may be repeated; empty: never",
    "model": "the model's name, as its server reports it",
    "prompt_tokens": "tokens in the question; 0: not reported",
    "completion_tokens": "tokens in the answer",
    "cost": "cost, at the prices set in the options",
    "seconds": "time from the question to the answer or the failure",
    "messages": "the messages sent, if prompts are kept",
}

_NOTES = "summary"

MILLION = 1e6
BYTES_PER_TOKEN = 4
"""Estimated length of a token, for servers that do not report tokens."""


class Spent(Exception):
    """Error raised when the budget is used up."""


@dataclass
class Budget:
    """Limits for a run; 0: no limit. Calls that are in progress when the budget is used up are
    still counted.

    money          limit on costs, in the currency of the prices
    tokens         limit on tokens, in questions and answers combined
    minutes        limit on the time since the first call
    price_in, price_out   prices per million tokens, for questions and for answers
    """

    money: float = 0.0
    tokens: int = 0
    minutes: float = 0.0
    price_in: float = 0.0
    price_out: float = 0.0
    spent: float = 0.0
    tokens_used: int = 0
    began: float | None = None

    def check(self, now: float) -> None:
        """Raise Spent if the budget is used up. `now` is in seconds."""
        self.began = now if self.began is None else self.began
        if self.money and self.spent >= self.money:
            raise Spent(f"the budget of {self.money:g} has been used up")
        if self.tokens and self.tokens_used >= self.tokens:
            raise Spent(f"the budget of {self.tokens} tokens has been used up")
        if self.minutes and now - self.began >= 60 * self.minutes:
            raise Spent(f"the run's time limit of {self.minutes:g} minutes has been reached")

    def charge(self, question: Question, reply: Reply) -> float:
        """Add a reply's tokens and cost to the amounts used, and return its cost.

        Tokens that the server does not report are estimated.
        """
        text = "".join(message["content"] for message in question.messages)
        tokens_in = reply.prompt_tokens or _estimate(text)
        tokens_out = reply.completion_tokens or _estimate(reply.text)
        cost = (tokens_in * self.price_in + tokens_out * self.price_out) / MILLION
        self.tokens_used += tokens_in + tokens_out
        self.spent += cost
        return cost


def _estimate(text: str) -> int:
    return -(-len(text.encode()) // BYTES_PER_TOKEN)


class Calls:
    """Table of calls, in memory and, if a path is set, in a file."""

    def __init__(self, path: Path | None = None, keep_prompts: bool = False) -> None:
        self.rows: list[Json] = []
        self._unwritten: dict[str, list[Json]] = {}
        self._keep = keep_prompts
        self._file: IO[str] | None = None if path is None else path.open("a", encoding="utf-8")

    def add(self, question: Question, place: str, **values: Any) -> None:
        """Append a seat's call; columns without a value stay empty."""
        row = {**dict.fromkeys(COLUMNS, ""), "call": len(self.rows), "place": place, **values}
        if self._keep:
            row["messages"] = list(question.messages)
        self.rows.append(row)
        if row["purpose"] != _NOTES:
            self._write(self._unwritten.pop(place, []))
        self._unwritten.setdefault(place, []).append(row)

    def refused(self, place: str, reason: str) -> None:
        """Record that the table refused the seat's last decision or message."""
        for row in reversed(self._unwritten.get(place, ())):
            if row["purpose"] != _NOTES:
                row["error"] = f"refused: {reason}"
                break

    def _write(self, rows: list[Json]) -> None:
        if self._file is not None:
            self._file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            self._file.flush()

    def close(self) -> None:
        """Write the calls that are still pending, and close the file."""
        for rows in self._unwritten.values():
            self._write(rows)
        self._unwritten.clear()
        if self._file is not None:
            self._file.close()


_READ: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("prompt_hash", "answer", "error", "model"), (str,)),
    **dict.fromkeys(("prompt_tokens", "completion_tokens"), (int,)),
    "retry_after": (int, float, str),
}
"""Types of the values in a recorded call. If a call has no answer, its numbers and its model are
empty strings."""


class Recorded:
    """Model that repeats the answers of a recorded run, question by question.

    Raises LogError, which names the first invalid line.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self._answers: dict[str, deque[Json]] = defaultdict(deque)
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                row = _call(line, f"{path}, line {number}")
                self._answers[row["prompt_hash"]].append(row)

    async def reply(self, question: Question) -> Reply:
        """Return the recorded answer, see `agents.llm.model.Model`."""
        row = self._next(question.digest(self.name))
        if not row["answer"] and row["error"] not in ("", EMPTY):
            raise ModelError(row["error"], None if row["retry_after"] == "" else 0.0)
        return Reply(row["answer"], row["model"], row["prompt_tokens"], row["completion_tokens"])

    def _next(self, key: str) -> Json:
        if not self._answers[key]:
            raise ModelError("this question is not in the recorded run", None)
        return self._answers[key].popleft()


def _call(line: bytes, where: str) -> Json:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise LogError(f"{where}: not JSON") from None
    if not isinstance(row, dict):
        raise LogError(f"{where}: not a call: {short(row)}")
    for key, types in _READ.items():
        value = row.get(key)
        empty = value == "" and not row.get("answer")
        if not empty and (not isinstance(value, types) or isinstance(value, bool)):
            raise LogError(f"{where}: {key} = {short(value)}: {COLUMNS[key]}")
    return row
