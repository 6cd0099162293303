"""The comprehension questions of the commons, with the session's own numbers."""

from __future__ import annotations

from gettext import gettext as _

from engine.games.commons_game import CommonsCore
from server.guide import Question
from server.texts import exact, number
from table.options import Options

__all__ = ["quiz"]


def quiz(core: CommonsCore, options: Options) -> list[Question]:
    """Questions with this session's numbers, the right option and why it is right."""
    half = core.capacity / 2
    questions = [_shortage(core)] if core.seats > 1 else []
    if core.growth == "logistic" and core.growth_rate > 0:
        questions.append(
            {
                "name": "growth",
                "text": _("With how many fish before the harvest are most fish born?"),
                "options": [exact(core.capacity), number(half), number(core.capacity / 10)],
                "right": number(half),
                "why": _("Most are born in a half full lake, none in a full one."),
            }
        )
    if core.governance != "none":
        questions.append(_pool_question(core))
    return questions


def _shortage(core: CommonsCore) -> Question:
    """Everybody asks for the same, twice as much as there is."""
    own = min(core.max_harvest, 2 * core.capacity / core.seats)
    together = own * core.seats
    text = _(
        "There are {stock} fish. Each of the {n} players asks for {own}, together {asked}. "
        "How many do you get?"
    )
    return {
        "name": "shortage",
        "text": text.format(
            stock=number(together / 2), n=core.seats, own=number(own), asked=number(together)
        ),
        "options": [number(own), number(own / 2), "0"],
        "right": number(own / 2),
        "why": _("There is half of what all ask for, so everybody gets half."),
    }


def _pool_question(core: CommonsCore) -> Question:
    paid = 3.0
    added = number(paid * core.pool_effect)
    text = _("All players together pay {paid} points. How many fish does that add?")
    return {
        "name": "pool",
        "text": text.format(paid=number(paid)),
        "options": sorted({added, "0", number(paid + core.capacity / 2)}),
        "right": added,
        "why": _("Each point in the pool adds {effect} fish.").format(
            effect=exact(core.pool_effect)
        ),
    }
