"""Instructions of the commons.

Every number comes from the session's configuration; none is hard-coded.
"""

from __future__ import annotations

from mixed_company.engine.games.commons_game import CommonsCore, CommonsGame, growth
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Section
from mixed_company.server.pages.texts import counted, exact, number, per_player, percent, section
from mixed_company.table.options import Options

__all__ = ["example", "sections"]


def sections(game: CommonsGame, options: Options) -> list[Section]:
    """Return the instructions, one section {title, lines, table, screen} per part."""
    core = game.core
    parts = [_story(core), _decision(game)]
    if core.governance != "none":
        parts.append(_pool(game))
    parts += [_growth(game), _view(game), _worth(core)]
    if core.living_cost:
        parts.append(_living(core))
    return [*parts, _end(core)]


def _story(core: CommonsCore) -> Section:
    lines = [
        _("You are one of {n} players who fish in the same lake.").format(n=core.seats),
        _("At the start there are {stock} fish. The lake can hold {capacity}.").format(
            stock=exact(core.initial_stock or 0.0), capacity=exact(core.capacity)
        ),
        _("A fish that one player takes, the others cannot take any more."),
    ]
    return section("", lines, screen="about")


def _worth(core: CommonsCore) -> Section:
    lines = [_("Each fish you take is worth 1 point.")]
    if core.initial_wealth:
        lines.append(
            counted(
                "You start with {n} point. Your payment counts what you earn on top of it.",
                "You start with {n} points. Your payment counts what you earn on top of them.",
                core.initial_wealth,
            )
        )
    return section("", lines, screen="pays")


def _decision(game: CommonsGame) -> Section:
    limits = tuple(plain.most(game, "harvest"))
    first = _("In every period each player asks for a harvest of 0 to {most}.")
    if len(set(limits)) > 1:
        first = _("In every period each player asks for a harvest. The most that can be: {most}.")
    lines = [
        first.format(most=per_player(limits if len(set(limits)) > 1 else limits[0])),
        _(
            "You can ask for parts of a fish, such as 2.5. If there are enough fish, you get "
            "what you asked for. If the players together ask for more fish than there are, each "
            "gets the same share of what he or she asked for."
        ),
    ]
    return section("", lines, screen="decides")


def _growth(game: CommonsGame) -> Section:
    core, title = game.core, _("How the stock grows")
    steady = plain.is_steady(game, "growth_rate")
    first = [] if steady else [_("These are the numbers of the first period.")]
    if core.growth == "linear":
        line = counted(
            "After every period {n} fish is added, up to {capacity}.",
            "After every period {n} fish are added, up to {capacity}.",
            core.growth_rate,
            capacity=exact(core.capacity),
        )
        return section(title, [line, *first])
    if core.growth == "exponential":
        return section(title, [*_from_what_is_left(game), *first])
    stocks = [share * core.capacity for share in (0.1, 0.25, 0.5, 0.75, 1.0)]
    stock, taken, born, left = example(game)
    line = _(
        "For example: there are {stock} fish, all together take {taken}, {born} are born, and "
        "{left} are there in the next period."
    )
    if not plain.is_steady(game, "stock"):
        line = _(
            "For example: there are {stock} fish, all together take {taken}, {born} are born, and "
            "{left} would be there in the next period, if nothing else changed them."
        )
    lines = [
        _(
            "In every period fish are born. How many depends on how many there were before the "
            "harvest: none in a full lake, most in a half full one, few in a nearly empty one."
        ),
        line.format(stock=number(stock), taken=number(taken), born=number(born), left=number(left)),
        *first,
    ]
    table = [
        {"head": _("Fish before the harvest"), "cells": [number(stock) for stock in stocks]},
        {"head": _("Fish born"), "cells": [number(growth(core, stock)) for stock in stocks]},
    ]
    return section(title, lines, table)


def _from_what_is_left(game: CommonsGame) -> list[str]:
    """Describe exponential growth, with half of a full lake harvested as the example."""
    core = game.core
    whole, taken = core.capacity, core.capacity / 2
    left = whole - taken
    born = float(growth(core, whole, taken))
    line = _(
        "After every harvest fish are born: {share} of the number that is left, up to {capacity} "
        "fish in the lake."
    )
    lines = [line.format(share=percent(core.growth_rate), capacity=exact(whole))]
    if game.externality == 1.0 and plain.is_steady(game, "stock"):
        line = _(
            "For example: there are {stock} fish, all together take {taken}, and {left} are left. "
            "Then {after} are there in the next period."
        )
        after = number(min(left + born, whole))
        values = {"stock": number(whole), "taken": number(taken), "left": number(left)}
        lines.append(line.format(**values, after=after))
    return lines


def example(game: CommonsGame) -> tuple[float, float, float, float]:
    """Return an example period in fish: stock, total harvest, births and the next stock."""
    core = game.core
    highest = core.capacity if core.recovery_stock is None else core.recovery_stock
    stock, taken = 0.8 * highest, 0.12 * highest
    born = float(growth(core, stock))
    return stock, taken, born, min(stock - game.externality * taken + born, core.capacity)


def _living(core: CommonsCore) -> Section:
    lines = [
        counted(
            "Living costs each player {n} point in every period.",
            "Living costs each player {n} points in every period.",
            core.living_cost,
        ),
        _(
            "Whoever holds less than that after a period is out: this player decides and earns "
            "nothing any more, and the others go on. What was earned until then counts."
        ),
    ]
    return section(_("What living costs"), lines, screen="pays")


def _pool(game: CommonsGame) -> Section:
    core = game.core
    first = _(
        "You can also pay points into a common pool: at most what you held before the harvest."
    )
    if core.living_cost:
        first = _(
            "You can also pay points into a common pool: at most what you held before the harvest, "
            "less what living costs."
        )
    if not plain.every_seat_decides(game, "contribution"):
        first = _("There is a common pool, into which some players can pay points.")
    lines = [
        first,
        counted(
            "Each point in the pool adds {n} fish to the lake in the same period.",
            "Each point in the pool adds {n} fish to the lake in the same period.",
            core.pool_effect,
        ),
    ]
    if core.governance == "accumulating":
        lines.append(
            _("The pool is kept: {share} of it remains for the next period.").format(
                share=percent(core.pool_decay)
            )
        )
    else:
        lines.append(_("The pool is used up in every period."))
    return section(_("The pool"), lines, screen="decides")


def _view(game: CommonsGame) -> Section:
    core = game.core
    if not plain.is_seen(game, "harvest", "wealth"):
        lines = [plain.limited()]
    elif core.observation == "full":
        lines = [_("After every period you see what each player took and holds.")]
    else:
        lines = [
            _(
                "You see what you and your neighbours took and hold. Of the others, and of a pool, "
                "you see nothing."
            )
        ]
    if core.stock_noise and plain.is_seen(game, "stock"):
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
    whole = counted("The game has {n} period.", "The game has {n} periods.", core.periods)
    lines = [whole, *lines]
    if core.terminate_on_collapse:
        lines.append(_("Then the game ends at once, and everybody keeps the points earned so far."))
    else:
        lines.append(_("The game goes on all the same."))
    if core.recovery_stock is not None:
        when = _("If {goal} fish or more are there after a period, the game is won and ends.")
        lines.append(when.format(goal=exact(core.recovery_stock)))
    if core.recovery_bonus:
        lines.append(
            counted(
                "Then each player who is not out gets {n} point.",
                "Then each player who is not out gets {n} points.",
                core.recovery_bonus,
            )
        )
    return section("", lines, screen="ends")
