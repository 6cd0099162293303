"""Zips from which programs read different files, made by hand."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from mixed_company.analysis.zipped import ambiguities


def zip_of(path: Path, **options: bytes) -> bytes:
    """Return the bytes of a zip with two files; `options` has a comment, or extra fields of the
    second file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("a.csv", b"reward\n1\n")
        entry = zipfile.ZipInfo("b.csv")
        entry.extra = options.get("extra", b"")
        zipped.writestr(entry, b"reward\n2\n")
        zipped.comment = options.get("comment", b"")
    return path.read_bytes()


def told(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    with zipfile.ZipFile(path) as zipped:
        return [f"{name}: {sentence}" for name, sentence in ambiguities(zipped)]


def second_name(name: bytes) -> bytes:
    return struct.pack("<2HBL", 0x7075, 5 + len(name), 1, 0) + name


FALSE = b"PK\x03\x04 reward\n9\n"
AHEAD = "a.csv: follows bytes that the list of files in the zip does not name"
SECOND = "b.csv: has a second name in the zip, which some programs use"


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (lambda path: zip_of(path), []),
        (lambda path: zip_of(path, extra=struct.pack("<2H", 0x5455, 1) + b"\0"), []),
        (lambda path: zip_of(path, comment=b"all is true"), [": the zip has a comment"]),
        (lambda path: zip_of(path, extra=second_name(b"outcomes.csv")), [SECOND]),
        (lambda path: FALSE + zip_of(path), [AHEAD]),
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


def test_a_folder_with_content_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as zipped:
        zipped.writestr("commons_game/", b"reward\n9\n")
        assert [name for name, _ in ambiguities(zipped)] == ["commons_game/"]


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
