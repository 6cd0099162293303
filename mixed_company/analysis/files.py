"""The files of an export: a zip, or the folder that it was unpacked into.

If a file has a fault, reading it raises an error that describes the fault. Callers can then report
it and still read the other files.
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from mixed_company.analysis.types import MOST_WRONG
from mixed_company.engine.contract.errors import EngineError
from mixed_company.experiment.manifest import formed
from mixed_company.files import parsed
from mixed_company.table.export.archive import FORMAT, MANIFEST

MOST_TIMES = {2**24: 200, 2**26: 100, 2**28: 50}
"""Maximum ratio of a file's size to its packed size in the zip, by minimum size in bytes. A file
with a larger ratio is treated as an attempt to exhaust memory. A typical table becomes tens of
times larger when unpacked, or a hundred times if it is very repetitive."""


CHANGED = "was changed after it was written: its sha256 is not the one in the manifest"


class ExportError(EngineError):
    """Error for a file that is not an export, or an export that cannot be read at all."""


@dataclass(frozen=True)
class Export:
    """An open export.

    files     the names of all its files
    manifest  its manifest, without invalid entries (`experiment.manifest`)
    written   the manifest as it was written
    faults    errors about the invalid entries of the manifest
    """

    path: Path
    files: Mapping[str, Any]
    manifest: Mapping[str, Any]
    zipped: zipfile.ZipFile | None
    written: Mapping[str, Any]
    faults: Sequence[str] = ()

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raises an ExportError that describes its fault."""
        return _read(self.zipped, self.files, name)

    def is_unchanged(self, name: str, content: bytes) -> bool:
        """Return whether a table's content has the sha256 in the manifest."""
        entry = self.manifest["tables"].get(name)
        digest = hashlib.sha256(content).hexdigest()
        return isinstance(entry, Mapping) and entry.get("sha256") == digest

    @property
    def games(self) -> dict[str, str]:
        """The rules version of each game in the export."""
        named = self.manifest.get("games")
        if named:
            return dict(named)
        folders = (str(PurePosixPath(path).parent) for path in self.manifest["tables"])
        return {folder: "" for folder in folders if folder != "."}


def opened(path: str | Path) -> Export:
    """Return the export at `path`. Raises ExportError if it is missing, truncated, or in another
    format."""
    place = Path(path)
    if not place.exists():
        raise ExportError(f"{place}: there is no such file")
    zipped, files = None, _in_folder(place)
    if not place.is_dir():
        zipped = _zip(place)
        files = _in_zip(place, zipped)
    if MANIFEST not in files:
        raise ExportError(f"{place}: not an export: there is no {MANIFEST} in it")
    try:
        manifest = parsed(_read(zipped, files, MANIFEST))
    except (ValueError, RecursionError) as error:
        raise ExportError(f"{place}: {MANIFEST} cannot be read: {error}") from None
    _check_format(place, manifest)
    kept, faults = formed(manifest)
    export = Export(place, files, kept, zipped, manifest, faults)
    if not export.games:
        raise ExportError(f"{place}: not an export: its {MANIFEST} names no game")
    return export


