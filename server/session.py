"""When a session is created: check its config by name, write down what has effect."""

from __future__ import annotations

from typing import Any

from otree.session import SESSION_CONFIGS_DICT

from table.setup import resolve

__all__ = ["create"]


def create(subsession: Any, game_id: str, guide: Any) -> None:
    """The body of an app's `creating_session`. Raises ConfigError; then there is no session."""
    session = subsession.session
    shipped = SESSION_CONFIGS_DICT[session.config["name"]]
    setup, written = resolve(game_id, session.config, shipped)
    guide.prepare(setup.game.core)
    subsession.setup = setup.model_dump_json()
    session.config = type(session.config)({**session.config, **written})
