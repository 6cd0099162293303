"""Permissions and rewards of roles.

Permissions are entire action fields, or individual choices of a field by name.

    acts: "all"                              every field, every choice
    acts: ["harvest"]                        these fields; the others are barred
    acts: {"action": ["up", "down", "noop"]} these fields, each with "all" or only these choices

If a role does not permit an action, it is replaced by the default, no matter who sent it.

A seat is always told its limits. Therefore, a seat that decides on an action must see, unaltered,
the observations that determine its limits (the action's `Field.reads`). A configuration that hides
them is rejected.

**Rewards** (`agents.roles.<role>.rewards`): a seat's pay can depend on what others earn.

A role maps `own` and the names of other roles to weights. With weights w, a seat in this role is
paid:

    w_own r + sum over the roles k it names of w_k m_k        (w_own is 1 if `own` is not named)

where r is the seat's reward under the game's rules, and m_k is the mean reward of the active seats
of role k (0 if there are none). The difference from r is the `attributed` component. For example, a
manager paid only from the workers' earnings has `{"own": 0, "worker": 1}`, and a team's rivals have
`{"other": -1}`.

This sets payment role by role, and a role cannot name itself. For sharing among all seats, use
`layers.interaction.share`. Layers are applied afterwards: a fee is not attributed, but attributed
points are shared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mixed_company.engine.contract.arrays import over_seats, spread, total
from mixed_company.engine.contract.config import OWN, Agents, Role, role_table, roles_of_seats
from mixed_company.engine.contract.declaration import Declaration
from mixed_company.engine.contract.errors import ConfigError, nearest
from mixed_company.engine.contract.space import Array, Arrays, Field


def barred_seats(agents: Agents, seats: int, actions: tuple[Field, ...]) -> dict[str, Array]:
    """Return flags (n,) for barred seats, by action field; fields without barred seats are left
    out.
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
    """Map each observation that an action's limits reveal to that action.

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
    """Refuse roles that cannot see the observations that their actions' limits reveal.

    Raises ConfigError.
    """
    always = {field.name for field in observations if field.open}
    for name, role in agents.roles.items():
        for field in actions:
            hidden = set(field.reads) - always - set(role.sees)
            if hidden and role.sees != "all" and _decides(role, field):
                raise ConfigError(
                    f"agents.roles.{name}.sees = {list(role.sees)!r}: add {min(hidden)!r}, because "
                    f"the limits of {field.name} reveal it, or leave {field.name} out of acts"
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
        rule = f"should include {default!r}, the action of a seat that does not decide"
        raise ConfigError(f"{key}: {rule}")
    return [name not in named for name in field.names]


def _check_no_choices(role: str, field: Field, acts: object) -> None:
    if isinstance(acts, Mapping) and acts.get(field.name, "all") != "all":
        key = f"agents.roles.{role}.acts.{field.name} = {list(acts[field.name])!r}"
        raise ConfigError(f"{key}: not a choice; use 'all' or leave the field out")


_ATTRIBUTED = "attributed"


class Attribution:
    """The roles' payment in one game; `neutral` if every seat is paid its own reward.

    Raises ConfigError if a role names itself or a role that no seat has.
    """

    def __init__(self, agents: Agents, seats: int) -> None:
        roles = roles_of_seats(agents, seats)
        for name, role in agents.roles.items():
            _check(name, role.rewards, set(roles))
        paid = [agents.roles[role].rewards for role in roles]
        self._ranges = [weights for weights in paid if weights]
        self._own_weights = np.array([weights.get(OWN, 1.0) for weights in paid])
        named = sorted({name for weights in paid for name in weights if name != OWN})
        self._of_role = {
            name: (
                np.array([role == name for role in roles]),
                np.array([weights.get(name, 0.0) for weights in paid]),
            )
            for name in named
        }
        self.neutral = not named and bool((self._own_weights == 1.0).all())

    def declared(self, declaration: Declaration) -> Declaration:
        """Return the declaration with the `attributed` component, if any seat needs it."""
        if self.neutral:
            return declaration
        low, high = spread(declaration.components)
        low, high = min(low, 0.0), max(high, 0.0)  # the mean is 0 for a role without active seats
        ends = [(0.0, 0.0), *(_ends(weights, low, high) for weights in self._ranges)]
        field = Field(
            _ATTRIBUTED,
            "by role: paid on top of, or instead of, the seat's own earnings",
            "points",
            low=min(end[0] for end in ends),
            high=max(end[1] for end in ends),
        )
        return replace(declaration, components=(*declaration.components, field))

    def added(self, components: Arrays, playing: Array | None) -> Arrays:
        """Return the components with `attributed`; inactive seats earn 0 and do not count."""
        if self.neutral:
            return components
        earned = total(components)
        paid = (self._own_weights - 1.0) * earned
        for member, weight in self._of_role.values():
            present = member if playing is None else member & playing
            count = np.maximum(over_seats(present.astype(np.float64)), 1.0)
            mean = over_seats(np.where(present, earned, 0.0)) / count
            paid = paid + weight * mean[..., None]
        if playing is not None:
            paid = np.where(playing, paid, 0.0)
        return {**components, _ATTRIBUTED: paid}


def _ends(weights: Mapping[str, float], low: float, high: float) -> tuple[float, float]:
    """Return the smallest and largest amount that these weights can add to a reward."""
    factors = [weights.get(OWN, 1.0) - 1.0, *(w for name, w in weights.items() if name != OWN)]
    least = sum(w * (low if w > 0 else high) for w in factors if w)
    return least, sum(w * (high if w > 0 else low) for w in factors if w)


def _check(role: str, rewards: Mapping[str, float], roles: set[str]) -> None:
    for name in rewards:
        key = f"agents.roles.{role}.rewards = {dict(rewards)!r}"
        if name == role:
            rule = (
                "a role cannot name itself; to share among all seats, use layers.interaction.share"
            )
            raise ConfigError(f"{key}: {rule}")
        if name != OWN and name not in roles:
            hint = nearest(name, sorted({OWN, *roles} - {role}))
            raise ConfigError(f"{key}: no seat has the role {name!r}{hint}")
