"""The texts of this project that people read, found in its sources.

A text is marked by the function that says it: `gettext` (mostly `_`) and `ngettext`, `forms` for
a page, `counted` (`server.pages.texts`); `translated` and `pair` mark what others say later.
Pages and their scripts have no texts of their own: they are sent them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.extract import extract

__all__ = ["ROOT", "Text", "texts"]

ROOT = Path(__file__).resolve().parents[1]
BESIDE = ("benchmarks", "docs", "tests")
"""Folders that say nothing to people in a session."""

_ONE, _TWO = None, (1, 2)
_MARKS = {
    **dict.fromkeys(("_", "gettext", "translated"), _ONE),
    **dict.fromkeys(("ngettext", "forms", "counted", "pair"), _TWO),
}
"""Function -> which of its arguments are the text for one, and for many."""


@dataclass(frozen=True)
class Text:
    """A text of the sources: `many` is its form for many, where it is about a number of things."""

    one: str
    many: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """The key in a catalogue."""
        return (self.one, self.many) if self.many else self.one


def texts(root: Path = ROOT) -> dict[Text, list[str]]:
    """Every text with the files that say it, in the order of the sources."""
    places_of: dict[Text, list[str]] = {}
    for path in _sources(root):
        place = path.relative_to(root).as_posix()
        for text in _of(path):
            if place not in places_of.setdefault(text, []):
                places_of[text].append(place)
    return places_of


def _sources(root: Path) -> Iterator[Path]:
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and folder.name not in BESIDE and not folder.name.startswith("."):
            yield from sorted(folder.rglob("*.py"))


def _of(path: Path) -> Iterator[Text]:
    with path.open("rb") as file:
        for _line, text, _comments, _context in extract("python", file, _MARKS):
            yield Text(*text) if isinstance(text, tuple) else Text(text)
