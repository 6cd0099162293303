"""This project's texts that people read, collected from its sources.

A text is marked by the function that translates it: `gettext` (mostly `_`) and `ngettext`, `forms`
for a page, `counted` (`server.pages.texts`). `translated` and `pair` mark texts that are translated
elsewhere. Pages and their scripts contain no texts; the server sends all of them.

`lacking` lists the texts that are missing from a language's compiled catalogue (`.mo`); texts that
were added after it was compiled appear in English.
"""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mixed_company.language.catalogue import SOURCE, file_of

ROOT = Path(__file__).resolve().parents[2]
BESIDE = ("benchmarks", "docs", "tests")
"""Folders without texts that people in a session read."""

_MARKS = {
    **dict.fromkeys(("_", "gettext", "translated"), 1),
    **dict.fromkeys(("ngettext", "forms", "counted", "pair"), 2),
}
"""Number of a function's leading arguments that are texts: singular, or singular and plural."""
_MARKED = re.compile(rf"\b(?:{'|'.join(_MARKS)})\s*\(".encode())
"""Pattern of a call to one of these functions. Files without such a call are not parsed."""


@dataclass(frozen=True)
class Text:
    """A text in the sources, with a `plural` if its form depends on a number."""

    singular: str
    plural: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """Key in a catalogue."""
        return (self.singular, self.plural) if self.plural else self.singular


def texts(root: Path = ROOT) -> dict[Text, list[str]]:
    """Return all texts in source order, each with the files that use it."""
    places_of: dict[Text, list[str]] = {}
    for path in _sources(root):
        place = path.relative_to(root).as_posix()
        for text in _of(path):
            if place not in places_of.setdefault(text, []):
                places_of[text].append(place)
    return places_of


def game_of(places: Sequence[str], root: Path = ROOT) -> str:
    """Return the only game that uses a text; empty if several games share it.

    A game is a top-level folder with `sessions.py`. Its rules and its policies are in folders of
    the same name.
    """
    games = {path.parent.name for path in root.glob("*/sessions.py")}
    users = {next((part for part in place.split("/") if part in games), "") for place in places}
    return users.pop() if len(users) == 1 else ""


def _sources(root: Path) -> Iterator[Path]:
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and not _is_beside(folder):
            yield from sorted(folder.rglob("*.py"))


def _is_beside(folder: Path) -> bool:
    """Return whether a folder, such as a Python environment, cannot contain texts that people
    read."""
    hidden = folder.name.startswith(".")
    return hidden or folder.name in BESIDE or (folder / "pyvenv.cfg").is_file()


def _of(path: Path) -> Iterator[Text]:
    source = path.read_bytes()
    if not _MARKED.search(source):
        return
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        first = call.args[: _MARKS.get(_name(call.func), 0)]
        values = [argument.value for argument in first if isinstance(argument, ast.Constant)]
        texts = [text for text in values if isinstance(text, str)]
        if texts and len(texts) == _MARKS[_name(call.func)]:
            yield Text(*texts)


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


class _Nothing(gettext.NullTranslations):
    """Fallback that returns an empty string for every text that a catalogue lacks."""

    def gettext(self, message: str) -> str:
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return ""


def lacking(code: str, spoken: Iterable[Text]) -> list[str]:
    """Return the texts without a translation in this language; the list is empty for English."""
    if code == SOURCE:
        return []
    with file_of(code, "mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    catalogue.add_fallback(_Nothing())
    return [text.singular for text in spoken if not _words(catalogue, text)]


def _words(catalogue: gettext.NullTranslations, text: Text) -> str:
    if text.plural:
        return catalogue.ngettext(text.singular, text.plural, 2)
    return catalogue.gettext(text.singular)
