"""Peer points: a second stage of a period, in which seats spend points to punish or reward others.

The design is from Fehr and Gächter (2000), American Economic Review 90, 980-994; rewards:
Sefton, Shupp and Walker (2007), Economic Inquiry 45, 671-690.

Seats first decide (stage `decide`), then see the result, and then assign points (stage `peer`).
With s_i the income of stage `decide`, a_ij >= 0 the points that i assigns to j, and c the costs:

    peer_effect        s_i - sum_j c(a_ij) - effect sum_j a_ji
    peer_effect_share  s_i max(0, 1 - share sum_j a_ji) - sum_j c(a_ij)

A reward adds as much as a punishment takes; a reward by a share adds s_i share sum_j a_ji. With
`both`, negative numbers punish and positive numbers reward; reward points may have a different cost
and effect (peer_reward_cost, peer_reward_effect). With peer_floor `stage`, punishment takes at most
s_i, if that is positive. A seat cannot assign points to itself, to a seat that has ended, or to a
seat whose numbers it never sees. In a game that records seats' holdings, costs cannot exceed them.

For example, with incomes 20, 20, 20, 32, seats 0 and 1 each punish seat 3 with 2 points (cost 1,
effect 3):

    20 - 2 = 18, 18, 20, 32 - 3 * 4 = 20

Action       `assign` (n), whole numbers; a seat that does not decide assigns nothing
State        `income` (n) of the last stage `decide`, `assigned` (n, n) from row to column,
             `peer_cost` (n), `peer_received` (n), `shown_as` (n, n) with peer_names `shuffled`
Observation  `stage`; `income` of every seat that is seen; `received`, the points a seat got in the
             last period, and with peer_tells `who` those `received_from` (n) each seat
Components   `peer_cost` (negative), `peer_received`

Only the seat itself sees what it holds (`Rules.holding`), because others could work out its
spending from this.

With peer_names `shuffled`, row i of `shown_as` is the order in which the seats are shown to seat i.
It is redrawn each period, but the seat's own place does not change. All observations with a
number per seat are in this order, and so are the places in `assign`. If numbers would identify
seats from one period to the next (`Rules.lasting`), a seat sees only its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Protocol

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.assigning import Assigning
from mixed_company.engine.contract.chance import Chance
from mixed_company.engine.contract.config import Configuration
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.peer_core import PeerCore, reward_effect
from mixed_company.engine.contract.peer_layout import ASSIGN, PeerLayout
from mixed_company.engine.contract.space import Array, Arrays


class PeerRules(Protocol):
    """Attributes of a game that peer points use; `Rules` explains them."""

    holding: ClassVar[str | None]
    lasting: ClassVar[tuple[str, ...]]

    @property
    def shows_income(self) -> bool: ...

    def in_view(self) -> Array | None: ...


class Peers(PeerLayout):
    """Peer points of a game with this configuration."""

    @classmethod
    def of(cls, config: Configuration[Any], rules: PeerRules) -> Peers | None:
        """Return the peer points of a configuration, or None if it has none. Raises ConfigError."""
        core, sees = config.core, rules.in_view()
        if not isinstance(core, PeerCore) or core.peer == "none":
            return None
        shuffles = core.peer_names == "shuffled"
        if shuffles:
            _check_nobody_is_named(config, sees)
        lasting = rules.lasting if shuffles else ()
        return cls(core, sees, rules.holding, lasting, rules.shows_income)

    def draw(self, chance: Chance) -> Arrays:
        """Draw the random numbers that shuffle the order of seats, if it is shuffled."""
        if not self.shuffles:
            return {}
        return {"peer_order": chance("peer_order").apart((self.seats, self.seats)).uniform()}

    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        """Return the state fields before the first period."""
        n = self.seats
        state: dict[str, Array] = {
            "income": np.zeros((*batch, n)),
            "assigned": np.zeros((*batch, n, n), dtype=np.int64),
            "received": np.zeros((*batch, n), dtype=np.int64),
            "received_from": np.zeros((*batch, n, n)),
            "peer_cost": np.zeros((*batch, n)),
            "peer_received": np.zeros((*batch, n)),
        }
        return {**state, **self.order(chance, batch)}

    def order(self, chance: Arrays, batch: tuple[int, ...]) -> dict[str, Array]:
        """Return the period's order, (n, n): row i is the order in which seat i sees the seats.

        Plays in a batch can share one draw.
        """
        if not self.shuffles:
            return {}
        drawn, n = chance["peer_order"], self.seats
        others = np.where(self._own, np.inf, drawn).argsort(axis=-1)[..., : n - 1]
        order = np.broadcast_to(self._itself[:, None], (*drawn.shape[:-1], n)).copy()
        for seat in range(n):
            order[..., seat, np.arange(n) != seat] = others[..., seat, :]
        return {"shown_as": np.broadcast_to(order.astype(np.int64), (*batch, n, n))}

    def assigning(self, state: Arrays, playing: Array | None) -> Assigning:
        """Return the current rules for the points that seats may assign."""
        held = None if self.holding is None else state[self.holding] + state["income"]
        batch = np.shape(state["period"])
        shut = np.broadcast_to(self._open, (*batch, self.seats, self.seats))
        if playing is not None:
            shut = shut & playing[..., None, :] & playing[..., :, None]
            held = None if held is None else np.where(playing, held, 0.0)
        if self.shuffles:
            shut = np.take_along_axis(shut, state["shown_as"], axis=-1)
        return self._rules(np.broadcast_to(self._itself, (*batch, self.seats)), shut, held)

    def assigning_of(self, seat: int, places: Iterable[int], seen: Arrays) -> Assigning:
        """Return the rules for one seat; `places` lists the seats that may get points, numbered as
        it sees them.
        """
        places_open = np.isin(self._itself, list(places))
        held = None if self.holding is None else seen[self.holding][seat]
        return self._rules(np.asarray(seat), places_open, held)

    def _rules(self, itself: Array, places_open: Array, held: Array | None) -> Assigning:
        core, signed = self.core, self.core.peer == "both"
        limits = core.peer_budget, core.peer_targets
        costs = self._costs, self._reward_costs
        return Assigning(ASSIGN, signed, *costs, *limits, itself, places_open, held)

    def transition(
        self, state: Arrays, assign: Array, income: Array, after: Arrays
    ) -> dict[str, Array]:
        """Return the state fields after points were assigned.

        `assign` is in the order shown, and `after` is the state before points were assigned.
        """
        assigned = np.asarray(assign, dtype=np.int64)
        if self.shuffles:
            placed = np.zeros_like(assigned)
            np.put_along_axis(placed, state["shown_as"], assigned, axis=-1)
            assigned = placed
        points_got = assigned.swapaxes(-1, -2)
        prices = self._costs[np.abs(assigned)]
        if self.core.peer == "both":
            prices = np.where(assigned > 0, self._reward_costs[np.abs(assigned)], prices)
        cost = over_seats(prices)
        won = self._effect(income, points_got)
        held = {} if self.holding is None else {self.holding: after[self.holding] + (won - cost)}
        return {
            **held,
            "income": income,
            "assigned": assigned,
            "received": over_seats(points_got),
            "received_from": points_got.astype(np.float64),
            "peer_cost": cost,
            "peer_received": won,
        }

    def _effect(self, income: Array, points_got: Array) -> Array:
        """Return each seat's gain or loss from the points assigned to it, (n, n)."""
        core = self.core
        bad, good = over_seats(np.maximum(0 - points_got, 0)), over_seats(np.maximum(points_got, 0))
        if core.peer == "punishment":
            bad, good = good, np.zeros_like(good)
        if core.peer_effect_share is not None:
            share = core.peer_effect_share
            kept = np.maximum(0.0, 1.0 - share * bad)
            return np.asarray(income * kept - income + income * share * good)
        taken = core.peer_effect * bad
        if core.peer_floor == "stage":
            taken = np.minimum(taken, np.maximum(income, 0.0))
        return np.asarray(reward_effect(core) * good - taken)

    def reward(self, after: Arrays) -> dict[str, Array]:
        """Return the reward components of the second stage."""
        return {"peer_cost": 0.0 - after["peer_cost"], "peer_received": after["peer_received"]}


def _check_nobody_is_named(config: Configuration[Any], sees: Array | None) -> None:
    """Refuse settings that would identify seats despite shuffled names. Raises ConfigError."""
    key = "core.peer_names = 'shuffled'"
    if config.agents.timing == "sequential":
        raise ConfigError(
            f"{key}: seats that decide in turn could be recognised; set agents.timing = "
            f"'simultaneous'"
        )
    if sees is not None and not sees.all():
        raise ConfigError(f"{key}: neighbours could be recognised; let every seat see all numbers")
    for name in type(config.layers).model_fields:
        if getattr(config.layers, name).intensity > 0:
            raise ConfigError(
                f"{key}: the layer {name} identifies seats by their numbers; set "
                f"layers.{name}.intensity = 0, or peer_names = 'fixed'"
            )
