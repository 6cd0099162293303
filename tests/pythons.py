"""Tests with the other Python versions on this machine: the engine's tests, and one game on a
server.

    python -m tests.pythons --prepare     create an environment for each, `.venv-3.12` and so on
    python -m tests.pythons               the same, and run the quick tests in it

It looks for Python 3.11, 3.12 and 3.13 on PATH and in pyenv, skipping the version that runs this
script. Missing versions are skipped.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from docs.requirements import pins
from tests.door.harness import lay_out
from tests.project import ROOT

SUPPORTED = ("3.11", "3.12", "3.13")
TESTS = (
    *("tests/engine/golden", "tests/engine/test_config.py", "tests/engine/test_episode.py"),
    *("tests/engine/test_actions.py", "tests/engine/test_chance.py", "tests/engine/test_record.py"),
)
"""Quick tests: every game's exact numbers, and the code shared by all games."""
SESSION = "commons_two_people"


def pythons() -> dict[str, Path]:
    """Return the first working interpreter of each other version."""
    current = f"{sys.version_info.major}.{sys.version_info.minor}"
    interpreters: dict[str, Path] = {}
    for wanted in SUPPORTED:
        for path in candidates(wanted):
            if wanted != current and wanted not in interpreters and version_of(path) == wanted:
                interpreters[wanted] = path
    return interpreters


def candidates(wanted: str) -> list[Path]:
    """Return possible paths of an interpreter of this version."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders += [folder / "bin" for folder in sorted(pyenv.glob(f"{wanted}*"))]
    return [path for folder in folders if (path := folder / f"python{wanted}").is_file()]


def version_of(path: Path) -> str | None:
    """Return the version that an interpreter reports, or None if it fails, as pyenv's shims may."""
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    stated = re.match(r"Python (\d+\.\d+)\.", done.stdout)
    return stated[1] if stated and done.returncode == 0 else None


def prepared(version: str, python: Path) -> Path:
    """Return the program folder of an environment with a server and the test tools."""
    folder = ROOT / f".venv-{version}"
    stamp, wanted = folder / "installed.txt", "\n".join(pins("rehearsal", "tests"))
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        quiet = ("--quiet", "--disable-pip-version-check")
        install = [folder / "bin" / "python", "-m", "pip", "install", *quiet]
        subprocess.run([*install, *wanted.split("\n")], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return folder / "bin"


def short_round(version: str, python: Path) -> tuple[bool, str]:
    """Run the quick tests with this Python. Return whether all passed, and the output."""
    programs = prepared(version, python)
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        lay_out(project)
        variables = os.environ | {"OTREE_IN_MEMORY": "1"}
        variables["PATH"] = os.pathsep.join([str(programs), variables["PATH"]])
        commands = [
            ([programs / "python", "-m", "pytest", "-p", "no:cacheprovider", *TESTS], ROOT),
            ([programs / "otree", "test", SESSION], project),
        ]
        output = ""
        for command, place in commands:
            done = subprocess.run(
                command, cwd=place, env=variables, capture_output=True, text=True, check=False
            )
            output += done.stdout + done.stderr
            if done.returncode:
                return False, output
    lines = [line for line in output.splitlines() if " passed" in line or "completed" in line]
    return "Bots completed session" in output, "\n".join(lines)


def main() -> int:
    """Return the exit code, which is 1 if anything failed with any Python version."""
    interpreters = pythons()
    print(f"other Pythons: {', '.join(map(str, interpreters.values())) or 'none'}", flush=True)
    if "--prepare" in sys.argv[1:]:
        list(map(prepared, interpreters, interpreters.values()))
        return 0
    with ThreadPoolExecutor() as pool:
        results = dict(
            zip(
                interpreters,
                pool.map(short_round, interpreters, interpreters.values()),
                strict=True,
            )
        )
    for version, (held, output) in results.items():
        print(f"Python {version}: {'all passed' if held else 'FAILED'}\n{output}")
    return 0 if all(held for held, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
