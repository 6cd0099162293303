"""Apps without a folder of their own: later blocks of a session (`server.blocks.apps`).

oTree 6.0.15 looks into the file `<app>/__init__.py`, to know of which form an app is, and once more
for functions that nobody uses. Here it looks at the files of the game that the app plays.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from otree import checks, common

from server.blocks.apps import FIRST_PAGES, game_of
from server.pages.block import NextBlock

__all__ = ["install"]

_is_noself = common.is_noself
_uncalled = checks.uncalled_functions


def install() -> None:
    """Change where oTree looks for the files of an app, and how a later block begins."""
    FIRST_PAGES.append(NextBlock)
    common.is_noself = lru_cache(_of_its_files)
    checks.uncalled_functions = _look_once


def _of_its_files(app: str) -> bool:
    return bool(_is_noself(game_of(app) or app))


def _look_once(helper: Any, app: str) -> None:
    if game_of(app) in ("", app):
        _uncalled(helper, app)
