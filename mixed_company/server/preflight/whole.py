"""All findings, both on the server and on one session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.preflight import Finding
from mixed_company.server.preflight.session import of_session
from mixed_company.server.preflight.site import of_agents, of_database, of_rooms, of_server
from mixed_company.server.sessions import refusal_of


def looked_at(
    project: Any,
    session: str,
    people: int,
    budget: float | None,
    address: str,
    variables: Mapping[str, str],
    simulated: str = "",
) -> list[Finding]:
    """Return all findings on a session config, by its name.

    `project` holds the project's settings, and `variables` the server's environment variables;
    `simulated` names policies that play in place of people, separated by commas. Raises UnknownName
    for an unknown session, or ConfigError for an invalid number or plan.
    """
    if people < 1:
        raise ConfigError(f"people = {people}: should be at least 1")
    if budget is not None and not budget > 0:
        raise ConfigError(f"budget = {budget:g}: should be greater than 0")
    configs = {config["name"]: config for config in project.SESSION_CONFIGS}
    if session not in configs:
        raise refusal_of(session, configs)
    config = {**project.SESSION_CONFIG_DEFAULTS, **configs[session]}
    return findings(project, config, people, budget, address, variables, simulated)


def findings(
    project: Any,
    config: Mapping[str, Any],
    people: int,
    budget: float | None,
    address: str,
    variables: Mapping[str, str],
    simulated: str = "",
    connected: Mapping[str, int] | None = None,
) -> list[Finding]:
    """Return all findings on a session config that includes all defaults. `connected` maps agents'
    names to their connections; it is passed if the server itself runs the check.
    """
    return [
        *of_server(variables, project.SECRET_KEY, address),
        *of_rooms(getattr(project, "ROOMS", [])),
        *of_database(variables.get("DATABASE_URL")),
        *of_session(config, people, budget, simulated),
        *of_agents(config, variables, connected),
    ]
