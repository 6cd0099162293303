"""Policy for a seat taken by an outside agent: `outside:NAME` in a session's policies.

Decisions come from the agent that connects to the server with NAME's key (docs/agents.md). Without
a server, the policy fails and the default is played.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NoReturn

from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.errors import ConfigError, short
from mixed_company.policies.policy import Policy

_PREFIX = "outside:"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


@lru_cache(maxsize=256)
def agent_of(spec: str | None) -> str | None:
    """Return the agent's name in a policy spec; None for any other policy.

    >>> agent_of("outside:gpt"), agent_of("fixed:harvest=3")
    ('gpt', None)
    """
    return spec.strip().removeprefix(_PREFIX) if spec and spec.strip().startswith(_PREFIX) else None


class Outside(Policy):
    """Plays an outside agent's decisions; without a server, it fails."""

    id = "outside"
    games = ()
    source = "outside this project"
    stage = None

    def __init__(self, rules: Core, agent: str) -> None:
        super().__init__(rules)
        if _NAME.fullmatch(agent) is None:
            raise ConfigError(
                f"outside:{short(agent)}: an agent's name should be 1 to 40 letters, digits, "
                "_ . or -"
            )
        self.agent = agent

    @property
    def apart(self) -> bool:
        """Always True, because an agent may take any length of time to answer."""
        return True

    def act(self, *_: Any) -> NoReturn:
        raise RuntimeError(f"agent {self.agent} decides only on a server")
