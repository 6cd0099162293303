"""Asks policies outside the event loop if they could block it.

A hand-written policy is asked in separate processes (`policies.apart`), because it can hold
Python's global lock. A trained policy releases the lock and is asked in threads. Each policy has
its own few processes or threads, created on demand, so a slow policy delays only itself. If an
answer is late, the table settles the period without it, and the policy's process is killed. A
thread cannot be killed. It stays unavailable until it returns, and a policy is not asked while all
of its threads are unavailable.
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

MOST_THREADS = 8
"""Number of threads per policy, which is also the number of seats that it can decide for at once.
"""

MOST_PROCESSES = 2
"""Number of processes per policy."""

Tell = Callable[[Answer], Any]

Ask = Callable[[Question, Tell], None]
"""Function that asks a policy outside the event loop, and passes the answer to the loop."""


@dataclass
class _Line:
    """Queue of questions to one policy.

    limit     maximum number of working threads
    waiting   questions, with the times at which they arrived
    threads   number of working threads
    children  idle processes
    """

    limit: int
    waiting: deque[tuple[float, Question, Tell]] = field(default_factory=deque)
    threads: int = 0
    children: list[Child] = field(default_factory=list)


class Asking:
    """Asks policies, each in at most `threads` threads or `processes` processes. If there are no
    processes, all policies use threads.
    """

    def __init__(self, threads: int = MOST_THREADS, processes: int = MOST_PROCESSES) -> None:
        self._threads, self._processes = threads, processes
        self._lines: dict[type, _Line] = {}
        self._lock = threading.Lock()

    def prepare(self, policy: Policy) -> None:
        """Start a process for a policy in advance.

        Starting a process takes longer than an answer may take.
        """
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
        """Queue a question; `tell` is called in another thread if the answer arrives in time."""
        apart = self._has_processes(question.policy)
        with self._lock:
            line = self._lines.setdefault(
                type(question.policy), _Line(self._processes if apart else self._threads)
            )
            while line.waiting and time.monotonic() - line.waiting[0][0] >= PATIENCE_SECONDS:
                line.waiting.popleft()  # its table has settled without an answer
            line.waiting.append((time.monotonic(), question, tell))
            if line.threads == line.limit:
                return
            line.threads += 1
        work = self._work_apart if apart else self._work
        threading.Thread(target=work, args=(line,), daemon=True).start()

    def _next(self, line: _Line) -> tuple[float, Question, Tell] | None:
        """Return the next question. If there is none, deregister the calling thread and return
        None.
        """
        with self._lock:
            if line.waiting:
                return line.waiting.popleft()
            line.threads -= 1
            return None

    def _work(self, line: _Line) -> None:
        """Answer questions until no question is waiting."""
        while (waited := self._next(line)) is not None:
            came, question, tell = waited
            if time.monotonic() - came < PATIENCE_SECONDS:
                tell(question.answered())

    def _work_apart(self, line: _Line) -> None:
        """Answer questions in a process until no question is waiting."""
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
    inputs = question.policy, question.allowed, question.seen, question.memory
    return child.answered(*inputs, question.draws.anew(), question.talk, seconds)


class Questions:
    """Questions to one table's policies, each of which is asked once.

    ask    asks outside the loop; None if there is no loop, so the table asks all policies
           itself
    tell   called with the seat, period and answer
    """

    def __init__(
        self, table: Table, ask: Ask | None, tell: Callable[[int, int, Answer], None]
    ) -> None:
        self._table, self._ask, self._tell = table, ask, tell
        self._put: dict[int, tuple[int, int]] = {}
        table.apart = ask is not None

    def put(self) -> None:
        """Ask the pending questions, unless they have been asked already."""
        for seat, begun in list(self._table.pending.items()):
            period = self._table.episode.period
            if self._table.seats[seat].agent is not None:
                continue  # the agent's view tells it to decide
            if self._ask is not None and self._put.get(seat) != (period, begun):
                self._put[seat] = period, begun
                tell = partial(self._tell, seat, period)
                self._ask(self._table.question(seat), tell)
