"""What the picture of the public good needs, and what follows from what a seat has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mixed_company.engine.games.public_good import PublicGood
from mixed_company.server.pages.guide import Observation

__all__ = ["derived", "setting"]

Row = dict[str, Any]


def setting(game: PublicGood, seat: int) -> Row:
    """What a seat has in a period, and whether there is any punishment."""
    core = game.core
    return {
        "endowment": core.endowment,
        "punishes": core.most_punishment > 0 and core.seats > 1,
    }


def derived(game: PublicGood, seat: int, seen: Sequence[Observation]) -> Row:
    """What the last contributions came to, and what a decision would mean.

    pot      points in the pot last period; None before the first, or where not all are shown
    lowest   the seats that are shown to have given least
    targets  the seats that this one can punish; None where that cannot be known
    keeps    points left {now, and more per point of each action field}
    takes    what a target would lose, in the same form; None where targets are not known
    """
    now, core = seen[-1], game.core
    given = now["contribution"]
    targets = _targets(game, seat, now)
    return {
        "pot": None if now["period"] == 0 or None in given else sum(given),
        "lowest": [other for other, flag in enumerate(now["lowest"]) if flag == 1],
        "targets": targets,
        "keeps": {"now": core.endowment, "per": {"contribution": -1, "punishment": -1}},
        "takes": {"now": 0, "per": {"punishment": core.strength / len(targets)}}
        if targets
        else None,
    }


def _targets(game: PublicGood, seat: int, now: Observation) -> list[int] | None:
    """The other seats that gave least, if they are shown as they are."""
    information = game.config.layers.information
    changed = {*information.delay, *information.noise} if information.intensity > 0 else set()
    others = [other for other in range(game.seats) if other != seat]
    if "lowest" in changed or any(now["lowest"][other] is None for other in others):
        return None
    return [other for other in others if now["lowest"][other] == 1]
