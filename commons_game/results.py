"""The commons' results page, which compares the harvests with the best plan."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.engine import solutions
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.games.commons_game import CommonsCore
from mixed_company.engine.solutions.commons_game import (
    best_alike,
    best_group_plan,
    efficiency,
    group_most,
    periods_survived,
)
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain, wording
from mixed_company.server.pages.plain import stops
from mixed_company.server.pages.texts import counted, number, periods_of, together
from mixed_company.table.table import Table

DIGITS = 1
COMPARED_PERIODS = 1000
"""Maximum number of periods for which the best plan is computed. For a longer play, the solver
would block the server.
"""

TRIED_PERIODS = 5000
"""Maximum number of periods simulated, over all requests, to find the best equal harvest."""


def prepare(game: Game[CommonsCore]) -> None:
    """Compute the plans that the results page shows for comparison, before anybody opens it."""
    if _compared(game):
        solutions.best(game)
        _had_all_taken(game)


def _compared(game: Game[CommonsCore]) -> bool:
    """Return whether a best plan exists for this game and can be solved quickly enough."""
    return game.core.periods <= COMPARED_PERIODS and solutions.has_best(game)


def summary(table: Table, log: list[dict[str, Any]], seat: int) -> list[str]:
    """Return sentences about the course of the game and the seat's earnings."""
    core = table.game.core
    rows = periods_of(log)
    if not rows:
        return []
    stocks = np.array([row["state"]["stock"] for row in rows])
    rewards = np.array([row["rewards"] for row in rows])
    survived = periods_survived(core, stocks)
    lines = [
        counted(
            "The fish stock lasted the whole game.",
            "The fish stock lasted all {n} periods.",
            core.periods,
        )
    ]
    if table.episode.reason == "recovery":
        line = _(
            "After period {period} of {periods}, the fish stock had recovered and your group won "
            "the game."
        )
        lines = [line.format(period=len(rows), periods=core.periods)]
    elif table.episode.reason in ("all_out", "all_left"):
        lines = [_("After period {period}, nobody was left to fish.").format(period=len(rows))]
    if any(row["state"]["collapsed"] for row in rows):
        line = _("The fish stock collapsed after period {period} of {periods}.")
        lines = [line.format(period=survived, periods=core.periods)]
    lines.append(together(float(rewards.sum()), DIGITS))
    if _compared(table.game):
        lines += _of_best(table.game, rewards)
        lines += _had_all_taken(table.game)
    if table.episode.ending(seat)[0] == "bankrupt":
        out = [row["period"] + 1 for row in rows if row["state"]["seat_reason"][seat]]
        line = _(
            "After period {period}, you could not pay the living costs for another period, so you "
            "were out."
        )
        lines.append(line.format(period=min(out)))
    taken = float(sum(row["components"]["harvest"][seat] for row in rows))
    paid = -float(sum(row["components"]["contribution"][seat] for row in rows))
    lines.append(
        counted(
            "You took {n} fish in total.",
            "You took {n} fish in total.",
            taken,
            DIGITS,
        )
    )
    if core.governance != "none":
        lines.append(
            counted(
                "You paid {n} point into the pool.",
                "You paid {n} points into the pool.",
                paid,
                DIGITS,
            )
        )
    return lines


def _of_best(game: Game[CommonsCore], rewards: Array) -> list[str]:
    """Return a sentence about the share of the best possible earnings that the group earned. Return
    nothing if no earnings were possible."""
    shares = 100 * efficiency(game.core, rewards, group_most(game))
    if np.isnan(shares).any():
        return []
    low, high = map(number, shares.tolist())
    if low == high:
        line = _("That is {share}% of what your group could have earned with the best plan.")
        return [line.format(share=high)]
    line = _(
        "That is between {least} and {most}% of what your group could have earned with the "
        "best plan. The exact amount is not known."
    )
    return [line.format(least=low, most=high)]


def _had_all_taken(game: Game[CommonsCore]) -> list[str]:
    """Return a sentence about the best equal harvest that the slider offers, and what it earns."""
    requests = stops(game, "harvest", 0.0, min(plain.most(game, "harvest")))
    if not requests or len(requests) * game.core.periods > TRIED_PERIODS:
        return []
    alike = best_alike(game.core, requests)
    return [
        counted(
            "If every player had asked for {x} fish in every period, each player could have "
            "earned {n} point.",
            "If every player had asked for {x} fish in every period, each player could have "
            "earned {n} points.",
            alike.points,
            DIGITS,
            x=number(alike.request),
        )
    ]


def details(table: Table, log: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """Return a table of all players' harvests if everyone could see them."""
    rows = periods_of(log)
    game = table.game
    if not rows or not _all_is_seen(game, "harvest") or not plain.are_named(game):
        return []
    taken = np.array([row["state"]["harvest"] for row in rows])
    words = wording.play()
    names = [words["player"].format(n=n) for n in range(1, game.seats + 1)]
    names[seat] = words["you"]
    cells = zip(names, taken.sum(axis=0), taken.mean(axis=0), strict=True)
    heads = [words["players"], _("total fish"), _("fish per period")]
    numbers = [[name, number(float(whole)), number(float(mean))] for name, whole, mean in cells]
    return [{"title": _("Each player's catch"), "heads": heads, "rows": numbers}]


def _all_is_seen(game: Game[CommonsCore], field: str) -> bool:
    """Return whether every seat saw this field of every seat."""
    return game.core.observation == "full" and plain.is_seen(game, field)


def picture(table: Table, log: list[dict[str, Any]], _seat: int) -> dict[str, Any]:
    """Return the best plan, to be drawn next to the play: {best: {stock, harvest}, course}.

    `best` has one value per period, with stocks after harvest and growth. `course` contains the
    points that the best plan would have earned.
    """
    game = table.game
    course: dict[str, Any] = {"others": _all_is_seen(game, "wealth")}
    if not _compared(game):
        return {"best": None, "course": course}
    plan = best_group_plan(game.core, group_most(game))
    earned = np.cumsum(plan.harvests - plan.contributions[: len(plan.harvests)])
    name = _("Best plan") if round(plan.error, DIGITS) == 0 else _("Best plan found")
    course["best"] = {"name": name, "points": (earned / game.seats).tolist()}
    best = {"stock": plan.stocks[1:].tolist(), "harvest": plan.harvests.tolist()}
    return {"best": best, "course": course}
