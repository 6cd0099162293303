"""The seven layers: what makes a game harder or richer, the same way for all games.

Every configuration has all seven, each with an `intensity` s from 0 to 1. At 0 a layer is not
attached: the play is bit for bit the play without it, and costs nothing. Above 0, what a layer
is asked for and what means nothing in a game is refused by key, value and rule.

    game = engine.make("commons_game", layers={
        "information": {"intensity": 1, "noise": {"stock": 5}, "delay": {"stock": 2}},
        "incentives": {"intensity": 0.5, "quota": {"harvest": 3}, "fee": {"harvest": 2}},
    })

r is what a seat earns in a period, n the number of seats, t the period.

power         `limits` {role: {action field: most}}. The upper end of an amount is
              declared end + s (limit - declared end), without a declared end the limit, and then
              only s = 1 has a meaning; roles are those of `agents.roles`.
              `weights` {role: w} where a game weighs seats (the vote): 1 + s (w - 1)
uncertainty   `shocks` {state quantity: sd}. After the transition x <- clip(x + s sd z) to the
              declared range, z standard normal, one for each number. What was earned in the
              period is not changed by it; endings are judged after it. Event `shock`.
              `drift` {core parameter: d}. In period t it is base (1 + s d t), kept in its range;
              a game says which may drift (`Game.may_drift`). Event `drift` from the period on in
              which it is another
incentives    `quota`, `fee` {action field: number}. Component `fee`:
              - s fee max(0, used - quota). It is a price, never a ban. Event `fee` for who pays
interaction   `share` sigma. Component `shared`: s sigma (mean r - r) over the seats playing, which
              sums to zero. `externality` f: what seats do to each other times 1 + s (f - 1); a
              game says what that is (`Game.scaled`)
temporal      `reward_delay` d. Component `delayed`: - s r now, + s r in d periods; what is
              outstanding is paid when the play, or the seat, ends, so that nothing is lost.
              `reputation_window` k. Observation `reputation` (n): the mean cooperation (0 to 1, as
              the game defines it: `Game.cooperation`) of each seat in the last k periods, NaN
              before the first; in a game that has a `reputation` of its own it is called
              `mean_cooperation`. Shown to a seat in a period with probability s
hierarchy     `groups`: the group of each seat. State `group_points` (G): earned so far by each.
              Observations `group`, and with probability s `group_<field>`, the own group's sum of
              every public number per seat, and `group_reward`, of what was earned last
information   `hide` fields; `show` state fields to all, as `shown_<name>`; `graph` (ring, complete
              or pairs): numbers per seat, and per pair of seats, of those who are no neighbours are
              masked. Each applies to a seat in a period with probability s. `noise` {field: sd}: a
              reading with standard deviation s sd, not clipped. `delay` {field: d}: round(s d)
              periods late, at first the earliest there is; observation `age_<field>` says how late.
              What is decided in turn, `earlier_<field>`, can be named in `hide` and `noise`, and
              the graph limits it. `group_<field>` adds up what the seat sees of its group: NaN if
              it does not see all of it. What limits of actions tell a seat of itself, such as its
              wealth where it can pay into a pool, is not hidden, blurred or late: refused by name

They are applied in this order (`ORDER`) in every hook: a fee is part of what is shared, what is
shared is part of what is paid later, and information applies to all that is seen, also to what
other layers show. The contract of a layer is `engine.layers.base`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from mixed_company.engine.layers.base import Layer

__all__ = ["LAYERS", "ORDER"]


def _layers() -> list[type[Layer[Any]]]:
    """Every layer: the subclass of Layer in each module of this package."""
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
"""All layers, in the order in which they are applied. Information comes last."""
