"""The comprehension questions of the sanctions game, with the session's own numbers."""

from __future__ import annotations

from gettext import gettext as _
from typing import Any

from engine.games.sanctions import SanctionsCore
from seats.options import Options
from seats.texts import exact, number

__all__ = ["quiz", "to_all"]

Question = dict[str, Any]


def to_all(core: SanctionsCore) -> float | None:
    """What each has if all contribute what is expected to a public good; None if they differ."""
    if isinstance(core.endowment, tuple) or isinstance(core.baseline, tuple):
        return None
    return core.endowment - core.baseline + core.mpcr * core.seats * core.baseline


def quiz(core: SanctionsCore, options: Options) -> list[Question]:
    """Questions with this session's numbers, the right option and why it is right."""
    asked = [_whose(core), _memory(core)]
    if core.production == "public_good" and to_all(core) is not None:
        asked.insert(0, _good(core))
    return [each for each in asked if len(each["options"]) > 1]


def _good(core: SanctionsCore) -> Question:
    """One point more: what it costs and brings."""
    right = number(core.mpcr - 1.0)
    options = [right, number(core.mpcr), number(0.0), number(core.mpcr * core.seats - 1.0)]
    text = _(
        "You contribute one point more, and nothing else changes. By how much do your points of "
        "this period change, apart from sanctions?"
    )
    return {
        "name": "good",
        "text": text,
        "options": sorted(dict.fromkeys(options)),
        "right": right,
        "why": _("You give 1 point and get {mpcr} of it back, like everybody else.").format(
            mpcr=exact(core.mpcr)
        ),
    }


def _whose(core: SanctionsCore) -> Question:
    own = _("Those of the player who contributed too little")
    others = _("Those of all other players")
    right = own if core.falls_on == "deviator" else others
    return {
        "name": "whose",
        "text": _("A player contributes too little. Whose points do sanctions take?"),
        "options": [own, others, _("Nobody's")],
        "right": right,
        "why": _("So it is in this game: {right}.").format(right=right[0].lower() + right[1:]),
    }


def _memory(core: SanctionsCore) -> Question:
    counts = sorted({core.memory, 1, core.memory + 5})
    return {
        "name": "memory",
        "text": _("Over how many periods, at most, is a player's average remembered?"),
        "options": [str(count) for count in counts],
        "right": str(core.memory),
        "why": _("What is older than {k} periods is forgotten.").format(k=core.memory),
    }
