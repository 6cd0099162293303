"""A child process for policies that might not release Python's global lock.

A search that never pauses, or a regular expression that never finishes, blocks all other threads.

    child = Child()
    child.answered(policy, allowed, seen, memory, draws, talk, seconds=1.0)    None: timed out
    child.end()

The process gets only a policy's arguments, and returns the answer as JSON. A process that takes too
long is killed, and this object cannot be used again.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from typing import IO, Any

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import Answer, Memory, Observation, Policy, ask
from mixed_company.policies.talk import Talk

_LENGTH = struct.Struct("!I")
_RUN = "from mixed_company.policies.apart import serve; serve()"
_SPARE_SECONDS = 2
"""Seconds after its deadline at which a process exits by itself, even if its parent is gone."""


class Child:
    """A child process that runs policies, as seen by the parent process."""

    def __init__(self) -> None:
        path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
        self._process = subprocess.Popen(  # noqa: S603  a constant command
            [sys.executable, "-c", _RUN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.alive = True

    def ready(self) -> None:
        """Wait until the process has loaded its modules."""
        self._asked(pickle.dumps(None))

    def answered(
        self,
        policy: Policy,
        allowed: Allowed,
        seen: Observation,
        memory: Memory,
        draws: Draws,
        talk: Talk | None,
        seconds: float,
    ) -> Answer | None:
        """Return the policy's answer; None if it timed out and the process was killed."""
        observation = {name: np.asarray(value) for name, value in seen.items()}
        question = pickle.dumps((policy, allowed, observation, memory, draws, talk, seconds))
        timer = threading.Timer(seconds, self._kill)
        timer.start()
        try:
            answer = self._asked(question)
        finally:
            timer.cancel()
        if answer is None:
            self.end()
            return None
        return Answer(answer["action"], answer["memory"], answer["fault"])

    def _asked(self, question: bytes) -> Any:
        """Send a request and return the answer; None if the process has ended."""
        try:
            assert self._process.stdin is not None  # noqa: S101
            assert self._process.stdout is not None  # noqa: S101
            _write(self._process.stdin, question)
            content = _read(self._process.stdout)
        except (OSError, ValueError):  # pipes already closed
            return None
        return None if content is None else json.loads(content)

    def _kill(self) -> None:
        self.alive = False
        with contextlib.suppress(OSError):
            self._process.kill()

    def end(self) -> None:
        """End the process."""
        self._kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        self._process.wait()


def _write(pipe: IO[bytes], content: bytes) -> None:
    pipe.write(_LENGTH.pack(len(content)) + content)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes | None:
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    content = pipe.read(_LENGTH.unpack(head)[0])
    return content if len(content) == _LENGTH.unpack(head)[0] else None


def serve() -> None:
    """Run the child process: answer requests until the pipe closes."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keep a policy's own output out of the answers
    while (content := _read(questions)) is not None:
        _write(answers, json.dumps(_answer(pickle.loads(content))).encode())  # noqa: S301  ours


def _answer(question: Any) -> dict[str, Any]:
    if question is None:
        return {}
    policy, allowed, seen, memory, draws, talk, seconds = question
    _end_after(seconds)
    answer = ask(policy, allowed, seen, memory, draws, math.inf, patience=math.inf, talk=talk)
    _end_after(None)
    return {"action": answer.action, "memory": answer.memory, "fault": answer.fault}


def _end_after(seconds: float | None) -> None:
    """Have the system kill this process later, even if the lock is held. None cancels this."""
    if sys.platform != "win32":
        signal.alarm(0 if seconds is None else math.ceil(seconds) + _SPARE_SECONDS)
