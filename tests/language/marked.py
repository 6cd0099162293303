"""What would be read by people without being marked for translation: found in the sources.

Each function takes the text of one source and gives what is wrong in it; `test_marked` runs them
over the house, and over sources with a fault that was planted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

MARKS = {"_", "gettext", "ngettext", "forms", "counted", "translated", "pair"}
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_WORDS = re.compile(r"[^\W\d_]{2,}[,;:]? [^\W\d_]{2,}")


def in_template(text: str) -> list[str]:
    """Words between the tags of a page, or in attributes that are read, that nobody sent it."""
    plain = re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->", "", text, flags=re.S)
    plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", plain, flags=re.S)
    read = re.findall(r'\s(?:aria-label|alt|title|placeholder)="([^"]*)"', plain)
    read += re.split(r"<[^>]*>", plain)
    return [each.strip() for each in read if _LETTERS.search(each.replace("&nbsp;", ""))]


def in_script(text: str) -> list[str]:
    """Sentences and labels that a script of a page has of its own."""
    code = re.sub(r"(?m)(^|\s)//.*$", "", text)
    code = re.sub(r"\$\{[^}]*\}", "", code)
    said = re.findall(
        r'(?:textContent|innerText|title|"aria-(?:label|valuetext|description)")\s*[=:]\s*'
        r'(["`][^"`\n]*["`])',
        code,
    )
    said += re.findall(r'(?:element|svg)\("\w+", \{[^{}]*\}, (["`][^"`\n]*["`])[,)]', code)
    return [literal for literal in said if _LETTERS.search(literal)]


def in_words(source: str) -> list[str]:
    """Texts of some words in an app, or a page's module, that are not marked."""
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
    """The texts that are marked, and those that no participant reads: docstrings and errors."""
    for node in ast.walk(tree):
        name = getattr(node, "func", None)
        called = getattr(name, "id", getattr(name, "attr", ""))
        marked = isinstance(node, ast.Call) and called in MARKS
        if marked or isinstance(node, ast.Raise | ast.Assert):
            yield from ast.walk(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def at_import(source: str) -> list[str]:
    """Texts that are said once, when a module is read: in English for ever."""
    found = []
    bodies = [ast.parse(source)]
    while bodies:
        for node in ast.iter_child_nodes(bodies.pop()):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            said = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and said in ("_", "gettext", "ngettext", "forms"):
                found.append(ast.unparse(node))
            bodies.append(node)
    return found


def by_gettext(source: str) -> list[str]:
    """Texts said by Python's own gettext, which knows one language for all."""
    imports = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom))
    return [ast.unparse(node) for node in imports if node.module == "gettext"]
