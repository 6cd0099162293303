"""What can be read of the JavaScript of the pages without running it."""

from __future__ import annotations

import re
from collections.abc import Iterator

# What may stand before the round bracket of a block and is no function.
BLOCKS = {"if", "for", "while", "switch"}


def code(text: str) -> str:
    """A module without comments and without what its words and class names say."""
    text = re.sub(r"(?m)(^|\s)//.*$", "", text)
    return re.sub(r'"[^"\n]*"', '""', text)


def declared(text: str) -> Iterator[str]:
    """The names a module gives to values: constants, variables, parameters."""
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
    """What commas separate, up to the end of the statement or of the bracket, and where that is."""
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
    """The names of `a`, `...a`, `a = 1`, `{a, b: c}`, `[a, b]` and of what is nested in them."""
    pattern = pattern.strip().removeprefix("...")
    if pattern[:1] in ("{", "["):
        for part in _parts(pattern, 1)[0]:
            yield from _bound(re.sub(r"^\s*\w+\s*:", "", part))
    elif name := re.match(r"\w+", pattern):
        yield name[0]
