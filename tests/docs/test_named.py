"""Tests that commands in the documents name files, modules and targets that exist.

Most of these commands are excerpts or parts of sentences, so no test runs them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import otree.cli
import pytest

from docs.pages import paths
from tests.docs.blocks import blocks
from tests.project import ROOT

FOLDERS = "(?:benchmarks|docs|mixed_company|tests)"
NAMED = {
    "file": rf"(?<![\w./-])({FOLDERS}/[\w./-]*\w(?![\w*])|requirements[\w-]*\.txt)",
    "module": rf"\bpython3? -m ({FOLDERS}[\w.]*)",
    "target of make": r"(?:^|[`&] ?)make ([\w-]+)",
    "command of oTree": r"(?:^|[`/ ])otree ([a-z]+)",
}
"""Regular expression that finds each kind of name."""
NO_FILES = (
    "mixed_company/language/catalogues/it.po",
    "tests/bots/scripted/commons_game/test_cautious.py",
    "mixed_company/commons_game-v1",
)
"""Files that the reader creates, and a Gymnasium id."""
FORMER = ("CHANGELOG.md", "docs/upgrading.md")
"""Documents that also name things from earlier releases."""


def absent(text: str) -> list[str]:
    """Return the names in a text that do not exist."""
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.M)
    commands = Path(next(iter(otree.cli.__path__)))
    exists: dict[str, Callable[[str], bool]] = {
        "file": lambda name: name in NO_FILES or (ROOT / name).exists(),
        "module": lambda name: find_spec(name) is not None,
        "target of make": lambda name: name in targets,
        "command of oTree": lambda name: (commands / f"{name}.py").is_file(),
    }
    return [
        f"{kind}: {name}"
        for kind, pattern in NAMED.items()
        for name in re.findall(pattern, text, flags=re.M)
        if not exists[kind](name)
    ]


@pytest.mark.parametrize("document", [path for path in paths() if path not in FORMER])
def test_commands_name_only_what_exists(document: str) -> None:
    code = [block.text for block in blocks(document) if not block.language]
    quoted = re.findall(r"`[^`\n]+`", (ROOT / document).read_text("utf-8"))
    assert absent("\n".join([*code, *quoted])) == []


def test_a_name_that_does_not_exist_is_detected() -> None:
    text = "make coffee\npython -m docs.nothing\ncp docs/none.env /etc/x\n`otree brew 8000`"
    assert absent(text) == [
        "file: docs/none.env",
        "module: docs.nothing",
        "target of make: coffee",
        "command of oTree: brew",
    ]
    assert absent("make play\npython -m docs.best\ncat docs/best.py\n`otree resetdb`") == []
