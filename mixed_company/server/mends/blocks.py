"""Apps without their own folder: later blocks of a session (`server.blocks.apps`).

oTree 6.0.15 reads the file `<app>/__init__.py` to detect an app's format, and to find unused
functions. Here it reads the files of the game that the app plays. oTree's bots play a live page
once per group, but confuse groups from different apps that have the same number and page. Here the
bots distinguish the apps.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from otree import checks, common
from otree.bots.bot import ParticipantBot

from mixed_company.server.blocks.apps import FIRST_PAGES, game_of
from mixed_company.server.pages.blocks import NextBlock

_is_noself = common.is_noself
_uncalled = checks.uncalled_functions
_live = ParticipantBot.live_method_stuff


def install() -> None:
    """Change where oTree finds the files of an app, and how a later block starts."""
    FIRST_PAGES.append(NextBlock)
    common.is_noself = lru_cache(_of_its_files)
    checks.uncalled_functions = _look_once
    ParticipantBot.live_method_stuff = _live_by_app


class _OfApp:
    """One app's view of the pages where bots have played."""

    def __init__(self, everywhere: set[Any], app: str) -> None:
        self._everywhere, self._app = everywhere, app

    def __contains__(self, record: object) -> bool:
        return (self._app, record) in self._everywhere

    def add(self, record: object) -> None:
        self._everywhere.add((self._app, record))


def _live_by_app(bot: Any, player_bot: Any, submission: Any) -> None:
    everywhere = bot.executed_live_methods
    bot.executed_live_methods = _OfApp(everywhere, player_bot.player.get_folder_name())
    try:
        _live(bot, player_bot, submission)
    finally:
        bot.executed_live_methods = everywhere


def _of_its_files(app: str) -> bool:
    return bool(_is_noself(game_of(app) or app))


def _look_once(helper: Any, app: str) -> None:
    if game_of(app) in ("", app):
        _uncalled(helper, app)
