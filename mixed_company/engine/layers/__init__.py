"""The seven layers, which add features such as noise, fees and groups to any game.

Every configuration has all seven, each with an `intensity` s from 0 to 1. At 0, a layer is not
attached: the play is bit for bit the same as without it, and takes no longer. Above 0, settings
that would have no effect or make no sense in a game are refused, with an error that names the key,
value and rule.

    game = engine.make("commons_game", layers={
        "information": {"intensity": 1, "noise": {"stock": 5}, "delay": {"stock": 2}},
        "incentives": {"intensity": 0.5, "quota": {"harvest": 3}, "fee": {"harvest": 2}},
    })

r is what a seat earns in a period, n is the number of seats, and t is the period.

power         `limits` {role: {action field: most}}. The maximum of an amount is
              declared + s (limit - declared). If no maximum is declared, it is the limit, and
              s must be 1. Roles are those of `agents.roles`.
              `weights` {role: w} where a game weighs seats (the vote): 1 + s (w - 1)
uncertainty   `shocks` {state quantity: sd}. After the transition x <- clip(x + s sd z) to the
              declared range, z standard normal, one for each number. Rewards of the period do not
              change; endings are judged after the shock. Event `shock`.
              `drift` {core parameter: d}. In period t it is base (1 + s d t), clipped to its
              range; a game lists those that may drift (`Game.may_drift`). Event `drift` in the
              first period of each new value
incentives    `quota`, `fee` {action field: number}. Component `fee`:
              - s fee max(0, used - quota). It is a price, never a ban. Event `fee` for each payer
interaction   `share` sigma. Component `shared`: s sigma (mean r - r) over the active seats, which
              sums to zero. `externality` f: the effects of seats on each other times
              1 + s (f - 1); a game defines them (`Game.scaled`)
temporal      `reward_delay` d. Component `delayed`: - s r now, + s r in d periods. Outstanding
              points are paid when the play, or the seat, ends, so that none are lost.
              `reputation_window` k. Observation `reputation` (n): the mean cooperation (0 to 1, as
              the game defines it: `Game.cooperation`) of each seat in the last k periods, NaN
              before the first; in a game that already has a `reputation` it is called
              `mean_cooperation`. Shown to a seat in a period with probability s
hierarchy     `groups`: the group of each seat. State `group_points` (G): points of each so far.
              Observations `group`, and with probability s `group_<field>`, its group's sum of every
              public number per seat, and `group_reward`, of the last rewards
information   `hide` fields; `show` state fields to all, as `shown_<name>`; `graph` (ring, complete
              or pairs): non-neighbours' numbers, per seat and per pair of seats,
              are masked. Each applies to a seat in a period with probability s. `noise`
              {field: sd}: a reading with standard deviation s sd, not clipped. `delay` {field: d}:
              round(s d) periods late, at first the earliest value; observation `age_<field>` is
              its age. Sequential decisions, `earlier_<field>`, can be in `hide` and `noise`,
              and the graph limits them. `group_<field>` sums what the seat sees of its group: NaN
              if it does not see all of it. Numbers that the limits of actions reveal to a seat,
              such as its wealth where it can pay into a pool, cannot be hidden, blurred or
              delayed

Every hook applies the layers in this order (`ORDER`). Shared points therefore include fees, delayed
points include shared points, and information applies to all observations, including those of other
layers. `engine.layers.base` defines the contract of a layer.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from mixed_company.engine.layers.base import Layer

__all__ = ["LAYERS", "ORDER"]


def _layers() -> list[type[Layer[Any]]]:
    """Return all layers: the subclass of Layer in each module of this package."""
    layers = []
    for module in pkgutil.iter_modules(__path__):
        values = vars(importlib.import_module(f"{__name__}.{module.name}")).values()
        for value in values:
            if isinstance(value, type) and issubclass(value, Layer) and value is not Layer:
                layers.append(value)  # noqa: PERF401  a comprehension would hide the rule
    return layers


LAYERS: tuple[type[Layer[Any]], ...] = tuple(sorted(_layers(), key=lambda layer: layer.position))
"""All layers, in the order of their keys in a configuration."""

ORDER: tuple[type[Layer[Any]], ...] = tuple(sorted(LAYERS, key=lambda layer: layer.order))
"""All layers, in the order they are applied. Information comes last."""
