"""Names in the public good, and the texts of its play page."""

from __future__ import annotations

from mixed_company.engine.games.public_good import PublicGoodCore
from mixed_company.language import gettext as _
from mixed_company.language import translated

__all__ = ["TITLE", "texts"]

TITLE = translated("The common pot")


def texts(core: PublicGoodCore) -> dict[str, str]:
    """Return the texts of the stage, the decision card and the ledger."""
    return {
        "contribution_request": _("Points you give to the pot"),
        "punishment_request": _("Points you spend on punishing"),
        "keeps": _("You keep {kept} points."),
        "loses": _("{players} would lose {lost} through you."),
        "lose_each": _("{players} would lose {lost} each through you."),
        "kept": _("Kept"),
        "share": _("From the pot"),
        "spent": _("Spent on punishing"),
        "suffered": _("Lost to punishment"),
        "pot": _("points in the pot last period"),
        "pot_text": _("Last period {points} points were in the pot."),
        "least": _("gave least"),
        "contributed": _("gave"),
        "lost_points": _("lost"),
        "own_series": _("your contribution"),
        "mean_series": _("average of all players"),
    }
