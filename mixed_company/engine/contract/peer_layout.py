"""Layout of peer points: the fields of the second stage, and which of them each seat sees.

`engine.contract.peers` explains the stage.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mixed_company.engine.contract.declaration import Declaration
from mixed_company.engine.contract.peer_core import PeerCore, cost_table, reward_effect
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.contract.stages import DECIDE

PEER = "peer"
"""Name of the stage in which points are assigned."""

ASSIGN = "assign"
"""Action field of that stage."""


class PeerLayout:
    """The fields for peer points in a game with this configuration.

    sees     (n, n) flags: row i sees the numbers of seat j; None if all seats see all numbers
    holding  observation of each seat's holdings, which costs may not exceed; None if there is none
    lasting  observations that would identify seats from one period to the next
    """

    def __init__(
        self,
        core: PeerCore,
        sees: Array | None,
        holding: str | None,
        lasting: tuple[str, ...],
        shows_income: bool = True,
    ) -> None:
        self.core, self.seats = core, core.seats
        self.shuffles = core.peer_names == "shuffled"
        self.holding = holding
        self._private = frozenset((*lasting, *([] if holding is None else [holding])))
        self._itself = np.arange(self.seats)
        self._own = np.eye(self.seats, dtype=np.bool_)
        self._sees = np.ones_like(self._own) if sees is None else sees
        self._incomes = self._sees if shows_income else self._own
        self._open = self._sees & ~self._own
        self._costs = cost_table(core)
        self._reward_costs = cost_table(core, reward=True)
        self._per_seat: dict[str, Field] = {}

    def reorders(self, name: str) -> bool:
        """Return whether seats see all numbers of this observation, but in shuffled order."""
        return self.shuffles and name in self._per_seat and name not in self._private

    # -- what is declared -------------------------------------------------------------------

    def declared(self, declared: Declaration) -> Declaration:
        """Return a game's layouts, including those of the second stage."""
        self._per_seat = {
            field.name: field
            for field in declared.observations
            if field.shape[:1] == (self.seats,)
            and not field.common
            and (self.shuffles or field.name in self._private)
        }
        seen = tuple(map(self._as_shown, declared.observations))
        return replace(
            declared,
            stages=(DECIDE, PEER),
            actions=(*declared.actions, self._action()),
            observations=(*seen, *self._observations()),
            state=(*map(self._unbounded, declared.state), *self._state()),
            components=(*declared.components, *self._components(declared)),
        )

    def _unbounded(self, field: Field) -> Field:
        """Return the field without a lower limit if it contains seats' holdings, because punishment
        may take more than a seat holds.
        """
        return replace(field, low=-np.inf) if field.name == self.holding else field

    def _action(self) -> Field:
        core = self.core
        meaning = {
            "punishment": "punishment points to each player",
            "reward": "reward points to each player",
            "both": "points to each player, negative to punish",
        }[core.peer]
        low = -core.peer_max if core.peer == "both" else 0
        return Field(
            ASSIGN,
            meaning,
            "points",
            "whole",
            low,
            core.peer_max,
            (self.seats,),
            grain=1.0,
            stage=1,
            reads=() if self.holding is None else (self.holding, "income"),
        )

    def _observations(self) -> Iterator[Field]:
        local = self.shuffles or not self._incomes.all()
        income = Field(
            "income",
            "earned by each player before points were assigned",
            "points",
            shape=(self.seats,),
            visibility="private" if local else "public",
            maskable=True,
        )
        yield replace(income, reads=("income", "shown_as") if self.shuffles else ())
        points_got = Field(
            "received",
            "points received from the others last period",
            "points",
            "whole",
            visibility="private",
            maskable=False,
        )
        yield replace(points_got, low=-self._most_got, high=self._most_got, reads=("received",))
        if self.core.peer_tells == "who":
            yield Field(
                "received_from",
                "points received from each player last period",
                "points",
                "real",
                -self.core.peer_max,
                self.core.peer_max,
                (self.seats,),
                "private",
                True,
                reads=("received_from", "shown_as") if self.shuffles else (),
            )

    def _state(self) -> Iterator[Field]:
        n = self.seats
        yield Field("income", "earned before points were assigned", "points", shape=(n,))
        yield Field(
            "assigned",
            "points from the player in the row to the player in the column",
            "points",
            "whole",
            shape=(n, n),
        )
        yield Field("received", "points received from the others", "points", "whole", shape=(n,))
        yield Field(
            "received_from",
            "points received: from the player in the column, by the player in the row",
            "points",
            "real",
            shape=(n, n),
        )
        yield Field("peer_cost", "paid for points assigned", "points", low=0.0, shape=(n,))
        yield Field("peer_received", "gained or lost through points received", "points", shape=(n,))
        if self.shuffles:
            yield Field(
                "shown_as",
                "order in which the row's player sees the players",
                "",
                "whole",
                0,
                n - 1,
                (n, n),
                "hidden",
            )

    @property
    def _most_got(self) -> int:
        return (self.seats - 1) * self.core.peer_max

    def _components(self, declared: Declaration) -> Iterator[Field]:
        core, others = self.core, self.seats - 1
        points = others if core.peer_targets is None else core.peer_targets
        paid = Field("peer_cost", "paid for points assigned (negative)", "points", high=0.0)
        dearest = max(float(self._costs[-1]), float(self._reward_costs[-1]))
        yield replace(paid, low=0.0 - points * dearest, visibility="private")
        low, high = self._range(declared)
        received = Field(
            "peer_received", "gained or lost through points received", "points", low=low, high=high
        )
        yield replace(received, visibility="private")

    def _range(self, declared: Declaration) -> tuple[float, float]:
        """Return the largest amounts that points can take from a seat and give to it."""
        effect = self.core.peer_effect * self._most_got
        won = reward_effect(self.core) * self._most_got
        if self.core.peer_effect_share is not None:
            richest = max(0.0, sum(max(field.high, 0.0) for field in declared.components))
            poorest = min(0.0, sum(min(field.low, 0.0) for field in declared.components))
            effect = max(richest, -poorest) * max(1.0, self.core.peer_effect_share * self._most_got)
            won = effect
        takes = self.core.peer != "reward" or self.core.peer_effect_share is not None
        gives = self.core.peer != "punishment" or self.core.peer_effect_share is not None
        return (0.0 - effect if takes else 0.0), (won if gives else 0.0)

    # -- what is seen -----------------------------------------------------------------------

    def view(self, seen: Arrays, state: Arrays) -> dict[str, Array]:
        """Return a game's observations, including those of the second stage, in the order shown."""
        shown = dict(seen)
        for name, field in self._per_seat.items():
            shown[name] = self._apart(field, seen[name])
        shown |= self._numbers(state)
        if self.shuffles:
            moved = [name for name, field in self._per_seat.items() if len(field.shape) == 1]
            for name in (*moved, *self._own_numbers):
                shown[name] = np.take_along_axis(shown[name], state["shown_as"], axis=-1)
        return shown

    def _numbers(self, state: Arrays) -> dict[str, Array]:
        income: Array = state["income"]
        if self.shuffles or not self._incomes.all():
            income = np.where(self._incomes, income[..., None, :], np.nan)
        numbers = {"income": income, "received": state["received"]}
        if self.core.peer_tells == "who":
            unknown = self._own
            if self.shuffles:  # last period's order would identify the seats
                unknown = unknown | (state["stage"] > 0)[..., None, None]
            numbers["received_from"] = np.where(unknown, np.nan, state["received_from"])
        return numbers

    @property
    def _own_numbers(self) -> tuple[str, ...]:
        """Observations in the second stage that have a number per seat."""
        return ("income", "received_from") if self.core.peer_tells == "who" else ("income",)

    def _as_shown(self, field: Field) -> Field:
        """Return the declaration of an observation that is shown to each seat separately."""
        field = self._unbounded(field)
        if field.name not in self._per_seat:
            return field
        reads = (*field.sources, "shown_as") if self.shuffles else field.sources
        return replace(field.hideable(), reads=reads)

    def _apart(self, field: Field, value: Array) -> Array:
        """Return an observation with a row per seat; a private one shows only the seat's own
        number."""
        axes = len(field.shape)
        by_seat = value if field.visibility == "private" else np.expand_dims(value, -1 - axes)
        itself = self._own if axes == 1 else self._own[:, :, None] & self._own[:, None, :]
        seen = itself if field.name in self._private else np.ones_like(itself)
        return np.asarray(np.where(seen, by_seat, np.nan))
