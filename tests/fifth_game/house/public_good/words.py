"""Names used in the public good, and the texts of its play page."""

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
        "keeps": _("You keep {kept} points."),
        "kept": _("Kept"),
        "share": _("From the pot"),
        "pot": _("points in the pot last period"),
        "pot_now": _("points in the pot"),
        "contributed": _("gave"),
        "own_series": _("your contribution"),
        "mean_series": _("average of all players"),
    }
