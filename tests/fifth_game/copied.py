"""The tree with a fifth game: a copy of it, and `house/` laid over the copy."""

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
    """The paths of the fifth game's files, as they are in a tree."""
    for path in sorted(HOUSE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(HOUSE).as_posix()


@dataclass(frozen=True)
class Copy:
    """A copy of the tree with the fifth game in it."""

    folder: Path

    @classmethod
    def laid_out(cls, folder: Path) -> Copy:
        """Copy the shipped files there, without these tests, and the fifth game's over them."""
        own = f"{Path(__file__).parent.relative_to(ROOT).as_posix()}/"
        sources = {path: ROOT / path for path in shipped() if not path.startswith(own)}
        sources |= {path: HOUSE / path for path in files()}
        for path, source in sources.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, place)
        return cls(folder)

    def python(self, *arguments: str) -> str:
        """What `python ...` prints there; fails with what it says if it does."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**own, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"python {' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def mixed(self, *calls: Sequence[str]) -> list[str]:
        """What each call of `mixed` prints there; one Python for all, which takes long to start."""
        printed: list[str] = json.loads(self.python("-c", EACH, json.dumps(calls)))
        return printed

    def test(self, *arguments: str) -> None:
        """Run tests there; some must be chosen, and all must be green."""
        self.python("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments)
