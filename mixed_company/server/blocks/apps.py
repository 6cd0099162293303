"""A later block of a session is an app of its own, made of the files of its game's app.

oTree has no app twice in a session. So the second block of a session that plays the commons is the
app `commons_game_2`, the third `commons_game_3`: there is no such folder, and `look_for_blocks` has
Python make a module of that name of `commons_game/__init__.py`. oTree then makes its tables and its
pages by itself, at addresses of their own (`/p/.../commons_2/Play/9`). Only what a session config
names is ever made.

The number in the name is the number of the block. Which game an app plays says `C.GAME`, and
`game_of` its name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from types import ModuleType
from typing import Any

from mixed_company import engine
from mixed_company.table.seating import group_number

__all__ = ["FIRST_PAGES", "block_of", "game_of", "look_for_blocks", "number_of"]

FIRST_PAGES: list[Any] = []
"""The pages that the app of every later block has before those of its game (`server.mends`)."""

_LATER = re.compile(r"(\w+?)_([2-9]|[1-9]\d)")


def game_of(app: str) -> str:
    """Return the game that an app plays; empty: it is another project's app."""
    return _read(app)[0]


def block_of(app: str) -> int:
    """Return the number of the block that an app plays, from 1; also 1 for other projects' apps."""
    return _read(app)[1]


def number_of(group: Any) -> int:
    """Return the number of an oTree group in its session; the first has those who wait."""
    block = block_of(group.get_folder_name())
    return group_number(block, int(group.id_in_subsession) - 1)


def _read(app: str) -> tuple[str, int]:
    if app in engine.game_ids():
        return app, 1
    later = _LATER.fullmatch(app)
    if later is None or later[1] not in engine.game_ids():
        return "", 1
    return later[1], int(later[2])


def look_for_blocks() -> None:
    """Let later blocks be imported from now on; called where oTree's settings are read."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())


class _Finder(MetaPathFinder):
    """Finds `commons_game_2`; what lies within it, such as `commons_game_2.tests`, is found by
    its folder, that of the game."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is not None or block_of(name) == 1:
            return None
        first = find_spec(game_of(name))
        if first is None or first.origin is None:
            return None
        return spec_from_file_location(name, first.origin, loader=_Loader(name, first.origin))


class _Loader(SourceFileLoader):
    """The same module under another name, with addresses of its own and one page more."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        constants: Any = module.C
        address = f"{constants.NAME_IN_URL}_{block_of(module.__name__)}"
        type.__setattr__(constants, "NAME_IN_URL", address)  # oTree's refuse to be changed
        vars(module)["page_sequence"] = [*FIRST_PAGES, *module.page_sequence]
