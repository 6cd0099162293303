"""Tests that names of values are nouns, and that no name is rejected by the glossary."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from tests.project import ROOT
from tests.scripts import declared
from tests.sources import nodes

GLOSSARY = (ROOT / "docs/glossary.md").read_text("utf-8")


@cache
def refused() -> set[str]:
    """Return the names that the glossary rejects."""
    _, _, line = GLOSSARY.partition("\nRefused: ")
    return set(re.findall(r"`(\w+)`", line.partition("\n\n")[0]))


def named(tree: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that a source gives to values: variables, arguments, attributes."""
    for node in tree:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name


def test_scripts_of_the_pages_give_no_rejected_name():
    static = ROOT / "_static"
    names = {
        path.relative_to(static).as_posix(): set(declared(path.read_text("utf-8")))
        for path in static.glob("**/*.js")
    }
    assert {"setting", "view", "over", "member", "value"} <= names["mixed/play.js"]
    assert {path: bound & refused() for path, bound in names.items() if bound & refused()} == {}


def test_the_glossary_rejects_names():
    assert {"each", "found", "told"} <= refused()
    assert len(refused()) >= 10


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "found: int = 1",
        "found += 1",
        "a, found = pair",
        "self.found = 1",
        "def f(found): pass",
        "def f(*, found=1): pass",
        "def f(*found): pass",
        "g = lambda found: found",
        "for found in rows: pass",
        "x = [1 for found in rows]",
        "with open() as found: pass",
        "if (found := f()): pass",
        "class C:\n    found: int",
        "try:\n    pass\nexcept E as found: pass",
        "match x:\n    case [1, *found]: pass",
    ],
)
def test_a_rejected_name_is_found_wherever_it_is_given(source):
    assert "found" in set(named(nodes(source)))


@pytest.mark.parametrize("source", ["print(found)", "x.found()", "'found'", "def found(): pass"])
def test_functions_and_names_that_are_only_used_are_ignored(source):
    assert "found" not in set(named(nodes(source)))


@pytest.mark.parametrize(
    "script",
    [
        "const found = 1;",
        "let a = f(1, 2), found = 3;",
        "const {found} = view;",
        "const {seat: {gems: [, found]}} = view;",
        "const {count = 1, ...found} = view;",
        "for (const found of rows) show(found);",
        "function f(seat, found) {}",
        "const o = {draw(view, {gems: found = {}}) {}};",
        "rows.map((found) => 1);",
        "rows.map(found => 1);",
        "rows.reduce((sum, [name, found]) => sum, 0);",
        "try { f(); } catch (found) { g(); }",
    ],
)
def test_a_rejected_name_is_found_wherever_a_script_gives_it(script):
    assert "found" in set(declared(script))


@pytest.mark.parametrize(
    "script",
    [
        "show(found); // const found = 1;",
        'const gems = "found";',
        "const {found: gems} = view;",
        "text({found: 1}, texts.found);",
        "if (found) { f(); }",
        "while (found) {}",
        "f(found); rows.map((row) => row.found);",
    ],
)
def test_a_name_that_a_script_only_uses_is_ignored(script):
    assert "found" not in set(declared(script))


def test_every_word_is_in_the_glossary_once():
    words = re.findall(r"^\| ([\w ,-]+?) \|", GLOSSARY, flags=re.MULTILINE)
    words = [word for word in words if word != "word"]
    assert len(words) > 50
    assert [word for word, count in Counter(words).items() if count > 1] == []
