"""Every `mixed ...` line of the documents is understood by the command that it calls."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from mixed.__main__ import parser_of
from mixed.command import find, names

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
GONE = re.compile(
    r"python3? -m (engine|bots|analysis|table|server|seats)(\.\w+)*\b(?!\.golden|\.filled)"
)


def lines_of(text: str) -> list[str]:
    """Whole commands: lines of blocks and `code` that begin with `mixed`, put on one line each."""
    joined = re.sub(r"\\\n\s*", " ", text)
    block = re.findall(r"^\s*(?:\S*/)?(mixed [^`\n]+)$", joined, flags=re.M)
    inline = re.findall(r"`(mixed [^`]+)`", joined)
    return [" ".join(line.split()) for line in [*block, *inline]]


def understood(line: str) -> None:
    """Parse a line as a command would. Raises SystemExit, UnknownName."""
    words = shlex.split(line, comments=True)[1:]
    for stop in (">", "|", "2>"):
        words = words[: words.index(stop)] if stop in words else words
    if words in (["--help"], ["COMMAND", "--help"]):
        return
    name, *arguments = words
    if arguments:
        parser_of(name, find(name)).parse_intermixed_args(arguments)
    assert name in names()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_of_a_document_is_understood(path, capsys):
    for line in lines_of(path.read_text(encoding="utf-8")):
        try:
            understood(line)
        except SystemExit:
            pytest.fail(f"{path.name}: {line}\n{capsys.readouterr().err}")


def test_the_documents_show_every_command():
    shown = {
        line.split()[1]
        for path in DOCUMENTS
        for line in lines_of(path.read_text(encoding="utf-8"))
        if len(line.split()) > 1
    }
    assert shown >= set(names())


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_no_document_calls_a_module_that_is_a_command_now(path):
    assert not GONE.search(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "line",
    ["mixed shw sanctions", "mixed show", "mixed play commons_game --polices greedy", "mixed xyz"],
)
def test_a_line_that_is_wrong_is_seen(line):
    (collected,) = lines_of(f"```\n.venv/bin/{line}\n```\n")
    assert collected == line
    with pytest.raises((SystemExit, Exception)):
        understood(collected)


def test_a_line_that_goes_on_is_read_as_one():
    text = "```\nmixed play commons_game \\\n    --seed 3   # why\n```\nor `mixed games` to see."
    assert lines_of(text) == ["mixed play commons_game --seed 3 # why", "mixed games"]
