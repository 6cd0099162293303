"""Later blocks are apps made from the same files as the first block's app."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from mixed_company.server.blocks import apps
from mixed_company.server.blocks.apps import (
    _Finder,
    _Loader,
    block_of,
    game_of,
    look_for_blocks,
    number_of,
)
from mixed_company.server.mends import blocks as mended
from mixed_company.table.seating import group_number
from tests.project import ROOT


@pytest.mark.parametrize(
    ("app", "game", "block"),
    [
        ("commons_game", "commons_game", 1),
        ("commons_game_2", "commons_game", 2),
        ("commons_game_12", "commons_game", 12),
        ("commons_game_1", "", 1),
        ("commons_game_02", "", 1),
        ("risk_task_2", "", 1),
    ],
)
def test_the_name_of_an_app_contains_game_and_block(app, game, block):
    assert (game_of(app), block_of(app)) == (game, block)


def player(app: str, plan: str = "") -> Any:
    """Return a player of an app, in a session with or without a plan."""
    return SimpleNamespace(get_folder_name=lambda: app, subsession=SimpleNamespace(plan=plan))


@pytest.mark.parametrize(
    ("app", "position", "number"), [("sanctions", 4, 3), ("sanctions_2", 1, 0)]
)
def test_a_group_is_numbered_in_its_block(app, position, number):
    group = SimpleNamespace(get_folder_name=lambda: app, id_in_subsession=position)
    assert number_of(group) == group_number(block_of(app), number)


def test_the_module_of_a_later_block_is_made_of_the_file_of_its_game():
    finder = _Finder()
    assert finder.find_spec("commons_game_2", ["somewhere"]) is None
    assert finder.find_spec("commons_game", None) is None
    assert finder.find_spec("nothing_2", None) is None
    spec = finder.find_spec("commons_game_2", None)
    assert spec is not None
    folder = ROOT / "commons_game"
    assert (spec.name, spec.origin) == ("commons_game_2", str(folder / "__init__.py"))
    assert spec.submodule_search_locations == [str(folder)]
    assert type(spec.loader) is _Loader


def test_python_is_told_once_where_later_blocks_are(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", ["other"])
    look_for_blocks()
    look_for_blocks()
    assert [type(finder) for finder in sys.meta_path] == [str, _Finder]


def test_a_later_block_has_its_own_address_and_one_more_page(tmp_path, monkeypatch):
    source = tmp_path / "game.py"
    source.write_text("class C:\n    NAME_IN_URL = 'commons'\npage_sequence = ['Play']\n")
    monkeypatch.setattr(apps, "FIRST_PAGES", ["NextBlock"])
    module: Any = ModuleType("commons_game_2")
    _Loader("commons_game_2", str(source)).exec_module(module)
    assert module.C.NAME_IN_URL == "commons_2"
    assert module.page_sequence == ["NextBlock", "Play"]


def test_a_bot_plays_once_on_a_page_for_each_group_of_an_app(monkeypatch):
    everywhere: set[Any] = {("sanctions", (1, "Play"))}
    bot_runner = SimpleNamespace(executed_live_methods=everywhere)
    seen: list[bool] = []

    def play(bot: Any, player_bot: Any, submission: Any) -> None:
        seen.append((1, "Play") in bot.executed_live_methods)
        bot.executed_live_methods.add((1, "Play"))
        if submission == "fails":
            raise ValueError("fails")

    monkeypatch.setattr(mended, "_live", play)
    for app in ("sanctions", "sanctions_2", "sanctions_2"):
        player_bot = SimpleNamespace(player=player(app))
        mended._live_by_app(bot_runner, player_bot, "plays")
        assert bot_runner.executed_live_methods is everywhere
    assert seen == [True, False, True]
    assert everywhere == {("sanctions", (1, "Play")), ("sanctions_2", (1, "Play"))}
    with pytest.raises(ValueError, match="fails"):
        mended._live_by_app(bot_runner, SimpleNamespace(player=player("x")), "fails")
    assert bot_runner.executed_live_methods is everywhere


def test_the_files_of_an_app_are_those_of_its_game(monkeypatch):
    looked: list[Any] = []
    monkeypatch.setattr(mended, "_is_noself", lambda app: looked.append(app) or app != "survey")
    monkeypatch.setattr(mended, "_uncalled", lambda *arguments: looked.append(arguments))
    apps = ("sanctions_2", "sanctions", "survey")
    assert [mended._of_its_files(app) for app in apps] == [True, True, False]
    assert looked == ["sanctions", "sanctions", "survey"]
    looked.clear()
    for app in apps:
        mended._look_once("helper", app)
    assert looked == [("helper", "sanctions"), ("helper", "survey")]
