"""Policies that could keep others waiting are asked in threads of their own, beside the loop.

One policy waits for itself alone: each has its own few threads, made when they are needed. What a
policy has not answered in time its table settles without it; its thread is lost as long as it goes
on, and when all are lost it is not asked any more.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bots.policy import PATIENCE_SECONDS, Answer
from table.answers import Question
from table.table import Table

__all__ = ["MOST_THREADS", "Ask", "Asking", "Questions"]

MOST_THREADS = 8
"""So many seats one policy decides for at a time; the others wait."""

Tell = Callable[[Answer], Any]

Ask = Callable[[Question, Tell], None]
"""Asks a policy beside the loop, and has the answer told in the loop."""


@dataclass
class _Line:
    """The questions that wait for one policy, each with when it came, and its threads at work."""

    waiting: deque[tuple[float, Question, Tell]] = field(default_factory=deque)
    threads: int = 0


class Asking:
    """Asks policies in threads. `most`: threads per policy."""

    def __init__(self, most: int = MOST_THREADS) -> None:
        self._most = most
        self._lines: dict[type, _Line] = {}
        self._lock = threading.Lock()

    def ask(self, question: Question, tell: Tell) -> None:
        """Ask; `tell` is called in another thread with the answer, if it still comes in time."""
        with self._lock:
            line = self._lines.setdefault(type(question.policy), _Line())
            while line.waiting and time.monotonic() - line.waiting[0][0] >= PATIENCE_SECONDS:
                line.waiting.popleft()  # its table has settled without it
            line.waiting.append((time.monotonic(), question, tell))
            if line.threads == self._most:
                return
            line.threads += 1
        threading.Thread(target=self._work, args=(line,), daemon=True).start()

    def _work(self, line: _Line) -> None:
        """Answer what waits, until nothing does."""
        while True:
            with self._lock:
                if not line.waiting:
                    line.threads -= 1
                    return
                came, question, tell = line.waiting.popleft()
            if time.monotonic() - came < PATIENCE_SECONDS:
                tell(question.answered())


class Questions:
    """What the policies of one table are asked beside the loop, each once.

    ask    None: there is no loop, and all policies are asked where the table is
    tell   called with seat, period and answer
    """

    def __init__(
        self, table: Table, ask: Ask | None, tell: Callable[[int, int, Answer], None]
    ) -> None:
        self._table, self._ask, self._tell = table, ask, tell
        self._put: dict[int, tuple[int, int]] = {}
        table.apart = ask is not None

    def put(self) -> None:
        """Ask what has not been asked yet."""
        for seat, begun in list(self._table.pending.items()):
            period = self._table.episode.period
            if self._table.seats[seat].agent is not None:
                continue  # its view says that it is to decide
            if self._ask is not None and self._put.get(seat) != (period, begun):
                self._put[seat] = period, begun
                tell = partial(self._tell, seat, period)
                self._ask(self._table.question(seat), tell)
