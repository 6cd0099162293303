"""The holder of a proxy, step by step: which processes it starts, signals and ends."""

from __future__ import annotations

import signal
import sys
from types import SimpleNamespace

import pytest

from mixed_company.server.fleet import held

OWN, ANOTHER = 7, 8
"""Process groups: the one in which the keeper starts the holder, and a terminal's."""


@pytest.fixture
def ended(monkeypatch):
    """Return `ended(code, group)`, which runs the holder of a program that exits with this code,
    and returns its calls."""

    def run(code, group):
        events, begun = [], []

        class Program:
            def __init__(self, command, stdin):
                events.append((command, stdin))

            def wait(self):
                events.append("wait")
                return code

            def terminate(self):
                events.append("terminate")

        class Thread:
            def __init__(self, target, args, daemon):
                begun.append((target, args, daemon))

            def start(self):
                events.append("thread")

        monkeypatch.setattr(sys, "argv", ["held.py", "caddy", "run"])
        monkeypatch.setattr(held, "subprocess", SimpleNamespace(Popen=Program, DEVNULL=-3))
        monkeypatch.setattr(held, "threading", SimpleNamespace(Thread=Thread))
        monkeypatch.setattr(
            held.signal, "signal", lambda number, handler: events.append((number, handler))
        )
        monkeypatch.setattr(held.os, "getpid", lambda: OWN)
        monkeypatch.setattr(held.os, "getpgrp", lambda: group)
        monkeypatch.setattr(
            held.os, "killpg", lambda *arguments: events.append(("kill", *arguments))
        )
        assert held.main() == code
        return events, begun

    return run


@pytest.mark.parametrize(
    ("code", "group", "kills"),
    [
        (0, OWN, []),
        (3, OWN, []),
        (-9, OWN, [("kill", 0, signal.SIGKILL)]),
        (-1, OWN, [("kill", 0, signal.SIGKILL)]),
        (-9, ANOTHER, []),  # does not touch other people's processes
    ],
)
def test_a_killed_program_takes_its_group_along_if_the_group_is_its_own(ended, code, group, kills):
    events, begun = ended(code, group)
    (number, terminate) = events[1]
    assert events == [(["caddy", "run"], -3), (number, terminate), "thread", "wait", *kills]
    assert number == signal.SIGTERM
    terminate(signal.SIGTERM, None)
    assert events[-1] == "terminate"
    [(target, (program,), daemon)] = begun
    assert (target, type(program).__name__, daemon) == (held._end_with_input, "Program", True)


def test_a_program_ends_when_the_input_does(monkeypatch):
    events, pieces = [], [b"x", b"y", b""]

    def read(number, size):
        events.append((number, size))
        return pieces.pop(0)

    monkeypatch.setattr(held.os, "read", read)
    held._end_with_input(SimpleNamespace(terminate=lambda: events.append("terminate")))
    assert events == [(0, 1)] * 3 + ["terminate"]
