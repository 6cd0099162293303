"""Files that are written whole or not at all. This module imports nothing of the project.

read, whole, write_whole    one file
prepared, written           a folder of results
standing_alone              a page that needs no other file and no network
toml                        a TOML file that somebody wrote by hand
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import Any, BinaryIO

__all__ = ["prepared", "read", "standing_alone", "toml", "whole", "write_whole", "written"]


def read(name: str) -> str:
    """The text of a file, `-` for standard input.

    Raises ValueError that names the line where it is not UTF-8, and OSError.
    """
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].count(b"\n")
        raise ValueError(f"line {line}: not text (UTF-8)") from None


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file under another name, renamed at the end: it is there whole, or as it was before.

    It is opened at once, so that a path that cannot be written is refused before any work is done.
    Raises OSError.
    """
    if path.is_dir():
        raise IsADirectoryError(21, "is a folder, not a file", str(path))
    _forget_killed(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        file = part.open("wb")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        with file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _forget_killed(path: Path) -> None:
    """Remove what a process has left that was killed while it wrote this file."""
    for part in path.parent.glob(f".{escape(path.name)}.*.part"):
        number = part.name.removesuffix(".part").rpartition(".")[2]
        if number.isdigit() and not _runs(int(number)):
            part.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    """Return whether a process runs, or cannot be told from one that does."""
    if os.name != "posix":  # elsewhere this signal would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def write_whole(path: Path, text: str) -> None:
    """Write a text file as UTF-8, whole, or leave what was there. Raises OSError, UnicodeError."""
    with whole(path) as file:
        file.write(text.encode())


@contextmanager
def prepared(folder: Path | None) -> Iterator[Path | None]:
    """A hidden place beside the folder, tried before any work is done, gone afterwards.

    Raises OSError where the folder cannot be written.
    """
    if folder is None:
        yield None
        return
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(20, "is a file, not a folder", str(folder))
    if folder.exists() and not os.access(folder, os.W_OK):
        raise PermissionError(13, "cannot be written", str(folder))
    above = folder.resolve().parent
    if not above.is_dir():
        raise FileNotFoundError(2, "is in no folder that exists", str(folder))
    try:
        place = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=above))
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(folder)) from None
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def written(folder: Path, place: Path, files: Mapping[str, str | bytes]) -> None:
    """Write all files beside the folder, then move them in; a file of before is replaced.

    A name can be that of a file in a folder below: `tables/seats.csv`.
    """
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content.encode() if isinstance(content, str) else content)
    folder.mkdir(exist_ok=True)
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).replace(folder / name)


def standing_alone(template: Path, **parts: str) -> str:
    """The text of an HTML file, its gaps filled: `parts` by the names of their gaps, `__TITLE__`.

    In `__STYLE__` and `__SCRIPT__` stand the files beside it that are called like it, `.css` and
    `.js`. Raises OSError; KeyError for a gap that nothing fills.
    """
    beside = {"STYLE": ".css", "SCRIPT": ".js"}
    own = {gap: _text(template.with_suffix(suffix)) for gap, suffix in beside.items()}
    return re.sub(r"__([A-Z]+)__", lambda gap: (own | parts)[gap[1]], _text(template))


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


MOST_CHARACTERS = 50_000
"""Of a text."""

MOST_DOTS = 1000
"""Of a line, so of a key: the time for a key grows with the square of the number of its parts."""


def toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML text. Raises ValueError with the reason for any bad text."""
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"it has {len(text)} characters: at most {MOST_CHARACTERS}")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"line {number} has {line.count('.')} dots: at most {MOST_DOTS}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
