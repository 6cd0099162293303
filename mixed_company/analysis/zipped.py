"""Check that all programs read the same files from a zip.

A zip has a list of its files at the end. Most programs read the list, some read the files from the
beginning, and a few use a second name that an entry may have. So a zip with bytes that its list
does not name, or with second names, can show different tables to different programs.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterator

__all__ = ["ambiguities"]

_HEADER = struct.Struct("<26x2H")
"""Header in front of a file; it ends with the lengths of the name and of the extra fields."""
_FIELD = struct.Struct("<2H")
"""Id and length in front of an extra field."""
_SECOND_NAME = 0x7075
"""Id of the extra field with a second name."""
_STREAMED, _SIZES = 0x08, (12, 16, 20, 24)
"""Flag of a file whose size follows its content, and the numbers of bytes that this can take."""


def ambiguities(zipped: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Yield pairs of a file name, which can be empty, and a sentence, for everything in a zip that
    some programs read and others do not."""
    if zipped.comment:
        yield "", "the zip has a comment, which no export has"
    ends = [0]
    for entry in sorted(zipped.infolist(), key=lambda entry: entry.header_offset):
        extra, begin = _local(zipped, entry)
        if entry.header_offset not in ends:
            yield entry.filename, "follows bytes that the list of files in the zip does not name"
        if _has_second_name(entry.extra) or _has_second_name(extra):
            yield entry.filename, "has a second name in the zip, which some programs use"
        if entry.is_dir() and entry.file_size:
            yield entry.filename, "is a folder, but has content"
        end = begin + entry.compress_size
        ends = [end, *(end + size for size in _SIZES if entry.flag_bits & _STREAMED)]
    if zipped.start_dir not in ends:
        yield "", "the list of files in the zip does not name the bytes in front of it"


def _local(zipped: zipfile.ZipFile, entry: zipfile.ZipInfo) -> tuple[bytes, int]:
    """Return the extra fields in front of a file, and the position of its content."""
    if zipped.fp is None:
        raise ValueError("the zip is closed")
    zipped.fp.seek(entry.header_offset)
    header = zipped.fp.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return b"", entry.header_offset
    name, extra = _HEADER.unpack(header)
    begin = entry.header_offset + _HEADER.size + name + extra
    return zipped.fp.read(name + extra)[name:], begin


def _has_second_name(extra: bytes) -> bool:
    """Return whether extra fields, each an id, a length and content, have a second name."""
    while len(extra) >= _FIELD.size:
        kind, length = _FIELD.unpack_from(extra)
        if kind == _SECOND_NAME:
            return True
        extra = extra[_FIELD.size + length :]
    return False
