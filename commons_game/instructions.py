"""The instructions of the commons.

Every number comes from the session's own configuration; none is typed here.
"""

from __future__ import annotations

from gettext import gettext as _

from engine.games.commons_game import CommonsCore, growth
from server.guide import Section
from server.texts import exact, number, section
from table.options import Options

__all__ = ["sections"]


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
        {"head": _("Fish before the harvest"), "cells": [number(stock) for stock in stocks]},
        {"head": _("Fish born"), "cells": [number(growth(core, stock)) for stock in stocks]},
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
