"""Comprehension questions about the punishment vote, with the session's numbers."""

from __future__ import annotations

from mixed_company.engine.games.punishment_vote import PunishmentVote, VoteCore
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Question
from mixed_company.server.pages.texts import counted, exact, percent
from mixed_company.table.options import Options


def quiz(game: PunishmentVote, options: Options) -> list[Question]:
    """Return the questions, each with its options, the right answer and the reason."""
    core, unshared = game.core, not plain.is_shared(game)
    questions = [_blocked()]
    if plain.is_steady(game, "vote_step", "level"):
        heaviest = 1.0 if game.weights is None else float(max(game.weights))
        questions.append(_vote_question(core, heaviest, weighed=game.weights is not None))
    if unshared and core.seats > 1 and any(kind.harm for kind in core.resources.values()):
        questions.append(_harm_question(core))
    if unshared and core.tabooed and core.punishment == "expected":
        questions.append(_punished_question(core))
    questions.append(_end_question(core))
    return [question for question in questions if len(question["options"]) > 1]


def _blocked() -> Question:
    stay = _("You stay where you are and lose nothing")
    return {
        "name": "blocked",
        "text": _("You walk into a wall. What happens?"),
        "options": [stay, _("You lose points"), _("You come out on the other side")],
        "right": stay,
        "why": _("A blocked move does nothing."),
    }


def _vote_question(core: VoteCore, weight: float, weighed: bool) -> Question:
    """Ask for the level after one player votes with this weight."""
    before = max(0.0, 0.5 - core.vote_step)
    after = percent(round(min(1.0, before + weight * core.vote_step), 12))
    text = _(
        "The punishment level is {before}. One player votes for more punishment, and "
        "nobody else votes. What is the new level?"
    )
    why = _("A vote moves the level by {step} percentage points.")
    if weighed:
        text = _(
            "The punishment level is {before}. One player, whose vote has a weight of "
            "{weight}, votes for more punishment. Nobody else votes. What is the new level?"
        )
        why = _(
            "A vote moves the level by {step} percentage points times its weight. The "
            "level cannot go above 100%."
        )
    wrong = [percent(before), percent(1.0), percent(0.0)]
    return {
        "name": "vote",
        "text": text.format(before=percent(before), weight=exact(weight)),
        "options": _three(after, wrong),
        "right": after,
        "why": why.format(step=exact(100 * core.vote_step)),
    }


def _harm_question(core: VoteCore) -> Question:
    name, worst = max(core.resources.items(), key=lambda named: named[1].harm)
    all_lose = _("All players, including the collector")
    others = _("All players except the collector")
    return {
        "name": "harm",
        "text": counted(
            "A player collects {kind}. Who loses {n} point because of this?",
            "A player collects {kind}. Who loses {n} points because of this?",
            worst.harm,
            kind=name,
        ),
        "options": [all_lose, others, _("Only the collector")],
        "right": others,
        "why": _(
            "A harmful resource takes points from all other players, never from the collector."
        ),
    }


def _punished_question(core: VoteCore) -> Question:
    name = core.tabooed[0]
    value, level = core.resources[name].value, 0.3
    right = exact(value - level * core.magnitude)
    wrong = [exact(value), exact(value - core.magnitude), exact(-level * core.magnitude)]
    text = _(
        "The punishment level is {level}. You collect {kind}, which is taboo. How many points do "
        "you get in total?"
    )
    return {
        "name": "punished",
        "text": text.format(level=percent(level), kind=name),
        "options": _three(right, wrong),
        "right": right,
        "why": _("{value} for the resource, minus {level} of {size} as punishment.").format(
            value=exact(value), level=percent(level), size=exact(core.magnitude)
        ),
    }


def _end_question(core: VoteCore) -> Question:
    last = _("After turn {n}").format(n=core.turns)
    return {
        "name": "end",
        "text": _("When does the game end?"),
        "options": [_("When nothing is left to collect"), last, _("When the level is 100%")],
        "right": last,
        "why": _("Nothing the players do makes the game end earlier or later."),
    }


def _three(right: str, wrong: list[str]) -> list[str]:
    """Return up to three options, sorted as strings, so their order reveals nothing."""
    return sorted(dict.fromkeys([right, *(option for option in wrong if option != right)][:3]))
