"""What several tests of commands start from."""

from __future__ import annotations

import pytest

from mixed_company.__main__ import main


@pytest.fixture
def run(capsys):
    """Run a command: (exit code, output, errors)."""

    def running(*arguments):
        code = main([str(each) for each in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return running
