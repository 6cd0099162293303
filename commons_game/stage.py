"""What the picture of the commons needs, and what follows from what a seat has seen of the lake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array, to_json
from mixed_company.engine.games.commons_game import CommonsCore, CommonsGame
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Observation, Row
from mixed_company.server.pages.plain import stops

__all__ = ["derived", "look_back", "setting"]

MOST_PERIODS = 200
"""As far back as a page's history goes."""


def setting(game: CommonsGame, seat: int) -> Row:
    """The size of the lake, and what there is to show of it."""
    core, information = game.core, game.config.layers.information
    blurred = information.intensity > 0 and "stock" in information.noise
    return {
        "capacity": core.capacity,
        "collapse_stock": core.collapse_stock,
        "recovery_stock": core.recovery_stock,
        "estimate": core.stock_noise > 0 or blurred,
        "governed": core.governance != "none",
        "fed": {"now": 0.0, "per": {"contribution": core.pool_effect}},
        "sees_all": core.observation == "full",
    }


def look_back(core: CommonsCore) -> int:
    """A change needs the period before; a collapse that ends the play as many empty ones as it
    takes, another all periods, since a stock that grows back does not undo it."""
    fallen = core.collapse_zero_periods if core.terminate_on_collapse else core.periods
    return max(1, min(fallen, MOST_PERIODS))


def derived(game: CommonsGame, seat: int, seen: Sequence[Observation]) -> Row:
    """What happened to the stock, where everybody can know it, and what a decision would mean.

    change     fish {before, taken, left, born} in the last period; None where it cannot be known
    if_all     [{value, then, end}]: the stock `then` if all ask for `value`, nobody pays and
               nothing else changes it; `end` is what comes of it: "" (play goes on), "ends",
               "collapses" or "won". Empty where a seat cannot know
    left       the stock, where it is seen as it is
    collapsed  has the stock collapsed in a play that goes on, as far as it has been seen
    earned     points of each seat in the last period; None what is not shown
    after      points held {now, and more per unit of each action field, less the cost of living} if
               a request is granted
    """
    now = seen[-1]
    held = now["wealth"][seat]
    fallen = _fallen(game, seen) if _sees_stock(game) else None
    earned = _earned(game, now["harvest"], now["contribution"])
    return {
        "change": _change(seen) if _stock_is_known(game) else None,
        "if_all": [] if fallen is None else _if_all(game, now, fallen),
        "left": now["stock"] if _sees_stock(game) else None,
        "collapsed": fallen is not None
        and not game.core.terminate_on_collapse
        and bool(fallen["collapsed"]),
        "earned": to_json({"earned": np.where(_took_part(game, seen), earned, 0.0)})["earned"]
        if _lives_are_known(game)
        else [None] * game.seats,
        "after": None
        if held is None
        else {
            "now": held,
            "cost": game.core.living_cost,
            "per": _worth(game),
        },
    }


def _sees_stock(game: CommonsGame) -> bool:
    """Is the stock seen as it is?"""
    return game.core.stock_noise == 0 and game.config.layers.information.intensity == 0


def _stock_is_known(game: CommonsGame) -> bool:
    """Does everybody see all that changes the stock?"""
    plainly = _is_quiet(game) and game.externality == 1
    return _sees_stock(game) and game.core.observation == "full" and plainly


def _is_quiet(game: CommonsGame) -> bool:
    """Does nothing change the stock but the rules of the game?"""
    return bool(game.config.layers.uncertainty.intensity == 0)


def _change(seen: Sequence[Observation]) -> Row | None:
    """What was taken, and all that was added: what grew back, and what the pool gave."""
    if len(seen) < 2:
        return None
    before, after, harvest = seen[-2]["stock"], seen[-1]["stock"], seen[-1]["harvest"]
    if None in (before, after, *harvest):
        return None
    taken = sum(harvest)
    left = before - taken
    return {"before": before, "taken": taken, "left": left, "born": max(after - left, 0.0)}


def _if_all(game: CommonsGame, now: Observation, fallen: Any) -> list[Row]:
    """One period of the engine for each amount that all may ask for."""
    core = game.core
    pool = 0.0 if core.governance != "accumulating" else now["pool"]
    if not _is_quiet(game) or None in (now["stock"], pool):
        return []
    if game.config.agents.may_leave:  # no view says who has left and takes nothing
        return []
    if core.living_cost and None in now["wealth"]:
        return []
    if now["period"] >= core.periods:
        return []
    wealth = tuple(now["wealth"]) if core.living_cost else (0.0,) * game.seats
    rows = _foreseen(
        game,
        *(now["period"], now["stock"], pool, wealth),
        *(int(fallen["empty_periods"]), bool(fallen["collapsed"])),
    )
    return [{"value": value, "then": then, "end": end} for value, then, end in rows]


