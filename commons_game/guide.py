"""What the commons game says to people: instructions, quiz, words on the play page, results.

Every number comes from the session's own configuration; none is typed here.
"""

from __future__ import annotations

from gettext import gettext as _
from typing import Any

import numpy as np

from engine.games.commons_game import CommonsCore, growth
from engine.solutions.commons_game import best_group_plan, efficiency, periods_survived
from server.texts import exact, number, section
from table.options import Options
from table.table import Table

__all__ = ["DIGITS", "TITLE", "details", "prepare", "quiz", "sections", "summary", "texts"]

Section = dict[str, Any]
Question = dict[str, Any]
COMPARED_PERIODS = 300
"""Longer plays are not compared with the best plan: solving it would keep a server waiting."""

DIGITS = 1
TITLE = _("The common stock")


def sections(core: CommonsCore, options: Options) -> list[Section]:
    """The instructions, part by part: {title, lines, table}."""
    parts = [_story(core), _decision(core), _growth(core)]
    if core.governance != "none":
        parts.append(_pool(core))
    return [*parts, _view(core), _end(core)]


def _story(core: CommonsCore) -> Section:
    lines = [
        _("You are one of {n} players who fish in the same lake.").format(n=core.seats),
        _("At the start there are {stock} fish. The lake can hold {capacity}.").format(
            stock=exact(core.initial_stock or 0.0), capacity=exact(core.capacity)
        ),
        _("The game has {periods} periods. Each fish you take is worth 1 point.").format(
            periods=core.periods
        ),
    ]
    if core.initial_wealth:
        line = _("You start with {w} points. Your payment counts what you earn on top of them.")
        lines.append(line.format(w=exact(core.initial_wealth)))
    return section(_("The lake"), lines)


def _decision(core: CommonsCore) -> Section:
    lines = [
        _("In every period each player asks for a harvest of 0 to {most}.").format(
            most=exact(core.max_harvest)
        ),
        _(
            "You can ask for parts of a fish, such as 2.5. If there are enough fish, you get "
            "what you asked for. If all ask for more than there is, everybody gets the same "
            "share of the request."
        ),
    ]
    return section(_("Your decision"), lines)


def _growth(core: CommonsCore) -> Section:
    title = _("How the stock grows")
    if core.growth == "linear":
        line = _("After every period {g} fish are added, up to {capacity}.")
        return section(
            title, [line.format(g=exact(core.growth_rate), capacity=exact(core.capacity))]
        )
    stocks = [share * core.capacity for share in (1.0, 0.75, 0.5, 0.25, 0.1)]
    stock, taken = 0.8 * core.capacity, 0.12 * core.capacity
    example = _(
        "For example: there are {stock} fish, all together take {taken}, {born} are born, and "
        "{left} are there in the next period."
    )
    lines = [
        _(
            "In every period fish are born. How many depends on how many there were before the "
            "harvest: none in a full lake, most in a half full one, few in a nearly empty one."
        ),
        example.format(
            stock=number(stock),
            taken=number(taken),
            born=number(growth(core, stock)),
            left=number(min(stock - taken + growth(core, stock), core.capacity)),
        ),
    ]
    table = [
        {"head": _("Fish before the harvest"), "cells": [number(each) for each in stocks]},
        {"head": _("Fish born"), "cells": [number(growth(core, each)) for each in stocks]},
    ]
    return section(title, lines, table)


def _pool(core: CommonsCore) -> Section:
    lines = [
        _("You can also pay points into a common pool: at most what you held before the harvest."),
        _("Each point in the pool adds {effect} fish to the lake in the same period.").format(
            effect=exact(core.pool_effect)
        ),
    ]
    if core.governance == "accumulating":
        lines.append(
            _("The pool is kept: {share} % of it remains for the next period.").format(
                share=exact(100 * core.pool_decay)
            )
        )
    else:
        lines.append(_("The pool is used up in every period."))
    return section(_("The pool"), lines)


def _view(core: CommonsCore) -> Section:
    if core.observation == "full":
        lines = [_("After every period you see what each player took and holds.")]
    else:
        lines = [
            _(
                "You see what you and your neighbours took and hold. Of the others, and of a pool, "
                "you see nothing."
            )
        ]
    if core.stock_noise:
        lines.append(
            _("Nobody knows the stock exactly. What you see is an estimate: two times out of "
              "three it is within {sd} fish of the truth.").format(sd=exact(core.stock_noise))
        )  # fmt: skip
    return section(_("What you see"), lines)


def _end(core: CommonsCore) -> Section:
    if core.collapse_stock > 0:
        when = _("If fewer than {critical} fish are left after a period, the stock collapses.")
        lines = [when.format(critical=exact(core.collapse_stock))]
    elif core.collapse_zero_periods == 1:
        lines = [_("If no fish is left after a period, the stock collapses.")]
    else:
        lines = [
            _("If no fish is left for {k} periods running, the stock collapses.").format(
                k=core.collapse_zero_periods
            )
        ]
    if core.terminate_on_collapse:
        lines.append(_("Then the game ends at once, and everybody keeps the points earned so far."))
    else:
        lines.append(_("The game goes on all the same."))
    return section(_("When it ends"), lines)


