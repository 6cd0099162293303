"""Permissions of roles: entire action fields, or single choices of a field by name.

    acts: "all"                              every field, every choice
    acts: ["harvest"]                        these fields; the others are barred
    acts: {"action": ["up", "down", "noop"]} these fields, each with "all" or only these choices

If a role does not permit an action, the default replaces it, whoever sent it.

A seat is always told its limits. So a seat that decides on an action must see, unaltered, the
observations that determine its limits (`Field.reads` of the action). A configuration that hides
them is rejected.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mixed_company.engine.contract.config import Agents, Role, role_table, roles_of_seats
from mixed_company.engine.contract.errors import ConfigError, nearest
from mixed_company.engine.contract.space import Array, Field


def barred_seats(agents: Agents, seats: int, actions: tuple[Field, ...]) -> dict[str, Array]:
    """Return flags (n,) for the seats that roles bar, by action field, for fields with barred
    seats.
    """
    table = role_table(agents, seats, "acts")
    barred = {
        field.name: np.array([names is not None and field.name not in names for names in table])
        for field in actions
    }
    return {name: flags for name, flags in barred.items() if flags.any()}


def closed_choices(agents: Agents, seats: int, actions: tuple[Field, ...]) -> dict[str, Array]:
    """Return flags (n, choices) for the choices that a role closes, by action field.

    Fields without closed choices are left out. Raises ConfigError if a choice does not exist or the
    default would be closed.
    """
    roles = roles_of_seats(agents, seats)
    by_role = {
        name: {field.name: _closed(name, field, role.acts) for field in actions}
        for name, role in agents.roles.items()
    }
    closed = {
        field.name: np.array([by_role[role][field.name] for role in roles])
        for field in actions
        if field.kind == "choice"
    }
    return {name: flags for name, flags in closed.items() if flags.any()}


def told_by_limits(agents: Agents, seats: int, actions: tuple[Field, ...]) -> dict[str, str]:
    """Map each observation that limits reveal to the action with these limits.

    Only actions that some seat decides on are considered.
    """
    barred = barred_seats(agents, seats, actions)
    return {
        name: field.name
        for field in actions
        if field.name not in barred or not barred[field.name].all()
        for name in field.reads
    }


def check_limits_seen(
    agents: Agents, actions: tuple[Field, ...], observations: tuple[Field, ...]
) -> None:
    """Refuse roles that do not see the observations that their actions' limits reveal.

    Raises ConfigError.
    """
    always = {field.name for field in observations if field.open}
    for name, role in agents.roles.items():
        for field in actions:
            hidden = set(field.reads) - always - set(role.sees)
            if hidden and role.sees != "all" and _decides(role, field):
                raise ConfigError(
                    f"agents.roles.{name}.sees = {list(role.sees)!r}: lacks {min(hidden)!r}, which "
                    f"the limits of {field.name} reveal; add it, or leave {field.name} out of acts"
                )


def _decides(role: Role, field: Field) -> bool:
    return role.acts == "all" or field.name in role.acts


def beside(closed: Array, field: Field) -> Array:
    """Reshape flags per seat and choice, (..., choices), to broadcast with a field's places."""
    return closed.reshape(closed.shape[:-1] + (1,) * len(field.shape) + closed.shape[-1:])


def closed_at(closed: Array, field: Field, choice: Array) -> Array:
    """Return flags, shaped like `choice`, for choices among the `closed` ones, (..., choices)."""
    flags = np.broadcast_to(beside(closed, field), (*choice.shape, closed.shape[-1]))
    place = (choice - int(field.low)).astype(np.int64)[..., None]
    return np.asarray(np.take_along_axis(flags, place, axis=-1)[..., 0])


def _closed(role: str, field: Field, acts: object) -> list[bool]:
    """Return flags for the choices of a field that a role closes."""
    if field.kind != "choice":
        _check_no_choices(role, field, acts)
        return []
    named = acts.get(field.name, "all") if isinstance(acts, Mapping) else "all"
    if named == "all":
        return [False] * (int(field.high - field.low) + 1)
    key = f"agents.roles.{role}.acts.{field.name} = {list(named)!r}"
    if not field.names:
        raise ConfigError(f"{key}: its choices have no names; use 'all' or leave the field out")
    for name in named:
        if name not in field.names:
            raise ConfigError(f"{key}: {name!r} is not a choice{nearest(name, field.names)}")
    default = field.names[int(field.default - field.low)]
    if default not in named:
        rule = f"should name {default!r}, the default of a seat that does not decide"
        raise ConfigError(f"{key}: {rule}")
    return [name not in named for name in field.names]


def _check_no_choices(role: str, field: Field, acts: object) -> None:
    if isinstance(acts, Mapping) and acts.get(field.name, "all") != "all":
        key = f"agents.roles.{role}.acts.{field.name} = {list(acts[field.name])!r}"
        raise ConfigError(f"{key}: is not a choice; use 'all' or leave the field out")
