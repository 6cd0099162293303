"""Comprehension questions about the public good, with the session's numbers."""

from __future__ import annotations

from collections.abc import Sequence

from mixed_company.engine.games.public_good import PublicGood, PublicGoodCore
from mixed_company.language import gettext as _
from mixed_company.server.pages.guide import Question
from mixed_company.server.pages.texts import exact
from mixed_company.table.options import Options

__all__ = ["quiz"]


def quiz(game: PublicGood, options: Options) -> list[Question]:
    """Return the questions, each with its options, the right answer and the reason."""
    questions = [_pot(game.core), _point(game.core)]
    return [question for question in questions if len(question["options"]) > 1]


def _pot(core: PublicGoodCore) -> Question:
    """Ask how many points the pot pays if all give everything."""
    endowment, n = core.endowment, core.seats
    text = _("Each of the {n} players gives {own} points. How many points do you get from the pot?")
    why = _("The pot has {pot} points, and every player gets {m} points for each of them.")
    return _question(
        "pot",
        text.format(n=n, own=exact(endowment)),
        core.marginal_return * n * endowment,
        (core.marginal_return * endowment, endowment, 0),
        why.format(pot=exact(n * endowment), m=exact(core.marginal_return)),
    )


def _point(core: PublicGoodCore) -> Question:
    """Ask what giving one more point costs and returns."""
    text = _(
        "You give one point more to the pot, and nothing else changes. By how much do your points "
        "of this period change?"
    )
    why = _("You keep 1 point less and get {m} points back from the pot, like every other player.")
    m = core.marginal_return
    why = why.format(m=exact(m))
    return _question("point", text, m - 1, (m, 0, m * core.seats - 1), why)


def _question(name: str, text: str, right: float, wrong: Sequence[float], why: str) -> Question:
    options = dict.fromkeys(exact(value) for value in sorted((right, *wrong)))
    return {
        "name": name,
        "text": text,
        "options": list(options),
        "right": exact(right),
        "why": why,
    }
