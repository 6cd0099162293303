"""Who is paid for what who earned: the rewards of roles, `agents.roles.<role>.rewards`.

A role maps `own` and the names of other roles to weights. With weights w a seat of it is paid

    w_own r + sum over the roles k it names of w_k m_k        (w_own is 1 where it is not named)

where r is what it earned itself by the rules of the game, and m_k the mean of what the seats of
role k that take part earned (0 if none does). What is paid besides, or instead of, r is the
component `attributed`. A manager who lives from what workers earn: `{"own": 0, "worker": 1}`;
rivals of another team: `{"other": -1}`.

That is who is paid, role by role. What all seats share alike is `layers.interaction.share`, and a
role cannot name itself: layers come after (a fee is not attributed, what is attributed is shared).
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

__all__ = ["Attribution"]

NAME = "attributed"


class Attribution:
    """What roles are paid in one game; `neutral` if every seat is paid what it earns.

    Raises ConfigError for a role that names itself, or one that no seat has.
    """

    def __init__(self, agents: Agents, seats: int) -> None:
        roles = roles_of_seats(agents, seats)
        for name, role in agents.roles.items():
            _check(name, role.rewards, set(roles))
        paid = [agents.roles[role].rewards for role in roles]
        self._ranges = [weights for weights in paid if weights]
        self._own = np.array([weights.get(OWN, 1.0) for weights in paid])
        named = sorted({name for weights in paid for name in weights if name != OWN})
        self._of_role = {
            name: (
                np.array([role == name for role in roles]),
                np.array([weights.get(name, 0.0) for weights in paid]),
            )
            for name in named
        }
        self.neutral = not named and bool((self._own == 1.0).all())

    def declared(self, declaration: Declaration) -> Declaration:
        """With the component this adds, and its bounds."""
        if self.neutral:
            return declaration
        low, high = spread(declaration.components)
        least, most = min(low, 0.0), max(high, 0.0)  # of a role of which nobody takes part
        ends = [(0.0, 0.0), *(_ends(weights, least, most) for weights in self._ranges)]
        field = Field(
            NAME,
            "by role: paid besides, or instead of, what was earned",
            "points",
            low=min(end[0] for end in ends),
            high=max(end[1] for end in ends),
        )
        return replace(declaration, components=(*declaration.components, field))

    def added(self, components: Arrays, playing: Array | None) -> Arrays:
        """The components with the one this adds; seats that do not take part earn and count 0."""
        if self.neutral:
            return components
        earned = total(components)
        paid = (self._own - 1.0) * earned
        for member, weight in self._of_role.values():
            present = member if playing is None else member & playing
            count = np.maximum(over_seats(present.astype(np.float64)), 1.0)
            mean = over_seats(np.where(present, earned, 0.0)) / count
            paid = paid + weight * mean[..., None]
        if playing is not None:
            paid = np.where(playing, paid, 0.0)
        return {**components, NAME: paid}


def _ends(weights: Mapping[str, float], low: float, high: float) -> tuple[float, float]:
    """The least and the most that these weights can add to what is earned."""
    factors = [weights.get(OWN, 1.0) - 1.0, *(w for name, w in weights.items() if name != OWN)]
    least = sum(w * (low if w > 0 else high) for w in factors if w)
    return least, sum(w * (high if w > 0 else low) for w in factors if w)


def _check(role: str, rewards: Mapping[str, float], roles: set[str]) -> None:
    for name in rewards:
        key = f"agents.roles.{role}.rewards = {dict(rewards)!r}"
        if name == role:
            rule = "a role does not name itself; what all share alike is layers.interaction.share"
            raise ConfigError(f"{key}: {rule}")
        if name != OWN and name not in roles:
            hint = nearest(name, sorted({OWN, *roles} - {role}))
            raise ConfigError(f"{key}: no seat has the role {name!r}{hint}")
