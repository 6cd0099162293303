"""Toy game with one action field of each kind, for tests of behaviour shared by all games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.config import Core, parameter
from mixed_company.engine.contract.space import Field
from mixed_company.engine.game import Declaration, Game


class ToyCore(Core):
    periods: int = parameter(3, "number of periods", ge=1)
    may_flag: bool = parameter(False, "is there an action field of kind flag")


class Toy(Game[ToyCore]):
    """Game in which every seat picks a door, counts and pushes, and earns the sum of its count and
    push.
    """

    id = "toy"
    version = "1"
    Core = ToyCore
    archetypes: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    @property
    def horizon(self) -> int:
        return self.core.periods

    def declare(self) -> Declaration:
        n = self.seats
        flag = (Field("bell", "ring the bell", kind="flag", low=0, high=1),)
        return Declaration(
            actions=(
                Field("door", "the door picked", kind="choice", low=0, high=2, default=1.0),
                Field("count", "how many", "pieces", kind="whole", low=0.0, high=10.0),
                Field("push", "how hard", "newton", low=-1.0, high=1.0),
                *(flag if self.core.may_flag else ()),
            ),
            observations=(
                Field("doors", "doors picked last", kind="choice", low=0, high=2, shape=(n,)),
                Field(
                    "own",
                    "own door",
                    kind="choice",
                    low=0,
                    high=2,
                    visibility="private",
                    reads=("doors",),
                ),
            ),
            state=(Field("doors", "doors picked", kind="choice", low=0, high=2, shape=(n,)),),
            components=(
                Field("count", "counted", "points", low=0, high=10),
                Field("push", "pushed", "points", low=-1, high=1),
            ),
            endings={},
        )

    def initial(self, chance: Any, batch: tuple[int, ...]) -> Any:
        return {"doors": np.zeros((*batch, self.seats), dtype=np.int64)}

    def transition(self, state: Any, used: Any, chance: Any) -> Any:
        return {"doors": used["door"]}

    def reward(self, before: Any, used: Any, after: Any) -> Any:
        return {"count": used["count"].astype(float), "push": used["push"]}

    def view(self, state: Any, chance: Any) -> Any:
        return {"doors": state["doors"], "own": state["doors"]}


def toy(**core: Any) -> engine.Game[Any]:
    return engine.make(Toy, **{"seats": 2, **core})


def moves(door: Any = (0, 0), count: Any = (0, 0), push: Any = (0, 0)) -> dict[str, Any]:
    return {"door": door, "count": count, "push": push}
