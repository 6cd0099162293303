"""Zips from which programs read different files, made by hand."""

from __future__ import annotations

import bz2
import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from mixed_company.analysis import zipped as zipped_module
from mixed_company.analysis.zipped import ambiguities


def zip_of(path: Path, **options: bytes) -> bytes:
    """Return the bytes of a zip with two files; `options` has a comment, or a comment (`note`) and
    extra fields of the second file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("a.csv", b"reward\n1\n")
        entry = zipfile.ZipInfo("b.csv")
        entry.extra, entry.comment = options.get("extra", b""), options.get("note", b"")
        entry.external_attr = 0o120777 << 16 if "link" in options else 0
        zipped.writestr(entry, b"reward\n2\n")
        zipped.comment = options.get("comment", b"")
    return path.read_bytes()


def told(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    with zipfile.ZipFile(path) as zipped:
        return [f"{name}: {sentence}" for name, sentence in ambiguities(zipped)]


def second_name(name: bytes) -> bytes:
    return struct.pack("<2HBL", 0x7075, 5 + len(name), 1, 0) + name


def fields(kind: int, content: bytes) -> bytes:
    return struct.pack("<2H", kind, len(content)) + content


def patched(path: Path, form: str, place: int, *values: int) -> bytes:
    """Return the zip with other values at a place in the header in front of its first file."""
    content = bytearray(zip_of(path))
    struct.pack_into(form, content, place, *values)
    return bytes(content)


def cut(path: Path) -> bytes:
    """Return a zip whose first header names the first line only, with its checksum."""
    return patched(path, "<3L", 14, zlib.crc32(b"reward\n"), 7, 7)


FALSE = b"PK\x03\x04 reward\n9\n"
AHEAD = "a.csv: follows bytes that the list of files in the zip does not name"
END = ": the end of the zip does not match its list of files"
OTHER = "a.csv: has another method, checksum or size in the zip than in its list of files"
FIELD = "b.csv: has a field of another program in the zip, which no export has"
SECOND = "b.csv: has a second name in the zip, which some programs use"


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (lambda path: zip_of(path), []),
        (lambda path: zip_of(path, extra=struct.pack("<2H", 0x5455, 1) + b"\0"), []),
        (lambda path: zip_of(path, comment=b"all is true"), [": the zip has a comment"]),
        (lambda path: zip_of(path, extra=second_name(b"outcomes.csv")), [SECOND]),
        (lambda path: FALSE + zip_of(path), [END, AHEAD]),
        (cut, [OTHER]),
        (lambda path: patched(path, "<L", 14, 0), [OTHER]),
        (lambda path: patched(path, "<H", 8, 0), [OTHER]),
        (lambda path: patched(path, "<H", 6, 0x0800), [OTHER]),
        (lambda path: zip_of(path) + b"all is true", [": bytes follow the end of the zip"]),
        (lambda path: zip_of(path, note=b"all is true"), ["b.csv: has a comment in the zip"]),
        (lambda path: zip_of(path, link=b""), ["b.csv: is a link in the zip"]),
        (lambda path: zip_of(path, extra=fields(0xCAFE, b"all is true")), [FIELD]),
        (lambda path: zip_of(path, extra=fields(0x5455, b"all is true, and more")), [FIELD]),
        (lambda path: zip_of(path, extra=b"so"), [FIELD]),
    ],
)
def test_what_some_programs_would_read_is_named(
    tmp_path: Path, change: Callable[[Path], bytes], sentences: list[str]
) -> None:
    lines = told(tmp_path / "x.zip", change(tmp_path / "x.zip"))
    assert [line[: len(sentence)] for line, sentence in zip(lines, sentences, strict=True)] == (
        sentences
    )


def test_a_file_that_the_list_does_not_name_is_found(tmp_path: Path) -> None:
    whole = zip_of(tmp_path / "x.zip")
    with zipfile.ZipFile(tmp_path / "x.zip") as zipped:
        second, start = zipped.getinfo("b.csv").header_offset, zipped.start_dir
    inside = whole[:second] + FALSE + whole[second:]
    # positions in the list of files move with the bytes in front of them
    listed = inside.index(b"PK\x01\x02", inside.index(b"PK\x01\x02") + 1)
    moved = bytearray(inside)
    struct.pack_into("<L", moved, listed + 42, second + len(FALSE))
    struct.pack_into("<L", moved, len(moved) - 6, start + len(FALSE))
    assert told(tmp_path / "y.zip", bytes(moved)) == [AHEAD.replace("a.csv", "b.csv")]


def entry_of(path: Path, content: bytes, packed: bytes, method: int = 8) -> bytes:
    """Return a zip with one file of these bytes, whose sizes say that they unpack to `content`."""
    sizes = struct.pack("<3L", zlib.crc32(content), len(packed), len(content))
    header = struct.pack("<2L", method << 16, 33 << 16) + sizes + struct.pack("<2H", 5, 0)
    local = b"PK\x03\x04" + struct.pack("<H", 20) + header + b"a.csv" + packed
    listed = b"PK\x01\x02" + struct.pack("<2H", 20, 20) + header + bytes(14) + b"a.csv"
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(listed), len(local), 0)
    return local + listed + end


def deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


TABLE = b"reward\n1\n"
CONTENT = "a.csv: has content in the zip that does not end where its list of files says"
METHOD = "a.csv: is packed with a method that no export has"


@pytest.mark.parametrize(
    ("packed", "method", "sentences"),
    [
        (TABLE, 0, []),
        (deflated(TABLE), 8, []),
        (TABLE + b"9\n", 0, [CONTENT]),
        (deflated(TABLE) + b"9\n", 8, [CONTENT]),
        (deflated(TABLE + b"9\n"), 8, [CONTENT]),
        (deflated(TABLE + b"9\n" * 2**22), 8, [CONTENT]),
        (deflated(TABLE)[:-1], 8, [CONTENT]),
        (b"\xff" + TABLE, 8, [CONTENT]),
        (bz2.compress(TABLE), 12, [METHOD]),
    ],
)
def test_content_that_ends_elsewhere_is_named(
    tmp_path: Path, packed: bytes, method: int, sentences: list[str]
) -> None:
    content = entry_of(tmp_path / "x.zip", TABLE, packed, method)
    assert told(tmp_path / "x.zip", content) == sentences


@pytest.mark.parametrize("name", ["b.csv", "__MACOSX/._b.csv"])
def test_another_name_in_front_of_a_file_is_named(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as zipped:
        zipped.writestr(name, b"reward\n9\n")
    other = b"outcomes.csv".rjust(len(name), b"_")[-len(name) :]
    content = (tmp_path / "x.zip").read_bytes().replace(name.encode(), other, 1)
    sentence = "has another name in the zip than in its list of files"
    assert told(tmp_path / "x.zip", content) == [f"{name}: {sentence}"]


def test_names_in_other_scripts_are_accepted(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as zipped:
        zipped.writestr("répertoire/a.csv", b"reward\n1\n")
    assert told(tmp_path / "x.zip", (tmp_path / "x.zip").read_bytes()) == []


LARGE = ": the end of the zip has records of a large zip, which it does not need"


def ended(path: Path, *numbers: int, **other: int) -> bytes:
    """Return a zip with the records of a large zip, and these numbers of files, size and position
    in its last record; `other` has other numbers of the larger records."""
    whole = zip_of(path)
    *_, length, place, _ = struct.unpack("<4s4H2LH", whole[-22:])
    large = {"size": 44, "files": 2, "length": length, "place": place, "at": len(whole) - 22}
    large |= other
    count = large["files"]
    record = struct.pack("<4sQ2H2L2Q", b"PK\x06\x06", large["size"], 45, 45, 0, 0, count, count)
    record += struct.pack("<2Q", large["length"], large["place"])
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, large["at"], 1)
    files, length, place = numbers or (2, length, place)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, files, files, length, place, 0)
    return whole[:-22] + record + locator + end


ONES = 2**16 - 1, 2**32 - 1, 2**32 - 1


@pytest.mark.parametrize("numbers", [(), ONES, (2**16 - 1, 9, 9), (2, 2**32 - 1, 9)])
def test_records_of_a_large_zip_are_refused_in_a_small_one(
    tmp_path: Path, numbers: tuple[int, ...]
) -> None:
    assert told(tmp_path / "x.zip", ended(tmp_path / "x.zip", *numbers)) == [LARGE]


@pytest.mark.parametrize(
    ("numbers", "other", "sentences"),
    [
        ((), {}, []),
        (ONES, {}, []),
        ((2**16 - 1, 9, 9), {}, [END]),
        ((3, 2**32 - 1, 2**32 - 1), {}, [END]),
        (ONES, {"files": 3}, [END]),
        (ONES, {"at": 9}, [END]),
        (ONES, {"size": 45}, [END]),
    ],
)
def test_both_records_of_a_large_zip_have_the_same_numbers(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    numbers: tuple[int, ...],
    other: dict[str, int],
    sentences: list[str],
) -> None:
    monkeypatch.setattr(zipped_module, "LARGE_FILES", 2)
    content = ended(tmp_path / "x.zip", *numbers, **other)
    assert told(tmp_path / "x.zip", content) == sentences


@pytest.mark.long
def test_a_zip_with_more_files_than_its_last_record_can_count_is_accepted(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as zipped:
        for number in range(2**16):
            zipped.writestr(f"{number}.csv", b"")
    assert told(tmp_path / "x.zip", (tmp_path / "x.zip").read_bytes()) == []


def test_a_folder_with_content_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as zipped:
        zipped.writestr("commons_game/", b"reward\n9\n")
    lines = told(tmp_path / "x.zip", (tmp_path / "x.zip").read_bytes())
    assert lines == ["commons_game/: is a folder, but has content"]


def test_a_zip_that_was_written_as_a_stream_is_accepted(tmp_path: Path) -> None:
    class Stream(io.RawIOBase):
        content = b""

        def writable(self) -> bool:
            return True

        def write(self, some: bytes) -> int:  # type: ignore[override]
            self.content += bytes(some)
            return len(some)

    stream = Stream()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as zipped:  # type: ignore[type-var]
        for name in ("a.csv", "b.csv"):
            zipped.writestr(name, b"reward\n1\n")
    assert told(tmp_path / "x.zip", stream.content) == []
    following = stream.content.index(b"PK\x07\x08")
    changed = bytearray(stream.content)
    struct.pack_into("<3L", changed, following + 4, zlib.crc32(b"reward\n"), 7, 7)
    assert told(tmp_path / "x.zip", bytes(changed)) == [OTHER]


def test_a_zip_with_large_sizes_is_accepted(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as zipped,
        zipped.open("a.csv", "w", force_zip64=True) as file,
    ):
        file.write(b"reward\n1\n")
    assert told(tmp_path / "x.zip", (tmp_path / "x.zip").read_bytes()) == []
