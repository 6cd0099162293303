"""Checks that a game's app has the required files and names, without importing it.

An app cannot be imported while oTree reads its settings. `check_app` therefore only parses the
source files. An incomplete app is skipped before anybody can open one of its pages.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from mixed_company.engine.contract.errors import ConfigError, nearest

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
"""App file -> part of the guide (`server.pages.guide`) -> name of that part in the file."""

NEEDED = {
    "words": ("TITLE", "texts"),
    "instructions": ("sections",),
    "quiz": ("quiz",),
    "stage": ("setting",),
    "results": ("DIGITS", "summary"),
}
"""App file -> names that it must define. Other files and names are optional."""

OF_OTREE = ("C", "Player", "page_sequence")
"""Names that the `__init__.py` of an oTree app must define."""

_PICTURES = ("stage.js", "stage.css")


def check_app(game_id: str, app: Path, static: Path) -> None:
    """Check that a game's app has the files and names it needs, and every file of the app that
    another one imports; `app` and `static` are its folders.

    Raises a ConfigError that states the file and the missing name, or the line of a syntax error.
    """
    for file in NEEDED:
        path = app / f"{file}.py"
        if not path.is_file():
            raise missing(f"{game_id}/{file}.py")
        check_names(game_id, file, _names(path, f"{game_id}/{file}.py"))
    files = ["__init__.py", *(f"{file}.py" for file in NEEDED)]
    for file in files:  # imported files are added to the list
        for module in _imported(app / file, f"{game_id}/{file}", game_id):
            imported = f"{module.replace('.', '/')}.py"
            if not (app / imported).is_file():
                raise ConfigError(f"{game_id}/{imported}: is missing, but {file} imports it")
            if imported not in files:
                files.append(imported)
    for file in _PICTURES:
        if not (static / file).is_file():
            raise missing(f"_static/{game_id}/{file}")


def check_other_app(app: str) -> None:
    """Check that another project's app exists and looks like an oTree app, without importing it.

    If any app in a session config fails to load, oTree does not start. Raises a ConfigError that
    names the app.
    """
    spec = find_spec(app)
    place = None if spec is None or spec.origin is None else Path(spec.origin)
    if place is None or place.name != "__init__.py":
        raise ConfigError(f"apps_before = {app!r}: there is no folder {app} with an __init__.py")
    if (place.parent / "models.py").is_file():
        return  # the layout of apps in earlier versions of oTree
    names = _names(place, f"{app}/__init__.py")
    absent = [name for name in OF_OTREE if name not in names]
    if absent and "*" not in names:
        raise ConfigError(
            f"apps_before = {app!r}: not an oTree app: its __init__.py has no {absent[0]}"
        )


def missing(place: str) -> ConfigError:
    """Return the ConfigError to raise if an app lacks this file."""
    return ConfigError(f"{place}: is missing; see mixed_company.server.pages.guide")


def check_names(game_id: str, file: str, names: Iterable[str]) -> None:
    """Check that the `names` defined in an app file include all names that a game needs."""
    public = [name for name in names if not name.startswith("__")]
    for name in NEEDED.get(file, ()):
        if name not in public:
            raise ConfigError(f"{game_id}/{file}.py: has no {name}{nearest(name, public)}")


def _names(path: Path, place: str) -> tuple[str, ...]:
    """Return the names that a source file defines at its top level.

    They include `*` if the file has a star import from its own folder.
    """
    return tuple(_names_in(_parsed(path, place)))


def _parsed(path: Path, place: str) -> ast.Module:
    """Parse a source file into a tree. Raises a ConfigError that names the place."""
    try:
        return _tree(path.read_text("utf-8"))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)  # none for a character that no source can contain
        fault = f"line {line}: {error.args[0]}" if line else f"not Python source: {error}"
        raise ConfigError(f"{place}: {fault}") from None


@cache
def _tree(source: str) -> ast.Module:
    return ast.parse(source)


def _imported(path: Path, place: str, game_id: str) -> Iterator[str]:
    """Yield the modules of the same app that a source file imports by their full names."""
    for node in ast.walk(_parsed(path, place)):
        if isinstance(node, ast.ImportFrom):
            package, _, module = (node.module or "").partition(".")
            if package == game_id and module:
                yield module


def _names_in(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [(alias.asname or alias.name).split(".")[0] for alias in node.names]
            beside = isinstance(node, ast.ImportFrom) and node.level > 0
            yield from (name for name in names if name != "*" or beside)
        else:
            yield from (
                part.id
                for part in ast.walk(node)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            )
