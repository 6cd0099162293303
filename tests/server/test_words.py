"""Every text sent to a page is shown somewhere. Its key occurs in a script, a template or the
page's own source, or is the name of its subject."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.board.words import WORDS
from mixed_company.server.pages import choosing, talking, texts, wording
from tests.project import ROOT

PLACES = (
    *("_static/**/*.js", "_templates/**/*.html", "mixed_company/server/**/*.py"),
    *(
        "mixed_company/table/ledger.py",
        "mixed_company/engine/contract/*.py",
        "mixed_company/engine/layers/*.py",
    ),
)
CHOOSES: Any = SimpleNamespace(rules=["a rule"], options=SimpleNamespace(rules_tie="drawn"))
KEYS: dict[str, Callable[[], Any]] = {
    "the board": lambda: WORDS,
    "talk": talking.words,
    "a choice of rules": lambda: choosing.words(CHOOSES),
    "the lobby": wording.lobby,
    "the play page": wording.play,
    "the results": wording.results,
    "every page": texts.shared,
    "consent": texts.consent,
    "the quiz": texts.quiz,
    "comments": texts.comments,
    "who is led on": texts.arrive,
    "who finds no place": texts.full,
    "who comes to a closed door": texts.shut,
    "a session that is gone": texts.gone,
}


def strings(path: Path) -> Iterator[str]:
    """Yield the strings of a source, without the keys of the words that it defines itself."""
    if path.suffix != ".py":
        yield path.read_text("utf-8")
        return
    tree = ast.parse(path.read_text("utf-8"))
    keys = {id(key) for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in keys:
            yield f'"{node.value}"'
        elif isinstance(node, ast.JoinedStr):
            yield ast.unparse(node)


@cache
def sources() -> str:
    games = (f"{game_id}/*.{kind}" for game_id in engine.game_ids() for kind in ("html", "py"))
    paths = [path for place in (*PLACES, *games) for path in sorted(ROOT.glob(place))]
    return "\n".join(text for path in paths for text in strings(path))


@cache
def named() -> set[str]:
    """Return the names that follow a dot or are in quotes."""
    return set(re.findall(r"""(?:\.|["'`])([a-z]\w*)""", sources()))


@cache
def begun() -> set[str]:
    """Return the beginnings of composed names of words: `say_` of `say_${kind}`."""
    return set(re.findall(r"\b([a-z]+_)\$?\{", sources()))


def asked_for(key: str) -> bool:
    beginning, _, rest = key.partition("_")
    return key in named() or (f"{beginning}_" in begun() and rest in named())


@pytest.mark.parametrize("page", KEYS)
def test_every_word_is_used(page):
    words = KEYS[page]()
    assert words
    assert [key for key in words if not asked_for(key)] == []
    assert all(words.values())


def test_an_unused_word_is_found():
    assert not asked_for("told_to_nobody")
    assert not asked_for("say_nothing_of_this")
    assert asked_for("say_stand_in")
