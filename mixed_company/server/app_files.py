"""The files of a game's app, and what must stand in each; looked at without importing them.

An app cannot be imported while oTree reads its settings. So `check_app` reads the sources alone,
and an app that lacks something is left out before anybody opens a page of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from mixed_company.engine.contract.errors import ConfigError, nearest

__all__ = ["FILES", "NEEDED", "check_app", "check_names", "missing"]

FILES = {
    "words": {"title": "TITLE", "texts": "texts"},
    "instructions": {"sections": "sections"},
    "scenes": {"scenes": "scenes"},
    "quiz": {"quiz": "quiz"},
    "stage": {
        "setting": "setting",
        "derived": "derived",
        "look_back": "look_back",
        "counted": "counted",
        "tallied": "tallied",
    },
    "results": {
        "digits": "DIGITS",
        "summary": "summary",
        "details": "details",
        "picture": "picture",
        "prepare": "prepare",
    },
}
"""File of an app -> part of the guide (`server.pages.guide`) -> its name there."""

NEEDED = {
    "words": ("TITLE", "texts"),
    "instructions": ("sections",),
    "quiz": ("quiz",),
    "stage": ("setting",),
    "results": ("DIGITS", "summary"),
}
"""File of an app -> the names that it must have. Other files and names may be left out."""

_PICTURES = ("stage.js", "stage.css")


def check_app(game_id: str, app: Path, static: Path) -> None:
    """Refuse an app without what every game must have; `app` and `static` are its folders.

    Raises ConfigError that names the file, and the name that it lacks or the line that is wrong.
    """
    for file in NEEDED:
        path = app / f"{file}.py"
        if not path.is_file():
            raise missing(f"{game_id}/{file}.py")
        check_names(game_id, file, _names(path, f"{game_id}/{file}.py"))
    for file in _PICTURES:
        if not (static / file).is_file():
            raise missing(f"_static/{game_id}/{file}")


def missing(place: str) -> ConfigError:
    """Return the refusal of an app without this file."""
    return ConfigError(f"{place}: is missing; mixed_company.server.pages.guide says why")


def check_names(game_id: str, file: str, names: Iterable[str]) -> None:
    """Refuse a file of an app without a name that every game must have; it has these `names`."""
    known = [name for name in names if not name.startswith("__")]
    for name in NEEDED.get(file, ()):
        if name not in known:
            raise ConfigError(f"{game_id}/{file}.py: has no {name}{nearest(name, known)}")


def _names(path: Path, place: str) -> Iterator[str]:
    """Yield the names that a source binds at its top, `import *` left aside."""
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except SyntaxError as error:
        raise ConfigError(f"{place}: line {error.lineno}: {error.msg}") from None
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
        else:
            yield from (
                part.id
                for part in ast.walk(node)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            )
