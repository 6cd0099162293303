"""Instructions on peer points, the same for all games that have them. The texts say "punishment
point" or "reward point", to distinguish these from the points that a player earns.
`engine.contract.peers` has the rules.
"""

from __future__ import annotations

from typing import Any

from mixed_company.engine.contract.peer_core import PeerCore, cost_table, reward_effect
from mixed_company.engine.game import Game
from mixed_company.language import gettext as _
from mixed_company.language import pair
from mixed_company.server.pages import plain
from mixed_company.server.pages.guide import Section
from mixed_company.server.pages.peer_example import example, rounded
from mixed_company.server.pages.texts import counted, exact, percent, section
from mixed_company.table.options import Options

MOST_COLUMNS = 11
"""Maximum number of amounts in the table of costs."""


def sections(game: Game[Any], options: Options) -> list[Section]:
    """Return the sections about peer points; empty if there are no peer points."""
    if game.peers is None:
        return []
    core: PeerCore = game.core
    title = {
        "punishment": _("Punishment points"),
        "reward": _("Reward points"),
        "both": _("Punishment points and reward points"),
    }[core.peer]
    lines = [*_step(game), *costs(core), *_effects(game), *_example(game)]
    lines += [*_limits(game), *_time(game, options)]
    learnt = section(_("After you give points"), [*_learnt(game), *_names(game)])
    return [section(title, lines, _cost_table(core), screen="decides"), learnt]


def _step(game: Game[Any]) -> list[str]:
    done = game.declaration.actions[0].name
    first = _("Every period has a second step.")
    if plain.is_seen(game, done, "income"):
        first = _(
            "Every period has a second step, where you see what the players did and how many "
            "points they earned."
        )
    then = {
        "punishment": _("You can then give punishment points to other players."),
        "reward": _("You can then give reward points to other players."),
        "both": _(
            "You can then give punishment points or reward points to other players, but not both "
            "to the same player."
        ),
    }[game.core.peer]
    everybody = plain.every_seat_decides(game, "assign")
    return [first, then, *([] if everybody else [_("Some players cannot do this.")])]


def costs(core: PeerCore) -> list[str]:
    """Return the sentences about what peer points cost."""
    if core.peer_costs:
        return [
            _(
                "You pay for the points you give. The cost depends on how many points you give to "
                "one player, as the table shows."
            )
        ]
    words = {
        "punishment": pair(
            "Each punishment point costs you {n} point.",
            "Each punishment point costs you {n} points.",
        ),
        "reward": pair(
            "Each reward point costs you {n} point.", "Each reward point costs you {n} points."
        ),
        "both": pair(
            "Each punishment point or reward point costs you {n} point.",
            "Each punishment point or reward point costs you {n} points.",
        ),
    }
    if core.peer_reward_cost is not None:
        return [
            counted(*words["punishment"], core.peer_cost),
            counted(*words["reward"], core.peer_reward_cost),
        ]
    return [counted(*words[core.peer], core.peer_cost)]


