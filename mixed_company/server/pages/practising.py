"""What the instructions say of the practice, where the session has one."""

from __future__ import annotations

from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.language import gettext as _
from mixed_company.language import ngettext
from mixed_company.table.setup import Setup

__all__ = ["banner", "periods_of", "sentences"]


def periods_of(setup: Setup) -> int:
    """How long the practice is: no longer than the play."""
    return min(setup.options.practice_periods, setup.game.horizon)


def banner(setup: Setup) -> str:
    """What stands above a practice."""
    if setup.options.by_clock:
        return _("Practice. Nothing here counts. A turn ends when you have chosen.")
    return _("Practice. Nothing here counts.")


def sentences(setup: Setup) -> list[str]:
    """That there is a practice, and how it differs from the play.

    That the others in it are bots is said where something is said of bots at all.
    """
    periods = periods_of(setup)
    if not periods:
        return []
    line = ngettext(
        "Before the game you practise for {n} period. Nothing of it counts, and you have as much "
        "time as you like.",
        "Before the game you practise for {n} periods. Nothing of it counts, and you have as much "
        "time as you like.",
        periods,
    )
    if setup.options.by_clock:
        line = ngettext(
            "Before the game you practise for {n} turn. Nothing of it counts, and it lasts until "
            "you have chosen.",
            "Before the game you practise for {n} turns. Nothing of it counts, and each lasts "
            "until you have chosen.",
            periods,
        )
    lines = [line.format(n=periods)]
    if len(set(roles_of_seats(setup.game.config.agents, setup.game.seats))) > 1:
        lines.append(_("In the practice you can have another role than in the game."))
    if setup.options.disclosure != "none":
        lines.append(_("In the practice all other players are computer programs."))
    return lines
