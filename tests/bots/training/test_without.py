"""Without what training needs, its command says so; judging needs none of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HIDDEN = "import sys; sys.modules['torch'] = None; import bots.training.{0} as it; {1}"


def run(module, code):
    command = [sys.executable, "-c", HIDDEN.format(module, code)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_training_names_what_it_needs(tmp_path):
    given = ["commons_game", "--archetype", "lab", "--aim", "own", "--steps", "1", "--name", "a"]
    given += ["--sentence", "Learns.", "--output", str(tmp_path)]
    done = run("ppo", f"sys.exit(it.main({given!r}))")
    assert done.returncode == 2
    assert done.stderr.startswith("training needs requirements-training.txt (")
    assert len(done.stderr.splitlines()) == 1


def test_judging_needs_no_torch():
    assert run("judge", "").returncode == 0
