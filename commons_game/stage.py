"""Data for the commons' picture, including what a seat can infer about the lake."""

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

MOST_PERIODS = 200
"""Maximum number of periods that a page's history shows."""


def setting(game: CommonsGame, seat: int) -> Row:
    """Return the size of the lake, and which parts of it a seat can see.

    named   whether a player has the same name in all periods
    """
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
        "named": core.peer_names == "fixed",
    }


def look_back(core: CommonsCore) -> int:
    """Return the number of past periods that the picture needs. To show a change, it needs the
    previous period. If a collapse ends the play, it needs enough periods to recognise a collapse.
    Otherwise, it needs all periods, because a collapse is not undone when the stock recovers.
    """
    fallen = core.collapse_zero_periods if core.terminate_on_collapse else core.periods
    return max(1, min(fallen, MOST_PERIODS))


def derived(game: CommonsGame, seat: int, seen: Sequence[Observation]) -> Row:
    """Return the last change in the stock, if the seat can infer it, and the effects of a decision.

    change     fish {before, taken, left, born} in the last period; None if they cannot be inferred
    if_all     [{value, then, end}]: the next stock `then` if all request `value`, nobody pays and
               nothing else changes it; `end` is the consequence: "" (play goes on), "ends",
               "collapses" or "won". Empty if the seat cannot infer it, and once it has made its
               request
    left       the stock; None if it is hidden or inexact
    collapsed  whether the stock visibly collapsed in a play that continues
    earned     points of each seat in the last period; None if not shown
    after      points held if a request is granted: {now, per: points gained per unit of each action
               field, cost: cost of living}
    """
    now = seen[-1]
    held = now["wealth"][seat]
    fallen = _fallen(game, seen) if _sees_stock(game) else None
    earned = _earned(game, now["harvest"], now["contribution"])
    return {
        "change": _change(seen) if _stock_is_known(game) else None,
        "if_all": [] if fallen is None or now.get("stage") else _if_all(game, now, fallen),
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
    """Return whether the stock is shown exactly."""
    return game.core.stock_noise == 0 and game.config.layers.information.intensity == 0


def _stock_is_known(game: CommonsGame) -> bool:
    """Return whether every seat sees every quantity that changes the stock."""
    plainly = _is_quiet(game) and game.externality == 1
    return _sees_stock(game) and game.core.observation == "full" and plainly


def _is_quiet(game: CommonsGame) -> bool:
    """Return whether only the rules of the game change the stock."""
    return bool(game.config.layers.uncertainty.intensity == 0)


def _change(seen: Sequence[Observation]) -> Row | None:
    """Return the last harvest, and the fish added by natural growth and the pool."""
    if len(seen) < 2:
        return None
    before, after, harvest = seen[-2]["stock"], seen[-1]["stock"], seen[-1]["harvest"]
    if None in (before, after, *harvest):
        return None
    taken = sum(harvest)
    left = before - taken
    return {"before": before, "taken": taken, "left": left, "born": max(after - left, 0.0)}


def _if_all(game: CommonsGame, now: Observation, fallen: Any) -> list[Row]:
    """Play one period in the engine for each amount that all seats may request."""
    core = game.core
    pool = 0.0 if core.governance != "accumulating" else now["pool"]
    if not _is_quiet(game) or None in (now["stock"], pool):
        return []
    if game.config.agents.may_leave:  # views do not show who has left
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
    """Return (amount requested by each seat, next stock, consequence) for each amount.

    The result is cached, because it is the same for all seats.
    """
    values = _asked_for(game)
    if not values.size:
        return []
    fallen = {"empty_periods": empty_periods, "collapsed": collapsed}
    before = {"period": period, "stock": stock, "pool": pool, "wealth": wealth, **fallen}
    after = _after(game, before, values)
    ends = _endings(game, after, collapsed)
    return list(zip(values.tolist(), after["stock"].tolist(), ends, strict=True))


@lru_cache(maxsize=256)
def _asked_for(game: CommonsGame) -> Array:
    """Return the amounts that the controls offer and that every seat may request."""
    return np.array(stops(game, "harvest", 0.0, min(plain.most(game, "harvest"))))


@lru_cache(maxsize=256)
def _first_states(game: CommonsGame, count: int) -> Mapping[str, Array]:
    """Return the initial states of `count` plays. Transitions do not modify their arrays."""
    return game.reset(np.zeros(count, dtype=np.int64))[0]


def _after(game: CommonsGame, before: Row, values: Array) -> Any:
    """Return the state after a period in which all active seats request a value, for each value."""
    none = np.zeros((len(values), game.seats))
    state: Any = dict(_first_states(game, len(values)))
    for name in ("period", "stock", "wealth", "pool", "empty_periods", "collapsed"):
        value = np.asarray(before[name], state[name].dtype)
        state[name] = np.broadcast_to(value, state[name].shape)
    out = game.too_poor(state)
    if "seat_reason" in state:
        state["seat_reason"] = out.astype(np.int64)
    requests = np.where(out, 0.0, values[:, None] + none)
    return game.transition(state, {"harvest": requests, "contribution": none}, {})


def _endings(game: CommonsGame, after: Any, before: bool) -> list[str]:
    """Return each state's consequence: the end of the play, or a collapse after which the play goes
    on.

    `before` says whether the stock had already collapsed.
    """
    reasons = game.ending(after)
    fallen = "ends" if "collapse" in reasons else "" if before else "collapses"
    won = reasons.get("recovery", np.zeros(len(after["stock"]), dtype=np.bool_))
    ends: list[str] = np.where(after["collapsed"], fallen, np.where(won, "won", "")).tolist()
    return ends


def _fallen(game: CommonsGame, seen: Sequence[Observation]) -> Any:
    """Return the collapse fields of the state, computed from the stocks seen after each period."""
    fallen: Any = {"empty_periods": np.zeros((), np.int64), "collapsed": np.zeros((), np.bool_)}
    stocks = [
        observation["stock"]
        for observation in seen
        if observation["period"] > 0 and observation["stock"] is not None
    ]
    by_itself = game.repaired(fallen, {"stock": np.array(stocks, dtype=np.float64)})
    if not by_itself["empty_periods"].any():  # the usual case: no empty periods to count
        return {**fallen, "collapsed": by_itself["collapsed"].any()}
    for stock in stocks:
        fallen = game.repaired(fallen, {"stock": np.asarray(stock)})
        if fallen["collapsed"]:  # a collapse cannot be undone
            break
    return fallen


def _earned(game: CommonsGame, harvest: Any, contribution: Any) -> Array:
    after = {
        "harvest": np.asarray(harvest, dtype=np.float64),
        "contribution": np.asarray(contribution, dtype=np.float64),
        "reason": np.zeros((), dtype=np.int64),  # the bonus for a recovery is paid once, at the end
    }
    return np.asarray(sum(game.reward({}, {}, after).values()))


@lru_cache(maxsize=64)
def _worth(game: CommonsGame) -> Row:
    """Return the points per unit of each action field, equal for all seats and periods."""
    nothing = np.zeros(game.seats)
    base = _earned(game, nothing, nothing)
    return {
        "harvest": float((_earned(game, nothing + 1, nothing) - base)[0]),
        "contribution": float((_earned(game, nothing, nothing + 1) - base)[0]),
    }


def _lives_are_known(game: CommonsGame) -> bool:
    """Return whether the visible points reveal which seats paid living costs, if seats can
    leave."""
    may_leave = game.config.agents.may_leave and game.core.living_cost > 0
    return not may_leave or plain.is_seen(game, "wealth")


def _took_part(game: CommonsGame, seen: Sequence[Observation]) -> Array:
    """Return flags (n,): whether each seat is visibly still in the game after the last period.

    A seat that has left does not pay living costs, so its holdings do not change.
    """
    if len(seen) < 2 or game.core.living_cost == 0:
        return np.ones(game.seats, dtype=np.bool_)
    before, after = (
        np.asarray(observation["wealth"], dtype=np.float64) for observation in seen[-2:]
    )
    state: Any = {"wealth": before}
    left = game.config.agents.may_leave & (before == after)
    return np.asarray(~game.too_poor(state) & ~left)
