"""One file: read as text, or written whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import BinaryIO

__all__ = ["read", "whole", "write_whole"]


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
