"""The commons by name, and the words of its play page."""

from __future__ import annotations

from gettext import gettext as _

from engine.games.commons_game import CommonsCore

__all__ = ["TITLE", "texts"]

TITLE = _("The common stock")


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
