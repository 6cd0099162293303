"""Quick tests with the oldest and the newest libraries that pyproject.toml allows.

    python -m tests.ends [name ...]     all of ENDS, or those named

Each has a separate environment, `.venv-<name>`, which uv recreates. The oldest and the newest
versions are each tried with oTree, which pins many of its dependencies, and without it. The command
needs the package index.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.door.harness import lay_out
from tests.project import ROOT
from tests.pythons import SESSION, TESTS

__all__ = ["ENDS", "End", "held", "main"]

ANALYSIS = ("tests/analysis/test_reading.py", "tests/analysis/test_at_once.py")
REPORT = "tests/analysis/report/test_report.py"
ADAPTERS = "tests/adapters/test_gymnasium.py"


class End(NamedTuple):
    """Resolution strategy of uv, extras to install, tests to run, and whether to play an oTree
    session."""

    resolution: str
    extras: str
    tests: tuple[str, ...]
    session: bool


_SERVER = ("rehearsal,analysis,tests", (*TESTS, *ANALYSIS, REPORT), True)
_ALONE = ("adapters,analysis,tests", (*TESTS, *ANALYSIS, REPORT, ADAPTERS), False)
ENDS = {
    "lowest-server": End("lowest-direct", *_SERVER),
    "lowest-alone": End("lowest-direct", *_ALONE),
    "newest-server": End("highest", *_SERVER),
    "newest-alone": End("highest", *_ALONE),
}


def main(names: list[str]) -> int:
    """Return the exit code, which is 1 if anything failed in any environment."""
    for name in names:
        if name not in ENDS:
            raise SystemExit(f"{name!r}: must be one of {', '.join(ENDS)}")
    results = {name: held(name, ENDS[name]) for name in names or ENDS}
    for name, (good, output) in results.items():
        print(f"{name}: {'all passed' if good else 'FAILED'}\n{output}")
    return 0 if all(good for good, _ in results.values()) else 1


def held(name: str, end: End) -> tuple[bool, str]:
    """Return whether all tests passed in this environment, and the output."""
    folder = ROOT / f".venv-{name}"
    python = folder / "bin/python"
    uv = [sys.executable, "-m", "uv"]
    install = [*uv, "pip", "install", "--quiet", "--python", str(python)]
    commands = [
        [*uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder)],
        [*install, "--resolution", end.resolution, "-e", f"{ROOT}[{end.extras}]"],
        [str(python), "-m", "pytest", "-p", "no:cacheprovider", *end.tests],
    ]
    printed = ""
    for command in commands:
        done = _run(command, ROOT, folder)
        printed = done.stdout + done.stderr
        if done.returncode:
            return False, printed
    last = printed.strip().splitlines()[-1]
    return _session(folder) if end.session else (True, last)


def _session(folder: Path) -> tuple[bool, str]:
    """Return whether oTree's bots complete a session in this environment, and the output."""
    with tempfile.TemporaryDirectory() as place:
        project = Path(place) / "project"
        lay_out(project)
        done = _run([str(folder / "bin/otree"), "test", SESSION], project, folder)
    return "Bots completed session" in done.stdout + done.stderr, done.stdout + done.stderr


def _run(command: list[str], place: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    variables = os.environ | {"PATH": path, "OTREE_IN_MEMORY": "1", "UV_NO_CONFIG": "1"}
    return subprocess.run(
        command, cwd=place, env=variables, capture_output=True, text=True, check=False
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
