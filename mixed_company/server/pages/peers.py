"""Peer points on the play page: what the page needs to know about the second stage of a period.

`_static/mixed/peers.js` draws the stage. It adds up costs from this table; the engine
decides who may get points, and whether points are accepted (`engine.contract.assigning`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mixed_company.engine.contract.peer_core import PeerCore, cost_table, reward_effect
from mixed_company.engine.game import Game
from mixed_company.language import Words, forms
from mixed_company.language import gettext as _
from mixed_company.server.pages.peer_rules import costs
from mixed_company.server.pages.texts import counted, percent


def setting(game: Game[Any]) -> dict[str, Any] | None:
    """Return the setting of a game's peer points; None for a game without peer points.

    kind        punishment, reward, or both (negative numbers punish, positive ones reward)
    costs       what 0, 1, 2, ... points to one other player cost
    rewards     what 0, 1, 2, ... reward points cost, if the kind is both
    prices      whether the session sets a table of costs instead of a cost per point
    budget      maximum number of points in total; None if unlimited
    targets     maximum number of players who may get points; None if unlimited
    holding     observation with each seat's holdings, if these limit its costs; otherwise None
    does        sentences about what a point does and costs
    words       text of the stage
    """
    core = game.core
    if game.peers is None or not isinstance(core, PeerCore):
        return None
    return {
        "kind": core.peer,
        "costs": cost_table(core).tolist(),
        "rewards": cost_table(core, reward=True).tolist(),
        "prices": bool(core.peer_costs),
        "budget": core.peer_budget,
        "targets": core.peer_targets,
        "holding": game.holding,
        "does": list(_does(core)),
        "words": {**_of_kind(core), **_shared()},
    }


def _does(core: PeerCore) -> Iterator[str]:
    """Yield sentences about what a point does to the player who gets it, and what it costs."""
    if core.peer == "both":
        yield _("Use minus to punish and plus to reward.")
    share = core.peer_effect_share
    if core.peer != "reward":
        yield _takes(core.peer_effect) if share is None else _takes_share(share)
    if core.peer != "punishment":
        yield _gives(reward_effect(core)) if share is None else _gives_share(share)
    if core.peer_reward_cost is not None:
        yield from costs(core)
    elif not core.peer_costs:
        yield counted(
            "Each point that you assign costs you {n} point.",
            "Each point that you assign costs you {n} points.",
            core.peer_cost,
        )
    if core.peer_names == "shuffled":
        yield _("The other players are shown in a new random order in every period.")


def _takes(effect: float) -> str:
    return counted(
        "Each punishment point takes {n} point from the player who gets it.",
        "Each punishment point takes {n} points from the player who gets it.",
        effect,
    )


def _takes_share(share: float) -> str:
    line = _("Each punishment point takes {p} of what the player earned in this period.")
    return line.format(p=percent(share))


def _gives(effect: float) -> str:
    return counted(
        "Each reward point gives {n} point to the player who gets it.",
        "Each reward point gives {n} points to the player who gets it.",
        effect,
    )


def _gives_share(share: float) -> str:
    line = _("Each reward point adds {p} of what the player earned in this period.")
    return line.format(p=percent(share))


def _of_kind(core: PeerCore) -> Words:
    """Return the texts that name the kind of points."""
    titles = {
        "punishment": _("Punishment points for others"),
        "reward": _("Reward points for others"),
        "both": _("Punishment or reward points"),
    }
    if core.peer == "both":
        received = (
            forms(
                "On balance, you got {n} punishment point.",
                "On balance, you got {n} punishment points.",
            ),
            forms(
                "On balance, you got {n} reward point.", "On balance, you got {n} reward points."
            ),
        )
    else:
        received = (
            forms("You got {n} punishment point.", "You got {n} punishment points."),
            forms("You got {n} reward point.", "You got {n} reward points."),
        )
    assigned = {
        "punishment": forms(
            "You assigned {n} punishment point.", "You assigned {n} punishment points."
        ),
        "reward": forms("You assigned {n} reward point.", "You assigned {n} reward points."),
        "both": forms("You assigned {n} point.", "You assigned {n} points."),
    }
    kinds = {
        "got_punishment": received[0],
        "got_reward": received[1],
        "assigned": assigned[core.peer],
    }
    return {"title": titles[core.peer], **kinds}


def _shared() -> Words:
    """Return the texts for all kinds of points."""
    return {
        "earned": _("earned"),
        "for": _("Points for {player}"),
        "more": _("One more point for {player}"),
        "less": _("One fewer point for {player}"),
        "punishment": forms("{n} punishment point", "{n} punishment points"),
        "reward": forms("{n} reward point", "{n} reward points"),
        "from": _("From {player}: {points}"),
        "prices": _("What it costs to give points to one player"),
        "number": _("points for the player"),
        "price": _("cost to you"),
        "none": _("If you confirm now, nobody gets points."),
        "cost": forms("These points cost you {n} point.", "These points cost you {n} points."),
        "held": forms("That leaves you with {n} point.", "That leaves you with {n} points."),
        "too_poor": _("You do not have enough points to give any."),
        "budget": forms("You can assign {n} more point.", "You can assign {n} more points."),
        "targets": forms(
            "You can give points to {n} more player.", "You can give points to {n} more players."
        ),
        "now": _("This period"),
        "so_far": forms(
            "You have earned {n} point in this period so far.",
            "You have earned {n} points in this period so far.",
        ),
        "lapsed": _("Time was up, so you assigned no points."),
    }
