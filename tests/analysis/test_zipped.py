"""Zip files that this project would not write, and that different programs can read differently."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import pytest

from mixed_company.analysis.zipped import zip_faults
from mixed_company.table.export.archive import Writer, entry_of

TABLE = b"reward\n1\n"
NAMES = "a.csv", "b.csv"
OTHERWISE = (
    ": the zip has an unusual layout, so different programs may read different files "
    "from it; if somebody zipped it again, unpack it and check the folder"
)
DAMAGED = "a.csv: has content in the zip that does not match its size or checksum"


def zip_of(change: Mapping[str, Any] | None = None, comment: bytes = b"", **others: bytes) -> bytes:
    """Return the bytes of an export's zip with two files. `change` alters the entry of the second,
    and other files may go in front."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        for name, content in {**others, "a.csv": TABLE, "b.csv": TABLE}.items():
            entry = entry_of(name, len(content))
            for key, value in (change or {}).items() if name == "b.csv" else ():
                setattr(entry, key, value)
            zipped.writestr(entry, content)
        zipped.comment = comment
    return file.getvalue()


def told(content: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as zipped:
        files = {entry.filename: entry for entry in zipped.infolist() if entry.filename in NAMES}
        return [f"{name}: {sentence}" for name, sentence in zip_faults(zipped, files)]


def patched(content: bytes, form: str, place: int, *values: int) -> bytes:
    changed = bytearray(content)
    struct.pack_into(form, changed, place, *values)
    return bytes(changed)


def hidden() -> bytes:
    """Return a zip with a file that is missing from its central directory."""
    whole = zip_of()
    second = whole.index(b"PK\x03\x04", 4)
    more = whole[:second]
    content = whole[:second] + more + whole[second:]
    listed = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 1)
    moved = patched(content, "<L", listed + 42, second + len(more))
    *_, start, _ = struct.unpack("<4s4H2LH", whole[-22:])
    return patched(moved, "<L", len(moved) - 6, start + len(more))


def large() -> bytes:
    """Return a zip with Zip64 records that it does not need."""
    whole = zip_of()
    *_, length, place, _ = struct.unpack("<4s4H2LH", whole[-22:])
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 2, 2, length, place)
    return (
        whole[:-22]
        + record
        + struct.pack("<4sLQL", b"PK\x06\x07", 0, len(whole) - 22, 1)
        + whole[-22:]
    )


def streamed(method: int) -> bytes:
    """Return a zip in which the sizes follow the contents."""

    class Stream(io.RawIOBase):
        content = b""

        def writable(self) -> bool:
            return True

        def write(self, some: Any) -> int:
            self.content += bytes(some)
            return len(some)

    stream = Stream()
    with zipfile.ZipFile(stream, "w", method) as zipped:  # type: ignore[type-var]
        for name in NAMES:
            zipped.writestr(name, TABLE)
    return stream.content


SECOND_NAME = struct.pack("<2HBL", 0x7075, 17, 1, 0) + b"outcomes.csv"
TIMES = struct.pack("<2HBL", 0x5455, 5, 1, 0)


def test_the_zip_of_an_export_passes(tmp_path):
    with Writer(tmp_path / "x.zip", {"sessions": {}}) as archive:
        archive.table("commons_game", "decisions", (), ())
    with zipfile.ZipFile(tmp_path / "x.zip") as zipped:
        files = {entry.filename: entry for entry in zipped.infolist()}
        assert len(files) > 5
        assert list(zip_faults(zipped, files)) == []
    assert told(zip_of()) == told(zip_of({"create_system": 0})) == []


@pytest.mark.parametrize(
    "zip_made",
    [
        lambda: zip_of(comment=b"all is true"),
        lambda: zip_of({"comment": b"all is true"}),
        lambda: zip_of({"extra": SECOND_NAME}),
        lambda: zip_of({"extra": TIMES}),
        lambda: zip_of({"external_attr": 0o120777 << 16}),
        lambda: zip_of({"date_time": (2020, 1, 1, 0, 0, 0)}),
        lambda: zip_of({"compress_type": zipfile.ZIP_STORED}),
        lambda: zip_of({"compress_type": zipfile.ZIP_BZIP2}),
        lambda: zip_of(**{"c.csv": TABLE}),
        lambda: zip_of(**{"a.csv/": b""}),
        lambda: zip_of(**{"__MACOSX/._a.csv": TABLE}),
        lambda: TABLE + zip_of(),
        lambda: zip_of() + TABLE,
        lambda: patched(zip_of(), "<3L", 14, zlib.crc32(b"reward\n"), 7, 7),
        lambda: patched(zip_of(), "<L", 14, 0),
        lambda: patched(zip_of(), "<H", 8, 0),
        lambda: patched(zip_of(), "<H", 6, 0x0800),
        lambda: zip_of().replace(b"b.csv", b"o.csv", 1),
        lambda: zip_of({"filename": "b.csv.x"}).replace(b"b.csv.x", b"b.csv\0x"),
        hidden,
        large,
        lambda: streamed(zipfile.ZIP_DEFLATED),
        lambda: streamed(zipfile.ZIP_STORED),
    ],
)
def test_a_zip_that_the_project_does_not_write_is_named(zip_made):
    assert told(zip_made()) == [OTHERWISE]


def zip_with(packed: bytes, content: bytes = TABLE) -> bytes:
    """Return an export's zip with one file whose size fields claim that it unpacks to this
    content."""
    sizes = struct.pack("<3L", zlib.crc32(content), len(packed), len(content))
    fields = struct.pack("<4H", 0, 8, 0, 33) + sizes + struct.pack("<2H", 5, 0)
    local = b"PK\x03\x04" + struct.pack("<H", 20) + fields + b"a.csv" + packed
    attributes = struct.pack("<3H2L", 0, 0, 0, 0o644 << 16, 0)
    listed = b"PK\x01\x02" + struct.pack("<2BH", 20, 3, 20) + fields + attributes + b"a.csv"
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(listed), len(local), 0)
    return local + listed + end


def deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


@pytest.mark.parametrize(
    ("packed", "sentences"),
    [
        (deflated(TABLE), []),
        (deflated(TABLE) + b"9\n", [DAMAGED]),
        (deflated(TABLE + b"9\n"), [DAMAGED]),
        (deflated(TABLE + b"9\n" * 2**22), [DAMAGED]),
        (deflated(TABLE)[:-1], [DAMAGED]),
        (deflated(TABLE.replace(b"1", b"9")), [DAMAGED]),
        (b"\xff" + TABLE, [DAMAGED]),
    ],
)
def test_content_that_is_not_as_its_entry_says_is_named(packed, sentences):
    assert told(zip_with(packed)) == sentences


def test_a_file_that_unpacks_to_too_much_is_not_unpacked():
    content = b"9\n" * 2**24
    [line] = told(zip_with(deflated(content), content))
    assert line.startswith("a.csv: is damaged: ")


def test_large_files_are_written_and_expected_alike(monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 8)
    assert zip_of().count(b"PK\x06\x06") == 1
    assert told(zip_of()) == []
    packed = zip_with(deflated(TABLE)[:-1] + b"\0" * 9, b"")
    assert told(packed) == [OTHERWISE]
