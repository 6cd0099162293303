"""When a session is created: check its config by name, write down what has effect."""

from __future__ import annotations

from typing import Any

from otree.common import get_constants
from otree.session import SESSION_CONFIGS_DICT
from sqlalchemy.orm import make_transient

from server import storage
from server.guide import guide_of
from table.setup import resolve

__all__ = ["create"]


def create(subsession: Any) -> None:
    """The `creating_session` of every app. Raises ConfigError; then there is no session."""
    session = subsession.session
    game_id = get_constants(subsession.get_folder_name()).GAME
    shipped = SESSION_CONFIGS_DICT[session.config["name"]]
    try:
        setup, written = resolve(game_id, session.config, shipped)
        guide_of(game_id).prepare(setup.made.core)
    except Exception:
        _unmake(session)
        raise
    subsession.setup = setup.model_dump_json()
    session.config = type(session.config)({**session.config, **written})


def _unmake(session: Any) -> None:
    """Leave nothing of a refused session.

    oTree has committed it already, and rolls back its own attempt to delete it. So it is deleted
    and committed here; then put back uncommitted, for oTree to delete and roll back.
    """
    storage.delete(session)
    storage.commit()
    make_transient(session)
    storage.add(session)
    storage.flush()
