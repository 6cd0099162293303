"""Missing training libraries: the training command names them, and judging works without them."""

from __future__ import annotations

import subprocess
import sys

HIDDEN = "import sys; sys.modules['torch'] = None; {0}"


def run(code):
    command = [sys.executable, "-c", HIDDEN.format(code)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_training_names_the_libraries_it_needs(tmp_path):
    arguments = [
        "train",
        "commons_game",
        "--archetype",
        "lab",
        "--aim",
        "own",
        "--steps",
        "1",
        "--name",
        "a",
    ]
    arguments += ["--sentence", "Learns.", "--output", str(tmp_path)]
    done = run(f"from mixed_company.__main__ import main; sys.exit(main({arguments!r}))")
    assert done.returncode == 2
    assert done.stderr == (
        "mixed train needs torch, which is not installed: "
        'pip install ".[training]" in the project folder\n'
    )


def test_judging_needs_no_torch_and_searching_names_it():
    arguments = ["exploit", "greedy", "--game", "commons_game", "--archetype", "lab", "--ppo", "1"]
    judging = "import mixed_company.learning.training.judge"
    done = run(f"{judging}; from mixed_company.__main__ import main; sys.exit(main({arguments!r}))")
    assert done.returncode == 2
    assert done.stderr == (
        "mixed exploit needs torch, which is not installed: "
        'pip install ".[training]" in the project folder\n'
    )