def _cost_table(core: PeerCore) -> list[dict[str, Any]]:
    """Return a table of what points cost, if costs are not proportional to points."""
    if not core.peer_costs:
        return []
    table, columns = cost_table(core), min(core.peer_max + 1, MOST_COLUMNS)
    shown = [core.peer_max * column // (columns - 1) for column in range(columns)]
    return [
        {"head": _("You give one player"), "cells": [str(points) for points in shown]},
        {"head": _("You pay"), "cells": [exact(float(table[points])) for points in shown]},
    ]


def _effects(game: Game[Any]) -> list[str]:
    core: PeerCore = game.core
    lines = []
    if core.peer != "reward":
        lines += [taken(core), *_most_taken(game)]
    if core.peer != "punishment":
        lines.append(gained(core))
    return lines


def taken(core: PeerCore) -> str:
    """Return the sentence about how many points a punishment point takes away."""
    if core.peer_effect_share is not None:
        line = _(
            "Each punishment point takes {share} of what the player who gets it earned in this "
            "period."
        )
        return line.format(share=percent(core.peer_effect_share))
    return counted(
        "Each punishment point takes {n} point from the player who gets it.",
        "Each punishment point takes {n} points from the player who gets it.",
        core.peer_effect,
    )


def gained(core: PeerCore) -> str:
    """Return the sentence about how many points a reward point adds."""
    if core.peer_effect_share is not None:
        line = _(
            "Each reward point adds {share} of what the player who gets it earned in this period."
        )
        return line.format(share=percent(core.peer_effect_share))
    return counted(
        "Each reward point gives {n} point to the player who gets it.",
        "Each reward point gives {n} points to the player who gets it.",
        reward_effect(core),
    )


def _most_taken(game: Game[Any]) -> list[str]:
    core: PeerCore = game.core
    limited = core.peer_floor == "stage" or core.peer_effect_share is not None
    lines = []
    if limited:
        lines.append(_("Punishment points never take more than the player earned in this period."))
    if not plain.is_shared(game):
        lines.append(_("Nobody gets the points that are taken away."))
    return lines


def _example(game: Game[Any]) -> list[str]:
    points = example(game, 2)
    if points is None:
        return []
    words = pair(
        "For example, suppose you earned {mine} points and another player earned {theirs}. "
        "If you give this player {n} punishment point, you are left with {left} points from "
        "this period, and the other player with {kept}.",
        "For example, suppose you earned {mine} points and another player earned {theirs}. "
        "If you give this player {n} punishment points, you are left with {left} points from "
        "this period, and the other player with {kept}.",
    )
    if game.core.peer == "reward":
        words = pair(
            "For example, suppose you earned {mine} points and another player earned "
            "{theirs}. If you give this player {n} reward point, you are left with {left} "
            "points from this period, and the other player with {kept}.",
            "For example, suppose you earned {mine} points and another player earned "
            "{theirs}. If you give this player {n} reward points, you are left with {left} "
            "points from this period, and the other player with {kept}.",
        )
    gaps = {"mine": points.mine, "left": points.mine - points.cost}
    gaps |= {"theirs": points.theirs, "kept": points.theirs + points.change}
    shown = {name: rounded(value) for name, value in gaps.items()}
    return [counted(*words, points.points, **shown)]


def _limits(game: Game[Any]) -> list[str]:
    core: PeerCore = game.core
    others, in_view = core.seats - 1, game.in_view()
    lines = [_("You can give at most {n} to one player.").format(n=core.peer_max)]
    if core.peer_budget is not None:
        lines.append(
            _("You can give at most {n} to all players together.").format(n=core.peer_budget)
        )
    if core.peer_targets is not None and core.peer_targets < others:
        lines.append(
            counted(
                "You can give points to at most {n} player.",
                "You can give points to at most {n} players.",
                core.peer_targets,
            )
        )
    if game.holding is not None:
        lines.append(_("You cannot spend more points than you have."))
    if in_view is not None and not in_view.all():
        lines.append(_("You can give points only to players whose numbers you see."))
    return lines


def _time(game: Game[Any], options: Options) -> list[str]:
    lines = []
    if game.sight.order is not None:
        lines.append(_("In this step, all players decide at the same time."))
    if options.peer_seconds:
        line = _("You have {s} seconds for this step. If your time runs out, you give no points.")
        lines.append(line.format(s=exact(options.peer_seconds)))
    return lines


def _learnt(game: Game[Any]) -> list[str]:
    """Return the sentences about what players learn about the peer points that they got."""
    core: PeerCore = game.core
    if core.peer_tells == "who" and plain.is_seen(game, "received_from"):
        return [_("You see how many points you got from each of the other players.")]
    lines = [_("You see how many points you got in total, but not who gave them.")]
    if core.peer == "both":
        lines.append(
            _("In this total, a punishment point and a reward point cancel each other out.")
        )
    return lines


def _names(game: Game[Any]) -> list[str]:
    """Return the sentences about how other players are shown, and what is hidden about them."""
    lines = [_("Each player keeps the same number in all periods.")]
    if game.core.peer_names == "shuffled":
        lines = [
            _(
                "In every period, the other players are shown in a new random order. So you cannot "
                "tell who did what in earlier periods."
            )
        ]
        if any(field.name in game.lasting for field in game.declaration.observations):
            lines.append(_("Some numbers would give this away, so you see only your own."))
    elif game.holding is not None and not plain.is_shown(game, game.holding):
        lines.append(_("You do not see how many points the other players have."))
    return lines
