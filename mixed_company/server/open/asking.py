"""Policies that could keep others waiting are asked beside the loop.

A written policy is asked in processes of its own (`policies.apart`), since it can hold Python's
lock, in which nothing else runs; a trained one, whose model lets others run, in threads. One policy
waits for itself alone: each has its own few, made when they are needed. What a policy has not
answered in time its table settles without it: its process is ended; its thread is lost as long as
it goes on, and when all are lost it is not asked any more.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mixed_company.policies.apart import Child
from mixed_company.policies.policy import PATIENCE_SECONDS, Answer, Policy
from mixed_company.table.answers import Question
from mixed_company.table.table import Table

__all__ = ["MOST_PROCESSES", "MOST_THREADS", "Ask", "Asking", "Questions"]

MOST_THREADS = 8
"""So many seats one policy decides for at a time; the others wait."""

MOST_PROCESSES = 2
"""The same of one that has processes."""

Tell = Callable[[Answer], Any]

Ask = Callable[[Question, Tell], None]
"""Asks a policy beside the loop, and has the answer told in the loop."""


@dataclass
class _Line:
    """The questions that wait for one policy, each with when it came, its threads at work, and its
    processes that have nothing to do."""

    most: int
    waiting: deque[tuple[float, Question, Tell]] = field(default_factory=deque)
    threads: int = 0
    children: list[Child] = field(default_factory=list)


class Asking:
    """Asks policies. `most`: threads per policy; `processes`: the same of those that have
    processes; 0: none has."""

    def __init__(self, most: int = MOST_THREADS, processes: int = MOST_PROCESSES) -> None:
        self._most, self._processes = most, processes
        self._lines: dict[type, _Line] = {}
        self._lock = threading.Lock()

    def prepare(self, policy: Policy) -> None:
        """It will be asked: have its process begin, which takes longer than an answer may."""
        if not self._has_processes(policy):
            return
        with self._lock:
            if type(policy) in self._lines:
                return
            line = self._lines[type(policy)] = _Line(self._processes)
        threading.Thread(target=self._begin, args=(line,), daemon=True).start()

    def _begin(self, line: _Line) -> None:
        child = Child()
        child.ready()
        with self._lock:
            line.children.append(child)

    def _has_processes(self, policy: Policy) -> bool:
        return self._processes > 0 and not policy.lets_others_run

    def ask(self, question: Question, tell: Tell) -> None:
        """Ask; `tell` is called in another thread with the answer, if it still comes in time."""
        apart = self._has_processes(question.policy)
        with self._lock:
            line = self._lines.setdefault(
                type(question.policy), _Line(self._processes if apart else self._most)
            )
            while line.waiting and time.monotonic() - line.waiting[0][0] >= PATIENCE_SECONDS:
                line.waiting.popleft()  # its table has settled without it
            line.waiting.append((time.monotonic(), question, tell))
            if line.threads == line.most:
                return
            line.threads += 1
        work = self._work_apart if apart else self._work
        threading.Thread(target=work, args=(line,), daemon=True).start()

    def _next(self, line: _Line) -> tuple[float, Question, Tell] | None:
        """What is to be asked next; None: nothing, and the thread that asked for it ends."""
        with self._lock:
            if line.waiting:
                return line.waiting.popleft()
            line.threads -= 1
            return None

    def _work(self, line: _Line) -> None:
        """Answer what waits, until nothing does."""
        while (waited := self._next(line)) is not None:
            came, question, tell = waited
            if time.monotonic() - came < PATIENCE_SECONDS:
                tell(question.answered())

    def _work_apart(self, line: _Line) -> None:
        """The same in a process."""
        while (waited := self._next(line)) is not None:
            came, question, tell = waited
            left = came + PATIENCE_SECONDS - time.monotonic()
            if left <= 0:
                continue
            with self._lock:
                child = line.children.pop() if line.children else None
            if child is None:
                child = Child()
            answer = _asked(child, question, left)
            if answer is not None:
                tell(answer)
            if not child.alive:
                child = Child()  # for the next question
                child.ready()
            with self._lock:
                line.children.append(child)


def _asked(child: Child, question: Question, seconds: float) -> Answer | None:
    given = question.policy, question.allowed, question.seen, question.memory
    return child.answered(*given, question.draws.anew(), question.talk, seconds)


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
