"""A linear public good with punishment: seats pay into a pot, and punish those that gave least.

Source: Fehr and Gächter (2000), "Cooperation and punishment in public goods experiments", American
Economic Review 90(4), 980-994. Here only the seats that gave least can be punished, and punishment
is decided together with the next contribution.

Every period each seat has an endowment e and decides

    contribution  0 .. e, whole points. The sum of contributions, times the marginal return m, goes
                  to every seat
    punishment    0 .. p_max, whole points. Each costs the punisher 1 and takes `strength` from the
                  other seats that gave least in the period before, divided among them. Without
                  such a seat only 0 is allowed: in the first period, if all gave the same, and for
                  a seat that alone gave least

    reward = (e - contribution) + m * sum of contributions - punishment spent - punishment suffered

Action           `contribution`, `punishment`
State            from the last period, by seat: `contribution`, `suffered`, and `lowest` (a flag)
Observation      the same; `lowest` are the seats that can be punished now. Every seat sees them,
                 whatever layers and roles hide, because they determine who can punish
Components       `kept`, `share`, `spent`, `suffered` (these two negative), in this order
Cooperation      contribution / e
Endings          `horizon` (neither)

A seat that has left the play gives nothing, and is neither among the lowest nor punished.

Archetype `lab`: 4 seats, 10 periods, e = 20, m = 0.4, p_max = 5, strength 3. The sums:

    If all give 20, each earns 0 + 0.4 * 80 = 32. If all give 0, each earns 20. A seat that gives 0
    while the others give 20 earns 20 + 0.4 * 60 = 44, which is 12 more than by giving, because a
    point kept is worth 1 and a point given 0.4. If each of the three others spends 2 points on it
    in the next period, they lose 2 each and it loses 3 * 2 * 3 = 18, more than it had gained.

`source` has no punishment: p_max = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.config import Core, parameter
from mixed_company.engine.contract.declaration import EventKind
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Declaration, Game

__all__ = ["GAME", "PublicGood", "PublicGoodCore"]


class PublicGoodCore(Core):
    """Parameters of the public good."""

    periods: int = parameter(10, "number of periods", symbol="T", ge=1, le=10_000, first=True)
    endowment: int = parameter(
        20, "points of each seat per period", unit="points", symbol="e", ge=1, le=10_000
    )
    marginal_return: float = parameter(
        0.4, "what each seat gets for a point in the pot", symbol="m", ge=0, le=10
    )
    most_punishment: int = parameter(
        5, "points a seat can spend on punishment", unit="points", symbol="p_max", ge=0, le=1000
    )
    strength: float = parameter(3.0, "what a point of punishment takes", ge=0, le=100)


class PublicGood(Game[PublicGoodCore]):
    """Linear public good with punishment; see the module's docstring."""

    id = "public_good"
    version = "1"
    Core = PublicGoodCore
    archetypes: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "source": {"most_punishment": 0},
        "lab": {},
    }
    event_kinds: ClassVar[Mapping[str, EventKind]] = {
        "penalty": EventKind("a `seat` lost `points` as a punishment")
    }

    @property
    def horizon(self) -> int:
        return self.core.periods

    def declare(self) -> Declaration:
        state = _state(self.core)
        return Declaration(
            actions=_actions(self.core),
            observations=(
                *(replace(field, maskable=True) for field in state if field.name != "lowest"),
                *(replace(field, open=True) for field in state if field.name == "lowest"),
            ),
            state=state,
            components=_components(self.core),
            endings={},
        )

    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        names = ("contribution", "suffered", "lowest")
        return {name: np.zeros((*batch, self.seats)) for name in names}

    def limits(self, state: Arrays) -> Mapping[str, tuple[Any, Any]]:
        punishable = self._others_to_punish(state) > 0
        return {"punishment": (0.0, np.where(punishable, self.core.most_punishment, 0.0))}

    def transition(self, state: Arrays, used: Arrays, chance: Arrays) -> Arrays:
        contributions = used["contribution"].astype(np.float64)
        on_one = used["punishment"] / np.maximum(self._others_to_punish(state), 1.0)
        received = over_seats(on_one)[..., None] - on_one  # the other seats' points
        return {
            "contribution": contributions,
            "suffered": self.core.strength * self._to_punish(state) * received,
            "lowest": self._lowest(state, contributions),
        }

    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        contributions = after["contribution"]
        pot = over_seats(contributions)[..., None]
        return {
            "kept": self.core.endowment - contributions,
            "share": self.core.marginal_return * pot + 0.0 * contributions,
            "spent": 0.0 - used["punishment"],
            "suffered": 0.0 - after["suffered"],
        }

    def view(self, state: Arrays, chance: Arrays) -> Arrays:
        return {name: state[name] for name in ("contribution", "suffered", "lowest")}

    def cooperation(self, before: Arrays, used: Arrays, after: Arrays) -> Array:
        return np.asarray(used["contribution"] / self.core.endowment)

    def events(self, before: Arrays, used: Arrays, after: Arrays) -> list[dict[str, Any]]:
        return [
            {"event": "penalty", "seat": seat, "points": points}
            for seat, points in enumerate(after["suffered"].tolist())
            if points > 0
        ]

    def _to_punish(self, state: Arrays) -> Array:
        """Return 1 for each seat that can be punished in this period, else 0, shape (n,)."""
        playing = self.playing(state)
        lowest: Array = state["lowest"]
        return lowest if playing is None else lowest * playing

    def _others_to_punish(self, state: Arrays) -> Array:
        """Return the number of other seats that each seat can punish in this period, shape (n,)."""
        flags = self._to_punish(state)
        return np.asarray(over_seats(flags)[..., None] - flags)

    def _lowest(self, state: Arrays, contributions: Array) -> Array:
        """Return 1 for each seat that gave least, shape (n,); all 0 if all gave the same."""
        playing = self.playing(state)
        here = np.ones(contributions.shape, np.bool_) if playing is None else playing
        least = here & (
            contributions == np.where(here, contributions, np.inf).min(axis=-1, keepdims=True)
        )
        alike = (least == here).all(axis=-1, keepdims=True)
        return np.asarray(least & ~alike, dtype=np.float64)