def quiz(core: CommonsCore, options: Options) -> list[Question]:
    """Questions with this session's numbers, the right option and why it is right."""
    half = core.capacity / 2
    questions = [_shortage(core)] if core.seats > 1 else []
    if core.growth == "logistic" and core.growth_rate > 0:
        questions.append(
            {
                "name": "growth",
                "text": _("With how many fish before the harvest are most fish born?"),
                "options": [exact(core.capacity), number(half), number(core.capacity / 10)],
                "right": number(half),
                "why": _("Most are born in a half full lake, none in a full one."),
            }
        )
    if core.governance != "none":
        questions.append(_pool_question(core))
    return questions


def _shortage(core: CommonsCore) -> Question:
    """Everybody asks for the same, twice as much as there is."""
    own = min(core.max_harvest, 2 * core.capacity / core.seats)
    asked = own * core.seats
    text = _(
        "There are {stock} fish. Each of the {n} players asks for {own}, together {asked}. "
        "How many do you get?"
    )
    return {
        "name": "shortage",
        "text": text.format(
            stock=number(asked / 2), n=core.seats, own=number(own), asked=number(asked)
        ),
        "options": [number(own), number(own / 2), "0"],
        "right": number(own / 2),
        "why": _("There is half of what all ask for, so everybody gets half."),
    }


def _pool_question(core: CommonsCore) -> Question:
    paid = 3.0
    added = number(paid * core.pool_effect)
    text = _("All players together pay {paid} points. How many fish does that add?")
    return {
        "name": "pool",
        "text": text.format(paid=number(paid)),
        "options": sorted({added, "0", number(paid + core.capacity / 2)}),
        "right": added,
        "why": _("Each point in the pool adds {effect} fish.").format(
            effect=exact(core.pool_effect)
        ),
    }


def texts(core: CommonsCore) -> dict[str, str]:
    """Words of the stage, the decision card and the ledger."""
    return {
        "stock": _("fish in the lake"),
        "stock_estimate": _("fish in the lake (estimate)"),
        "stock_of": _("of {capacity}"),
        "collapse_line": _("collapse below {critical}"),
        "collapsed": _("The stock has collapsed"),
        "collapsed_more": _("Too few fish are left to grow back."),
        "harvest": _("Harvest"),
        "harvest_request": _("How many fish do you ask for?"),
        "contribution": _("Contribution"),
        "contribution_request": _("How many points do you pay into the pool?"),
        "pool": _("Pool"),
        "balance": _("You hold {held} points. If your request is granted: {after}."),
        "took": _("took"),
        "paid": _("paid"),
        "holds": _("holds"),
        "total_harvest": _("total harvest"),
        "total_seen": _("harvest you can see"),
        "stock_series": _("stock"),
        "earned": _("earned"),
        "change": _("Last period {taken} fish were taken and {born} were added."),
        "granted": _("You asked for {asked} and got {got}."),
        "stage_text": _("The lake holds {stock} of {capacity} fish."),
    }


def summary(table: Table, log: list[dict[str, Any]], seat: int) -> list[str]:
    """What happened and why one earned what one earned, in sentences."""
    core = table.game.core
    rows = [row for row in log if row["kind"] == "period"]
    if not rows:
        return []
    stocks = np.array([row["state"]["stock"] for row in rows])
    rewards = np.array([row["rewards"] for row in rows])
    survived = periods_survived(core, stocks)
    lines = [_("The stock lasted all {periods} periods.").format(periods=core.periods)]
    if any(row["state"]["collapsed"] for row in rows):
        line = _("The stock collapsed after period {period} of {periods}.")
        lines = [line.format(period=survived, periods=core.periods)]
    group = number(float(rewards.sum()))
    lines.append(_("Your group took {group} points together.").format(group=group))
    if core.periods <= COMPARED_PERIODS:
        line = _("That is {share} % of what the best plan would have brought.")
        lines.append(line.format(share=number(100 * efficiency(core, rewards))))
    taken = float(sum(row["components"]["harvest"][seat] for row in rows))
    paid = -float(sum(row["components"]["contribution"][seat] for row in rows))
    lines.append(_("On your seat {taken} fish were taken in all.").format(taken=number(taken)))
    if core.governance != "none":
        lines.append(_("From it {paid} points were paid into the pool.").format(paid=number(paid)))
    return lines


def prepare(core: CommonsCore) -> None:
    """Solve what the results page compares with, before anybody waits for it."""
    if core.periods <= COMPARED_PERIODS:
        best_group_plan(core)


def details(table: Table, log: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """The picture of the stock says it all."""
    return []
