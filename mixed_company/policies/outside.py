"""The policy on a seat that an agent from outside has: `outside:NAME` in the policies of a session.

Whoever connects to the server with the key of NAME decides there (docs/agents.md); what it decides
follows from nothing that is known here. Asked anywhere else it fails, so that the default counts.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.errors import ConfigError, short
from mixed_company.policies.policy import Policy

__all__ = ["Outside", "agent_of"]

_PREFIX = "outside:"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


def agent_of(spec: str | None) -> str | None:
    """The name of the agent that a policy spec means; None: it is a policy like any other.

    >>> agent_of("outside:gpt"), agent_of("fixed:harvest=3")
    ('gpt', None)
    """
    return spec.strip().removeprefix(_PREFIX) if spec and spec.strip().startswith(_PREFIX) else None


class Outside(Policy):
    """Does what an agent that is no part of the server decides; without a server, nothing."""

    id = "outside"
    games = ()
    source = "outside of this project"

    def __init__(self, rules: Core, agent: str) -> None:
        super().__init__(rules)
        if _NAME.fullmatch(agent) is None:
            raise ConfigError(
                f"outside:{short(agent)}: the name of an agent should be 1 to 40 letters, digits, "
                "_ . or -"
            )
        self.agent = agent

    @property
    def apart(self) -> bool:
        """Always: it is not known when it answers."""
        return True

    def act(self, *_: Any) -> NoReturn:
        raise RuntimeError(f"agent {self.agent} decides on a server only")
