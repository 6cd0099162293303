"""Instructions for the public good.

Every number comes from the session's configuration; none is hard-coded.
"""

from __future__ import annotations

from mixed_company.engine.games.public_good import PublicGood, PublicGoodCore
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Section
from mixed_company.server.pages.texts import exact, section
from mixed_company.table.options import Options

__all__ = ["sections"]


def sections(game: PublicGood, options: Options) -> list[Section]:
    """Return the instructions as sections of the form {title, lines, table, screen}."""
    return [_story(game.core), _pot(game.core), _view(game), _end(game.core)]


def _story(core: PublicGoodCore) -> Section:
    lines = [
        _("You are one of {n} players who share a pot.").format(n=core.seats),
        _("In each period every player gets {e} points.").format(e=exact(core.endowment)),
        _("You decide how many of them you give to the pot: whole points from 0 to {e}.").format(
            e=exact(core.endowment)
        ),
        _("What you do not give you keep."),
    ]
    return section("", lines, screen="about")


def _pot(core: PublicGoodCore) -> Section:
    lines = [
        _(
            "Every player gets {m} points for each point in the pot, whoever has given it. So a "
            "point that you give brings you {m} points, and all {n} players together {all}."
        ).format(
            m=exact(core.marginal_return),
            n=core.seats,
            all=exact(core.marginal_return * core.seats),
        )
    ]
    shares = (0, core.endowment // 2, core.endowment)
    earned = [
        core.endowment - share + core.marginal_return * core.seats * share for share in shares
    ]
    table = [
        {"head": _("If every player gives"), "cells": [exact(share) for share in shares]},
        {"head": _("each player earns"), "cells": [exact(points) for points in earned]},
    ]
    return section(_("What the pot brings"), lines, table)


def _view(game: PublicGood) -> Section:
    line = _("After every period, you see what each player gave.")
    return section(
        _("What you see"), [line if plain.is_seen(game, "contribution") else plain.limited()]
    )


def _end(core: PublicGoodCore) -> Section:
    line = _("The game has {periods} periods, whatever the players give.")
    return section("", [line.format(periods=core.periods)], screen="ends")
