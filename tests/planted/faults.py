"""The faults that can be planted into a source: what each changes, and where."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from tests.planted.changes import HARMLESS, changed

TEXTS = (ast.JoinedStr, ast.Raise, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
"""Nothing in these is changed: texts with values in them, what an error says, names."""
UNREAD = ("annotation", "returns", "args", "decorator_list", "type_params", "keywords", "bases")
"""Parts of a definition that are read once, when it is made, or by nobody."""
UNCHANGED = ("cast", "_", "translated")
"""Functions whose first argument is a type or a text."""
WORDS = "/words.py"
"""Files like this hold texts for people, below their keys."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


@dataclass(frozen=True)
class Place:
    """A node of a source, and where it hangs."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    function: str  # "Class.method"
    lines: tuple[int, int]  # of the statement, of its head if it has a body

    def put(self, node: ast.AST) -> None:
        """Hang another node here."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Fault:
    """One change of one place. Its key says where it is and what it does, and no line number."""

    path: str
    was: str
    becomes: str
    place: Place
    node: ast.AST
    number: int = 1  # of those in a function that read the same

    @property
    def key(self) -> str:
        number = f" ({self.number})" if self.number > 1 else ""
        return f"{self.path} {self.place.function}: {self.was} -> {self.becomes}{number}"


def faults(path: str, tree: ast.Module) -> list[Fault]:
    """All faults of a source, in its order."""
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
    """All nodes in bodies of functions below a node, each before what is in it."""
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
    """What hangs on a node and is run with it; without docstrings and types."""
    unread = UNREAD if isinstance(parent, (*DEFINITIONS, ast.AnnAssign)) else ()
    for field, value in ast.iter_fields(parent):
        nodes: list[tuple[int | None, Any]] = [(None, value)]
        if isinstance(value, list):
            nodes = list(enumerate(value))
        for index, node in nodes:
            if isinstance(node, ast.AST) and field not in unread and not _is_unread(parent, node):
                yield field, index, node


def _is_unread(parent: ast.AST, node: ast.AST) -> bool:
    """Is it a docstring, a text for people, the type in a cast, or of a harmless argument?"""
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
    """What was there and what becomes of it; a constant is shown with what it stands in."""
    if not isinstance(place.node, ast.Constant):
        return cropped(_text(place.node), _text(node))
    was = _text(place.parent)
    place.put(node)
    becomes = _text(place.parent)
    place.put(place.node)
    return cropped(was, becomes)


def _text(node: ast.AST) -> str:
    """A node's source in one line; of a statement with a body its head."""
    if isinstance(node, ast.If | ast.While | ast.For):
        node = copy(node)
        node.body, node.orelse = [], []
    return " ".join(ast.unparse(node).split())


def cropped(was: str, becomes: str, most: int = 90) -> tuple[str, str]:
    """Two texts without most of what both begin and end with, if they are long."""
    if max(len(was), len(becomes)) <= most:
        return was, becomes
    pairs = zip(was, becomes, strict=False)
    alike = next((number for number, (one, other) in enumerate(pairs) if one != other), 0)
    start = max(alike - most // 2, 0)
    before = "…" if start else ""

    def middle(text: str) -> str:
        return before + text[start : start + most] + ("…" if len(text) > start + most else "")

    return middle(was), middle(becomes)
