"""All that is looked at, of the server and of one session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.preflight.agents import of_agents
from mixed_company.server.preflight.database import of_database
from mixed_company.server.preflight.finding import Finding
from mixed_company.server.preflight.rooms import of_rooms
from mixed_company.server.preflight.session import of_session
from mixed_company.server.preflight.setting import of_server
from mixed_company.server.sessions import refusal_of

__all__ = ["looked_at"]


def looked_at(
    project: Any,
    session: str,
    people: int,
    budget: float | None,
    address: str,
    variables: Mapping[str, str],
) -> list[Finding]:
    """Everything, in the order of the modules. Raises UnknownName for a session that is not there,
    or ConfigError for a number or a plan with an error.

    `project` are the settings of the project, `variables` those of the server.
    """
    if people < 1:
        raise ConfigError(f"people = {people}: should be at least 1")
    if budget is not None and not budget > 0:
        raise ConfigError(f"budget = {budget:g}: should be above 0")
    configs = {config["name"]: config for config in project.SESSION_CONFIGS}
    if session not in configs:
        raise refusal_of(session, configs)
    config = {**project.SESSION_CONFIG_DEFAULTS, **configs[session]}
    return [
        *of_server(variables, project.SECRET_KEY, address),
        *of_rooms(getattr(project, "ROOMS", [])),
        *of_database(variables.get("DATABASE_URL")),
        *of_session(config, people, budget),
        *of_agents(config, variables),
    ]
