"""Comprehension questions about gem mining, with the session's numbers."""

from __future__ import annotations

from gem_mining import words
from mixed_company.engine.games.gem_mining import GemCore, GemGame
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Question
from mixed_company.server.pages.texts import exact, percent
from mixed_company.table.options import Options


def quiz(game: GemGame, options: Options) -> list[Question]:
    """Return the questions, each with its options, the right answer and the reason."""
    core = game.core
    questions = [_together(core), _chances(plain.is_steady(game, "base_probabilities"))]
    if not plain.is_shared(game):
        questions.insert(0, _whose(core))
    if core.worker_bonus != 1 and core.truncation > 0:
        questions.insert(len(questions) - 1, _bonus(core))
    if plain.is_paid_at_once(game) and min(core.weights or (0.0,)) >= 0:
        questions.append(_loss())
    return [*questions, _end(core)]


def _whose(core: GemCore) -> Question:
    every = _("All villages get the same")
    return {
        "name": "whose",
        "text": _("A village finds a {kind}. Who gets points for it?").format(kind=words.kind(0)),
        "options": [_("Only that village"), every, _("The villages that went to that mine")],
        "right": every,
        "why": _("Every gem earns points for all villages."),
    }


def _together(core: GemCore) -> Question:
    many = words.kinds()[0][1]
    return {
        "name": "together",
        "text": _(
            "Two villages go to the same mine. How many {kinds} can be found there in one period?"
        ).format(kinds=many),
        "options": [_("At most 1"), _("At most 2"), _("As many as there are workers")],
        "right": _("At most 1"),
        "why": _("At most one gem of each kind can be found in a mine per period."),
    }


def _bonus(core: GemCore) -> Question:
    """Ask for the chance with two workers in a mine. The question states the chance with one
    worker."""
    single = min(core.truncation, 0.2)
    pair = min(core.truncation, single * core.worker_bonus)
    chances = (single, pair, min(1.0, 2 * single), single / 2)
    shown = {percent(chance, 1): chance for chance in chances}
    text = _(
        "With one worker, the chance of finding a {kind} in a mine is {p}. What is it "
        "with two workers?"
    )
    why = _("Each worker after the first multiplies the chance by {b}.")
    if pair == core.truncation:
        why = _("Each worker after the first multiplies the chance by {b}, up to {t}.")
    return {
        "name": "bonus",
        "text": text.format(kind=words.kind(0), p=percent(single, 1)),
        "options": sorted(shown, key=lambda option: shown[option]),
        "right": percent(pair, 1),
        "why": why.format(b=exact(core.worker_bonus), t=percent(core.truncation)),
    }


def _chances(steady: bool) -> Question:
    same = _("They stay the same")
    why = _("Each mine's chances stay the same in every period.")
    if not steady:
        same = _("They change at random, up or down")
        why = _("The chances change at random in every period, no matter what was found.")
    return {
        "name": "chances",
        "text": _("A gem was found in a mine. What are the chances there in the next period?"),
        "options": [_("They are lower"), same, _("They are higher")],
        "right": same,
        "why": why,
    }


def _loss() -> Question:
    same = _("You keep all of them")
    return {
        "name": "loss",
        "text": _("No village finds anything in a period. What happens to your points?"),
        "options": [_("You lose some of them"), same, _("You lose all of them")],
        "right": same,
        "why": _("You keep the points you have earned. A period without gems adds nothing."),
    }


def _end(core: GemCore) -> Question:
    last = _("Always after period {n}").format(n=core.periods)
    return {
        "name": "end",
        "text": _("When does the game end?"),
        "options": [
            _("When nothing is found for a long time"),
            last,
            _("When all mines are empty"),
        ],
        "right": last,
        "why": _("Mines never run out of gems, and finding gems does not end the game."),
    }
