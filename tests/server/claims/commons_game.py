"""Claims about the commons."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.engine.games.commons_game import growth
from tests.server.claims.playing import Played, always, is_core

N = r"([\d.]+)"


def layer(name: str, **parameters: Any) -> dict[str, Any]:
    return {"layers": {name: {"intensity": 1.0, **parameters}}}


ROLES = {
    "agents": {"roles": {"one": {}, "other": {"acts": ["harvest"]}}, "seats": ["one", "other"] * 2}
}
VARIANTS: dict[str, dict[str, Any]] = {
    "harvest hidden": layer("information", hide=["harvest"]),
    "wealth blurred": layer("information", noise={"wealth": 2.0}),
    "harvest late": layer("information", delay={"harvest": 2}),
    "neighbours": layer("information", graph="ring"),
    "estimate hidden": {"archetype": "noisy_stock", **layer("information", hide=["stock"])},
    "shocks": layer("uncertainty", shocks={"stock": 8.0}),
    "drift": layer("uncertainty", drift={"growth_rate": -0.1}),
    "externality": layer("interaction", externality=2.0),
    "some may not pay": {"archetype": "governed", **ROLES},
    "half as much": layer("power", limits={"member": {"harvest": 4.0}}),
    "linear and drifting": {
        "growth": "linear",
        "growth_rate": 6.0,
        **layer("uncertainty", drift={"growth_rate": 0.1}),
    },
    "it goes on": {"terminate_on_collapse": False},
    "it goes on after two empty periods": {
        "collapse_stock": 0,
        "collapse_zero_periods": 2,
        "terminate_on_collapse": False,
    },
    "one does not fish": {
        "agents": {"roles": {"one": {}, "other": {"acts": []}}, "seats": ["one"] * 3 + ["other"]}
    },
}


def asks_for(played: Played, high: str) -> bool:
    return played.largest("harvest") == [float(high)] * played.game.seats


def asks_for_each(played: Played, listed: str) -> bool:
    return listed == ", ".join(
        f"{high:g} for Player {n}" for n, high in enumerate(played.largest("harvest"), 1)
    )


def example(played: Played, stock: str, taken: str, born: str, left: str) -> bool:
    """Check an example with this stock and this many fish taken."""
    grown = float(growth(played.core, float(stock)))
    stock_is_right = abs(after(played, float(stock), float(taken)) - float(left)) < 0.06
    return stock_is_right and abs(grown - float(born)) < 0.06 and not played.game.shocks


def grows_from_the_rest(played: Played, percent: str, limit: str) -> bool:
    """Check growth from a tenth and from half of a full lake, after nothing or half of the stock is
    taken."""
    core, times = played.core, 1 + float(percent) / 100
    stocks = [0.1 * core.capacity, 0.5 * core.capacity]
    same = all(
        abs(after(played, stock, share * stock) - min(times * (1 - share) * stock, float(limit)))
        < 1e-9
        for stock in stocks
        for share in (0.0, 0.5)
    )
    return same and core.growth == "exponential" and float(limit) == core.capacity


def example_of_the_rest(played: Played, stock: str, taken: str, left: str, then: str) -> bool:
    remaining = after(played, float(stock), float(taken))
    return float(stock) - float(taken) == float(left) and abs(remaining - float(then)) < 0.06


def example_in_doubt(played: Played, stock: str, taken: str, born: str, left: str) -> bool:
    sum_of_it = float(stock) - float(taken) + float(born)
    return bool(played.game.shocks) and abs(sum_of_it - float(left)) < 0.11


def after(played: Played, stock: float, taken: float) -> float:
    """Return the stock after a period with this total harvest."""
    state = {**played.states[0], "stock": np.asarray(stock)} if played.steps else {}
    nobody = np.zeros(played.game.seats)
    used = {"harvest": nobody + taken / played.game.seats, "contribution": nobody}
    chance = played.game.draw_chance(3, 0)
    return float(played.game.transition(state, used, chance)["stock"])


def all_see(*names: str) -> Any:
    return lambda played, *_groups: played.is_exact(*names)


def shortage(played: Played, stock: str, n: str, harvest: str, together: str, right: str) -> bool:
    possible = played.least("harvest") >= float(harvest) and float(stock) <= played.core.capacity
    shared = float(stock) / int(n) == float(right)
    return (
        possible
        and shared
        and int(n) == played.game.seats
        and float(together) == int(n) * float(harvest)
    )


def most_are_born(played: Played, right: str) -> bool:
    stocks = [share * played.core.capacity / 20 for share in range(21)]
    best = max(stocks, key=lambda stock: float(growth(played.core, stock)))
    return best == float(right) and min(_rates(played)) > 0


def _rates(played: Played) -> list[float]:
    """Return the growth rates of the first and the last period."""
    change = played.game.drifts.get("growth_rate", 0.0)
    return [played.core.growth_rate * (1 + change * t) for t in (0, played.core.periods - 1)]


def pays(played: Played) -> bool:
    return not played.game.barred.get("contribution", [False])[-1]


def pool_is(name: str) -> Any:
    return lambda played, *_groups: played.core.governance == name


def first_only(played: Played) -> bool:
    return bool(played.game.drifts)


def taken_once(played: Played) -> bool:
    """Check that the total harvest never exceeds the stock."""
    assert played.steps
    pairs = zip(played.states, played.states[1:], strict=False)
    return all(after["harvest"].sum() <= before["stock"] + 1e-9 for before, after in pairs)


def worth_a_point(played: Played) -> bool:
    steps = zip(played.steps, played.states[1:], strict=True)
    return all(np.allclose(step.components["harvest"], state["harvest"]) for step, state in steps)


def nothing_changes(played: Played) -> bool:
    """Check that a seat that takes nothing earns nothing while the others take one fish each."""
    play, n = engine.Episode(played.game, seed=1), played.game.seats
    taken = {"harvest": [0.0] + [1.0] * (n - 1), "contribution": [0.0] * n}
    return not any(play.step(taken).rewards[0] for _ in range(3))


def collapsed(played: Played, left: str = "0", periods: str = "1") -> set[str] | None:
    """Return how the play ends after this many periods with so few fish left, or None if it
    continues.
    """
    assert played.steps
    fallen: Any = {"empty_periods": np.zeros((), np.int64), "collapsed": np.zeros((), np.bool_)}
    for _ in range(int(periods)):
        fallen = played.game.repaired(fallen, {"stock": np.asarray(float(left))})
    if not fallen["collapsed"]:
        return None
    state = {**played.states[0], **fallen, "stock": np.asarray(float(left))}
    return {name for name, flag in played.game.ending(state).items() if np.any(flag)}


def empty_for(played: Played, periods: str) -> bool:
    """Check that it takes exactly this many empty periods for the stock to collapse."""
    endings = [collapsed(played, "0", str(int(periods) - less)) for less in (0, 1)]
    return endings[0] is not None and endings[1] is None


def ends_the_game(played: Played, *left: str) -> bool:
    return "collapse" in (collapsed(played, *left) or ())


def goes_on(played: Played, *left: str) -> bool:
    return collapsed(played, *left) == set()


FALLEN = (
    rf"After a period, {N} fish are left\. What happens\?",
    r"After a period, no fish are left\. What happens\?",
)
ENDS = "The game ends, and everybody keeps the points they have earned so far"
CLAIMS: list[tuple[str, Any]] = [
    (rf"You are one of {N} players who fish in the same lake\.", is_core("seats")),
    (rf"At the start there are {N} fish\. The lake can hold [\d.]+\.", is_core("initial_stock")),
    (r"Once a fish is taken, nobody else can take it\.", taken_once),
    (rf"The game has {N} periods?\.", is_core("periods")),
    (r"Each fish you take is worth 1 point\.", worth_a_point),
    (rf"You start with {N} points\. .*", is_core("initial_wealth")),
    (rf"In every period, each player asks for 0 to {N} fish\.", asks_for),
    (
        r"In every period, each player asks for a number of fish\. "
        r"The most a player can ask for is (.*)\.",
        asks_for_each,
    ),
    (r"You can ask for fractions of a fish.*", always),
    (
        r"In every period, new fish are born\. How many are born depends .*",
        lambda p: p.core.growth == "logistic",
    ),
    (
        rf"After every period, {N} fish are added, but the lake never holds more than [\d.]+\.",
        is_core("growth_rate"),
    ),
    (
        rf"After every harvest, new fish are born\. The number of new fish is {N}% of the number "
        rf"left "
        rf"in the lake\. The lake never holds more than {N} fish\.",
        grows_from_the_rest,
    ),
    (
        rf"For example, suppose there are {N} fish\. .* take {N} in total, and {N} are left\. The "
        rf"next period then starts with {N} fish\.",
        example_of_the_rest,
    ),
    (r"These are the numbers for the first period\.", first_only),
    (
        rf"For example, suppose there are {N} fish\. .* take {N} in total, and {N} are born\. The "
        rf"next period then starts with {N} fish\.",
        example,
    ),
    (
        rf"For example, suppose there are {N} fish\. .* take {N} in total, and {N} are born\. "
        rf"If nothing else changed .*, the next period would start with {N} fish\.",
        example_in_doubt,
    ),
    (rf"In every period, each player pays {N} points in living costs\.", is_core("living_cost")),
    (
        r"If a player has fewer points than that after a period, that player is out of the "
        r"game\..*",
        lambda p: p.core.living_cost > 0,
    ),
    (r"You can also pay points into a common pool.*", pays),
    (r"Some players can pay points into a common pool\.", lambda p: not pays(p)),
    (rf"Each point in the pool adds {N} fish .*", is_core("pool_effect")),
    (rf"{N}% of the pool carries over .*", is_core("pool_decay", 100)),
    (r"The whole pool is used up in every period\.", pool_is("per_step")),
    (
        r"After every period, you see how many fish each player took and how many points .*",
        all_see("harvest", "wealth"),
    ),
    (
        r"You see how many fish you and your neighbours took, and how many points .*",
        lambda p: p.core.observation == "local",
    ),
    (
        r"After every period, you see how many fish each player took\.",
        lambda p: p.is_whole("harvest"),
    ),
    (
        r"Some things are hidden, delayed or inexact\..*",
        lambda p: not p.is_exact("harvest", "wealth"),
    ),
    (
        rf"Nobody knows exactly how many fish there are\. .* within {N} fish of the true number\.",
        lambda p, sd: float(sd) == p.core.stock_noise and p.is_whole("stock"),
    ),
    (
        rf"If fewer than {N} fish are left after a period, the fish stock collapses\.",
        is_core("collapse_stock"),
    ),
    (r"If no fish are left after a period.*", lambda p: p.core.collapse_zero_periods == 1),
    (rf"If no fish are left for {N} periods in a row, the fish stock collapses\.", empty_for),
    (r"Even if that happens, the game goes on\.", lambda p: not p.core.terminate_on_collapse),
    (r"If that happens, the game ends at once.*", lambda p: p.core.terminate_on_collapse),
    (
        rf"If there are {N} or more fish after a period, the players win and the game ends\.",
        is_core("recovery_stock"),
    ),
    (rf"Each player who is still in the game then gets {N} points\.", is_core("recovery_bonus")),
    (
        rf"There are {N} fish\. Each of the {N} players asks for {N}, so {N} in total\. .* -> {N}",
        shortage,
    ),
    (
        rf"How many fish must be in the lake for the most new fish to be born\? -> {N}",
        most_are_born,
    ),
    (
        rf"In total, the players pay {N} points into the pool\. "
        rf"How many fish does that add\? -> {N}",
        lambda p, paid, fish: float(paid) * p.core.pool_effect == float(fish),
    ),
    (
        rf"No fish are left for {N} periods in a row\. What happens\? -> The game goes on",
        lambda p, periods: empty_for(p, periods) and goes_on(p, "0", periods),
    ),
    *((rf"{question} -> {ENDS}", ends_the_game) for question in FALLEN),
    *((rf"{question} -> The game goes on", goes_on) for question in FALLEN),
    (r"You take no fish in a period\. .* -> You keep all of them", nothing_changes),
    (
        r"After a period, your points are down to .* -> You are out, and the others keep playing",
        lambda p: p.core.living_cost > 0,
    ),
]