@lru_cache(maxsize=256)
def _foreseen(
    game: CommonsGame,
    period: int,
    stock: float,
    pool: float,
    wealth: tuple[float, ...],
    empty_periods: int,
    collapsed: bool,
) -> list[tuple[float, float, str]]:
    """(what all ask for, the stock after it, what ends): the same for all who look at a play."""
    values = _asked_for(game)
    if not values.size:
        return []
    fallen = {"empty_periods": empty_periods, "collapsed": collapsed}
    known = {"period": period, "stock": stock, "pool": pool, "wealth": wealth, **fallen}
    after = _after(game, known, values)
    ends = _endings(game, after, collapsed)
    return list(zip(values.tolist(), after["stock"].tolist(), ends, strict=True))


@lru_cache(maxsize=256)
def _asked_for(game: CommonsGame) -> Array:
    """The amounts that all may ask for, where controls can be moved to."""
    return np.array(stops(game, "harvest", 0.0, min(plain.most(game, "harvest"))))


@lru_cache(maxsize=256)
def _first_states(game: CommonsGame, count: int) -> Mapping[str, Array]:
    """The states in which so many plays begin; the rules change no array that they are given."""
    return game.reset(np.zeros(count, dtype=np.int64))[0]


def _after(game: CommonsGame, known: Row, values: Array) -> Any:
    """The states, one per value, after a period in which every seat that takes part asks for it."""
    none = np.zeros((len(values), game.seats))
    state: Any = dict(_first_states(game, len(values)))
    for name in ("period", "stock", "wealth", "pool", "empty_periods", "collapsed"):
        value = np.asarray(known[name], state[name].dtype)
        state[name] = np.broadcast_to(value, state[name].shape)
    out = game.too_poor(state)
    if "seat_reason" in state:
        state["seat_reason"] = out.astype(np.int64)
    requests = np.where(out, 0.0, values[:, None] + none)
    return game.transition(state, {"harvest": requests, "contribution": none}, {})


def _endings(game: CommonsGame, after: Any, before: bool) -> list[str]:
    """What comes of each state: the ending of the play, or a collapse after which it goes on;
    `before`: the stock had collapsed already."""
    reasons = game.ending(after)
    fallen = "ends" if "collapse" in reasons else "" if before else "collapses"
    won = reasons.get("recovery", np.zeros(len(after["stock"]), dtype=np.bool_))
    ends: list[str] = np.where(after["collapsed"], fallen, np.where(won, "won", "")).tolist()
    return ends


def _fallen(game: CommonsGame, seen: Sequence[Observation]) -> Any:
    """The rules of a collapse, applied to the stocks seen after each period: parts of the state."""
    fallen: Any = {"empty_periods": np.zeros((), np.int64), "collapsed": np.zeros((), np.bool_)}
    stocks = [one["stock"] for one in seen if one["period"] > 0 and one["stock"] is not None]
    by_itself = game.repaired(fallen, {"stock": np.array(stocks, dtype=np.float64)})
    if not by_itself["empty_periods"].any():  # nearly always: no period hangs on the one before
        return {**fallen, "collapsed": by_itself["collapsed"].any()}
    for stock in stocks:
        fallen = game.repaired(fallen, {"stock": np.asarray(stock)})
        if fallen["collapsed"]:  # for good: what follows is not gone through for every view
            break
    return fallen


def _earned(game: CommonsGame, harvest: Any, contribution: Any) -> Array:
    after = {
        "harvest": np.asarray(harvest, dtype=np.float64),
        "contribution": np.asarray(contribution, dtype=np.float64),
        "reason": np.zeros((), dtype=np.int64),  # what a recovery brings comes once, and last
    }
    return np.asarray(sum(game.reward({}, {}, after).values()))


@lru_cache(maxsize=64)
def _worth(game: CommonsGame) -> Row:
    """Points that one unit more of each action field brings, whoever does it and whenever."""
    nothing = np.zeros(game.seats)
    base = _earned(game, nothing, nothing)
    return {
        "harvest": float((_earned(game, nothing + 1, nothing) - base)[0]),
        "contribution": float((_earned(game, nothing, nothing + 1) - base)[0]),
    }


def _lives_are_known(game: CommonsGame) -> bool:
    """Does what seats hold tell who paid for living, where some can have left?"""
    may_leave = game.config.agents.may_leave and game.core.living_cost > 0
    return not may_leave or plain.is_seen(game, "wealth")


def _took_part(game: CommonsGame, seen: Sequence[Observation]) -> Array:
    """(n,) flags: could each seat live through the last period, as far as one saw it? Who has left
    pays nothing: what it holds stays as it is."""
    if len(seen) < 2 or game.core.living_cost == 0:
        return np.ones(game.seats, dtype=np.bool_)
    before, after = (np.asarray(one["wealth"], dtype=np.float64) for one in seen[-2:])
    state: Any = {"wealth": before}
    left = game.config.agents.may_leave & (before == after)
    return np.asarray(~game.too_poor(state) & ~left)
