"""Static analysis of the pages' JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Keywords before a parenthesis that does not belong to a function.
BLOCKS = {"if", "for", "while", "switch"}


def code(text: str) -> str:
    """Return a module without comments and without the contents of strings."""
    text = re.sub(r"(?m)(^|\s)//.*$", "", text)
    return re.sub(r'"[^"\n]*"', '""', text)


def declared(text: str) -> Iterator[str]:
    """Yield the names that a module gives to values: constants, variables, parameters."""
    plain = code(text)
    for match in re.finditer(r"\b(?:const|let|var)\s", plain):
        for declaration in _parts(plain, match.end())[0]:
            yield from _bound(declaration)
    for match in re.finditer(r"(\w+)\s*=>", plain):
        yield match[1]
    for match in re.finditer(r"(?:(\w+)\s*)?\(", plain):
        parameters, end = _parts(plain, match.end())
        if match[1] not in BLOCKS and re.match(r"\)\s*(=>|\{)", plain[end:]):
            for parameter in parameters:
                yield from _bound(parameter)


def _parts(plain: str, start: int) -> tuple[list[str], int]:
    """Split at commas up to the end of the statement or bracket. Return the parts and the end
    position."""
    parts, depth, first = [], 0, start
    for place in range(start, len(plain)):
        sign = plain[place]
        if depth == 0 and sign in ",;)]}":
            parts.append(plain[first:place])
            first = place + 1
            if sign != ",":
                return parts, place
        depth += (sign in "([{") - (sign in ")]}")
    return [*parts, plain[first:]], len(plain)


def _bound(pattern: str) -> Iterator[str]:
    """Yield the names in `a`, `...a`, `a = 1`, `{a, b: c}`, `[a, b]`, including nested ones."""
    pattern = pattern.strip().removeprefix("...")
    if pattern[:1] in ("{", "["):
        for part in _parts(pattern, 1)[0]:
            yield from _bound(re.sub(r"^\s*\w+\s*:", "", part))
    elif name := re.match(r"\w+", pattern):
        yield name[0]
