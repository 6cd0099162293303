"""Names used in the commons, and the texts of its play page."""

from __future__ import annotations

from mixed_company.engine.games.commons_game import CommonsCore
from mixed_company.language import Words, forms, translated
from mixed_company.language import gettext as _

TITLE = translated("The shared lake")

QUANTITIES = (
    translated("paid into the pool"),
    translated("harvest requested"),
    translated("estimate of the stock"),
    translated("the stock"),
    translated("paid by each player last period"),
    translated("taken by each player last period"),
    translated("points each player has"),
    translated("growth rate"),
    translated("the pool"),
    translated("paid in the last period"),
    translated("taken in the last period"),
    translated("whether the stock has collapsed"),
    translated("periods in a row without fish"),
    translated("strong"),
    translated("weak"),
)
"""Names of the game's quantities, for rules about layers and roles (`server.pages.rules`)."""


def _breed(core: CommonsCore) -> bool:
    """Return whether the number of new fish rises with the number left, as long as there is
    room."""
    return core.growth != "linear" and core.growth_rate > 0


def _of_lake(core: CommonsCore) -> str:
    """Return a sentence about who shares the lake and whether its fish multiply. Return an empty
    string if neither matters."""
    if core.seats == 1:
        return _("Fish left in the lake multiply.") if _breed(core) else ""
    if _breed(core):
        return _("All players share the lake. Fish left in it multiply.")
    return _("All players share the lake.")


def texts(core: CommonsCore) -> Words:
    """Return the texts of the stage, the decision card and the ledger."""
    return {
        **_what_if(core),
        "stock": _("of {capacity} fish in the lake"),
        "stock_estimate": _("of {capacity} fish in the lake (estimate)"),
        "collapse_line": (
            _("below {critical}: the game ends")
            if core.terminate_on_collapse
            else _("collapse below {critical}")
        ),
        "collapsed": _("The fish stock has collapsed"),
        "collapsed_more": _(
            "The fish stock has collapsed. Everybody keeps the points they have earned so far."
        ),
        "fell_below": _("{left} fish left, below {critical}: the game ends"),
        "none_left": _("No fish are left: the game ends"),
        "born": _("{born} born") if core.governance == "none" else _("{born} added"),
        "best_plan": _("best plan"),
        "fed": forms(
            "This adds {n} fish to the lake, if there is room.",
            "This adds {n} fish to the lake, if there is room.",
        ),
        "recovery_line": _("won at {goal}"),
        "recovered": _("The fish stock has recovered"),
        "recovered_more": _("The game is won."),
        "living_cost": _("Living costs"),
        "recovery_bonus": _("Recovery bonus"),
        "out_bankrupt": _(
            "You do not have enough points to pay the living costs for another period. The points "
            "you have earned still count. The others keep playing."
        ),
        "harvest": _("Harvest"),
        "fish_worth": _("Each fish you take is worth 1 point."),
        "fish_breed": _of_lake(core),
        "harvest_request": _("How many fish will you ask for?"),
        "contribution": _("Contribution"),
        "contribution_request": _("How many points will you pay into the pool?"),
        "pool": _("Pool"),
        "balance": forms(
            "You have {n} point. If you get what you ask for, you will have {after}.",
            "You have {n} points. If you get what you ask for, you will have {after}.",
        ),
        "took": _("took"),
        "paid": _("paid"),
        "holds": _("has"),
        "total_harvest": _("total harvest"),
        "total_seen": _("harvest you can see"),
        "stock_series": _("fish after the period"),
        "stock_history": _("Fish in the lake"),
        "harvest_history": _("Fish taken per period"),
        "seen_history": _("Fish taken by the players you can see"),
        "earned": _("earned"),
        "change": forms(
            "Previous period: {n} fish taken, {born} added.",
            "Previous period: {n} fish taken, {born} added.",
        ),
        "change_now": forms(
            "This period: {n} fish taken, {born} added.",
            "This period: {n} fish taken, {born} added.",
        ),
        "granted": _("You asked for {asked} and got {got}."),
        "stage_text": _("The lake has {stock} fish and can hold {capacity}."),
    }


def _what_if(core: CommonsCore) -> dict[str, str]:
    """Return the texts about the next stock if every player requests {value} and nobody pays."""
    if core.governance != "none":
        return {
            "if_all": _(
                "If each player asks for {value} and pays nothing: "
                "{now} \N{RIGHTWARDS ARROW} {then}."
            ),
            "if_all_collapses": _(
                "If each player asks for {value} and pays nothing: "
                "{now} \N{RIGHTWARDS ARROW} {then}. The fish stock collapses."
            ),
            "if_all_ends": _(
                "If each player asks for {value} and pays nothing: "
                "{now} \N{RIGHTWARDS ARROW} {then}. The game ends."
            ),
            "if_all_won": _(
                "If each player asks for {value} and pays nothing: "
                "{now} \N{RIGHTWARDS ARROW} {then}. The game is won."
            ),
        }
    ends = _("If each player asks for {value}: {now} \N{RIGHTWARDS ARROW} {then}. The game ends.")
    if core.collapse_stock > 0:
        ends = _(
            "If each player asks for {value}: {now} \N{RIGHTWARDS ARROW} {then}, below {critical}. "
            "The game ends."
        )
    return {
        "if_all": _("If each player asks for {value}: {now} \N{RIGHTWARDS ARROW} {then}."),
        "if_all_collapses": _(
            "If each player asks for {value}: {now} \N{RIGHTWARDS ARROW} {then}. "
            "The fish stock collapses."
        ),
        "if_all_ends": ends,
        "if_all_won": _(
            "If each player asks for {value}: {now} \N{RIGHTWARDS ARROW} {then}. The game is won."
        ),
    }
