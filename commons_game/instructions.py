"""Instructions for the commons game.

Every number comes from the session's configuration; none is hard-coded.
"""

from __future__ import annotations

from mixed_company.engine.games.commons_game import CommonsCore, CommonsGame, growth
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Section
from mixed_company.server.pages.texts import counted, exact, number, per_player, percent, section
from mixed_company.table.options import Options


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
        _("Once a fish is taken, nobody else can take it."),
    ]
    return section("", lines, screen="about")


def _worth(core: CommonsCore) -> Section:
    lines = [_("Each fish you take is worth 1 point.")]
    if core.initial_wealth:
        lines.append(
            counted(
                "You start with {n} point. Only what you earn on top of that counts towards your "
                "payment.",
                "You start with {n} points. Only what you earn on top of that counts towards your "
                "payment.",
                core.initial_wealth,
            )
        )
    return section("", lines, screen="pays")


def _decision(game: CommonsGame) -> Section:
    limits = tuple(plain.most(game, "harvest"))
    first = _("In every period, each player asks for 0 to {most} fish.")
    if len(set(limits)) > 1:
        first = _(
            "In every period, each player asks for a number of fish. The most a player can ask "
            "for is {most}."
        )
    lines = [
        first.format(most=per_player(limits if len(set(limits)) > 1 else limits[0])),
        _(
            "You can ask for fractions of a fish, for example 2.5 fish. If there are enough "
            "fish, you get what you asked for. If all players together ask for more fish "
            "than there are, each player gets the same share of what they asked for."
        ),
    ]
    return section("", lines, screen="decides")


