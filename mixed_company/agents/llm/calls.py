"""Table of calls: one line of JSON for each question to a model, and its cost.

COLUMNS lists the fields of a line. The file is written call by call. From it, a run can be replayed
without a model (`Recorded`).
"""

from __future__ import annotations

import json
import time
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from mixed_company.agents.llm.model import Messages, ModelError, Reply, prompt_hash
from mixed_company.engine.contract.errors import LogError, short

COLUMNS: Mapping[str, str] = {
    "call": "number of the call, from 0",
    "at": "time of the question, UTC",
    "place": "the seat, as the server names it: app/group/seat; without a server: play/seat",
    "game": "the game",
    "seat": "the seat, from 0",
    "period": "the period, from 0",
    "purpose": "decide, talk or summary",
    "attempt": "number of the attempt at this decision, from 0",
    "treatment": "the name of the prompt file",
    "prompt_hash": "sha256 of model, messages and schema",
    "answer": "answer of the model, as text; empty: none",
    "rationale": "its reasons, if it was asked to think first",
    "action": "the decision, as JSON; empty: none, or unusable",
    "error": "reason why there was no answer, or why it was unusable; empty: no error",
    "model": "the model as its server reports it",
    "prompt_tokens": "tokens of the question; 0: not reported",
    "completion_tokens": "tokens of the answer",
    "cost": "cost, by the prices of the options",
    "seconds": "time from the question to the answer",
    "messages": "the question, if prompts are kept",
}

MILLION = 1e6


class Spent(Exception):
    """Error for a budget that is used up."""


@dataclass
class Budget:
    """Limits of a run; 0: no limit. Calls that are in progress when the budget is used up still
    count.

    money          limit of the costs, in the currency of the prices
    minutes        limit of the time since the first call
    price_in, price_out   prices of a million tokens of questions and of answers
    """

    money: float = 0.0
    minutes: float = 0.0
    price_in: float = 0.0
    price_out: float = 0.0
    spent: float = 0.0
    began: float | None = None

    def check(self) -> None:
        """Raise Spent if the budget is used up."""
        self.began = time.monotonic() if self.began is None else self.began
        if self.money and self.spent >= self.money:
            raise Spent(f"the budget of {self.money:g} is spent")
        if self.minutes and time.monotonic() - self.began >= 60 * self.minutes:
            raise Spent(f"the run's limit of {self.minutes:g} minutes has passed")

    def charge(self, reply: Reply) -> float:
        """Add the cost of a reply to the amount spent, and return it."""
        paid = reply.prompt_tokens * self.price_in + reply.completion_tokens * self.price_out
        self.spent += paid / MILLION
        return paid / MILLION


class Calls:
    """Table of calls, in memory and, if a path is set, in a file."""

    def __init__(self, path: Path | None = None, keep_prompts: bool = False) -> None:
        self.rows: list[dict[str, Any]] = []
        self._keep = keep_prompts
        self._file: IO[str] | None = None if path is None else path.open("a", encoding="utf-8")

    def add(self, messages: Messages, **values: Any) -> None:
        """Append a call; values that are not passed are empty."""
        row = {**dict.fromkeys(COLUMNS, ""), "call": len(self.rows), **values}
        row["at"] = datetime.now(UTC).isoformat(timespec="milliseconds")
        if self._keep:
            row["messages"] = list(messages)
        self.rows.append(row)
        if self._file is not None:
            self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


_READ: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("prompt_hash", "answer", "error", "model"), (str,)),
    **dict.fromkeys(("prompt_tokens", "completion_tokens"), (int,)),
    "seconds": (int, float),
}
"""Types of the values that are read. Without an answer, numbers and model are empty strings."""


class Recorded:
    """Model that repeats the answers of a recorded run, question by question.

    Raises LogError for an invalid line, and names the first.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self._answers: dict[str, deque[dict[str, Any]]] = defaultdict(deque)
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                row = _call(line, f"{path}, line {number}")
                self._answers[row["prompt_hash"]].append(row)

    async def reply(
        self, messages: Messages, schema: dict[str, Any] | None, seconds: float
    ) -> Reply:
        """Return the recorded answer, see `agents.llm.model.Model`."""
        row = self._next(prompt_hash(self.name, messages, schema))
        if not row["answer"]:
            raise ModelError(row["error"])
        tokens = row["prompt_tokens"], row["completion_tokens"]
        return Reply(row["answer"], row["model"], *tokens, row["seconds"])

    def _next(self, key: str) -> dict[str, Any]:
        if not self._answers[key]:
            raise ModelError("this question is not in the recorded run")
        return self._answers[key].popleft()


def _call(line: bytes, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise LogError(f"{where}: is not JSON") from None
    if not isinstance(row, dict):
        raise LogError(f"{where}: is not a call: {short(row)}")
    for key, types in _READ.items():
        value = row.get(key)
        empty = value == "" and not row.get("answer")
        if not empty and (not isinstance(value, types) or isinstance(value, bool)):
            raise LogError(f"{where}: {key} = {short(value)}: {COLUMNS[key]}")
    return row
