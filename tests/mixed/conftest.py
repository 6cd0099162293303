"""Fixtures shared by tests of commands."""

from __future__ import annotations

import pytest

from mixed_company.__main__ import main


@pytest.fixture
def run(capsys):
    """Return a function that runs a command and returns (exit code, output, errors)."""

    def running(*arguments):
        code = main([str(argument) for argument in arguments])
        output = capsys.readouterr()
        return code, output.out, output.err

    return running
