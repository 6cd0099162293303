"""Files of the project, and the folder in which tests run.

Researchers keep a database, `.env` and their own plans in the project folder. Tests run in another
folder with links to the shipped files, so they neither read nor write any of these.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

__all__ = ["ROOT", "enter", "link", "shipped"]

ROOT = Path(__file__).resolve().parents[1]
"""Project folder. Tests read only shipped files below it."""

_LISTED = ("plans", "questions")
"""Folders to which researchers add files. They are linked file by file."""


def shipped(folder: str = ".") -> list[str]:
    """Return the paths of the files below a folder that git tracks, or of all files without git.

    Paths are relative to the project and sorted.
    """
    command = ["git", "ls-files", "-z", "--", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    paths = done.stdout.split("\0")[:-1] if done.returncode == 0 else _files(ROOT / folder)
    return sorted(path for path in paths if (ROOT / path).is_file())


def _files(folder: Path) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in folder.rglob("*") if path.is_file()]


def link(folder: Path) -> None:
    """Fill a folder with links to the shipped files."""
    paths = shipped()
    for name in sorted({path.partition("/")[0] for path in paths}.difference(_LISTED)):
        (folder / name).symlink_to(ROOT / name)
    for path in paths:
        if path.startswith(tuple(f"{name}/" for name in _LISTED)):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).symlink_to(ROOT / path)


def enter() -> None:
    """Create a temporary folder with links to the shipped files, and change to it.

    It is deleted at the end of the process.
    """
    folder = Path(tempfile.mkdtemp(prefix="mixed_tests_"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    link(folder)
    os.chdir(folder)
