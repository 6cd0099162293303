"""Search for texts that people read but that are not marked for translation.

Each function takes the text of one source and returns its faults. `test_marked` applies them to the
project, and to sources with planted faults.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

MARKS = {"_", "gettext", "ngettext", "forms", "counted", "translated", "pair"}
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_WORDS = re.compile(r"[^\W\d_]{2,}[,;:]? [^\W\d_]{2,}")


def in_template(text: str) -> list[str]:
    """Return a page template's words between tags and in attributes that people read."""
    plain = re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->", "", text, flags=re.S)
    plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", plain, flags=re.S)
    read = re.findall(r'\s(?:aria-label|alt|title|placeholder)="([^"]*)"', plain)
    read += re.split(r"<[^>]*>", plain)
    return [text.strip() for text in read if _LETTERS.search(text.replace("&nbsp;", ""))]


def in_script(text: str) -> list[str]:
    """Return sentences and labels in a page's script."""
    code = re.sub(r"(?m)(^|\s)//.*$", "", text)
    code = re.sub(r"\$\{[^}]*\}", "", code)
    literals = re.findall(
        r'(?:textContent|innerText|title|"aria-(?:label|valuetext|description)")\s*[=:]\s*'
        r'(["`][^"`\n]*["`])',
        code,
    )
    literals += re.findall(r'(?:element|svg)\("\w+", \{[^{}]*\}, (["`][^"`\n]*["`])[,)]', code)
    return [literal for literal in literals if _LETTERS.search(literal)]


def in_words(source: str) -> list[str]:
    """Return unmarked texts of several words in an app or in a page's module."""
    tree = ast.parse(source)
    silent = set(map(id, _silent(tree)))
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in silent
        and _WORDS.search(node.value)
    ]


def _silent(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield marked texts, and texts that no participant reads: docstrings and errors."""
    for node in ast.walk(tree):
        name = getattr(node, "func", None)
        called = getattr(name, "id", getattr(name, "attr", ""))
        marked = isinstance(node, ast.Call) and called in MARKS
        if marked or isinstance(node, ast.Raise | ast.Assert):
            yield from ast.walk(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def at_import(source: str) -> list[str]:
    """Return texts that are translated once, on import, and therefore stay English."""
    if not re.search(r"\b(?:_|gettext|ngettext|forms)\(", source):
        return []
    calls = []
    bodies = [ast.parse(source)]
    while bodies:
        for node in ast.iter_child_nodes(bodies.pop()):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            called = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and called in ("_", "gettext", "ngettext", "forms"):
                calls.append(ast.unparse(node))
            bodies.append(node)
    return calls


def by_gettext(source: str) -> list[str]:
    """Return imports of Python's gettext, which has one language for everyone."""
    if "gettext" not in source:
        return []
    imports = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom))
    return [ast.unparse(node) for node in imports if node.module == "gettext"]
