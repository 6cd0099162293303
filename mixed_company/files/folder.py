"""A folder of results, written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

__all__ = ["prepared", "written"]


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
