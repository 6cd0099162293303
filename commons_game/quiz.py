"""Comprehension questions about the commons, with the session's numbers."""

from __future__ import annotations

from mixed_company.engine.games.commons_game import CommonsCore, CommonsGame
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Question
from mixed_company.server.pages.texts import counted, exact, number
from mixed_company.table.options import Options


def quiz(game: CommonsGame, options: Options) -> list[Question]:
    """Return the questions, each with its options, the right answer and the reason."""
    core = game.core
    half = core.capacity / 2
    least = min(plain.most(game, "harvest"))
    questions = [_shortage(core, least)] if core.seats > 1 and least > 0 else []
    grows = core.growth_rate > 0 and plain.is_steady(game, "growth_rate")
    if core.growth == "logistic" and grows:
        questions.append(
            {
                "name": "growth",
                "text": _("How many fish must be in the lake for the most new fish to be born?"),
                "options": [exact(core.capacity), number(half), number(core.capacity / 10)],
                "right": number(half),
                "why": _(
                    "The most fish are born when the lake is half full. None are born when it is "
                    "full."
                ),
            }
        )
    if core.living_cost:
        questions.append(_living_question(core))
    elif plain.is_paid_at_once(game) and not core.recovery_bonus and core.peer == "none":
        questions.append(_loss_question())
    if core.governance != "none":
        questions.append(_pool_question(core))
    return [*questions, _end_question(core)]


def _shortage(core: CommonsCore, limit: float) -> Question:
    """Ask what a player gets if all players request the same amount and together request four times
    the stock. This request is within the limits. The numbers should not suggest how much to request
    in the game.
    """
    request = min(limit, 2 * core.capacity / core.seats)
    together = request * core.seats
    text = _(
        "There are {stock} fish. Each of the {n} players asks for {own}, so {asked} in "
        "total. How many do you get?"
    )
    return {
        "name": "shortage",
        "text": text.format(
            stock=exact(together / 4), n=core.seats, own=exact(request), asked=exact(together)
        ),
        "options": [exact(request), exact(request / 4), "0"],
        "right": exact(request / 4),
        "why": _(
            "In total, the players ask for four times as many fish as there are. So each player "
            "gets a quarter of what they asked for."
        ),
    }


def _living_question(core: CommonsCore) -> Question:
    """Ask about a player who cannot afford the living costs for another period."""
    out, debt = _("You are out, and the others keep playing"), _("You keep playing, but in debt")
    return {
        "name": "living",
        "text": _(
            "After a period, your points are down to {held}. Living costs are {cost} per "
            "period. What happens next?"
        ).format(held=exact(core.living_cost / 2), cost=exact(core.living_cost)),
        "options": [debt, out, _("The game ends for everyone")],
        "right": out,
        "why": _("A player who cannot pay the living costs for another period is out."),
    }


def _pool_question(core: CommonsCore) -> Question:
    paid = 3.0
    added = number(paid * core.pool_effect)
    text = _("In total, the players pay {paid} points into the pool. How many fish does that add?")
    return {
        "name": "pool",
        "text": text.format(paid=number(paid)),
        "options": sorted({added, "0", number(paid + core.capacity / 2)}),
        "right": added,
        "why": counted(
            "Each point in the pool adds {n} fish.",
            "Each point in the pool adds {n} fish.",
            core.pool_effect,
        ),
    }


def _loss_question() -> Question:
    """Ask what happens to the points of a player who takes no fish, if there are no living
    costs."""
    same = _("You keep all of them")
    return {
        "name": "loss",
        "text": _("You take no fish in a period. What happens to the points you already have?"),
        "options": [_("You lose some of them"), same, _("You lose all of them")],
        "right": same,
        "why": _(
            "You keep the points you have earned. If you take no fish, you earn no new points."
        ),
    }


def _end_question(core: CommonsCore) -> Question:
    """Ask what happens when the stock collapses."""
    ends = _("The game ends, and everybody keeps the points they have earned so far")
    goes_on = _("The game goes on")
    return {
        "name": "end",
        "text": _collapses(core),
        "options": [_("The game ends, and all points are lost"), ends, goes_on],
        "right": ends if core.terminate_on_collapse else goes_on,
        "why": _("The fish stock has collapsed, so the game ends. Nobody loses points.")
        if core.terminate_on_collapse
        else _("The fish stock has collapsed, but this game goes on."),
    }


def _collapses(core: CommonsCore) -> str:
    """Return the text of the question about the end, with a stock that is certain to collapse."""
    if core.collapse_stock > 0:
        text = _("After a period, {left} fish are left. What happens?")
        return text.format(left=number(core.collapse_stock / 2))
    if core.collapse_zero_periods == 1:
        return _("After a period, no fish are left. What happens?")
    text = _("No fish are left for {k} periods in a row. What happens?")
    return text.format(k=core.collapse_zero_periods)
