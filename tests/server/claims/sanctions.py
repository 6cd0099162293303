"""Claims about the sanctions game."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from mixed_company import engine
from tests.server.claims.playing import Played, always, is_core

N = r"([\d.]+)"


def layer(name: str, **parameters: Any) -> dict[str, Any]:
    return {"layers": {name: {"intensity": 1.0, **parameters}}}


VARIANTS: dict[str, dict[str, Any]] = {
    "contribution hidden": layer("information", hide=["contribution"]),
    "trust blurred": layer("information", noise={"trust": 0.1}),
    "average late": layer("information", delay={"memory_averages": 2}),
    "neighbours": layer("information", graph="ring"),
    "paid later": layer("temporal", reward_delay=1),
    "shared": layer("interaction", share=0.5),
    "externality": layer("interaction", externality=1.5),
    "fee": layer("incentives", fee={"contribution": 0.5}),
    "drift": layer("uncertainty", drift={"mpcr": -0.01}),
    "production drifts": {"archetype": "source", **layer("uncertainty", drift={"theta": 0.01})},
    "trust shaken": {"archetype": "graduated", **layer("uncertainty", shocks={"trust": 0.05})},
    "all may give 4": layer("power", limits={"member": {"contribution": 4.0}}),
    "one does not give": {
        "agents": {"roles": {"one": {}, "other": {"acts": []}}, "seats": ["one"] * 3 + ["other"]}
    },
    "paid half": {
        "agents": {
            "roles": {"one": {}, "half": {"rewards": {"own": 0.5}}},
            "seats": ["one"] * 3 + ["half"],
        }
    },
    "no sanctions": {"lambda_R": 0.0},
    "unequal endowments": {"endowment": [20.0, 40.0, 40.0, 40.0]},
    "trust from nothing": {"initial_trust": 0.0},
}


def nobody(played: Played) -> dict[str, Any]:
    """Return the actions of a second stage in which nobody assigns peer points."""
    n = played.game.seats
    return {} if played.game.peers is None else {"assign": [[0] * n] * n}


def rewards(played: Played, amount: float, period: int, seat: int = 0) -> Any:
    """Return the rewards without sanctions of a period in which one seat gives `amount`. All others
    give 3 in this period, and everyone gave 3 before."""
    play = engine.Episode(played.game, seed=1)
    for now in range(period + 1):
        contribution = np.full(played.game.seats, 3.0)
        contribution[seat] = amount if now == period else 3.0
        step = play.play_period({"contribution": contribution.tolist(), **nobody(played)})
    return step.rewards - step.components["sanctions"]


def costs(played: Played, right: str) -> bool:
    """Check the loss from one more point, for any seat, in the first period and a later one."""
    answer = float(right.replace("\N{MINUS SIGN}", "-"))
    return all(
        abs(rewards(played, 4.0, t, i)[i] - rewards(played, 3.0, t, i)[i] - answer) < 1e-9
        for t in (0, min(3, played.game.horizon - 1))
        for i in played.seats
    )


def everybody_has(played: Played, _n: str, amount: str, points: str) -> bool:
    play = engine.Episode(played.game, seed=1)
    sent = {"contribution": [float(amount)] * played.game.seats, **nobody(played)}
    step = play.play_period(sent)
    paid = step.rewards - step.components["sanctions"]
    delayed = step.components.get("delayed", np.zeros(played.game.seats))
    return played.least("contribution") >= float(amount) and bool(
        np.allclose(paid - delayed, float(points), atol=0.06)
    )


def endowed(played: Played, text: str) -> bool:
    """Check the endowment, stated as one number for everyone or as one for each player."""
    n = played.game.seats
    endowments = [float(amount) for amount in re.findall(r"(\S+) for Player", text)] or [
        float(text)
    ] * n
    return np.array_equal(endowments, np.broadcast_to(played.core.endowment, n))


def sanctions_of(played: Played, *contributions: list[float]) -> Any:
    """Return sanctions and rewards (n,) in the last period, after these contributions (n,) by
    period."""
    play = engine.Episode(played.game, seed=1)
    for amounts in contributions:
        step = play.play_period({"contribution": amounts, **nobody(played)})
    return step.components["sanctions"]


def moves(played: Played, expected: float, more: float) -> float:
    """Return the sanctions of a first seat that always gives `more` than expected while all others
    give the expected amount. Three periods are played, because sanctions may depend on the past."""
    amounts = [expected + more] + [expected] * (played.game.seats - 1)
    return float(sanctions_of(played, amounts, amounts, amounts)[0])


def falls_and_falls(played: Played) -> bool:
    """Check that the first seat loses more the less it gives, starting from the largest
    contribution.
    """
    largest, n = played.largest("contribution")[0], played.game.seats
    lost = [
        sanctions_of(played, *[[largest * share] + [largest] * (n - 1)] * 3)[0]
        for share in (0.0, 0.5, 1.0)
    ]
    return bool(lost[0] < lost[1] < lost[2] <= 0)


def everybody_gains(played: Played) -> bool:
    """Check that one more point from the first seat costs that seat, benefits the group, and pays
    each other seat mpcr."""
    low, high = 3.0, 4.0
    if played.core.contributions == "all_or_nothing":
        low, high = 0.0, played.core.endowment
    change = (rewards(played, high, 0) - rewards(played, low, 0)) / (high - low)
    others = np.allclose(change[1:], played.core.mpcr)
    return bool(others and change[0] < 0 < change.sum())


def gives(played: Played) -> bool:
    """Check that pages mention giving, not taking."""
    return bool(played.core.framing == "give")


def falls_through_others(played: Played) -> bool:
    """Check that if a seat gives more, and then less, everyone else's sanctions change, but not its
    own.
    """
    n = played.game.seats
    steady = [[40.0] * n] * 2
    less, more = (sanctions_of(played, *steady, [last] + [40.0] * (n - 1)) for last in (20.0, 60.0))
    return bool(less[0] == more[0] == 0 and (less[1:] < 0).all() and (more[1:] > 0).all())


def on_the_deviator(played: Played, *_groups: str) -> bool:
    return played.core.falls_on == "deviator"


def on_the_others(played: Played, *_groups: str) -> bool:
    return played.core.falls_on == "observer"


def falls_alone(where: Any) -> Any:
    """Return a check of who loses points, for games in which nobody else receives any of them."""
    return lambda played, *_groups: where(played) and nothing_shared(played)


def nothing_shared(played: Played, *_groups: str) -> bool:
    """Check that a sanction changes no other component of any reward."""
    assert played.steps
    return not ({"shared", "attributed", "fee"} & set(played.steps[0].components))


def everybody_chooses(played: Played) -> bool:
    return "contribution" not in played.game.barred and gives(played) and any_amount(played)


def any_amount(played: Played) -> bool:
    """Check that an amount between nothing and everything is used unchanged."""
    play = engine.Episode(played.game, seed=1)
    step = play.step({"contribution": [1.0] * played.game.seats})
    return bool((step.used["contribution"] == 1.0).any())


def compared(window: str, signal: str) -> Any:
    return lambda p, k: (p.core.window, p.core.signal, p.core.memory) == (window, signal, int(k))


def all_see(*names: str) -> Any:
    return lambda played, *_groups: played.is_exact(*names)


def kept(played: Played) -> bool:
    steps = zip(played.steps, played.states[1:], strict=True)
    rest = [(step, played.core.endowment - state["contribution"]) for step, state in steps]
    return all(np.allclose(step.components["kept"], left) for step, left in rest)


def lasts(played: Played, periods: str) -> bool:
    """Check that the game lasts this many periods even if nobody gives anything."""
    play, lasted = engine.Episode(played.game, seed=1), 0
    while not play.done:
        play.play_period({"contribution": [0.0] * played.game.seats, **nobody(played)})
        lasted += 1
    return lasted == int(periods) == played.game.told_horizon


CLAIMS: list[tuple[str, Any]] = [
    (
        rf"Your average contribution is compared .* {N}\. Below .* lose .*; above .* gain points\.",
        lambda p, b: moves(p, float(b), 1) > 0 > moves(p, float(b), -1),
    ),
    (
        r"Your average contribution is compared with the expected contribution of \S+ Below \S+ "
        r"you lose points\.",
        falls_and_falls,
    ),
    (
        r"If you keep a point, you get 1\. If you contribute it, each of the \d+ players gets "
        r"[\d.]+\.",
        lambda p: everybody_gains(p) and not sanctions_of(p, [3.0] * p.game.seats).any(),
    ),
    (
        r"When another player contributes less than their own average, you lose points\. .*",
        lambda p: falls_through_others(p) and p.core.signal == "deviation",
    ),
    (rf"You are one of {N} players\.", is_core("seats")),
    (
        r"Each player gets points in every period\. Players keep the points that they do not "
        r"contribute\.",
        lambda p: kept(p) and gives(p),
    ),
    (rf"The game has {N} periods?, whatever the players contribute\.", lasts),
    (rf"When does the game end\? -> After period {N}, whatever the players contribute", lasts),
    (r"Points per player in every period: (.*)\.", endowed),
    (
        r"Each player chooses how many of these points to contribute, and keeps the rest\.",
        everybody_chooses,
    ),
    (
        r"Players who are allowed to decide choose how many of these points to contribute, .*",
        lambda p: not everybody_chooses(p) and any_amount(p),
    ),
    (rf"Expected contribution: {N}\.", is_core("baseline")),
    (r"If you do nothing or your time runs out, you contribute nothing\.", gives),
    (
        r"Your contribution produces points for you\. Each additional point produces a little "
        r"less than the one before\.",
        lambda p: p.core.production == "logarithmic",
    ),
    (
        r"The contributions of all players also produce extra points, called synergy\. These are "
        rf"{N} times the geometric mean of the contributions\. .*",
        is_core("synergy"),
    ),
    (
        r"You also get a share of what every other player earns before sanctions\. .*",
        lambda p: p.core.reward == "integrated",
    ),
    (
        r"Contributions go into a common pool\. For each point in the pool, every player gets "
        rf"{N} points\. .*",
        is_core("mpcr"),
    ),
    (r"These are the numbers for the first period\.", lambda p: bool(p.game.drifts)),
    (rf"If each of the {N} players contributes {N}, each ends up with {N} points\.", everybody_has),
    (
        rf"If each of the {N} players contributes {N}, each earns {N} points in the first step\.",
        everybody_has,
    ),
    (
        r"After every period, you see how much each player contributed\.",
        lambda p: p.is_whole("contribution") and gives(p),
    ),
    (
        rf"Each player's average contribution over the last {N} periods, including the current "
        rf"one, is compared with the expected contribution\.",
        compared("inclusive", "baseline"),
    ),
    (
        rf"Each player's average contribution covers the last {N} periods, including the current "
        r"one\. Periods before .* This average is compared with the expected contribution\.",
        compared("full", "baseline"),
    ),
    (
        rf"Each player's own average covers the previous {N} periods\. From the second period on, "
        r"the player's contribution is compared with this average\.",
        compared("prior", "deviation"),
    ),
    (
        rf"Each player's own average covers the last {N} periods\. .* the very first is not\. .* "
        r"The player's contribution is compared with this average\.",
        compared("peer", "deviation"),
    ),
    (
        r"If it is lower, the player gets a sanction from each of the other players and loses .*",
        on_the_deviator,
    ),
    (r"If it is lower, all other players lose points because of this player\. .*", on_the_others),
    (r"This happens automatically, without anyone deciding it\.", always),
    (
        r"This happens automatically, without anyone deciding it\. Nobody gets the points that "
        r"are lost, .*",
        nothing_shared,
    ),
    (r"There are none\.", lambda p: p.core.lambda_R == 0),
    (
        r"Each point of sanction or reward changes what a player earns .*",
        lambda p: p.core.form == "multiplier",
    ),
    (r"The more another player trusts you, .*", on_the_deviator),
    (r"The more you trust another player, .*", on_the_others),
    (rf"Trust is {N}% at the start\.", is_core("initial_trust", 100)),
    (r"It never changes\.", lambda p: p.stays("trust")),
    (
        r"A player who contributes well below expectations loses .*",
        lambda p: p.core.lambda_minus > 0,
    ),
    (
        rf"A player who contributes well above expectations closes {N}% of the gap to full trust\.",
        is_core("lambda_plus", 100),
    ),
    (
        r"A player who contributes too little also gets a worse reputation\. .*",
        lambda p: p.core.mu_R > 0,
    ),
    (
        r"After every period, you see how much each player contributed\. .*",
        all_see("contribution", "memory_averages"),
    ),
    (r"You see who trusts whom\. .*", all_see("trust", "reciprocity_effects")),
    (
        r"Some things are hidden, delayed or inexact\..*",
        lambda p: not p.is_exact("contribution", "memory_averages", "trust", "reciprocity_effects"),
    ),
    (r"You contribute one more point, .* in this period change\? -> (\S+)", costs),
    (r"You contribute one more point, .* not counting sanctions\? -> (\S+)", costs),
    (r"You contribute one more point, .* first step of this period\? -> (\S+)", costs),
    (
        r"A player's average is below .* Who loses points\? -> This player",
        falls_alone(on_the_deviator),
    ),
    (
        r"A player contributes less .* Who loses points\? -> All other players",
        falls_alone(on_the_others),
    ),
    (r"Sanctions cost a player 3 points\. .* -> Nobody\. They are gone", nothing_shared),
    (rf"At most, how many periods does a player's average cover\? -> {N}", is_core("memory")),
]


# -- the design of a public good ---------------------------------------------------------------


def design(**changes: Any) -> dict[str, Any]:
    return {"archetype": "unsanctioned", **changes}


ALL = {"contributions": "all_or_nothing"}
TAKE = {"framing": "take"}
VARIANTS |= {
    "take": design(**TAKE),
    "take, punish": design(**TAKE, peer="punishment"),
    "all or nothing": design(**ALL),
    "all or nothing, punish": design(**ALL, peer="punishment", others_earnings="seen"),
    "all or nothing, one does not give": design(
        **ALL,
        agents={"roles": {"one": {}, "other": {"acts": []}}, "seats": ["one"] * 3 + ["other"]},
    ),
    "take all or nothing": design(**ALL, **TAKE, others_earnings="hidden"),
    "take all or nothing, punish": design(**ALL, **TAKE, peer="both", others_earnings="hidden"),
    "unequal pools": design(**TAKE, endowment=[20.0, 40.0, 40.0, 40.0]),
    "untold": {"periods_told": False},
    "untold, take": design(**TAKE, periods_told=False),
    "earnings seen": design(others_earnings="seen"),
    "neighbours' earnings": design(others_earnings="seen", **layer("information", graph="ring")),
}


def takes(played: Played) -> bool:
    return bool(played.core.framing == "take")


def two_amounts(played: Played) -> bool:
    """Check that seats can only contribute nothing or everything, no matter what they send."""
    used = set()
    for amount in np.linspace(0.0, float(np.max(played.core.endowment)), 9):
        play = engine.Episode(played.game, seed=1)
        step = play.step({"contribution": [float(amount)] * played.game.seats})
        used |= set(step.used["contribution"].tolist())
    return used == {0.0, played.core.endowment}


def default_takes_all(played: Played) -> bool:
    default = engine.Episode(played.game, seed=1).allowed(0).default_action()
    return default["contribution"] == 0.0 and takes(played)


def pays_to_all(played: Played, points: str, right: str) -> bool:
    """Check how much any seat loses by contributing everything instead of nothing."""
    answer, all_of_them = float(right.replace("\N{MINUS SIGN}", "-")), float(points)
    return all_of_them == played.core.endowment and all(
        abs(rewards(played, all_of_them, 0, i)[i] - rewards(played, 0.0, 0, i)[i] - answer) < 1e-9
        for i in played.seats
    )


def untold(played: Played) -> bool:
    return played.game.told_horizon is None and played.game.told.periods != played.game.horizon


def earnings_are_seen(played: Played) -> bool:
    """Check that, after each period, all seats see what everyone earned in it."""
    pairs = zip(played.steps, played.seen[1:], strict=True)
    return all(
        np.allclose(seen[seat]["earned"], step.rewards)
        for step, seen in pairs
        for seat in played.seats
    )


def earnings_are_hidden(played: Played) -> bool:
    """Check that nobody sees others' earnings, either after a period or at a second step."""
    play = engine.Episode(played.game, seed=1)
    play.step({"contribution": [0.0] * played.game.seats})
    seen = [play.observation(seat) for seat in played.seats]
    incomes = [np.delete(row["income"], seat) for seat, row in enumerate(seen) if "income" in row]
    return not any("earned" in row for row in seen) and bool(np.isnan(incomes).all())


