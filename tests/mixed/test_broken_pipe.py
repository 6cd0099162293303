"""Output that nobody reads any more, for example after `| head`."""

from __future__ import annotations

import os
import subprocess
import sys


def test_an_output_whose_reader_has_left_is_no_lost_connection() -> None:
    """The pipe never has a reader."""
    reader, writer = os.pipe()
    os.close(reader)
    code = (
        "from mixed_company.cli.refusal import guarded\n"
        "raise SystemExit(guarded(lambda: print('x' * 100_000) or 0))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (2, b"")
