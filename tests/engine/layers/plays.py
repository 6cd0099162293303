"""Short ways to set up games with one layer."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError


def made(game: Any, name: str, s: float = 1.0, core: Any = None, agents: Any = None, **asked: Any):
    """A game with one layer at intensity s."""
    given = {"agents": agents} if agents else {}
    return engine.make(game, layers={name: {"intensity": s, **asked}}, **(core or {}), **given)


def commons(name: str, s: float = 1.0, agents: Any = None, core: Any = None, **asked: Any):
    return made("commons_game", name, s, core, agents, **asked)


def refusal(game: Any, name: str, s: float = 1.0, core: Any = None, agents: Any = None, **asked):
    with pytest.raises(ConfigError) as refused:
        made(game, name, s, core, agents, **asked)
    return str(refused.value)
