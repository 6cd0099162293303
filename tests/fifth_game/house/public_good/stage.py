"""Data for the picture of the public good, and inferences from what a seat has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mixed_company.engine.games.public_good import PublicGood
from mixed_company.server.pages.guide import Observation

__all__ = ["derived", "setting"]

Row = dict[str, Any]


def setting(game: PublicGood, seat: int) -> Row:
    """Return the endowment of a seat, and whether the rules have punishment."""
    core = game.core
    return {
        "endowment": core.endowment,
        "punishes": core.most_punishment > 0 and core.seats > 1,
    }


def derived(game: PublicGood, seat: int, seen: Sequence[Observation]) -> Row:
    """Return inferences from the last contributions, and the effects of a decision.

    pot      points in the pot last period; None before the first, or if some are hidden
    lowest   seats that are shown to have given least
    targets  seats that this one can punish; None if unknown
    keeps    points left: {now, per: more per point of each action field}
    takes    loss of a target, in the same form; None if targets are unknown
    """
    now, core = seen[-1], game.core
    contributions = now["contribution"]
    targets = _targets(game, seat, now)
    return {
        "pot": None if now["period"] == 0 or None in contributions else sum(contributions),
        "lowest": [other for other, flag in enumerate(now["lowest"]) if flag == 1],
        "targets": targets,
        "keeps": {"now": core.endowment, "per": {"contribution": -1, "punishment": -1}},
        "takes": {"now": 0, "per": {"punishment": core.strength / len(targets)}}
        if targets
        else None,
    }


def _targets(game: PublicGood, seat: int, now: Observation) -> list[int] | None:
    """Return the other seats that gave least, if they are shown exactly."""
    information = game.config.layers.information
    changed = {*information.delay, *information.noise} if information.intensity > 0 else set()
    others = [other for other in range(game.seats) if other != seat]
    if "lowest" in changed or any(now["lowest"][other] is None for other in others):
        return None
    return [other for other in others if now["lowest"][other] == 1]
