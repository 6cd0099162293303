"""The comprehension questions of gem mining, with the session's own numbers."""

from __future__ import annotations

from gettext import gettext as _

from engine.games.gem_mining import GemCore
from gem_mining import words
from server.guide import Question
from server.texts import exact, number, percent
from table.options import Options

__all__ = ["quiz"]


def quiz(core: GemCore, options: Options) -> list[Question]:
    """Questions with this session's numbers, the right option and why it is right."""
    questions = [_whose(core), _together(core), _chances()]
    if core.worker_bonus != 1 and core.truncation > 0:
        questions.insert(2, _bonus(core))
    return questions


def _whose(core: GemCore) -> Question:
    every = _("Every village, the same")
    return {
        "name": "whose",
        "text": _("A village finds a {kind}. Who gets points for it?").format(kind=words.kind(0)),
        "options": [_("That village alone"), every, _("The villages that were in that mine")],
        "right": every,
        "why": _("All villages share what they find."),
    }


def _together(core: GemCore) -> Question:
    many = words.kinds()[0][1]
    return {
        "name": "together",
        "text": _("Two villages go to the same mine. How many {kinds} can be found there?").format(
            kinds=many
        ),
        "options": [_("At most 1"), _("At most 2"), _("As many as there are workers")],
        "right": _("At most 1"),
        "why": _("In a mine and period there is at most one gem of a kind."),
    }


def _bonus(core: GemCore) -> Question:
    """A chance of one worker, and of two in the same mine."""
    one = min(core.truncation, 0.2)
    two = min(core.truncation, one * core.worker_bonus)
    shown = [f"{number(100 * chance)} %" for chance in (one, two, min(1.0, 2 * one), one / 2)]
    text = _("With one worker the chance of a {kind} is {p} in a mine. And with two workers?")
    why = _("Each worker after the first multiplies the chance by {b}.")
    if two == core.truncation:
        why = _("Each worker after the first multiplies the chance by {b}, up to {t}.")
    return {
        "name": "bonus",
        "text": text.format(kind=words.kind(0), p=shown[0]),
        "options": sorted(set(shown), key=lambda option: float(option.split()[0])),
        "right": shown[1],
        "why": why.format(b=exact(core.worker_bonus), t=percent(core.truncation)),
    }


def _chances() -> Question:
    same = _("They stay the same")
    return {
        "name": "chances",
        "text": _("A gem was found in a mine. What are the chances there in the next period?"),
        "options": [_("They are lower"), same, _("They are higher")],
        "right": same,
        "why": _("Every mine keeps its chances in all periods."),
    }
