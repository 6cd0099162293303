"""Rewards of roles (`agents.roles.<role>.rewards`): a seat's pay can depend on what others earn.

A role maps `own` and the names of other roles to weights. With weights w, a seat in this role is
paid

    w_own r + sum over the roles k it names of w_k m_k        (w_own is 1 where it is not named)

where r is the seat's reward under the game's rules, and m_k is the mean reward of the active seats
of role k (0 if there are none). The difference from r is the component `attributed`. For example, a
manager who lives off the workers' earnings has `{"own": 0, "worker": 1}`, and a team's rivals have
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
from mixed_company.engine.contract.config import OWN, Agents, roles_of_seats
from mixed_company.engine.contract.declaration import Declaration
from mixed_company.engine.contract.errors import ConfigError, nearest
from mixed_company.engine.contract.space import Array, Arrays, Field

NAME = "attributed"


class Attribution:
    """Payment of roles in one game; `neutral` if every seat is paid its own reward.

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
        """Return the declaration with the component `attributed`, if any seat needs it."""
        if self.neutral:
            return declaration
        low, high = spread(declaration.components)
        low, high = min(low, 0.0), max(high, 0.0)  # the mean is 0 for a role without active seats
        ends = [(0.0, 0.0), *(_ends(weights, low, high) for weights in self._ranges)]
        field = Field(
            NAME,
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
        return {**components, NAME: paid}


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
