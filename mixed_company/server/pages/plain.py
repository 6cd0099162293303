"""Checks whether layers and roles leave the rules of a game's core unchanged for every seat.

A game's instructions and quiz use these checks before they state a rule. Rules that change are
described with the layers and roles (`server.pages.rules`). This module also computes the stops of
the page's controls.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from mixed_company.engine.contract.config import OWN, roles_of_seats
from mixed_company.engine.game import Game
from mixed_company.language import gettext as _

MOST_STOPS = 400
"""Maximum number of stops that are sent to a page; if there are more, the slider has no labels."""
_PLACES = 9  # digits of a stop, because 3 * 0.1 is not exactly 0.3
_ALMOST = 1e-9  # tolerance in steps for reaching the highest value


@lru_cache(maxsize=256)
def is_seen(game: Game[Any], *fields: str) -> bool:
    """Return whether every seat sees the true values of these fields after every period."""
    declared = {field.name: field for field in game.declaration.observations}
    layer = game.config.layers.information
    changed = {*layer.hide, *layer.noise, *layer.delay} if layer.intensity else set()
    neighbours = bool(layer.intensity) and layer.graph not in (None, "complete")
    for name in fields:
        if name not in declared or name in changed or name in _own_alone(game):
            return False
        if neighbours and game.seats in declared[name].shape and not declared[name].common:
            return False
        if declared[name].maskable and not _in_every_sight(game, name):
            return False
    return True


def _own_alone(game: Game[Any]) -> tuple[str, ...]:
    """Return the observations in which each seat sees only its own value (peer points)."""
    if game.peers is None:
        return ()
    held: tuple[str, ...] = () if game.holding is None else (game.holding,)
    held += () if game.shows_income else ("income",)
    return held if are_named(game) else (*held, *game.lasting)


def are_named(game: Game[Any]) -> bool:
    """Return whether each player has the same number in all periods, as seen by the others."""
    return game.peers is None or not game.peers.shuffles


def _in_every_sight(game: Game[Any], name: str) -> bool:
    agents = game.config.agents
    sights = [agents.roles[role].sees for role in roles_of_seats(agents, game.seats)]
    return all(sees == "all" or name in sees for sees in sights)


def is_shown(game: Game[Any], quantity: str) -> bool:
    """Return whether the information layer always shows this quantity of the state to all seats."""
    layer = game.config.layers.information
    return layer.intensity == 1 and quantity in layer.show


def is_steady(game: Game[Any], *names: str) -> bool:
    """Return whether these parameters and quantities are changed only by the rules of the game."""
    return not {*names} & {*game.drifts, *game.shocks}


def is_shared(game: Game[Any]) -> bool:
    """Return whether pay depends on others' earnings, is reduced, or includes a fee."""
    layers, roles = game.config.layers, game.config.agents.roles.values()
    common = layers.interaction.intensity * layers.interaction.share
    fees = layers.incentives.intensity * sum(layers.incentives.fee.values())
    paid = any({OWN: 1.0, **role.rewards} != {OWN: 1.0} for role in roles)
    return bool(common or fees or paid)


def is_paid_at_once(game: Game[Any]) -> bool:
    """Return whether a period's earnings are paid in that period, to the player who earned them."""
    late = game.config.layers.temporal
    return not late.intensity * late.reward_delay and not is_shared(game)


def every_seat_decides(game: Game[Any], field: str) -> bool:
    """Return whether all seats can make every choice that an action field offers."""
    return field not in game.barred and field not in game.closed


def most(game: Game[Any], field: str) -> list[float]:
    """Return the largest number that each seat's role can send for an action field."""
    declared = next(action for action in game.declaration.actions if action.name == field)
    highs: Any = [declared.high] * game.seats
    for layer in game.layers:
        highs = layer.limits({field: (declared.low, highs)}, {})[field][1]
    barred = game.barred.get(field, [False] * game.seats)
    pairs = zip(highs, barred, strict=True)
    return [declared.default if closed else float(high) for high, closed in pairs]


def limited() -> str:
    """Return the sentence that replaces a full description of what seats see."""
    return _("Some things are hidden, delayed or inexact. This is explained below.")


def stops(game: Game[Any], name: str, low: float, high: float) -> list[float]:
    """Return the values from `low` to `high` where the slider of an action field can stop.

    Stops are multiples of the field's grain or, without a grain, whole numbers. The result is empty
    if there are more than MOST_STOPS, or if the range is unbounded.
    """
    field = next(action for action in game.declaration.actions if action.name == name)
    step = field.grain or 1.0
    count = (high - low) / step
    if not count < MOST_STOPS:
        return []
    return [round(low + k * step, _PLACES) for k in range(math.floor(count + _ALMOST) + 1)]
