"""Atomic writing of files, and other helpers; imports nothing else from this project.

read, whole, write_whole    a single file
prepared, written           a folder of results
standing_alone              a page that needs no other file and no network
parsed                      a JSON text
visible, one_line           a text from a file, as commands print it
toml                        a handwritten TOML file
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import Any, BinaryIO


def read(name: str) -> str:
    """Return the text of a file, or of standard input for `-`.

    Raises ValueError that names the line if it is not UTF-8, and OSError.
    """
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].count(b"\n")
        raise ValueError(f"line {line}: not UTF-8 text") from None


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """Yield a temporary file that replaces `path` at the end, so that `path` is never incomplete.

    The file is opened immediately, so that an unwritable path fails before any work is done. Raises
    OSError.
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
    """Remove the temporary files of processes that were killed while writing this file."""
    for part in path.parent.glob(f".{escape(path.name)}.*.part"):
        number = part.name.removesuffix(".part").rpartition(".")[2]
        if number.isdigit() and not _runs(int(number)):
            part.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    """Return whether a process is running; True if that cannot be determined."""
    if os.name != "posix":  # on other systems this signal would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def write_whole(path: Path, text: str) -> None:
    """Write a text file as UTF-8, completely or not at all. Raises OSError, UnicodeError."""
    with whole(path) as file:
        file.write(text.encode())


@contextmanager
def prepared(folder: Path | None) -> Iterator[Path | None]:
    """Yield a hidden folder next to `folder`, and remove it afterwards.

    The hidden folder is created before any work is done. Raises OSError if `folder` cannot be
    written.
    """
    if folder is None:
        yield None
        return
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(20, "is a file, not a folder", str(folder))
    if folder.exists() and not os.access(folder, os.W_OK):
        raise PermissionError(13, "cannot be written", str(folder))
    parent = folder.resolve().parent
    if not parent.is_dir():
        raise FileNotFoundError(2, "its parent folder does not exist", str(folder))
    try:
        place = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=parent))
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(folder)) from None
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def written(folder: Path, place: Path, files: Mapping[str, str | bytes]) -> None:
    """Write all files next to the folder, then move them into it; existing files are replaced.

    A name can include subfolders: `tables/seats.csv`.
    """
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content.encode() if isinstance(content, str) else content)
    folder.mkdir(exist_ok=True)
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).replace(folder / name)


def standing_alone(template: Path, **parts: str) -> str:
    """Return the text of an HTML file with its placeholders filled; `parts["TITLE"]` fills
    `__TITLE__`.

    `__STYLE__` and `__SCRIPT__` are filled with the `.css` and `.js` files of the same name. Raises
    OSError; KeyError for a placeholder without a value.
    """
    suffixes = {"STYLE": ".css", "SCRIPT": ".js"}
    texts = {gap: _text(template.with_suffix(suffix)) for gap, suffix in suffixes.items()}
    return re.sub(r"__([A-Z]+)__", lambda gap: (texts | parts)[gap[1]], _text(template))


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def parsed(text: str | bytes) -> Any:
    """Return the value of a JSON text. Raises ValueError if the text is not JSON, contains a lone
    surrogate (half of a character), or is bytes in an encoding other than UTF-8. A repeated key is
    an error too, because programs differ in which of its values they use."""
    if isinstance(text, bytes):
        try:
            text = text.decode()  # json would also read UTF-16
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8 text") from None
    value = json.loads(text, object_pairs_hook=_once)
    if r"\u" in text:
        json.dumps(value, ensure_ascii=False).encode()  # raises for a lone surrogate
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise ValueError(f"the key {twice!r} appears twice")
    return value


def visible(text: str) -> str:
    r"""Return a text with its control characters escaped, so that a value from a file can neither
    hide nor overwrite a command's output. Newlines and tabs are kept.

    >>> visible("true\x1b[8m"), visible("a\nb")
    ('true\\x1b[8m', 'a\nb')
    """
    return _HIDDEN.sub(_escaped, text)


def one_line(text: str) -> str:
    r"""Return a text with its control characters and newlines escaped, so that a value from a file
    cannot be mistaken for a line of a command's output.

    >>> one_line("open\nseals: valid")
    'open\\nseals: valid'
    """
    return _LINES.sub(_escaped, visible(text))


_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters for terminals and for text direction, and lone surrogates."""
_LINES = re.compile(r"[\n\t]")


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


MOST_CHARACTERS = 50_000
"""Maximum length of a TOML document, in characters."""

MOST_DOTS = 1000
"""Maximum number of dots in a line, and so in a key.

Parsing time grows with the square of the number of parts in a key.
"""


def toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML string. Raises ValueError with the reason if it is invalid."""
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"it has {len(text)} characters; at most {MOST_CHARACTERS} are allowed")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(
                f"line {number} has {line.count('.')} dots; at most {MOST_DOTS} are allowed"
            )
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
