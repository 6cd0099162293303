"""Check that a zip is exactly as this project writes it.

A zip names each file twice, in a list at its end and in front of the file, and has room for
comments, second names, links and extra bytes. So a zip can show different tables to different
programs. In a zip that this project wrote, all bytes except the packed contents follow from the
files' names and sizes. So these bytes are compared, and the contents are completely unpacked. A
zip from another program differs, even if its files are the same.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import IO, Any

from mixed_company.analysis.files import ExportError, check_size
from mixed_company.table.export.archive import entry_of

__all__ = ["zip_faults"]

_GROWTH = 1.05
"""Factor by which packed contents can grow. `zipfile` assumes it when it chooses the header of a
large file."""
_PART = 2**16
"""Number of bytes that are unpacked at a time."""
_OTHERWISE = (
    "the zip has an unusual layout, so different programs may read different files from "
    "it; if somebody zipped it again, unpack it and check the folder"
)
_DAMAGED = "has content in the zip that does not match its size or checksum"


def zip_faults(
    zipped: zipfile.ZipFile, files: Mapping[str, zipfile.ZipInfo]
) -> Iterator[tuple[str, str]]:
    """Yield a file name (which can be empty) and a sentence for everything in a zip that this
    project does not write. `files` has the zip's entries by the name that each should have."""
    if zipped.fp is None:
        raise ValueError("the zip is closed")
    try:
        expected = _without_contents(files)
    except zipfile.LargeZipFile:  # packing never makes a file that much longer
        expected = _Parts()
    if not expected.match(zipped.fp):
        yield "", _OTHERWISE
        return
    for (name, entry), place in zip(files.items(), expected.gaps, strict=True):
        zipped.fp.seek(place)
        try:
            check_size(entry)
            if not _unpacks(zipped.fp, entry):
                yield name, _DAMAGED
        except ExportError as error:
            yield name, str(error)


class _Parts(io.RawIOBase):
    """A file in which only the written parts exist. `gaps` lists the places that were skipped."""

    def __init__(self) -> None:
        self.parts: list[tuple[int, bytes]] = []
        self.gaps: list[int] = []
        self.place = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.place

    def seek(self, place: int, _whence: int = io.SEEK_SET) -> int:
        self.place = place
        return place

    def write(self, content: Any) -> int:
        self.parts.append((self.place, bytes(content)))
        self.place += len(content)
        return len(content)

    def skip(self, length: int) -> None:
        self.gaps.append(self.place)
        self.place += length

    def match(self, file: IO[bytes]) -> bool:
        """Return whether a file has these parts and is as long as this one."""
        if file.seek(0, io.SEEK_END) != self.place:
            return False
        for place, part in self.parts:
            file.seek(place)
            if file.read(len(part)) != part:
                return False
        return True


def _without_contents(files: Mapping[str, zipfile.ZipInfo]) -> _Parts:
    """Return a zip of these files as this project writes it, with a gap for each file's content."""
    parts = _Parts()
    with zipfile.ZipFile(parts, "w") as zipped:
        for name, entry in files.items():
            again = entry_of(name, entry.file_size)
            again.create_system = entry.create_system  # the only number that depends on the system
            again.CRC, again.compress_size = entry.CRC, entry.compress_size
            again.header_offset = parts.tell()
            parts.write(again.FileHeader(entry.file_size * _GROWTH > zipfile.ZIP64_LIMIT))
            parts.skip(entry.compress_size)
            zipped.filelist.append(again)
        zipped.start_dir = parts.tell()
        zipped.comment = b""  # a change, so closing the zip writes the list of files
    return parts


def _unpacks(file: IO[bytes], entry: zipfile.ZipInfo) -> bool:
    """Return whether the packed content at this place in a file unpacks to exactly the size and
    checksum in its entry."""
    unpacker, packed, size, checksum, rest = zlib.decompressobj(-15), entry.compress_size, 0, 0, b""
    try:
        while not unpacker.eof and size <= entry.file_size:
            if not rest:
                rest = file.read(min(packed, _PART))
                packed -= len(rest)
            part = unpacker.decompress(rest, _PART)
            if not (rest or part):
                return False
            size, checksum = size + len(part), zlib.crc32(part, checksum)
            rest = unpacker.unconsumed_tail
    except zlib.error:
        return False
    ended = unpacker.eof and not (packed or unpacker.unused_data)
    return ended and (size, checksum) == (entry.file_size, entry.CRC)
