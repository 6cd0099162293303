"""Later blocks are apps of their own, made of the same files."""

from __future__ import annotations

import pytest

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
