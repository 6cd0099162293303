"""Later blocks are apps of their own, made of the same files."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from server.blocks import way
from server.blocks.apps import app_of, block_of, game_of


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
def test_the_name_of_an_app_says_game_and_block(app, game, block):
    assert (game_of(app), block_of(app)) == (game, block)
    if game:
        assert app_of(game, block) == app


def player(app: str, plan: str = "") -> Any:
    """A player of an app, in a session with or without a plan."""
    return SimpleNamespace(get_folder_name=lambda: app, subsession=SimpleNamespace(plan=plan))


@pytest.mark.parametrize(
    ("app", "plan", "later", "planned"),
    [
        ("sanctions", "", False, False),
        ("sanctions", "{}", False, False),  # the first block of a plan
        ("sanctions_2", "", True, False),  # the same app twice, without a plan
        ("sanctions_2", "{}", True, True),
    ],
)
def test_a_later_block_is_one_of_a_plan_where_there_is_one(
    app: str, plan: str, later: bool, planned: bool
) -> None:
    assert way.is_later(player(app, plan)) is later
    assert way.is_planned(player(app, plan)) is planned
    if not plan:
        assert way.block_shown(player(app)) == ("2" if later else "")
        assert not way.again(player(app))


@pytest.mark.parametrize(
    ("before", "come"),
    [
        ([], True),
        (["finished"], True),
        (["finished", "finished"], True),
        (["finished", "left"], False),
        (["seated"], False),
    ],
)
def test_who_has_finished_all_blocks_before_has_come_to_the_next(
    before: list[str], come: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = [SimpleNamespace(status=status) for status in before]
    monkeypatch.setattr(way, "earlier", lambda _: blocks)
    assert way.has_come(player("sanctions_3", "{}")) is come
