"""Parameters of the punishment vote, and the meaning of its action numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from pydantic import ValidationInfo, field_validator, model_validator

from mixed_company.engine.contract.config import Core, Section, parameter

MOVES = ("up", "down", "left", "right")
ACTIONS: Mapping[str, tuple[str, ...]] = {
    "simple": (*MOVES, "vote_increase", "vote_decrease", "noop"),
    "composite": (
        *(f"{move}_{vote}" for vote in ("no_vote", "increase", "decrease") for move in MOVES),
        "noop",
    ),
}
"""Meaning of the action numbers for each value of `actions`."""


_KIND = re.compile(r"[A-Za-z][A-Za-z0-9]{0,11}")


MOST_NUMBERS = 200_000
"""Maximum number of values shown to all seats in a turn, because the server has to write them
all."""


class Resource(Section):
    """One kind of resource."""

    value: float = parameter(0.0, "points for the collector", unit="points", ge=-1e6, le=1e6)
    harm: float = parameter(0.0, "points that each other seat loses", unit="points", ge=0, le=1e6)


_SOURCE_RESOURCES = {
    "A": Resource(value=3.0, harm=0.5),
    "B": Resource(value=7.0, harm=1.0),
    "C": Resource(value=2.0, harm=0.3),
    "D": Resource(value=-2.0, harm=1.5),
    "E": Resource(value=1.0, harm=0.1),
}

_field = partial(parameter, group="The field")
_turn = partial(parameter, group="Turns, and what players can see")
_level = partial(parameter, group="Punishment and votes")


class VoteCore(Core):
    """Parameters of the punishment vote."""

    seats: int = parameter(3, "number of seats", symbol="n", ge=1, le=50, first=True)
    turns: int = parameter(100, "number of turns", symbol="T", ge=1, le=10_000, first=True)
    height: int = _field(10, "rows of the grid, including the walls", ge=3, le=60)
    width: int = _field(10, "columns of the grid, including the walls", ge=3, le=60)
    vision: int = _turn(2, "cells that a seat sees in each direction", ge=0, le=10)
    map_memory: bool = _turn(False, "whether a seat is still shown the cells that it saw earlier")
    actions: Literal["simple", "composite"] = _turn(
        "simple", "whether a seat can either move or vote in a turn, or can do both"
    )
    timing: Literal["simultaneous", "sequential"] = _turn(
        "simultaneous", "whether seats act all at once or in turn"
    )
    views: Literal["own", "composite"] = _turn(
        "own", "windows that a seat sees: its own, or the windows of all seats"
    )
    worlds: Literal["shared", "separate"] = _field(
        "shared", "whether all seats share one grid, or each has its own"
    )
    resources: dict[str, Resource] = _field(_SOURCE_RESOURCES, "kinds of resource: value and harm")
    initial_resources: int = _field(15, "resources on a grid at the start", ge=0)
    spawn_probability: float = _field(
        0.05, "chance that an empty cell gets a resource, per turn", ge=0, le=1
    )
    spawn_weights: dict[str, float] | None = _field(
        None, "relative frequency of each kind; empty: all equal", validate_default=True
    )
    taboo: tuple[str, ...] | None = _level(
        None, "kinds that are punished; empty: all; []: none", validate_default=True
    )
    initial_level: float = _level(0.1, "punishment level at the start", symbol="p", ge=0, le=1)
    vote_step: float = _level(0.2, "effect of a vote on the level", ge=0, le=1)
    vote_cost: float = _level(0.1, "cost of a vote", unit="points", ge=0, le=1e6)
    magnitude: float = _level(10.0, "size of a punishment", unit="points", ge=0, le=1e6)
    punishment: Literal["expected", "lottery"] = _level(
        "expected",
        "always the level times the magnitude, or the full magnitude with a probability equal to "
        "the level",
    )

    @property
    def penalties(self) -> list[float]:
        """Punishments by kind: the magnitude if it is taboo, else 0."""
        return [self.magnitude if name in self.tabooed else 0.0 for name in self.resources]

    @property
    def tabooed(self) -> tuple[str, ...]:
        """Kinds that are punished."""
        return self.taboo or ()

    @field_validator("resources")
    @classmethod
    def _kinds(cls, kinds: dict[str, Resource]) -> dict[str, Resource]:
        if not 1 <= len(kinds) <= 20:
            raise ValueError(f"{len(kinds)} kinds: should be from 1 to 20")
        for name in kinds:
            if not _KIND.fullmatch(name) or name in ("empty", "wall"):
                raise ValueError(
                    f"{name!r}: a kind's name should be a letter and up to 11 more letters or "
                    f"digits, but neither 'empty' nor 'wall'"
                )
        return kinds

    @field_validator("spawn_weights")
    @classmethod
    def _fill_weights(
        cls, weights: dict[str, float] | None, info: ValidationInfo
    ) -> dict[str, float] | None:
        kinds = list(info.data.get("resources", ()))
        if weights is None or not kinds:
            return dict.fromkeys(kinds, 1.0)
        if sorted(weights) != sorted(kinds):
            raise ValueError(f"{weights}: should be one weight for each of {', '.join(kinds)}")
        if min(weights.values()) < 0 or max(weights.values()) > 1e6:
            raise ValueError(f"{weights}: weights should be from 0 to 1e6")
        if max(weights.values()) == 0:
            raise ValueError(f"{weights}: at least one weight should be above 0")
        return {name: weights[name] for name in kinds}

    @field_validator("taboo")
    @classmethod
    def _fill_taboo(
        cls, taboo: tuple[str, ...] | None, info: ValidationInfo
    ) -> tuple[str, ...] | None:
        kinds = list(info.data.get("resources", ()))
        if taboo is None or not kinds:
            return tuple(kinds)
        for name in taboo:
            if name not in kinds:
                raise ValueError(f"{name!r}: not a kind of resource; one of {', '.join(kinds)}")
        return tuple(name for name in kinds if name in taboo)

    @model_validator(mode="after")
    def _can_be_shown(self) -> VoteCore:
        side = 2 * self.vision + 1
        windows = self.seats * (self.seats if self.views == "composite" else 1)
        numbers = windows * side * side * (2 + len(self.resources) + self.seats)
        if numbers > MOST_NUMBERS:
            raise ValueError(
                f"vision = {self.vision}: with {self.seats} seats, {self.views} views and "
                f"{len(self.resources)} kinds of resources, each turn shows {numbers} numbers; "
                f"the limit is {MOST_NUMBERS}"
            )
        return self

    @model_validator(mode="after")
    def _fits(self) -> VoteCore:
        inside = (self.height - 2) * (self.width - 2)
        walkers = self.seats if self.worlds == "shared" else 1
        if self.initial_resources + walkers > inside:
            raise ValueError(
                f"initial_resources = {self.initial_resources}: together with the seats on a grid "
                f"({walkers}) it exceeds the cells inside the walls ({inside})"
            )
        return self


_LAB: Mapping[str, Any] = {
    "seats": 4,
    "turns": 100,
    "height": 12,
    "width": 12,
    "vision": 3,
    "map_memory": True,
    "initial_resources": 20,
    "resources": {"A": Resource(value=3.0), "B": Resource(value=5.0, harm=3.0)},
    "spawn_weights": {"A": 9.0, "B": 1.0},
    "taboo": ("B",),
}

_LAB_0_8: Mapping[str, Any] = {
    **_LAB,
    "spawn_probability": 0.02,
    "spawn_weights": {"A": 4.0, "B": 1.0},
}

_LAB_0_7: Mapping[str, Any] = {
    "seats": 4,
    "turns": 80,
    "height": 12,
    "width": 12,
    "vision": 3,
    "map_memory": True,
    "initial_resources": 20,
    "spawn_probability": 0.01,
    "resources": {**_SOURCE_RESOURCES, "B": Resource(value=7.0, harm=3.0)},
    "taboo": ("B",),
}

ARCHETYPES: Mapping[str, Mapping[str, Any]] = {
    "source": {},
    "sequential": {"timing": "sequential"},
    "composite": {"actions": "composite", "views": "composite"},
    "separate_worlds": {"worlds": "separate"},
    "lab": _LAB,
    "weighted_votes": {
        **_LAB_0_7,
        "agents": {
            "roles": {"elder": {}, "member": {}},
            "seats": ("elder", "member", "member", "member"),
        },
        "layers": {
            "power": {"intensity": 1.0, "weights": {"elder": 3.0}},
            "temporal": {"intensity": 1.0, "reputation_window": 10},
        },
    },
}

SUPERSEDED: Mapping[str, Mapping[str, Any]] = {"lab_0_7": _LAB_0_7, "lab_0_8": _LAB_0_8}
