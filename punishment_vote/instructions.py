"""Instructions for the punishment vote.

Every number comes from the session's configuration; none is hard-coded.
"""

from __future__ import annotations

from mixed_company.engine.games.punishment_vote import PunishmentVote, VoteCore
from mixed_company.language import gettext as _
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Section
from mixed_company.server.pages.texts import counted, exact, percent, section
from mixed_company.table.options import Options


def sections(game: PunishmentVote, options: Options) -> list[Section]:
    """Return the instructions, one section {title, lines, table, screen} per part."""
    core = game.core
    parts = [*_short(core), _story(core), _moving(game), _resources(core)]
    if core.seats > 1 and any(kind.harm for kind in core.resources.values()):
        parts.append(_harm(core))
    parts += [_punishment(game), _voting(game), _view(game)]
    return [*parts, _points(options), _end(core)]


def _short(core: VoteCore) -> list[Section]:
    """Describe the game in three sentences. Return nothing if any of them does not apply."""
    harmful = any(core.resources[name].harm for name in core.tabooed)
    if core.seats == 1 or not (harmful and core.vote_step and core.magnitude):
        return []
    lines = [
        _("You walk around and earn points by collecting resources."),
        _("Some resources take points from all other players when you collect them."),
        _("The players vote on the punishment for collecting taboo resources."),
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
            "You are one of {n} players. Each player walks on a separate field of {height} "
            "x {width} cells."
        )
    lines = [
        where.format(n=core.seats, **size),
        _("There are resources on the field that you can collect."),
    ]
    if core.spawn_probability > 0:
        line = _("In every turn, the chance that an empty cell gets a new resource is {share}.")
        lines.append(line.format(share=percent(core.spawn_probability)))
    return section(_("The field"), lines, screen="about")


def _moving(game: PunishmentVote) -> Section:
    core = game.core
    lines = [
        _(
            "In every turn, you can move one cell up, down, left or right. Use the arrow keys, the "
            "keys W, S, A and D, or the buttons."
        )
    ]
    if core.actions == "simple":
        lines.append(
            _(
                "Instead of moving, you can vote (keys + and \N{MINUS SIGN}) or do nothing. You "
                "can do only one thing per turn."
            )
        )
    else:
        lines.append(
            _(
                "When you move, you can also vote in the same turn (keys + and \N{MINUS SIGN}). "
                "You can vote only if you also move."
            )
        )
    if core.seats == 1 or core.worlds == "separate":
        lines.append(_("If you walk into a wall, you stay where you are."))
    else:
        lines.append(_("If you walk into a wall or another player, you stay where you are."))
    if core.timing == "sequential" and core.seats > 1:
        lines.append(_("The players act one after the other, in the order of their numbers."))
    elif core.worlds == "shared" and core.seats > 1:
        lines.append(_("If two players move to the same cell at once, chance decides who gets it."))
    if not plain.every_seat_decides(game, "action"):
        lines.append(_("Some players cannot do all of this. The exceptions are explained later."))
    return section(_("Your move"), lines, screen="decides")


def _resources(core: VoteCore) -> Section:
    kinds = core.resources
    lines = [
        _("Walk onto a resource to collect it. The number on it shows how many points you get.")
    ]
    if core.seats > 1 and any(kind.harm for kind in kinds.values()):
        lines.append(_("A red number below it shows how many points every other player loses."))
    table = [
        {"head": _("Kind"), "cells": list(kinds)},
        {"head": _("Points for you"), "cells": [exact(kind.value) for kind in kinds.values()]},
    ]
    if core.seats > 1:
        harms = [exact(kind.harm) for kind in kinds.values()]
        table.append({"head": _("Points every other player loses"), "cells": harms})
    taboo = [_("yes") if name in core.tabooed else _("no") for name in kinds]
    table.append({"head": _("Taboo"), "cells": taboo})
    return section(_("Resources"), lines, table, screen="decides")


def _harm(core: VoteCore) -> Section:
    lines = [_("When a player collects a harmful resource, all other players lose points.")]
    if core.timing == "simultaneous":
        lines.append(_("These points are taken away at the end of the same turn."))
    else:
        lines.append(
            _(
                "These points add up. They are taken away after each of your moves, even if you "
                "do nothing. Any points still owed are taken away after the last turn."
            )
        )
    if core.worlds == "separate":
        lines.append(_("This happens even though the other players walk on separate fields."))
    return section(_("Harm"), lines)


