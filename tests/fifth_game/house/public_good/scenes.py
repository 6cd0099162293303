"""Numbers for pictures in the instructions of the public good, which has none of its own."""

from __future__ import annotations

from mixed_company.engine.games.public_good import PublicGood
from mixed_company.server.pages.guide import Row

__all__ = ["scenes"]


def scenes(game: PublicGood) -> dict[str, Row]:
    """Return no numbers; pictures that all games share need none."""
    return {}
