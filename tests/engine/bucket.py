"""Game with peer points that is not one of the shipped games: a leaky bucket."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mixed_company.engine import Game
from mixed_company.engine.contract.config import parameter
from mixed_company.engine.contract.declaration import Declaration
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.engine.contract.space import Array, Arrays, Field


class BucketCore(PeerCore):
    """Parameters of the bucket."""

    periods: int = parameter(4, "number of periods", ge=1)
    endowment: int = parameter(10, "points of a seat in a period", unit="points", ge=1)


class Bucket(Game[BucketCore]):
    """Game in which each seat keeps what it does not put into a leaky bucket.

    Putting more into it is cooperative; in a subclass, it is the opposite.
    """

    id, version, Core = "bucket", "1", BucketCore
    archetypes: ClassVar[Mapping[str, Mapping[str, Any]]] = {"lab": {}}
    generous = True

    @property
    def horizon(self) -> int:
        return self.core.periods

    def declare(self) -> Declaration:
        endowment = self.core.endowment
        changes = Field("given", "put into the bucket", "points", "whole", 0, endowment)
        seen = replace(changes, kind="real", shape=(self.seats,), maskable=True)
        kept = Field("kept", "kept", "points", low=0, high=endowment)
        return Declaration((changes,), (seen,), (replace(seen, maskable=False),), (kept,), {})

    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        return {"given": np.zeros((*batch, self.seats))}

    def transition(self, state: Arrays, used: Arrays, chance: Arrays) -> Arrays:
        return {"given": used["given"].astype(float)}

    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        return {"kept": self.core.endowment - after["given"]}

    def view(self, state: Arrays, chance: Arrays) -> Arrays:
        return {"given": state["given"]}

    def income(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        return self.reward(before, used, after)["kept"]

    def cooperation(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        share = np.asarray(used["given"]) / self.core.endowment
        return np.asarray(share if self.generous else 1.0 - share)
