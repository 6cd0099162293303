"""What the commands share: `key=value` arguments, files, and errors as sentences."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from engine.contract.errors import ConfigError, EngineError, LogError, UnknownName, nearest

__all__ = ["assigned", "guarded", "read", "whole", "write_whole"]

_SECTIONS = ("core", "layers", "agents", "instrumentation")
_OPTIONS = ("game", "archetype", "seed")


def assigned(pairs: Iterable[str]) -> dict[str, Any]:
    """The keywords of `engine.make` that `key=value` texts stand for. Values are JSON, or text.

    >>> assigned(["capacity=50", "layers.power.intensity=0.5"])
    {'capacity': 50, 'layers': {'power': {'intensity': 0.5}}}

    Raises ConfigError or UnknownName.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        path = key.split(".")
        if not equals or not all(path):
            raise ConfigError(f"{pair!r}: should be key=value")
        if len(path) > 1 and path[0] not in _SECTIONS:
            raise UnknownName(f"{key}: unknown section {path[0]!r}{nearest(path[0], _SECTIONS)}")
        if path[0] == "core":
            path = path[1:]
            if len(path) != 1:
                raise ConfigError(f"{key}: set a whole parameter: core.{path[0]}=JSON")
        if path[0] in _OPTIONS:
            raise ConfigError(f"{key}: is no parameter; there is --archetype and --seed")
        _place(found, path, _value(text), key)
    return found


def _place(found: dict[str, Any], path: list[str], value: Any, key: str) -> None:
    for part in path[:-1]:
        found = found.setdefault(part, {})
        if not isinstance(found, dict):
            raise ConfigError(f"{key}: {part} is set as a whole already")
    found[path[-1]] = value


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def read(name: str) -> str:
    """The text of a file, `-` for standard input. Raises LogError, OSError."""
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].count(b"\n")
        raise LogError(f"line {line}: not text (UTF-8)") from None


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file under another name, renamed at the end: it is there whole, or as it was before.

    Tried before any work is done. Raises OSError.
    """
    if path.is_dir():
        raise IsADirectoryError(21, "is a folder, not a file", str(path))
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


def write_whole(path: Path, text: str) -> None:
    """Write a text file whole, or leave what was there."""
    with whole(path) as file:
        file.write(text.encode())


def guarded(command: Callable[[], int]) -> int:
    """The exit code of a command; 2 and a sentence where it was refused."""
    try:
        code = command()
        sys.stdout.flush()
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read the output has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return code
