"""What the picture of the commons needs, and what follows from what a seat has seen of the lake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.contract.space import Array, to_json
from engine.games.commons_game import CommonsCore, CommonsGame
from server.guide import Observation, Row

__all__ = ["derived", "look_back", "setting"]


def setting(game: CommonsGame, seat: int) -> Row:
    """The size of the lake, and what there is to show of it."""
    core, information = game.core, game.config.layers.information
    blurred = information.intensity > 0 and "stock" in information.noise
    return {
        "capacity": core.capacity,
        "collapse_stock": core.collapse_stock,
        "estimate": core.stock_noise > 0 or blurred,
        "governed": core.governance != "none",
        "sees_all": core.observation == "full",
    }


def look_back(core: CommonsCore) -> int:
    """A change needs the period before; a collapse as many empty ones as it takes."""
    return max(1, core.collapse_zero_periods)


def derived(game: CommonsGame, seat: int, seen: Sequence[Observation]) -> Row:
    """What happened to the stock, where everybody can know it, and what a decision would mean.

    change     fish {taken, born} in the last period; None where it cannot be known
    collapsed  has the stock collapsed in a play that goes on, as far as it has been seen
    earned     points of each seat in the last period; None what is not shown
    after      points held {now, and more per unit of each action field} if a request is granted
    """
    now = seen[-1]
    held = now["wealth"][seat]
    return {
        "change": _change(seen) if _stock_is_known(game) else None,
        "collapsed": _sees_stock(game) and _collapsed(game, seen),
        "earned": to_json({"earned": _earned(game, now["harvest"], now["contribution"])})["earned"],
        "after": None
        if held is None
        else {
            "now": held,
            "per": {"harvest": _worth(game, 1, 0), "contribution": _worth(game, 0, 1)},
        },
    }


def _sees_stock(game: CommonsGame) -> bool:
    """Is the stock seen as it is?"""
    return game.core.stock_noise == 0 and game.config.layers.information.intensity == 0


def _stock_is_known(game: CommonsGame) -> bool:
    """Does everybody see all that changes the stock?"""
    quiet = game.config.layers.uncertainty.intensity == 0 and game.externality == 1
    return _sees_stock(game) and game.core.observation == "full" and quiet


def _change(seen: Sequence[Observation]) -> Row | None:
    """What was taken, and all that was added: what grew back, and what the pool gave."""
    if len(seen) < 2:
        return None
    before, after, harvest = seen[-2]["stock"], seen[-1]["stock"], seen[-1]["harvest"]
    if None in (before, after, *harvest):
        return None
    taken = sum(harvest)
    return {"taken": taken, "born": max(after - before + taken, 0.0)}


def _collapsed(game: CommonsGame, seen: Sequence[Observation]) -> bool:
    """The rules of a collapse, applied to the stocks seen after each period."""
    if game.core.terminate_on_collapse:
        return False
    fallen: Any = {"empty_periods": np.zeros((), np.int64), "collapsed": np.zeros((), np.bool_)}
    for observation in seen:
        if observation["period"] > 0 and observation["stock"] is not None:
            fallen = game.repaired(fallen, {"stock": np.asarray(observation["stock"])})
    return bool(fallen["collapsed"])


def _earned(game: CommonsGame, harvest: Any, contribution: Any) -> Array:
    after = {
        "harvest": np.asarray(harvest, dtype=np.float64),
        "contribution": np.asarray(contribution, dtype=np.float64),
    }
    return np.asarray(sum(game.reward({}, {}, after).values()))


def _worth(game: CommonsGame, harvest: float, contribution: float) -> float:
    return float(_earned(game, harvest, contribution))
