"""Runs of `otree test` in a copy of the project, in which oTree's own bots play."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.door.harness import ROOT, lay_out

__all__ = ["played_by_otree"]


def played_by_otree(folder: Path, settings: str) -> str:
    """Run `otree test` with `settings` appended to the project's; return the output."""
    lay_out(folder, (ROOT / "settings.py").read_text(encoding="utf-8") + settings)
    binaries = Path(sys.executable).parent
    done = subprocess.run(
        [str(binaries / "otree"), "test"],
        cwd=folder,
        env={**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    printed = done.stdout + done.stderr
    assert done.returncode == 0, printed
    return printed