def _punishment(game: PunishmentVote) -> Section:
    core = game.core
    if not core.tabooed:
        return section(_("Punishment"), [_("No kind is taboo, so nobody is ever punished.")])
    if core.punishment == "expected":
        rule = _(
            "Any player who collects a taboo resource is punished. The player loses {size} "
            "points times the punishment level. At a level of {level}, that is {taken}."
        )
    else:
        rule = _(
            "Any player who collects a taboo resource can be punished by losing {size} points. "
            "The punishment level is the chance that this happens. At a level of {level}, it "
            "happens in {level} of cases."
        )
    half = {"level": percent(0.5), "taken": exact(0.5 * core.magnitude)}
    lines = [
        _("Taboo: {kinds}.").format(kinds=", ".join(core.tabooed)),
        rule.format(size=exact(core.magnitude), **half),
        _("At the start the level is {level}.").format(level=percent(core.initial_level)),
    ]
    if plain.is_seen(game, "level"):
        lines.append(_("A taboo resource has a ring around it. The ring fills as the level rises."))
    return section(_("Punishment"), lines)


def _voting(game: PunishmentVote) -> Section:
    core = game.core
    moves = _(
        "Each vote raises or lowers the punishment level for all players by {step} "
        "percentage points. The level always stays between 0% and 100%."
    )
    if game.weights is not None:
        moves = _(
            "Each vote raises or lowers the punishment level for all players. The level moves "
            "by {step} percentage points times the weight of the vote. It always stays "
            "between 0% and 100%."
        )
    lines = [moves.format(step=exact(100 * core.vote_step))]
    if not plain.is_steady(game, "vote_step"):
        lines.append(
            _("This is how far a vote moves the level in the first turn. This can change later.")
        )
    cost = counted("A vote costs you {n} point.", "A vote costs you {n} points.", core.vote_cost)
    lines.append(cost)
    if game.weights is not None and (game.weights == 0).any():
        lines.append(_("A vote with weight 0 costs nothing and changes nothing."))
    if core.timing == "simultaneous":
        lines.append(
            _(
                "Votes are counted at the end of a turn. Punishment during a turn depends on the "
                "level at the start of that turn."
            )
        )
    else:
        lines.append(
            _(
                "A vote counts immediately for all players who act after it. Your punishment "
                "depends on the level at the moment you collect a resource."
            )
        )
        if core.actions == "composite":
            lines.append(_("Your vote takes effect only after you have moved."))
    return section(_("Voting"), lines)


def _view(game: PunishmentVote) -> Section:
    core = game.core
    if not plain.is_seen(game, "window"):
        line = plain.limited()
    elif core.vision:
        line = _("You see the {side} x {side} cells around you.").format(side=2 * core.vision + 1)
    else:
        line = _("You do not see what is around you.")
    lines = [line]
    if plain.is_seen(game, "level", "increases", "decreases"):
        lines.append(_("All players see the punishment level and how many votes were cast."))
    elif line != plain.limited():
        lines.append(plain.limited())
    if core.views == "composite" and plain.is_seen(game, "window"):
        lines.append(_("You also see what every other player sees."))
    if core.map_memory and plain.is_seen(
        game, "remembered", "last_seen", "window", "row", "column"
    ):
        lines.append(
            _(
                "Parts of the field that you have already seen stay visible, but look paler. "
                "They may have changed since then."
            )
        )
    return section(_("What you see"), lines)


def _points(options: Options) -> Section:
    lines = [
        _(
            "Your points in a turn: the points for resources you collect, minus "
            "punishment, voting costs and harm."
        )
    ]
    if not options.pay_floor:
        lines.append(_("Your points can be below 0, but you never have to pay anything."))
    return section("", lines, screen="pays")


def _end(core: VoteCore) -> Section:
    line = counted(
        "The game has {n} turn, no matter what the players collect or how they vote.",
        "The game has {n} turns, no matter what the players collect or how they vote.",
        core.turns,
    )
    return section("", [line], screen="ends")
