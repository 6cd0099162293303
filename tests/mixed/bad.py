"""What is bad on purpose, and how a command is to refuse it: a sentence and exit code 2, soon.

Never a traceback: `main` would raise. The time is that of the processor.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from mixed.__main__ import main

__all__ = ["DEEP", "NESTED", "SEEDS", "refused", "soon"]

SECONDS = 10.0
DEEP = 100_000
SEEDS: tuple[Any, ...] = (-1, 2**63, 1.5, "seven", None, True, [7], 10**400)
NESTED = "[" * DEEP + "]" * DEEP


@contextmanager
def soon() -> Iterator[None]:
    """What is within takes less than SECONDS of the processor."""
    began = time.process_time()
    yield
    assert time.process_time() - began < SECONDS


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The sentence with which a command is refused."""
    with soon():
        assert main([str(each) for each in arguments]) == 2
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert 0 < len(said.err) < 2000
    return said.err
