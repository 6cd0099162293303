"""The other Pythons of this machine: the engine's tests and one game on a server, with each.

python -m tests.pythons --prepare     an environment for each of them, `.venv-3.12` and so on
python -m tests.pythons               the same, and the short round of tests in it

Python 3.11, 3.12 and 3.13 are looked for, on PATH and among pyenv's, but for the one that runs
this. Where there is none nothing is done, and nothing fails.
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
"""Every game's numbers to the last digit, and what all games share: short, not the whole suite."""
SESSION = "commons_two_people"


def pythons() -> dict[str, Path]:
    """Version -> the first interpreter that runs and is of this version, but for our own."""
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    known: dict[str, Path] = {}
    for wanted in SUPPORTED:
        for path in candidates(wanted):
            if wanted != own and wanted not in known and version_of(path) == wanted:
                known[wanted] = path
    return known


def candidates(wanted: str) -> list[Path]:
    """Where an interpreter of this version may be."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders += [folder / "bin" for folder in sorted(pyenv.glob(f"{wanted}*"))]
    return [path for folder in folders if (path := folder / f"python{wanted}").is_file()]


def version_of(path: Path) -> str | None:
    """What an interpreter says of itself; None if it does not run (pyenv's shims may not)."""
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    stated = re.match(r"Python (\d+\.\d+)\.", done.stdout)
    return stated[1] if stated and done.returncode == 0 else None


def prepared(version: str, python: Path) -> Path:
    """The folder of programs of an environment with a server and the tools of tests."""
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
    """Whether all held with this Python, and what was printed."""
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
    """The exit code: 1 if something did not hold with one of them."""
    known = pythons()
    print(f"other Pythons: {', '.join(map(str, known.values())) or 'none'}", flush=True)
    if "--prepare" in sys.argv[1:]:
        list(map(prepared, known, known.values()))
        return 0
    with ThreadPoolExecutor() as pool:
        results = dict(zip(known, pool.map(short_round, known, known.values()), strict=True))
    for version, (held, output) in results.items():
        print(f"Python {version}: {'all held' if held else 'FAILED'}\n{output}")
    return 0 if all(held for held, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
