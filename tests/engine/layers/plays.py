"""Helpers that set up games with one layer."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError


def with_layer(
    game: Any, name: str, s: float = 1.0, core: Any = None, agents: Any = None, **options: Any
):
    """Make a game with one layer at intensity s."""
    settings = {"agents": agents} if agents else {}
    return engine.make(game, layers={name: {"intensity": s, **options}}, **(core or {}), **settings)


def commons(name: str, s: float = 1.0, agents: Any = None, core: Any = None, **options: Any):
    return with_layer("commons_game", name, s, core, agents, **options)


def refusal(game: Any, name: str, s: float = 1.0, core: Any = None, agents: Any = None, **options):
    with pytest.raises(ConfigError) as refused:
        with_layer(game, name, s, core, agents, **options)
    return str(refused.value)
