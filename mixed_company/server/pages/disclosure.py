"""What people are told of bots before they play (`disclosure`): one sentence, kept with its time.

The session is refused where the sentence would not be true (`table.setup`).
"""

from __future__ import annotations

from typing import Any

from mixed_company.language import gettext as _
from mixed_company.language import ngettext
from mixed_company.server import clock
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup

__all__ = ["disclose", "sentence"]


def sentence(setup: Setup) -> str:
    """The sentence of a session; empty: nothing is said."""
    options, seats = setup.options, setup.game.seats
    bots = seats - options.people_per_group
    if options.disclosure_text:
        return options.disclosure_text.format(bots=bots, seats=seats)
    return {
        "none": "",
        "possible": _("Some of the players can be computer programs."),
        "count": " ".join([_count(bots, seats), *_stand_ins(options)]),
        "labels": _("Players can be people or computer programs. It is shown who is what."),
    }[options.disclosure]


def _stand_ins(options: Options) -> list[str]:
    """A bot can take the seat of another person from the first period on."""
    if options.people_per_group == 1 or options.dropout not in ("bot", "pause"):
        return []
    return [_("If a player is not there, a computer program takes the place.")]


def _count(bots: int, seats: int) -> str:
    line = ngettext(
        "When the game begins, {bots} of the {seats} players in your group is a computer program.",
        "When the game begins, {bots} of the {seats} players in your group are computer programs.",
        bots,
    )
    return line.format(bots=bots, seats=seats)


def disclose(player: Any, setup: Setup) -> None:
    """The instructions are shown to a person: write down what is said there, the first time."""
    line = sentence(setup)
    if line and not player.disclosed_ms:
        player.disclosure, player.disclosed_ms = line, float(clock.now_ms())