CLAIMS += [
    (
        r"Players share a common pool\. At the start of every period, it contains points for each "
        r"of them\. "
        r"Players keep the points that they take out\.",
        lambda p: kept(p) and takes(p),
    ),
    (
        r"Points in the pool for each player at the beginning of every period: (.*)\.",
        lambda p, text: endowed(p, text) and takes(p),
    ),
    (
        r"Each player chooses how many of these points to take out, and leaves the rest in the "
        r"pool\.",
        lambda p: any_amount(p) and takes(p),
    ),
    (
        r"Each player either takes out all of these points or leaves all of them in the pool\.",
        lambda p: two_amounts(p) and takes(p),
    ),
    (
        r"Each player contributes either all of these points or none, and keeps what they do not "
        r"contribute\.",
        lambda p: two_amounts(p) and gives(p) and "contribution" not in p.game.barred,
    ),
    (
        r"Players who are allowed to decide contribute either all of these points or none\. They "
        r"keep what they do not contribute\.",
        lambda p: two_amounts(p) and gives(p) and "contribution" in p.game.barred,
    ),
    (
        r"If you do nothing or your time runs out, you take out all of your points\.",
        default_takes_all,
    ),
    (
        rf"For each point that is left in the pool, every player gets {N} points\. .*",
        is_core("mpcr"),
    ),
    (
        rf"If each of the {N} players leaves {N} in the pool, each ends up with {N} points\.",
        everybody_has,
    ),
    (
        rf"If each of the {N} players leaves {N} in the pool, each earns {N} points in the first "
        r"step\.",
        everybody_has,
    ),
    (
        r"After every period, you see how many points each player took out\.",
        lambda p: p.is_whole("contribution") and takes(p),
    ),
    (
        r"If you take out a point, you get 1\. If you leave it in the pool, each of the \d+ "
        r"players gets [\d.]+\.",
        lambda p: everybody_gains(p) and takes(p),
    ),
    (r"You take out one point less, .* in this period change\? -> (\S+)", costs),
    (r"You take out one point less, .* first step of this period\? -> (\S+)", costs),
    (rf"You contribute your {N} points instead of keeping them, .* -> (\S+)", pays_to_all),
    (rf"You leave your {N} points in the pool instead of .* -> (\S+)", pays_to_all),
    (rf"The game has {N} periods?, whatever the players do\.", lasts),
    (rf"When does the game end\? -> After period {N}, whatever the players do", lasts),
    (r"You are not told how many periods the game has\. .*", untold),
    (r"When does the game end\? -> After a number of periods that you do not know", untold),
    (r"You do not see how many points the other players earn\.", earnings_are_hidden),
    (
        r"After the second step of every period, you also see how many points .*",
        lambda p: earnings_are_seen(p) and p.game.peers is not None,
    ),
    (
        r"You also see how many points each player earned in the period\.",
        lambda p: earnings_are_seen(p) and p.game.peers is None,
    ),
]
