"""Faults that can be planted in a source file, each with its change and location."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from tests.planted.changes import HARMLESS, changed

TEXTS = (ast.JoinedStr, ast.Raise, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
"""Nodes whose contents are not changed: f-strings, error messages, names."""
UNREAD = ("annotation", "returns", "args", "decorator_list", "type_params", "keywords", "bases")
"""Parts of a definition that are evaluated only once, when it is defined, or never."""
UNCHANGED = ("cast", "_", "translated")
"""Functions whose first argument is a type or a string."""
WORDS = "/words.py"
"""Suffix of files whose dictionaries have text for people as values."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


@dataclass(frozen=True)
class Place:
    """Node of a source file, with its place in the tree."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    function: str  # "Class.method"
    lines: tuple[int, int]  # lines of the statement, or of its head if it has a body

    def put(self, node: ast.AST) -> None:
        """Put another node in this place."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Fault:
    """One change in one place. The key identifies both, without a line number."""

    path: str
    was: str
    becomes: str
    place: Place
    node: ast.AST
    number: int = 1  # counts faults of a function that have the same text

    @property
    def key(self) -> str:
        number = f" ({self.number})" if self.number > 1 else ""
        return f"{self.path} {self.place.function}: {self.was} -> {self.becomes}{number}"


def faults(path: str, tree: ast.Module) -> list[Fault]:
    """Return all faults of a source file, in source order."""
    seen: Counter[str] = Counter()
    numbered = []
    for place in places(tree):
        is_text = path.endswith(WORDS) and isinstance(place.parent, ast.Dict)
        if is_text and place.field == "values":
            continue
        for node in changed(place.node):
            fault = Fault(path, *_texts(place, node), place, node)
            seen[fault.key] += 1
            numbered.append(replace(fault, number=seen[fault.key]))
    return numbered


def places(
    parent: ast.AST,
    names: tuple[str, ...] = (),
    lines: tuple[int, int] = (0, 0),
    inside: bool = False,
) -> Iterator[Place]:
    """Yield all nodes in function bodies below a node, parents first."""
    for field, index, node in _children(parent):
        around = _lines(node) if isinstance(node, ast.stmt) else lines
        if inside and not isinstance(node, DEFINITIONS):
            yield Place(parent, field, index, node, ".".join(names), around)
        if isinstance(node, DEFINITIONS):
            name = getattr(node, "name", "lambda")
            yield from places(node, (*names, name), around, isinstance(node, FUNCTIONS))
        elif not isinstance(node, TEXTS):
            yield from places(node, names, around, inside)


def _children(parent: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """Yield the child nodes that are evaluated at run time, without docstrings and types."""
    unread = UNREAD if isinstance(parent, (*DEFINITIONS, ast.AnnAssign)) else ()
    for field, value in ast.iter_fields(parent):
        nodes: list[tuple[int | None, Any]] = [(None, value)]
        if isinstance(value, list):
            nodes = list(enumerate(value))
        for index, node in nodes:
            if isinstance(node, ast.AST) and field not in unread and not _is_unread(parent, node):
                yield field, index, node


def _is_unread(parent: ast.AST, node: ast.AST) -> bool:
    """Return whether the node is a docstring, text for people, the type of a cast or a harmless
    argument."""
    if isinstance(parent, ast.keyword):
        return parent.arg in HARMLESS
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name):
        return parent.func.id in UNCHANGED and node is parent.args[0]
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _lines(statement: ast.stmt) -> tuple[int, int]:
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno
    return statement.lineno, max(statement.lineno, last or 0)


def _texts(place: Place, node: ast.AST) -> tuple[str, str]:
    """Return the code before and after the change. A constant is shown with its parent."""
    if not isinstance(place.node, ast.Constant):
        return cropped(_text(place.node), _text(node))
    was = _text(place.parent)
    place.put(node)
    becomes = _text(place.parent)
    place.put(place.node)
    return cropped(was, becomes)


def _text(node: ast.AST) -> str:
    """Return a node's source on one line. For a statement with a body, return only its head."""
    if isinstance(node, ast.If | ast.While | ast.For):
        node = copy(node)
        node.body, node.orelse = [], []
    return " ".join(ast.unparse(node).split())


def cropped(was: str, becomes: str, limit: int = 90) -> tuple[str, str]:
    """Shorten two long strings around the first place where they differ."""
    if max(len(was), len(becomes)) <= limit:
        return was, becomes
    pairs = zip(was, becomes, strict=False)
    alike = next((number for number, (left, right) in enumerate(pairs) if left != right), 0)
    start = max(alike - limit // 2, 0)
    before = "…" if start else ""

    def middle(text: str) -> str:
        return before + text[start : start + limit] + ("…" if len(text) > start + limit else "")

    return middle(was), middle(becomes)
