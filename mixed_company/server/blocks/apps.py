"""Apps of later blocks: each is a separate app, built from the files of its game's app.

oTree does not allow the same app twice in a session. If a session plays the commons game in every
block, its second block is therefore the app `commons_game_2`, and its third `commons_game_3`. These
folders do not exist: `look_for_blocks` makes Python import `commons_game/__init__.py` under that
name. oTree then creates separate tables for the app, and serves its pages at separate addresses
(`/p/.../commons_2/Play/9`). Only apps named in a session config are created.

The number in the name is the block number. `C.GAME` is the game of an app, and `game_of` returns
its name.
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

FIRST_PAGES: list[Any] = []
"""Pages that every later block shows before the game's own pages (`server.mends`)."""

_LATER = re.compile(r"(\w+?)_([2-9]|[1-9]\d)")


def game_of(app: str) -> str:
    """Return the game that an app plays; an empty string for another project's app."""
    return _read(app)[0]


def block_of(app: str) -> int:
    """Return the number of the block that an app plays, counted from 1; other projects' apps get
    1.
    """
    return _read(app)[1]


def number_of(group: Any) -> int:
    """Return the number of an oTree group within its session. oTree's first group holds the people
    who wait for a seat, and is not counted.
    """
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
    """Make later blocks importable; called when oTree's settings are read."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())


class _Finder(MetaPathFinder):
    """Import finder for apps like `commons_game_2`, which have their submodules in the game's
    folder."""

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
    """Loader that gives a game's app a different name and different addresses, and adds a page."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        constants: Any = module.C
        address = f"{constants.NAME_IN_URL}_{block_of(module.__name__)}"
        # oTree's constants reject plain assignment
        type.__setattr__(constants, "NAME_IN_URL", address)
        vars(module)["page_sequence"] = [*FIRST_PAGES, *module.page_sequence]
