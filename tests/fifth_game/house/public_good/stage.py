"""Data for the picture of the public good, and inferences from what a seat has seen."""

from __future__ import annotations

from collections.abc import Sequence

from mixed_company.engine.games.public_good import PublicGood
from mixed_company.server.pages.guide import Observation, Row

__all__ = ["derived", "setting"]


def setting(game: PublicGood, seat: int) -> Row:
    """Return the endowment of a seat, and the points that it keeps: {now, per: more per point}."""
    endowment = game.core.endowment
    return {"endowment": endowment, "keeps": {"now": endowment, "per": {"contribution": -1}}}


def derived(game: PublicGood, seat: int, seen: Sequence[Observation]) -> Row:
    """Return the points in the pot; None before the first period, or if some are hidden."""
    now = seen[-1]
    hidden = now["period"] == 0 or None in now["contribution"]
    return {"pot": None if hidden else sum(now["contribution"])}
