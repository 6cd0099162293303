"""Tests that writing a file either completes it or leaves it unchanged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mixed_company import files
from mixed_company.cli.refusal import Visible
from mixed_company.files import whole, write_whole
from tests.project import ROOT

KILLED = """
import os, signal
from pathlib import Path
from mixed_company.files import whole
with whole(Path("out.zip")) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def parts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="only POSIX kills processes like this")
def test_leftovers_of_a_killed_process_are_removed_by_the_next_one(tmp_path: Path) -> None:
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", KILLED], cwd=tmp_path, env=variables, check=False)
    assert done.returncode == -signal.SIGKILL
    [left] = parts(tmp_path)
    assert left.endswith(".part")
    write_whole(tmp_path / "other.zip", "another file's")
    assert parts(tmp_path) == [left, "other.zip"]
    write_whole(tmp_path / "out.zip", "whole")
    assert parts(tmp_path) == ["other.zip", "out.zip"]


def test_a_file_that_another_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    others = tmp_path / f".out.zip.{os.getppid()}.part"
    others.write_bytes(b"half")
    unlike = tmp_path / ".out.zip.of-somebody.part"
    unlike.write_bytes(b"mine")
    write_whole(tmp_path / "out.zip", "whole")
    assert parts(tmp_path) == sorted([others.name, unlike.name, "out.zip"])


def test_a_file_whose_writing_fails_half_way_is_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write_whole(path, "before")
    with pytest.raises(TypeError), whole(path) as file:
        file.writelines([b"aft", "er"])  # type: ignore[list-item]
    assert (path.read_text(), parts(tmp_path)) == ("before", ["out.txt"])


def test_control_characters_of_a_text_are_shown_as_escapes() -> None:
    hidden = "a\x1b[8m\r\x9b\u202e\u2028\ud800\tb\nc\u00e9\u200f"
    assert files.visible(hidden) == r"a\x1b[8m\r\x9b\u202e\u2028\ud800" + "\tb\nc\u00e9\u200f"
    assert files.one_line("a\tb\nc") == r"a\tb\nc"


def test_no_command_prints_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    stream = Visible(sys.stdout)
    print("true\x1b[8m", file=stream)  # type: ignore[arg-type]
    assert capsys.readouterr().out == "true\\x1b[8m\n"
    assert stream.encoding == sys.stdout.encoding
