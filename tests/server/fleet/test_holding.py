"""The holder of a proxy, step by step: what it starts, hands on and ends."""

from __future__ import annotations

import signal
import sys
from types import SimpleNamespace

import pytest

from mixed_company.server.fleet import held

OWN, ANOTHER = 7, 8
"""Groups of processes: the one that a keeper starts the holder in, and a terminal's."""


@pytest.fixture
def ended(monkeypatch):
    """`ended(code, group)`: run the holder of a program that ends so, and list what it does."""

    def run(code, group):
        made, begun = [], []

        class Program:
            def __init__(self, command, stdin):
                made.append((command, stdin))

            def wait(self):
                made.append("wait")
                return code

            def terminate(self):
                made.append("terminate")

        class Thread:
            def __init__(self, target, args, daemon):
                begun.append((target, args, daemon))

            def start(self):
                made.append("thread")

        monkeypatch.setattr(sys, "argv", ["held.py", "caddy", "run"])
        monkeypatch.setattr(held, "subprocess", SimpleNamespace(Popen=Program, DEVNULL=-3))
        monkeypatch.setattr(held, "threading", SimpleNamespace(Thread=Thread))
        monkeypatch.setattr(
            held.signal, "signal", lambda number, handler: made.append((number, handler))
        )
        monkeypatch.setattr(held.os, "getpid", lambda: OWN)
        monkeypatch.setattr(held.os, "getpgrp", lambda: group)
        monkeypatch.setattr(held.os, "killpg", lambda *given: made.append(("kill", *given)))
        assert held.main() == code
        return made, begun

    return run


@pytest.mark.parametrize(
    ("code", "group", "kills"),
    [
        (0, OWN, []),
        (3, OWN, []),
        (-9, OWN, [("kill", 0, signal.SIGKILL)]),
        (-1, OWN, [("kill", 0, signal.SIGKILL)]),
        (-9, ANOTHER, []),  # nobody else's processes
    ],
)
def test_a_killed_program_takes_its_group_along_where_it_is_its_own(ended, code, group, kills):
    made, begun = ended(code, group)
    (number, terminate) = made[1]
    assert made == [(["caddy", "run"], -3), (number, terminate), "thread", "wait", *kills]
    assert number == signal.SIGTERM
    terminate(signal.SIGTERM, None)
    assert made[-1] == "terminate"
    [(target, (program,), daemon)] = begun
    assert (target, type(program).__name__, daemon) == (held._end_with_input, "Program", True)


def test_a_program_ends_when_the_input_does(monkeypatch):
    made, pieces = [], [b"x", b"y", b""]

    def read(number, size):
        made.append((number, size))
        return pieces.pop(0)

    monkeypatch.setattr(held.os, "read", read)
    held._end_with_input(SimpleNamespace(terminate=lambda: made.append("terminate")))
    assert made == [(0, 1)] * 3 + ["terminate"]
