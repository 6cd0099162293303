"""Invalid input is rejected with one sentence and exit code 2, after little work.

A traceback is never shown, because `main` would raise it here.
"""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.__main__ import main
from tests.work import bounded

__all__ = ["DEEP", "NESTED", "SEEDS", "refused"]

DEEP = 100_000
SEEDS: tuple[Any, ...] = (-1, 2**63, 1.5, "seven", None, True, [7], 10**400)
NESTED = "[" * DEEP + "]" * DEEP


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the sentence that rejects a command."""
    with bounded():
        assert main([str(argument) for argument in arguments]) == 2
    output = capsys.readouterr()
    assert "Traceback" not in output.err
    assert 0 < len(output.err) < 2000
    return output.err
