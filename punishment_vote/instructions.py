"""Instructions of the punishment vote.

Every number comes from the session's configuration; none is hard-coded.
"""

from __future__ import annotations

from mixed_company.engine.games.punishment_vote import PunishmentVote, VoteCore
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Section
from mixed_company.server.pages.texts import counted, exact, percent, section
from mixed_company.table.options import Options

__all__ = ["sections"]


def sections(game: PunishmentVote, options: Options) -> list[Section]:
    """Return the instructions, one section {title, lines, table, screen} per part."""
    core = game.core
    parts = [*_short(core), _story(core), _moving(game), _resources(core)]
    if core.seats > 1 and any(kind.harm for kind in core.resources.values()):
        parts.append(_harm(core))
    parts += [_punishment(game), _voting(game), _view(game)]
    return [*parts, _points(options), _end(core)]


def _short(core: VoteCore) -> list[Section]:
    """Return the game in three sentences, unless one of them does not apply."""
    harmful = any(core.resources[name].harm for name in core.tabooed)
    if core.seats == 1 or not (harmful and core.vote_step and core.magnitude):
        return []
    lines = [
        _("Walk, and collect what brings you points."),
        _("Some of it takes points from all others."),
        _("By voting the players decide how many points it costs to collect what is taboo."),
    ]
    return [section("", lines, screen="about")]


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
        _("On it lie resources that you can collect."),
    ]
    if core.spawn_probability > 0:
        line = _("In every turn an empty cell gets a new resource with a chance of {share}.")
        lines.append(line.format(share=percent(core.spawn_probability)))
    return section(_("The field"), lines, screen="about")


def _moving(game: PunishmentVote) -> Section:
    core = game.core
    lines = [
        _("In every turn you can go one cell up, down, left or right: arrow keys, or W, S, A, D.")
    ]
    if core.actions == "simple":
        lines.append(
            _(
                "Instead you can vote (keys + and \N{MINUS SIGN}), or do nothing. One thing in a "
                "turn."
            )
        )
    else:
        lines.append(
            _(
                "With a move you can vote in the same turn (keys + and \N{MINUS SIGN}). A vote "
                "needs a move."
            )
        )
    if core.seats == 1 or core.worlds == "separate":
        lines.append(_("If you walk into a wall, you stay where you are."))
    else:
        lines.append(_("If you walk into a wall or another player, you stay where you are."))
    if core.timing == "sequential" and core.seats > 1:
        lines.append(_("The players act one after the other, in the order of their numbers."))
    elif core.worlds == "shared" and core.seats > 1:
        lines.append(_("If two want to go to the same cell, chance decides who is first."))
    if not plain.every_seat_decides(game, "action"):
        lines.append(_("Not every player may do all of that: who may not, is told further on."))
    return section(_("Your move"), lines, screen="decides")


def _resources(core: VoteCore) -> Section:
    kinds = core.resources
    lines = [_("Walk onto a resource to collect it. What it brings you stands on it.")]
    if core.seats > 1 and any(kind.harm for kind in kinds.values()):
        lines.append(_("Below that stands, in red, what it costs each other player."))
    table = [
        {"head": _("Kind"), "cells": list(kinds)},
        {"head": _("Points for you"), "cells": [exact(kind.value) for kind in kinds.values()]},
    ]
    if core.seats > 1:
        harms = [exact(kind.harm) for kind in kinds.values()]
        table.append({"head": _("Points each other player loses"), "cells": harms})
    taboo = [_("yes") if name in core.tabooed else _("no") for name in kinds]
    table.append({"head": _("Taboo"), "cells": taboo})
    return section(_("Resources"), lines, table, screen="decides")


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


def _punishment(game: PunishmentVote) -> Section:
    core = game.core
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
    if plain.is_seen(game, "level"):
        lines.append(_("A taboo resource lies in a ring, which fills as the level rises."))
    return section(_("Punishment"), lines)


def _voting(game: PunishmentVote) -> Section:
    core = game.core
    moves = _(
        "Each vote moves the punishment level for all by {step} percentage points, up or down. "
        "It stays between 0 % and 100 %."
    )
    if game.weights is not None:
        moves = _(
            "Each vote moves the punishment level for all by {step} percentage points times the "
            "weight of the vote, up or down. It stays between 0 % and 100 %."
        )
    lines = [moves.format(step=exact(100 * core.vote_step))]
    if not plain.is_steady(game, "vote_step"):
        lines.append(_("These are the numbers of the first turn."))
    cost = counted("A vote costs you {n} point.", "A vote costs you {n} points.", core.vote_cost)
    lines.append(cost)
    if game.weights is not None and (game.weights == 0).any():
        lines.append(_("A vote of the weight 0 costs nothing and changes nothing."))
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


def _view(game: PunishmentVote) -> Section:
    core = game.core
    if not plain.is_seen(game, "window"):
        line = plain.limited()
    elif core.vision:
        line = _("You see {side} x {side} cells around you.").format(side=2 * core.vision + 1)
    else:
        line = _("You do not see what lies around you.")
    lines = [line]
    if plain.is_seen(game, "level", "increases", "decreases"):
        lines.append(_("All see the punishment level, and how many votes were cast."))
    elif line != plain.limited():
        lines.append(plain.limited())
    if core.views == "composite" and plain.is_seen(game, "window"):
        lines.append(_("You also see what each other player sees."))
    if core.map_memory and plain.is_seen(
        game, "remembered", "last_seen", "window", "row", "column"
    ):
        lines.append(_("What you have seen before stays on the field, paler, as it was then."))
    return section(_("What you see"), lines)


def _points(options: Options) -> Section:
    lines = [_("Your points in a turn: what you collect, less punishment, voting costs and harm.")]
    if not options.pay_floor:
        lines.append(_("Points can be below 0. Nobody has to pay for that."))
    return section("", lines, screen="pays")


def _end(core: VoteCore) -> Section:
    line = counted(
        "The game has {n} turn, whatever is collected and however the players vote.",
        "The game has {n} turns, whatever is collected and however the players vote.",
        core.turns,
    )
    return section("", [line], screen="ends")
