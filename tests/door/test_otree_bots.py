"""`otree test`: every session config is played to its end by oTree's own bots."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from settings import SESSION_CONFIGS
from tests.door.harness import lay_out

pytestmark = [pytest.mark.door]


@pytest.mark.parametrize("name", [config["name"] for config in SESSION_CONFIGS])
def test_a_session_config_is_played_to_its_end(name: str, tmp_path: Path) -> None:
    lay_out(tmp_path / "project")
    binaries = Path(sys.executable).parent
    done = subprocess.run(
        [str(binaries / "otree"), "test", name],
        cwd=tmp_path / "project",
        env={**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Bots completed session" in done.stdout + done.stderr