def _zip(place: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(place)
    except zipfile.BadZipFile:
        with place.open("rb") as file:
            begins = file.read(4) == b"PK\x03\x04"
    if begins:
        raise ExportError(
            f"{place}: incomplete: the end of the zip, which lists its files, is missing; copy "
            f"or download it again"
        )
    raise ExportError(f"{place}: not an export: neither a zip file nor an unpacked export")


def _in_zip(place: Path, zipped: zipfile.ZipFile) -> dict[str, Any]:
    """Return the entries of a zip by file name. If somebody zipped the files again by hand, they
    may all be in a folder. Raises ExportError if two names are equal, or differ only in case,
    because it is unclear which file is meant.
    """
    listed = [entry for entry in zipped.infolist() if not entry.is_dir()]
    names = [entry.filename for entry in listed]
    manifests = sorted((name for name in names if PurePosixPath(name).name == MANIFEST), key=len)
    prefix = manifests[0].removesuffix(MANIFEST) if manifests else ""
    files = {name.removeprefix(prefix): entry for name, entry in zip(names, listed, strict=True)}
    counts = Counter(name.removeprefix(prefix).casefold() for name in names)
    for name in files:
        if counts[name.casefold()] > 1:
            raise ExportError(
                f"{place}: {name} is in the zip twice, or differs from another name only in case, "
                f"so it is unclear which file is meant"
            )
    return files


def _in_folder(place: Path) -> dict[str, Any]:
    return {
        path.relative_to(place).as_posix(): path for path in place.glob("**/*") if path.is_file()
    }


def _read(zipped: zipfile.ZipFile | None, files: Mapping[str, Any], name: str) -> bytes:
    if name not in files:
        raise ExportError("is missing")
    if zipped is not None:
        check_size(files[name])
    try:
        content: bytes = files[name].read_bytes() if zipped is None else zipped.read(files[name])
    except zipfile.BadZipFile:
        raise ExportError("is damaged: its checksum in the zip does not match") from None
    except (zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise ExportError(f"is damaged: {error}") from None
    return content


def check_size(entry: zipfile.ZipInfo) -> None:
    """Reject a zipped file that would exhaust memory."""
    size, packed = entry.file_size, entry.compress_size
    for least, times in MOST_TIMES.items():
        if size > least and size > times * packed:
            rule = f"a table of this size may unpack to at most {times} times its size in the zip"
            raise ExportError(f"is damaged: {packed} bytes in the zip unpack to {size}; {rule}")


def _check_format(place: Path, manifest: Any) -> None:
    if not isinstance(manifest, Mapping) or not isinstance(manifest.get("tables"), Mapping):
        raise ExportError(f"{place}: not an export: its {MANIFEST} lists no tables")
    if manifest.get("format") != FORMAT:
        software = manifest.get("software")
        version = software.get("mixed_company", "") if isinstance(software, Mapping) else ""
        maker = f"{manifest.get('project', '')} {version}".strip()
        raise ExportError(
            f"{place}: written in format {manifest.get('format')!r}; this code reads format "
            f"{FORMAT}. Use the version of the project that made the "
            f"export{f', {maker}' if maker else ''}"
        )


class Lines:
    """The rows of a CSV file: each row's position, counted from 0, and its values as strings.

    Rows with more or fewer values than the `header` are skipped; `ragged` has the position and
    number of values of each row skipped so far. `count` is the number of rows so far, including
    those skipped. The columns in `keys` must not be empty. Raises an ExportError that describes the
    file's fault, even during iteration.
    """

    def __init__(self, content: bytes, keys: Sequence[str] = ()) -> None:
        csv.field_size_limit(sys.maxsize)  # answers to a quiz can be longer than the usual limit
        self._rows = csv.reader(io.TextIOWrapper(io.BytesIO(content), "utf-8-sig", newline=""))
        with _readable():
            header = next(self._rows, None)
        if header is None:
            raise ExportError("is empty, without even a header")
        _check_twice(header)
        missing = [key for key in keys if key not in header]
        if missing:
            raise ExportError(f"is damaged: there is no column {', '.join(missing)}")
        self.header: Sequence[str] = header
        self.ragged: list[tuple[int, int]] = []
        self.count = 0
        self._keys = [header.index(key) for key in keys]

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        width, keyless = len(self.header), 0
        with _readable():
            for place, row in enumerate(self._rows):
                self.count += 1
                if len(row) == width:
                    if not all(row[key] for key in self._keys):
                        keyless += 1
                        self._check(keyless, "have no key")
                    yield place, row
                else:
                    self.ragged.append((place, len(row)))
                    rule = f"have more or fewer values than the {width} columns of its header"
                    self._check(len(self.ragged), rule)

    def rest_is_whole(self) -> bool:
        """Count the remaining rows; return whether all are as long as the header. Counting stops at
        the first row that has a different length or cannot be read. `count` is then meaningless.
        """
        width = len(self.header)
        try:
            for row in self._rows:
                self.count += 1
                if len(row) != width:
                    return False
        except (UnicodeDecodeError, csv.Error):
            return False
        return True

    def _check(self, wrong: int, fault: str) -> None:
        if wrong > MOST_WRONG:
            raise ExportError(f"is damaged: more than {MOST_WRONG} rows {fault}")


@contextmanager
def _readable() -> Iterator[None]:
    """Convert errors from reading a file to ExportError."""
    try:
        yield
    except UnicodeDecodeError:
        raise ExportError("is damaged: it is not UTF-8") from None
    except csv.Error as error:
        raise ExportError(f"is damaged: {error}") from None


def _check_twice(header: Sequence[str]) -> None:
    if len(set(header)) < len(header):
        twice = sorted({name for name in header if header.count(name) > 1})
        raise ExportError(f"is damaged: column {', '.join(twice)} appears twice")
