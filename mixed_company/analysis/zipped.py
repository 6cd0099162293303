"""Check that all programs read the same files from a zip.

A zip has a list of its files at the end. Most programs read the list, some read the header in front
of each file, and a few use a second name that an entry may have. A zip of at least 4 GiB or 65,535
files states the position of its list in larger records, which some programs read in every zip. So a
zip can show different tables to different programs if it has bytes that its list does not name,
headers that differ from the list, content that is shorter than stated, second names, or larger
records that it does not need. Comments and fields of other programs can contain statements about
the data that no seal covers.
"""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from mixed_company.analysis.files import ExportError, check_size

__all__ = ["ambiguities"]

_HEADER = struct.Struct("<6x2H4x3L2H")
"""Header in front of a file: flags, method, checksum, both sizes, and the lengths of the name and
the extra fields."""
_END = struct.Struct("<4s4H2LH")
"""End of a zip: signature, numbers of disks and files, size and position of the list, and the
length of a comment."""
_LARGE_END, _LOCATOR = struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")
"""Records in front of the end of a large zip: the same numbers in more bytes, after the size of the
record and two versions of the format; and the position of that record, between a disk and the
number of disks."""
_MAXIMA = [0, 0, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 0]
"""Values of the end of a zip that stand for numbers in the larger record."""
LARGE_FILES, LARGE_BYTES = 2**16 - 1, 2**31
"""Numbers of files and bytes from which programs write the records of a large zip. The last record
can count to 4 GiB, but Python writes the larger records from 2 GiB on."""
_FIELD = struct.Struct("<2H")
"""Id and length in front of an extra field."""
_SECOND_NAME, _LARGE = 0x7075, 0x0001
"""Ids of the extra fields with a second name, and with sizes of 4 GiB and more."""
_USUAL = {_LARGE: 28, 0x000A: 32, 0x5455: 13, 0x5855: 12, 0x7875: 24}
"""Extra fields that programs write into every zip, by id, with their maximum length: sizes, times,
and numbers of users."""
_STREAMED = 0x08
"""Flag of a file whose checksum and sizes follow its content."""
_UTF_8 = 0x0800
"""Flag of a file whose name is UTF-8."""
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
    file.seek(max(0, size - _END.size - _LOCATOR.size - _LARGE_END.size))
    large = file.read(_LARGE_END.size + _LOCATOR.size)
    is_large = large[-_LOCATOR.size :].startswith(b"PK\x06\x07")
    end = size - _END.size - (len(large) if is_large else 0)
    count, start = len(zipped.infolist()), zipped.start_dir
    numbers = [count, count, end - start, start]
    if is_large and count < LARGE_FILES and max(numbers) < LARGE_BYTES:
        yield "the end of the zip has records of a large zip, which it does not need"
        return
    _, *values = _END.unpack(record)
    expected = [0, 0, *numbers, 0]
    if is_large:  # a maximum stands for the number in the larger record
        pairs = zip(values, expected, _MAXIMA, strict=True)
        values = [number if value == maximum else value for value, number, maximum in pairs]
    if values != expected or (is_large and not _matches(large, numbers, end)):
        yield "the end of the zip does not match its list of files"


def _matches(large: bytes, numbers: list[int], end: int) -> bool:
    """Return whether the records of a large zip, which begin at `end`, have these numbers."""
    signature, size, _, _, *values = _LARGE_END.unpack_from(large)
    _, *located = _LOCATOR.unpack_from(large, _LARGE_END.size)
    expected = b"PK\x06\x06", _LARGE_END.size - 12, [0, 0, *numbers], [0, end, 1]
    return (signature, size, values, located) == expected


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
    in_front, extra = file.read(name), file.read(length)
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
    encoding = "utf-8" if entry.flag_bits & _UTF_8 else "cp437"
    if in_front != entry.orig_filename.encode(encoding):
        faults.append("has another name in the zip than in its list of files")
    file.seek(content)
    faults += _of_content(file, entry)
    return faults, content + entry.compress_size


def _of_content(file: IO[bytes], entry: zipfile.ZipInfo) -> Iterator[str]:
    """Yield a sentence if the content of a file is not as long as its entry says. `file` is at the
    start of the content.
    """
    if entry.compress_type == zipfile.ZIP_STORED or not entry.compress_size:
        if entry.compress_size != entry.file_size:
            yield _LONGER
    elif entry.compress_type != zipfile.ZIP_DEFLATED:
        yield "is packed with a method that no export has"
    else:
        try:
            check_size(entry)
            if _unpacked(file, entry.compress_size, entry.file_size) != entry.file_size:
                yield _LONGER
        except ExportError as error:
            yield str(error)


def _unpacked(file: IO[bytes], packed: int, maximum: int) -> int:
    """Return the number of bytes to which the next `packed` bytes unpack; -1 if they cannot be
    unpacked, unpack to more than `maximum`, or go on after the end of the content."""
    unpacker, size, rest = zlib.decompressobj(-zlib.MAX_WBITS), 0, b""
    try:
        while not unpacker.eof and size <= maximum:
            if not rest:
                rest = file.read(min(packed, _PART))
                packed -= len(rest)
            part = unpacker.decompress(rest, _PART)
            if not (rest or part):
                return -1
            size, rest = size + len(part), unpacker.unconsumed_tail
    except zlib.error:
        return -1
    return size if unpacker.eof and not (packed or unpacker.unused_data) else -1


_LONGER = "has content in the zip that does not end where its list of files says"
_PART = 2**16
"""Number of bytes that are unpacked at a time."""
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
    """Yield the id and the content of each extra field; trailing bytes that are not a field get the
    id 0.
    """
    while extra:
        kind, length = _FIELD.unpack_from(extra) if len(extra) >= _FIELD.size else (0, 0)
        extra = extra[_FIELD.size :]
        yield kind, extra[:length]
        extra = extra[length:]
