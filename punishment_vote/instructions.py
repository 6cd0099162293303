"""The instructions of the punishment vote.

Every number comes from the session's own configuration; none is typed here.
"""

from __future__ import annotations

from gettext import gettext as _

from engine.games.punishment_vote import VoteCore
from server.guide import Section
from server.texts import exact, percent, section
from table.options import Options

__all__ = ["sections"]


def sections(core: VoteCore, options: Options) -> list[Section]:
    """The instructions, part by part: {title, lines, table}."""
    parts = [_story(core), _moving(core), _resources(core)]
    if core.seats > 1 and any(kind.harm for kind in core.resources.values()):
        parts.append(_harm(core))
    return [*parts, _punishment(core), _voting(core), _view(core), _points(options)]


def _story(core: VoteCore) -> Section:
    size = {"height": core.height - 2, "width": core.width - 2}
    if core.seats == 1:
        where = _("You walk alone on a field of {height} x {width} cells.")
    elif core.worlds == "shared":
        where = _(
            "You are one of {n} players who walk on the same field of {height} x {width} cells."
        )
    else:
        where = _(
            "You are one of {n} players. Each walks on a field of its own, {height} x {width}."
        )
    lines = [
        where.format(n=core.seats, **size),
        _("On it lie resources that you can collect. The game has {turns} turns.").format(
            turns=core.turns
        ),
    ]
    if core.spawn_probability > 0:
        line = _("In every turn an empty cell gets a new resource with a chance of {share}.")
        lines.append(line.format(share=percent(core.spawn_probability)))
    return section(_("The field"), lines)


def _moving(core: VoteCore) -> Section:
    lines = [
        _("In every turn you can go one cell up, down, left or right: arrow keys, or W, S, A, D.")
    ]
    if core.actions == "simple":
        lines.append(_("Instead you can vote (keys V and B), or do nothing. One thing in a turn."))
    else:
        lines.append(
            _("With a move you can vote in the same turn (keys V and B). A vote needs a move.")
        )
    if core.seats == 1 or core.worlds == "separate":
        lines.append(_("If you walk into a wall, you stay where you are."))
    else:
        lines.append(_("If you walk into a wall or another player, you stay where you are."))
    if core.timing == "sequential" and core.seats > 1:
        lines.append(_("The players act one after the other, in the order of their numbers."))
    elif core.worlds == "shared" and core.seats > 1:
        lines.append(_("If two want to go to the same cell, chance decides who is first."))
    return section(_("Your move"), lines)


def _resources(core: VoteCore) -> Section:
    lines = [_("Walk onto a resource to collect it. This is what each kind brings:")]
    kinds = core.resources
    table = [
        {"head": _("Kind"), "cells": list(kinds)},
        {"head": _("Points for you"), "cells": [exact(kind.value) for kind in kinds.values()]},
    ]
    if core.seats > 1:
        harms = [exact(kind.harm) for kind in kinds.values()]
        table.append({"head": _("Points each other player loses"), "cells": harms})
    taboo = [_("yes") if name in core.tabooed else _("no") for name in kinds]
    table.append({"head": _("Taboo"), "cells": taboo})
    return section(_("Resources"), lines, table)


def _harm(core: VoteCore) -> Section:
    lines = [_("Whenever somebody collects a resource that does harm, all others lose points.")]
    if core.timing == "simultaneous":
        lines.append(_("They are taken off at the end of the same turn."))
    else:
        lines.append(
            _(
                "They are gathered against you and taken off when you have made your move; what "
                "is left after the last turn is taken off then."
            )
        )
    if core.worlds == "separate":
        lines.append(_("That is so even though the others walk on fields of their own."))
    return section(_("Harm"), lines)


def _punishment(core: VoteCore) -> Section:
    if not core.tabooed:
        return section(_("Punishment"), [_("No kind is taboo, so nobody is ever punished.")])
    if core.punishment == "expected":
        rule = _(
            "Whoever collects a taboo kind is punished: the punishment level times {size} points "
            "are taken off. At a level of {level} that is {taken}."
        )
    else:
        rule = _(
            "Whoever collects a taboo kind can be punished: with the punishment level as the "
            "chance, {size} points are taken off. At a level of {level} that happens in {level} "
            "of all cases."
        )
    half = {"level": percent(0.5), "taken": exact(0.5 * core.magnitude)}
    lines = [
        _("Taboo: {kinds}.").format(kinds=", ".join(core.tabooed)),
        rule.format(size=exact(core.magnitude), **half),
        _("At the start the level is {level}.").format(level=percent(core.initial_level)),
    ]
    return section(_("Punishment"), lines)


def _voting(core: VoteCore) -> Section:
    lines = [
        _(
            "Each vote moves the punishment level for all by {step} percentage points, up or down. "
            "It stays between 0 % and 100 %."
        ).format(step=exact(100 * core.vote_step)),
        _("A vote costs you {cost} points.").format(cost=exact(core.vote_cost)),
    ]
    if core.timing == "simultaneous":
        lines.append(
            _(
                "Votes are counted at the end of a turn. Who collects in the same turn is still "
                "punished at the level with which the turn began."
            )
        )
    else:
        lines.append(
            _(
                "A vote counts at once, for all who act after it. Who collects is punished at the "
                "level of that moment."
            )
        )
        if core.actions == "composite":
            lines.append(_("Your own vote counts after your own move."))
    return section(_("Voting"), lines)


def _view(core: VoteCore) -> Section:
    if core.vision:
        line = _("You see {side} x {side} cells around you.").format(side=2 * core.vision + 1)
    else:
        line = _("You do not see what lies around you.")
    lines = [line, _("All see the punishment level, and how many votes were cast.")]
    if core.views == "composite":
        lines.append(_("You also see what each other player sees."))
    if core.map_memory:
        lines.append(_("A small map shows what you have seen before, as it was then."))
    return section(_("What you see"), lines)


def _points(options: Options) -> Section:
    lines = [_("Your points in a turn: what you collect, less punishment, voting costs and harm.")]
    if not options.pay_floor:
        lines.append(_("Points can be below 0. Nobody has to pay for that."))
    return section(_("Points"), lines)
