"""Agents from outside: can they come in, and are they there?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.experiment.treatments import shipped_series
from mixed_company.policies.outside import agent_of
from mixed_company.server.outside.keys import VARIABLE, keys
from mixed_company.server.preflight.finding import Finding, go, look, stop
from mixed_company.table.options import Options

__all__ = ["agents_in", "of_agents"]


def agents_in(options: Options) -> list[str]:
    """The names of the agents that can have seats in a session, sorted."""
    specs = [*options.bot_list, options.dropout_bot]
    return sorted({name for spec in specs if (name := agent_of(spec)) is not None})


def of_agents(
    config: Mapping[str, Any],
    variables: Mapping[str, str],
    connected: Mapping[str, int] | None = None,
) -> Iterator[Finding]:
    """A session config with all defaults filled in; `connected` says how many of each name there
    are, where the server itself is asked."""
    names = sorted(set(_named(config)))
    if not names:
        return
    try:
        known = keys(variables)
    except ConfigError as error:
        yield stop(f"{error}.")
        return
    for name in names:
        if name not in known:
            yield stop(f"Agent {name} has no key: nobody can come in as it ({VARIABLE}).")
        elif connected is None:
            yield look(f"Agent {name} has a key; the board says whether it is connected.")
        elif connected.get(name, 0):
            yield go(f"Agent {name} is connected.")
        else:
            yield stop(f"Agent {name} is not connected: start it, before people come.")


def _named(config: Mapping[str, Any]) -> Iterator[str]:
    for game_id in (app for app in config["app_sequence"] if app in engine.game_ids()):
        try:
            setups = shipped_series(game_id, config)[0].values()
        except EngineError:
            continue  # that it cannot be created is said elsewhere
        for setup in setups:
            yield from agents_in(setup.options)
