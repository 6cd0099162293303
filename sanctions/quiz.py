"""Comprehension questions about the sanctions game, with the session's numbers."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.games.sanctions import SanctionsCore, SanctionsGame
from mixed_company.engine.games.sanctions.equations import Reciprocity
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Question
from mixed_company.server.pages.texts import exact
from mixed_company.table.options import Options
from sanctions.framing import alike, all_or_nothing, takes


def to_all(core: SanctionsCore) -> float | None:
    """Return each player's points if all contribute the same to a public good, or None if the
    points differ.

    Also return None if rewards include others' earnings, because they then depend on trust.
    """
    if core.reward != "private" or core.production != "public_good":
        return None
    amount = alike(core)
    if isinstance(core.endowment, tuple) or isinstance(amount, tuple):
        return None
    return round(core.endowment - amount + core.mpcr * core.seats * amount, 9)


def reacts(core: SanctionsCore) -> bool:
    """Return whether any player can lose or gain points because of another."""
    return bool(Reciprocity(core).weight.max() > 0 and core.kappa > 0)


def may_all_give(game: SanctionsGame) -> bool:
    """Return whether the roles allow every seat to give the amount in the example."""
    return bool(np.all(np.array(plain.most(game, "contribution")) >= np.asarray(alike(game.core))))


def trust_counts(core: SanctionsCore) -> bool:
    """Return whether trust affects any player's earnings."""
    return reacts(core) or core.reward != "private"


def expects(core: SanctionsCore) -> bool:
    """Return whether giving less or more than the baseline makes a difference."""
    compared = reacts(core) and core.signal == "baseline"
    return compared or (trust_counts(core) and core.kappa_T > 0)


def quiz(game: SanctionsGame, options: Options) -> list[Question]:
    """Return the questions, each with its options, the right answer and the reason."""
    core = game.core
    questions = [_memory(core)] if reacts(core) else []
    if reacts(core) and not plain.is_shared(game):
        questions = [_whose(core), _to_whom(), *questions]
    if to_all(core) is not None and _is_cost_plain(game):
        questions.insert(0, _good(game))
    questions.append(_end(core))
    return [question for question in questions if len(question["options"]) > 1]


def _is_cost_plain(game: SanctionsGame) -> bool:
    """Return whether one more point costs every player the same in every period, and
    immediately."""
    alike = plain.every_seat_decides(game, "contribution") and plain.is_paid_at_once(game)
    return alike and plain.is_steady(game, "mpcr")


def _good(game: SanctionsGame) -> Question:
    """Ask what a player pays and gets back for one more point, or for all points if players can
    only give all or nothing."""
    core = game.core
    points = float(np.max(core.endowment)) if all_or_nothing(core) else 1.0
    right = exact(_rounded(points * (core.mpcr - 1.0)))
    values = {core.mpcr - 1.0, core.mpcr, 0.0, core.mpcr * core.seats - 1.0}
    options = [exact(_rounded(points * value)) for value in sorted(values)]
    why = _("You contribute 1 point and get {mpcr} back. Everyone else gets {mpcr}, too.")
    if takes(core):
        why = _(
            "You leave 1 point in the pool and get {mpcr} back. Everyone else gets {mpcr}, too."
        )
    if all_or_nothing(core):
        why = _("Each point in the pool gives {mpcr} to you and to everyone else.")
    return {
        "name": "good",
        "text": _one_more(game) if points == 1.0 else _all_instead(game, points),
        "options": list(dict.fromkeys(options)),
        "right": right,
        "why": why.format(mpcr=exact(core.mpcr)),
    }


def _rounded(points: float) -> float:
    return round(points, 9) + 0.0


def _all_instead(game: SanctionsGame, points: float) -> str:
    """Return the question about contributing all points instead of none."""
    line = _("You contribute your {e} points instead of keeping them, and nothing else changes.")
    if takes(game.core):
        line = _(
            "You leave your {e} points in the pool instead of taking them out, and nothing else "
            "changes."
        )
    return " ".join([line.format(e=exact(points)), _by_how_much(game)])


def _by_how_much(game: SanctionsGame) -> str:
    if game.peers is not None:
        return _("By how much do your points change in the first step of this period?")
    return _("By how much do your points in this period change?")


def _one_more(game: SanctionsGame) -> str:
    """Return the question about contributing one more point."""
    core = game.core
    if takes(core):
        line = _("You take out one point less, and nothing else changes.")
        return " ".join([line, _by_how_much(game)])
    text = _(
        "You contribute one more point, and nothing else changes. By how much do your "
        "points in this period change?"
    )
    if reacts(core):
        text = _(
            "You contribute one more point, and nothing else changes. By how much do your "
            "points in this period change, not counting sanctions?"
        )
    if game.peers is not None:
        text = _(
            "You contribute one more point, and nothing else changes. By how much do your "
            "points change in the first step of this period?"
        )
    if game.peers is not None and reacts(core):
        text = _(
            "You contribute one more point, and nothing else changes. By how much do your "
            "points change in the first step of this period, not counting sanctions?"
        )
    return text


def _whose(core: SanctionsCore) -> Question:
    giver = _("This player")
    others = _("All other players")
    right = giver if core.falls_on == "deviator" else others
    texts = {
        "baseline": _("A player's average is below the expected contribution. Who loses points?"),
        "deviation": _("A player contributes less than their own average. Who loses points?"),
    }
    return {
        "name": "whose",
        "text": texts[core.signal],
        "options": [giver, others, _("Nobody")],
        "right": right,
        "why": _("The player who contributes too little gets the sanctions.")
        if core.falls_on == "deviator"
        else _("The other players get the sanctions, not the player who contributes too little."),
    }


def _to_whom() -> Question:
    nobody = _("Nobody. They are gone")
    return {
        "name": "to_whom",
        "text": _("Sanctions cost a player 3 points. Who gets these points?"),
        "options": [_("The other players"), nobody, _("The player who gave the most")],
        "right": nobody,
        "why": _("Sanctions happen automatically. Nobody gets the lost points."),
    }


def _memory(core: SanctionsCore) -> Question:
    counts = sorted({core.memory, 1, core.memory + 5})
    return {
        "name": "memory",
        "text": _("At most, how many periods does a player's average cover?"),
        "options": [str(count) for count in counts],
        "right": str(core.memory),
        "why": _("Older contributions are forgotten."),
    }


def _end(core: SanctionsCore) -> Question:
    nothing = _("When a player contributes nothing")
    last = _("After period {n}, whatever the players contribute").format(n=core.periods)
    why = _("Nothing the players do makes the game end earlier or later.")
    if takes(core):
        nothing = _("When a player takes out everything")
        last = _("After period {n}, whatever the players do").format(n=core.periods)
    if not core.periods_told:
        last = _("After a number of periods that you do not know")
        why = _(
            "You are not told the number of periods. Nothing the players do makes the game end "
            "earlier or later."
        )
    distrust = [_("When nobody trusts anybody")] if trust_counts(core) else []
    return {
        "name": "end",
        "text": _("When does the game end?"),
        "options": [nothing, last, *distrust],
        "right": last,
        "why": why,
    }
