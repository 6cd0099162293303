"""Check that all programs read the same files from a zip.

A zip has a list of its files at the end. Most programs read the list, some read the header in front
of each file, and a few use a second name that an entry may have. So a zip with bytes that its list
does not name, with headers that differ from the list, or with second names, can show different
tables to different programs. Comments and fields of other programs can say something about the data
that no seal covers.
"""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Iterator
from typing import IO

__all__ = ["ambiguities"]

_HEADER = struct.Struct("<6x2H4x3L2H")
"""Header in front of a file: flags, method, checksum, both sizes, and the lengths of the name and
the extra fields."""
_END = struct.Struct("<4s4H2LH")
"""End of a zip: signature, numbers of disks and files, size and position of the list, and the
length of a comment."""
_FIELD = struct.Struct("<2H")
"""Id and length in front of an extra field."""
_SECOND_NAME, _LARGE = 0x7075, 0x0001
"""Ids of the extra fields with a second name, and with sizes of 4 GiB and more."""
_USUAL = {_LARGE: 28, 0x000A: 32, 0x5455: 13, 0x5855: 12, 0x7875: 24}
"""Extra fields that programs write into every zip, by id, with their maximum length: sizes, times,
and numbers of users."""
_STREAMED = 0x08
"""Flag of a file whose checksum and sizes follow its content."""
_FOLLOWING = [struct.Struct(form) for form in ("<3L", "<4x3L", "<L2Q", "<4xL2Q")]
"""Forms of what follows a streamed file: checksum and both sizes, with or without a signature."""
_IN_FIELD = 2**32 - 1
"""Size in a header that stands for the size in an extra field."""


def ambiguities(zipped: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Yield pairs of a file name, which can be empty, and a sentence, for everything in a zip that
    some programs read and others do not."""
    if zipped.fp is None:
        raise ValueError("the zip is closed")
    yield from (("", sentence) for sentence in _of_end(zipped, zipped.fp))
    ends = [0]
    for entry in sorted(zipped.infolist(), key=lambda entry: entry.header_offset):
        if entry.header_offset not in ends:
            yield entry.filename, "follows bytes that the list of files in the zip does not name"
        sentences, end = _of_header(zipped.fp, entry)
        for sentence in dict.fromkeys((*_of_entry(entry), *sentences)):
            yield entry.filename, sentence
        following = (end + form.size for form in _FOLLOWING if entry.flag_bits & _STREAMED)
        ends = [end, *following]
    if zipped.start_dir not in ends:
        yield "", "the list of files in the zip does not name the bytes in front of it"


def _of_end(zipped: zipfile.ZipFile, file: IO[bytes]) -> Iterator[str]:
    """Yield a sentence for each fault of the last record of a zip."""
    if zipped.comment:
        yield "the zip has a comment, which no export has"
        return
    size = file.seek(0, 2)
    file.seek(max(0, size - _END.size))
    record = file.read(_END.size)
    if len(record) < _END.size or not record.startswith(b"PK\x05\x06"):
        yield "bytes follow the end of the zip"
        return
    _, *disks, files, length, place, _ = _END.unpack(record)
    if _IN_FIELD in (length, place) or files == 2**16 - 1:  # a larger record has the numbers
        return
    here = [0, 0, len(zipped.infolist())], zipped.start_dir, zipped.start_dir + length
    if (disks, place, size - _END.size) != here or files != disks[2]:
        yield "the end of the zip does not match its list of files"


def _of_entry(entry: zipfile.ZipInfo) -> Iterator[str]:
    """Yield a sentence for each fault of an entry in the list of files."""
    yield from _of_fields(entry.extra)
    if entry.comment:
        yield "has a comment in the zip, which no export has"
    if entry.is_dir() and entry.file_size:
        yield "is a folder, but has content"
    if stat.S_ISLNK(entry.external_attr >> 16):
        yield "is a link in the zip"


def _of_header(file: IO[bytes], entry: zipfile.ZipInfo) -> tuple[list[str], int]:
    """Return sentences on the header in front of a file, and the position after its content."""
    file.seek(entry.header_offset)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return [_OTHER], entry.header_offset
    flags, method, checksum, packed, size, name, length = _HEADER.unpack(header)
    extra = file.read(name + length)[name:]
    content = entry.header_offset + _HEADER.size + name + length
    file.seek(content + entry.compress_size)
    following = file.read(max(form.size for form in _FOLLOWING))
    if _IN_FIELD in (packed, size):
        packed, size = _large(extra, packed, size)
    expected = (entry.CRC, entry.compress_size, entry.file_size)
    right = (checksum, packed, size) == expected
    if flags & _STREAMED:
        forms = [form.unpack_from(following) for form in _FOLLOWING if len(following) >= form.size]
        right = (right or not any((checksum, packed, size))) and expected in forms
    same = (flags, method) == (entry.flag_bits, entry.compress_type)
    faults = list(_of_fields(extra)) + ([] if right and same else [_OTHER])
    return faults, content + entry.compress_size


_OTHER = "has another method, checksum or size in the zip than in its list of files"


def _large(extra: bytes, packed: int, size: int) -> tuple[int, int]:
    """Return both sizes of a file, from the extra field for sizes of 4 GiB and more."""
    for kind, content in _fields(extra):
        if kind == _LARGE and len(content) == 16:
            size, packed = struct.unpack("<2Q", content)
    return packed, size


def _of_fields(extra: bytes) -> Iterator[str]:
    """Yield a sentence for each fault of extra fields."""
    for kind, content in _fields(extra):
        if kind == _SECOND_NAME:
            yield "has a second name in the zip, which some programs use"
        elif len(content) > _USUAL.get(kind, -1):
            yield "has a field of another program in the zip, which no export has"


def _fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the id and the content of each extra field; a rest that is not a field has the id 0."""
    while extra:
        kind, length = _FIELD.unpack_from(extra) if len(extra) >= _FIELD.size else (0, 0)
        extra = extra[_FIELD.size :]
        yield kind, extra[:length]
        extra = extra[length:]
