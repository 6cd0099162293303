"""`otree test`: every session config is played to its end by oTree's own bots."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from settings import SESSION_CONFIGS
from tests.door.harness import ROOT, lay_out

pytestmark = [pytest.mark.door]

SHORT = '''
for config in SESSION_CONFIGS:
    for length in ("periods", "turns"):
        if length in config:
            config[length] = min(config[length], 12)
    if config["name"] == "commons_two_people":
        config["questions"] = """[
            {"name": "b", "text": "?", "when": "before", "type": "number"},
            {"name": "s", "text": "?", "every": 3, "type": "number", "about": "stock"},
            {"name": "a", "text": "?", "when": "after", "type": "choice", "options": ["a", "b"]},
            "questions/questionnaire.toml"]"""
'''
"""Long enough for what is late, and for every layer; one asks questions."""


def test_every_session_config_is_played_to_its_end(tmp_path: Path) -> None:
    settings = (ROOT / "settings.py").read_text(encoding="utf-8")
    lay_out(tmp_path / "project", settings + SHORT)
    binaries = Path(sys.executable).parent
    done = subprocess.run(
        [str(binaries / "otree"), "test"],
        cwd=tmp_path / "project",
        env={**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    for config in SESSION_CONFIGS:
        assert f"Creating '{config['name']}' session" in said
    assert said.count("Bots completed session") == len(SESSION_CONFIGS)
