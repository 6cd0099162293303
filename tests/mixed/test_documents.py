"""Tests that every `mixed ...` line in the documents is valid for the command that it calls."""

from __future__ import annotations

import re
import shlex

import pytest

from docs.pages import paths
from mixed_company.__main__ import parser_of
from mixed_company.cli.command import find, names
from mixed_company.engine.contract.errors import UnknownName
from tests.project import ROOT

DOCUMENTS = [ROOT / path for path in paths() if path != "CHANGELOG.md"]
GONE = re.compile(
    r"python3? -m (engine|bots|analysis|table|server|seats)(\.\w+)*\b(?!\.golden|\.filled)"
)


def lines_of(text: str) -> list[str]:
    """Return calls to `mixed` on separate lines, with continued lines joined."""
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = re.findall(r"^\s*(?:\S*/)?(mixed [^`\n]+)$", joined, flags=re.M)
    return [" ".join(line.split()) for line in lines]


def mentions_of(text: str) -> list[str]:
    """Return calls to `mixed` between backticks, which may be a bare command."""
    return [" ".join(mention.split()) for mention in re.findall(r"`(mixed [^`]+)`", text)]


def understood(line: str) -> None:
    """Parse a line as its command would. Raise SystemExit or UnknownName if it is invalid."""
    words = shlex.split(line, comments=True)[1:]
    for stop in (">", "|"):
        words = words[: words.index(stop)] if stop in words else words
    parser_of(words[0], find(words[0])).parse_intermixed_args(words[1:])


def mentioned(mention: str) -> None:
    """Parse a mention in the same way. Raise SystemExit or UnknownName if it is invalid."""
    if mention.split()[1:] in (["--help"], ["COMMAND", "--help"]):
        return
    if len(mention.split()) == 2:
        find(mention.split()[1])
    else:
        understood(mention)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_of_a_document_is_understood(path, capsys):
    text = path.read_text(encoding="utf-8")
    calls = [(understood, line) for line in lines_of(text)]
    for check, call in calls + [(mentioned, mention) for mention in mentions_of(text)]:
        try:
            check(call)
        except SystemExit:
            pytest.fail(f"{path.name}: {call}\n{capsys.readouterr().err}")


def test_the_documents_show_every_command():
    """The page generated from the commands shows all of them anyway, so it does not count."""
    written = [path for path in DOCUMENTS if path.name != "commands.md"]
    texts = [path.read_text(encoding="utf-8") for path in written]
    calls = [call for text in texts for call in [*lines_of(text), *mentions_of(text)]]
    assert {call.split()[1] for call in calls} >= set(names())


@pytest.mark.parametrize(
    "path",
    [path for path in DOCUMENTS if path.name != "upgrading.md"],  # it names what replaced them
    ids=lambda path: path.name,
)
def test_no_document_calls_a_module_that_has_become_a_command(path):
    assert not GONE.search(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "line",
    ["mixed shw sanctions", "mixed show", "mixed play commons_game --polices greedy", "mixed xyz"],
)
def test_an_invalid_line_is_found(line):
    (collected,) = lines_of(f"```\n.venv/bin/{line}\n```\n")
    assert collected == line
    with pytest.raises((SystemExit, UnknownName)):
        understood(collected)
    with pytest.raises((SystemExit, UnknownName)):
        mentioned("mixed shw")


def test_a_continued_line_is_read_as_one():
    text = "```\nmixed play commons_game \\\n    --seed 3   # why\n```\nor `mixed games` to see."
    assert lines_of(text) == ["mixed play commons_game --seed 3 # why"]
    assert mentions_of(text) == ["mixed games"]
