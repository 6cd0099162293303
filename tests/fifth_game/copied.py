"""Copy of the tree with a fifth game. The files of `house/` are copied over it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.project import ROOT, shipped

__all__ = ["HOUSE", "ID", "Copy", "files"]

HOUSE = Path(__file__).with_name("house")
ID = "public_good"
EACH = """
import contextlib, io, json, sys
from mixed_company.__main__ import main

printed = []
for arguments in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = main(arguments)
    assert code == 0, (arguments, code, out.getvalue())
    printed.append(out.getvalue())
print(json.dumps(printed))
"""


def files() -> Iterator[str]:
    """Yield the paths of the fifth game's files in a tree."""
    for path in sorted(HOUSE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(HOUSE).as_posix()


@dataclass(frozen=True)
class Copy:
    """Copy of the tree with the fifth game in it."""

    folder: Path

    @classmethod
    def laid_out(cls, folder: Path) -> Copy:
        """Copy the shipped files, without these tests, and the fifth game's files over them."""
        prefix = f"{Path(__file__).parent.relative_to(ROOT).as_posix()}/"
        sources = {path: ROOT / path for path in shipped() if not path.startswith(prefix)}
        sources |= {path: HOUSE / path for path in files()}
        for path, source in sources.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, place)
        return cls(folder)

    def python(self, *arguments: str) -> str:
        """Return the output of `python ...` in the copy. If it fails, fail with its messages."""
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
        }
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**environment, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"python {' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def mixed(self, *calls: Sequence[str]) -> list[str]:
        """Return the output of each `mixed` call in the copy. One Python process runs them all,
        because starting Python is slow.
        """
        printed: list[str] = json.loads(self.python("-c", EACH, json.dumps(calls)))
        return printed

    def test(self, *arguments: str) -> None:
        """Run tests in the copy. At least one must be selected, and all must pass."""
        self.python("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments)