def _growth(game: CommonsGame) -> Section:
    core, title = game.core, _("How the fish stock grows")
    steady = plain.is_steady(game, "growth_rate")
    first = [] if steady else [_("These are the numbers for the first period.")]
    if core.growth == "linear":
        line = counted(
            "After every period, {n} fish is added, but the lake never holds more than {capacity}.",
            "After every period, {n} fish are added, but the lake never holds more than "
            "{capacity}.",
            core.growth_rate,
            capacity=exact(core.capacity),
        )
        return section(title, [line, *first])
    if core.growth == "exponential":
        return section(title, [*_from_what_is_left(game), *first])
    stocks = [share * core.capacity for share in (0.1, 0.25, 0.5, 0.75, 1.0)]
    stock, taken, born, left = example(game)
    line = _(
        "For example, suppose there are {stock} fish. The players take {taken} in total, and "
        "{born} are born. The next period then starts with {left} fish."
    )
    if not plain.is_steady(game, "stock"):
        line = _(
            "For example, suppose there are {stock} fish. The players take {taken} in total, and "
            "{born} are born. If nothing else changed the fish stock, the next period would start "
            "with {left} fish."
        )
    lines = [
        _(
            "In every period, new fish are born. How many are born depends on how many fish there "
            "were before the harvest. The most fish are born when the lake is half full. Few are "
            "born when it is nearly empty, and none when it is full."
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
    """Describe exponential growth. In the example, players harvest half of a full lake."""
    core = game.core
    whole, taken = core.capacity, core.capacity / 2
    left = whole - taken
    born = float(growth(core, whole, taken))
    line = _(
        "After every harvest, new fish are born. The number of new fish is {share} of the number "
        "left in the lake. The lake never holds more than {capacity} fish."
    )
    lines = [line.format(share=percent(core.growth_rate), capacity=exact(whole))]
    if game.externality == 1.0 and plain.is_steady(game, "stock"):
        line = _(
            "For example, suppose there are {stock} fish. The players take {taken} in total, and "
            "{left} are left. The next period then starts with {after} fish."
        )
        after = number(min(left + born, whole))
        values = {"stock": number(whole), "taken": number(taken), "left": number(left)}
        lines.append(line.format(**values, after=after))
    return lines


def example(game: CommonsGame) -> tuple[float, float, float, float]:
    """Return an example period's stock, total harvest, births and next stock, all in fish."""
    core = game.core
    highest = core.capacity if core.recovery_stock is None else core.recovery_stock
    stock, taken = 0.8 * highest, 0.12 * highest
    born = float(growth(core, stock))
    return stock, taken, born, min(stock - game.externality * taken + born, core.capacity)


def _living(core: CommonsCore) -> Section:
    lines = [
        counted(
            "In every period, each player pays {n} point in living costs.",
            "In every period, each player pays {n} points in living costs.",
            core.living_cost,
        ),
        _(
            "If a player has fewer points than that after a period, that player is out of the "
            "game. The player makes no more decisions and earns nothing more, but the others keep "
            "playing. Points that the player has already earned still count."
        ),
    ]
    return section(_("Living costs"), lines, screen="pays")


def _pool(game: CommonsGame) -> Section:
    core = game.core
    first = _(
        "You can also pay points into a common pool. You can pay at most the points you had "
        "before the harvest."
    )
    if core.living_cost:
        first = _(
            "You can also pay points into a common pool. You can pay at most the points you had "
            "before the harvest, minus the living costs."
        )
    if not plain.every_seat_decides(game, "contribution"):
        first = _("Some players can pay points into a common pool.")
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
            _("{share} of the pool carries over to the next period.").format(
                share=percent(core.pool_decay)
            )
        )
    else:
        lines.append(_("The whole pool is used up in every period."))
    return section(_("The pool"), lines, screen="decides")


def _view(game: CommonsGame) -> Section:
    core = game.core
    if game.peers is not None and plain.is_seen(game, "harvest"):
        lines = [_seen_with_peers(core)]
    elif not plain.is_seen(game, "harvest", "wealth"):
        lines = [plain.limited()]
    elif core.observation == "full":
        lines = [
            _(
                "After every period, you see how many fish each player took and how many "
                "points each player has."
            )
        ]
    else:
        lines = [
            _(
                "You see how many fish you and your neighbours took, and how many points each "
                "of you has. You see nothing about the other players. If there is a common "
                "pool, you do not see how much is in it."
            )
        ]
    if core.stock_noise and plain.is_seen(game, "stock"):
        lines.append(
            _(
                "Nobody knows exactly how many fish there are. You see an estimate. Two times "
                "out of three, it is within {sd} fish of the true number."
            ).format(sd=exact(core.stock_noise))
        )
    return section(_("What you see"), lines)


def _seen_with_peers(core: CommonsCore) -> str:
    """Return the sentence about what players see in a game with peer points. They do not see
    others' points."""
    if core.observation == "full":
        return _("After every period, you see how many fish each player took.")
    return _(
        "You see how many fish you and your neighbours took. You see nothing about the other "
        "players. If there is a common pool, you do not see how much is in it."
    )


def _end(core: CommonsCore) -> Section:
    if core.collapse_stock > 0:
        when = _("If fewer than {critical} fish are left after a period, the fish stock collapses.")
        lines = [when.format(critical=exact(core.collapse_stock))]
    elif core.collapse_zero_periods == 1:
        lines = [_("If no fish are left after a period, the fish stock collapses.")]
    else:
        lines = [
            _("If no fish are left for {k} periods in a row, the fish stock collapses.").format(
                k=core.collapse_zero_periods
            )
        ]
    whole = counted("The game has {n} period.", "The game has {n} periods.", core.periods)
    lines = [whole, *lines]
    if core.terminate_on_collapse:
        lines.append(
            _(
                "If that happens, the game ends at once. Everybody keeps the points they have "
                "earned so far."
            )
        )
    else:
        lines.append(_("Even if that happens, the game goes on."))
    if core.recovery_stock is not None:
        when = _(
            "If there are {goal} or more fish after a period, the players win and the game ends."
        )
        lines.append(when.format(goal=exact(core.recovery_stock)))
    if core.recovery_bonus:
        lines.append(
            counted(
                "Each player who is still in the game then gets {n} point.",
                "Each player who is still in the game then gets {n} points.",
                core.recovery_bonus,
            )
        )
    return section("", lines, screen="ends")
