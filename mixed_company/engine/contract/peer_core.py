"""Parameters of peer points, part of the core of every game that has them.

After a period's decision, each seat sees what the others did, and can spend points to punish or
reward particular seats. `engine.contract.peers` has the rules.

Without peer points (`peer = "none"`), no peer parameter is written into a configuration, so it
stays the same as in releases without peer points. For the same reason, parameters added later
(`PeerCore.later`) are written only if they differ from their defaults.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field as PydanticField
from pydantic import SerializerFunctionWrapHandler, model_serializer, model_validator

from mixed_company.engine.contract.config import Core, parameter
from mixed_company.engine.contract.errors import listed
from mixed_company.engine.contract.space import Array

_peer = partial(parameter, group="Peer points")
_PREFIX = "peer"
Cost = Annotated[float, PydanticField(ge=0, le=1e6)]


class PeerCore(Core):
    """Parameters of peer points. A game that has peer points subclasses this instead of `Core`.

    later   parameters that configurations of earlier releases lack
    """

    later: ClassVar[tuple[str, ...]] = ("peer_reward_cost", "peer_reward_effect")

    peer: Literal["none", "punishment", "reward", "both"] = _peer(
        "none", "points that seats assign to each other after a period's decision"
    )
    peer_max: int = _peer(
        10, "maximum number of points to one other seat", unit="points", ge=1, le=1000
    )
    peer_budget: int | None = _peer(
        None,
        "maximum number of points that a seat may assign to all others combined; empty: no limit",
        unit="points",
        ge=1,
    )
    peer_targets: int | None = _peer(
        None, "maximum number of other seats that get points; empty: no limit", unit="seats", ge=1
    )
    peer_costs: tuple[Cost, ...] = _peer(
        (),
        "costs of 0, 1, 2, ... points to one other seat; empty: peer_cost for each point",
        unit="points",
    )
    peer_cost: float = _peer(
        1.0, "cost of a point for the seat that assigns it", unit="points", symbol="c", ge=0, le=1e6
    )
    peer_effect: float = _peer(
        3.0,
        "points that the target loses, or gains, per point",
        unit="points",
        symbol="e",
        ge=0,
        le=1e6,
    )
    peer_reward_cost: float | None = _peer(
        None,
        "with both kinds of points: cost of a reward point; empty: peer_cost",
        unit="points",
        ge=0,
        le=1e6,
    )
    peer_reward_effect: float | None = _peer(
        None,
        "with both kinds of points: points gained per reward point; empty: peer_effect",
        unit="points",
        ge=0,
        le=1e6,
    )
    peer_effect_share: float | None = _peer(
        None,
        "share of the target's income that a point takes or gives; empty: peer_effect",
        ge=0,
        le=1,
    )
    peer_floor: Literal["none", "stage"] = _peer(
        "none", "whether punishment takes at most the income from the period's decision"
    )
    peer_tells: Literal["total", "who"] = _peer(
        "total", "whether a seat learns only how many points it got in total, or also from whom"
    )
    peer_names: Literal["fixed", "shuffled"] = _peer(
        "fixed", "whether the others are shown in a new random order each period"
    )

    @model_serializer(mode="wrap")
    def _without_peers(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = serialise(self)
        fields = type(self).model_fields
        unset = {name for name in self.later if getattr(self, name) == fields[name].default}
        if self.peer == "none":
            unset |= {key for key in data if key.startswith(_PREFIX)}
        return {key: value for key, value in data.items() if key not in unset}

    @classmethod
    def unwritten(cls) -> tuple[str, ...]:
        return tuple(
            name for name in cls.model_fields if name.startswith(_PREFIX) or name in cls.later
        )

    @model_validator(mode="after")
    def _peers_are_possible(self) -> PeerCore:
        if self.peer == "none":
            self._check_nothing_set()
            return self
        if self.seats < 2:
            raise ValueError(f"peer = {self.peer!r}: needs at least 2 seats, not {self.seats}")
        self._check_costs()
        self._check_rewards()
        if self.peer_targets is not None and self.peer_targets > self.seats - 1:
            raise ValueError(
                f"peer_targets = {self.peer_targets}: should be at most {self.seats - 1}, "
                "the other seats"
            )
        if self.peer_effect_share is not None:
            for name in ("peer_effect", "peer_floor"):
                if getattr(self, name) != PeerCore.model_fields[name].default:
                    raise ValueError(
                        f"{name} = {getattr(self, name)!r}: has no effect if peer_effect_share is "
                        f"set; leave out one of the two"
                    )
        if self.peer_floor != "none" and self.peer == "reward":
            raise ValueError(
                f"peer_floor = {self.peer_floor!r}: has no effect, because rewards take nothing "
                f"away"
            )
        return self

    def _check_nothing_set(self) -> None:
        for name, field in PeerCore.model_fields.items():
            if name.startswith(_PREFIX) and getattr(self, name) != field.default:
                raise ValueError(
                    f"{name} = {_shown(getattr(self, name))}: has an effect only with peer = "
                    "'punishment', 'reward' or 'both'"
                )

    def _check_costs(self) -> None:
        costs = self.peer_costs
        if not costs:
            return
        if self.peer_cost != PeerCore.model_fields["peer_cost"].default:
            raise ValueError(
                f"peer_cost = {self.peer_cost:g}: has no effect if peer_costs is set; leave out "
                f"one of the two"
            )
        if len(costs) != self.peer_max + 1:
            raise ValueError(
                f"peer_costs = {listed(costs)}: should be {self.peer_max + 1} numbers, for 0 to "
                f"peer_max = {self.peer_max} points"
            )
        if costs[0] != 0:
            raise ValueError(f"peer_costs = {listed(costs)}: 0 points should cost 0")
        if any(later < earlier for earlier, later in pairwise(costs)):
            raise ValueError(
                f"peer_costs = {listed(costs)}: more points should not cost less than fewer points"
            )

    def _check_rewards(self) -> None:
        """Refuse a separate cost or effect for reward points if it would have no effect."""
        for name, instead in (
            ("peer_reward_cost", "peer_costs"),
            ("peer_reward_effect", "peer_effect_share"),
        ):
            value = getattr(self, name)
            if value is None:
                continue
            if self.peer != "both":
                other = name.replace("reward_", "")
                raise ValueError(
                    f"{name} = {value:g}: needs peer = 'both'; with peer = {self.peer!r}, set "
                    f"{other}"
                )
            if getattr(self, instead) != type(self).model_fields[instead].default:
                raise ValueError(
                    f"{name} = {value:g}: has no effect if {instead} is set; "
                    "leave out one of the two"
                )


def cost_table(core: PeerCore, *, reward: bool = False) -> Array:
    """Return the costs of assigning 0, 1, ..., peer_max points to one seat, shape (peer_max + 1,).

    If `reward`, return the costs of reward points, which may differ from those of punishment
    points.
    """
    if core.peer_costs:
        return np.array(core.peer_costs, dtype=np.float64)
    cost = core.peer_cost
    if reward and core.peer_reward_cost is not None:
        cost = core.peer_reward_cost
    return cost * np.arange(core.peer_max + 1, dtype=np.float64)


def reward_effect(core: PeerCore) -> float:
    """Return the points that a target gains from one reward point."""
    return core.peer_effect if core.peer_reward_effect is None else core.peer_reward_effect


def _shown(value: Any) -> str:
    return listed(value) if isinstance(value, tuple) else repr(value)
