"""Combinations of settings that the design of a public good does not allow.

The `contributions`, `framing` and `others_earnings` keys change what players may do, how it is
worded, and what players see. Settings are refused if they would make the rules, instructions or
pages wrong. Every error names the key, the value and the rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mixed_company.engine.contract.config import OWN, Configuration
from mixed_company.engine.contract.errors import ConfigError, listed
from mixed_company.engine.contract.peer_core import PeerCore

_NEEDED = (("production", "public_good"), ("reward", "private"), ("lambda_R", 0.0))
_MANY = 10
"""Smallest endowment, in points, with controls that move by whole points instead of tenths."""

_SEEN = ("contribution", "memory_averages")


def grain_of(endowment: Any) -> float:
    """Return the step of a page's controls, in points. `endowment`: one number or one per seat."""
    return 1.0 if np.min(endowment) >= _MANY else 0.1


def check_design(core: PeerCore) -> None:
    """Raise ValueError for a changed design unless it is a public good without automatic sanctions.

    In other games, the rules and texts about the expected contribution would contradict the design.
    """
    for name in ("contributions", "framing", "others_earnings"):
        value = getattr(core, name)
        if value == type(core).model_fields[name].default:
            continue
        for other, needed in _NEEDED:
            actual = getattr(core, other)
            if actual != needed:
                raise ValueError(f"{name} = {value!r}: needs {other} = {needed!r}, not {actual!r}")
    _check_steps(core)


def _check_steps(core: Any) -> None:
    """Refuse endowments if people and bots could not leave equal amounts in the pool."""
    grain = grain_of(core.endowment)
    steps = np.asarray(core.endowment) / grain
    if core.framing == "take" and np.abs(steps - np.round(steps)).max() > 1e-9:
        raise ValueError(
            f"framing = 'take': needs endowments in steps of {grain:g}, not "
            f"endowment = {listed(core.endowment)}"
        )


def check_layers(config: Configuration[Any]) -> None:
    """Refuse layers and roles that contradict the design. Raises ConfigError."""
    core = config.core
    checks = {
        "contributions": ("all_or_nothing", _of_two_amounts),
        "framing": ("take", _of_taking),
    }
    for name, (value, against) in checks.items():
        if getattr(core, name) == value:
            _refuse(name, value, against(config))
    if core.others_earnings != "step":
        against = _of_earnings if core.others_earnings == "seen" else _of_no_earnings
        _refuse("others_earnings", core.others_earnings, against(config))


def _refuse(name: str, value: str, problems: Iterator[tuple[str, str]]) -> None:
    for key, rule in problems:
        raise ConfigError(f"core.{name} = {value!r}: {key} {rule}")


def _of_two_amounts(config: Configuration[Any]) -> Iterator[tuple[str, str]]:
    """Yield the settings that would change the meaning of "all" in a choice between all and
    nothing."""
    if _limited(config):
        yield "layers.power.limits", "changes what 'all' means; leave contribution out of it"


def _of_taking(config: Configuration[Any]) -> Iterator[tuple[str, str]]:
    """Yield the settings that pages describe only as contributing, not as taking."""
    rule = "is described to people only as contributing; leave out one of the two"
    layers, agents = config.layers, config.agents
    if _limited(config):
        yield "layers.power.limits", rule
    if layers.incentives.intensity and "contribution" in layers.incentives.fee:
        yield "layers.incentives.fee", rule
    if layers.hierarchy.intensity:
        yield "layers.hierarchy", rule
    if layers.uncertainty.intensity and layers.uncertainty.shocks:
        yield "layers.uncertainty.shocks", rule
    for key in ("hide", "show", "noise", "delay"):
        if layers.information.intensity and set(_SEEN) & set(getattr(layers.information, key)):
            yield f"layers.information.{key}", rule
    if agents.timing == "sequential":
        yield "agents.timing = 'sequential'", rule
    for name, role in agents.roles.items():
        if role.acts != "all" or role.sees != "all":
            yield f"agents.roles.{name}", rule


def _of_earnings(config: Configuration[Any]) -> Iterator[tuple[str, str]]:
    """Yield the settings that make a period's points differ from the points shown to players."""
    layers, rule = (
        config.layers,
        "changes the points that players get for a period; leave out one of the two",
    )
    if layers.incentives.intensity and layers.incentives.fee:
        yield "layers.incentives.fee", rule
    if layers.interaction.intensity and layers.interaction.share:
        yield "layers.interaction.share", rule
    if layers.temporal.intensity and layers.temporal.reward_delay:
        yield "layers.temporal.reward_delay", rule
    for name, role in config.agents.roles.items():
        if {OWN: 1.0, **role.rewards} != {OWN: 1.0}:
            yield f"agents.roles.{name}.rewards", rule
    for key in ("hide", "noise", "delay"):
        named = getattr(layers.information, key) if layers.information.intensity else ()
        if "contribution" in named and "earned" not in named:
            yield f"layers.information.{key}", "leaves out earned, which reveals contribution"


def _of_no_earnings(config: Configuration[Any]) -> Iterator[tuple[str, str]]:
    """Yield the settings that show the points of other players."""
    information = config.layers.information
    if information.intensity and {"income", "peer_received"} & set(information.show):
        yield "layers.information.show", "shows the others' points; leave out one of the two"


def _limited(config: Configuration[Any]) -> bool:
    """Return whether the largest contribution differs between roles."""
    power = config.layers.power
    return bool(power.intensity) and any("contribution" in by for by in power.limits.values())
