"""When a session is created: check its config by name, write down what has effect."""

from __future__ import annotations

from typing import Any

from otree.common import get_constants
from otree.session import SESSION_CONFIGS_DICT

from server.guide import guide_of
from table.setup import resolve

__all__ = ["create"]


def create(subsession: Any) -> None:
    """The `creating_session` of every app. Raises ConfigError; then there is no session."""
    session = subsession.session
    game_id = get_constants(subsession.get_folder_name()).GAME
    shipped = SESSION_CONFIGS_DICT[session.config["name"]]
    setup, written = resolve(game_id, session.config, shipped)
    guide_of(game_id).prepare(setup.game.core)
    subsession.setup = setup.model_dump_json()
    session.config = type(session.config)({**session.config, **written})
