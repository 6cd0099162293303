"""Names in the commons, and the texts of its play page."""

from __future__ import annotations

from mixed_company.engine.games.commons_game import CommonsCore
from mixed_company.language import Words, forms, translated
from mixed_company.language import gettext as _

__all__ = ["QUANTITIES", "TITLE", "texts"]

TITLE = translated("The common stock")

QUANTITIES = (
    translated("paid into the pool"),
    translated("harvest requested"),
    translated("noisy reading of the stock"),
    translated("the stock"),
    translated("paid by each seat last period"),
    translated("taken by each seat last period"),
    translated("points held by each seat"),
    translated("growth rate (linear: growth per period)"),
    translated("the pool"),
    translated("paid in the last period"),
    translated("taken in the last period"),
    translated("has the stock ever collapsed"),
    translated("periods at zero running"),
    translated("strong"),
    translated("weak"),
)
"""Names of its quantities in the rules about layers and roles (`server.pages.rules`)."""


def texts(core: CommonsCore) -> Words:
    """Return the texts of the stage, the decision card and the ledger."""
    return {
        **_what_if(core),
        "stock": _("of {capacity} fish in the lake"),
        "stock_estimate": _("of {capacity} fish in the lake (estimate)"),
        "collapse_line": _("collapse below {critical}"),
        "collapsed": _("The stock has collapsed"),
        "collapsed_more": _("The stock has collapsed. Everybody keeps the points earned so far."),
        "fell_below": _("{left} left, below {critical}: the game ends"),
        "none_left": _("No fish is left: the game ends"),
        "born": _("{born} born") if core.governance == "none" else _("{born} added"),
        "best_plan": _("best plan"),
        "fed": forms(
            "This adds {n} fish to the lake, as far as there is room.",
            "This adds {n} fish to the lake, as far as there is room.",
        ),
        "recovery_line": _("won at {goal}"),
        "recovered": _("The stock has recovered"),
        "recovered_more": _("The game is won."),
        "living_cost": _("Cost of living"),
        "recovery_bonus": _("For the recovery"),
        "out_bankrupt": _(
            "You hold less than another period costs to live. What you have earned counts; the "
            "others go on."
        ),
        "harvest": _("Harvest"),
        "harvest_request": _("How many fish do you ask for?"),
        "contribution": _("Contribution"),
        "contribution_request": _("How many points do you pay into the pool?"),
        "pool": _("Pool"),
        "balance": forms(
            "You hold {n} point. If your request is granted: {after}.",
            "You hold {n} points. If your request is granted: {after}.",
        ),
        "took": _("took"),
        "paid": _("paid"),
        "holds": _("holds"),
        "total_harvest": _("total harvest"),
        "total_seen": _("harvest you can see"),
        "stock_series": _("fish after the period"),
        "stock_history": _("Fish in the lake"),
        "harvest_history": _("What everybody took"),
        "seen_history": _("What you see of what was taken"),
        "earned": _("earned"),
        "change": forms(
            "Last period {n} fish was taken and {born} were added.",
            "Last period {n} fish were taken and {born} were added.",
        ),
        "granted": _("You asked for {asked} and got {got}."),
        "stage_text": _("The lake holds {stock} of {capacity} fish."),
    }


def _what_if(core: CommonsCore) -> dict[str, str]:
    """Return the texts for the next stock if all request {value} and nobody pays."""
    if core.governance != "none":
        return {
            "if_all": _(
                "If each player takes {value} and pays nothing: {now} \N{RIGHTWARDS ARROW} {then}."
            ),
            "if_all_collapses": _(
                "If each player takes {value} and pays nothing: {now} \N{RIGHTWARDS ARROW} {then}, "
                "the stock collapses."
            ),
            "if_all_ends": _(
                "If each player takes {value} and pays nothing: {now} \N{RIGHTWARDS ARROW} {then}, "
                "the game ends."
            ),
            "if_all_won": _(
                "If each player takes {value} and pays nothing: {now} \N{RIGHTWARDS ARROW} {then}, "
                "the game is won."
            ),
        }
    ends = _("If each player takes {value}: {now} \N{RIGHTWARDS ARROW} {then}, the game ends.")
    if core.collapse_stock > 0:
        ends = _(
            "If each player takes {value}: {now} \N{RIGHTWARDS ARROW} {then}, below {critical}: "
            "the game ends."
        )
    return {
        "if_all": _("If each player takes {value}: {now} \N{RIGHTWARDS ARROW} {then}."),
        "if_all_collapses": _(
            "If each player takes {value}: {now} \N{RIGHTWARDS ARROW} {then}, the stock collapses."
        ),
        "if_all_ends": ends,
        "if_all_won": _(
            "If each player takes {value}: {now} \N{RIGHTWARDS ARROW} {then}, the game is won."
        ),
    }