def _most_suffered(core: PublicGoodCore) -> float:
    return core.strength * core.most_punishment * max(core.seats - 1, 1)


def _actions(core: PublicGoodCore) -> tuple[Field, ...]:
    limits = {"contribution": core.endowment, "punishment": core.most_punishment}
    meanings = {
        "contribution": "paid into the pot",
        "punishment": "spent on punishing who gave least last period",
    }
    reads = {"contribution": (), "punishment": ("lowest",)}
    return tuple(
        Field(name, meaning, "points", kind="whole", low=0.0, high=limits[name], reads=reads[name])
        for name, meaning in meanings.items()
    )


def _state(core: PublicGoodCore) -> tuple[Field, ...]:
    limits, shape = _most_suffered(core), (core.seats,)
    suffered = "lost by each seat to punishment last period"
    return (
        Field("contribution", "given by each seat last period", "points", low=0.0, shape=shape),
        Field("suffered", suffered, "points", low=0.0, high=limits, shape=shape),
        Field("lowest", "gave least last period: can be punished", low=0, high=1, shape=shape),
    )


def _components(core: PublicGoodCore) -> tuple[Field, ...]:
    limits = {
        "share": core.marginal_return * core.endowment * core.seats,
        "spent": float(core.most_punishment),
        "suffered": _most_suffered(core),
    }
    lost = "lost to punishment (negative)"
    return (
        Field("kept", "kept of the endowment", "points", low=0.0, high=core.endowment),
        Field("share", "own share of the pot", "points", low=0.0, high=limits["share"]),
        Field("spent", "spent on punishing (negative)", "points", low=-limits["spent"], high=0.0),
        Field("suffered", lost, "points", low=-limits["suffered"], high=0.0),
    )


GAME = PublicGood
