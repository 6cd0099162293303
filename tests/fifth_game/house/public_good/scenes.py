"""The numbers of the pictures in the instructions of the public good: it has none of its own."""

from __future__ import annotations

from mixed_company.engine.games.public_good import PublicGood
from mixed_company.server.pages.guide import Row

__all__ = ["scenes"]


def scenes(game: PublicGood) -> dict[str, Row]:
    """Screen -> numbers of its picture; what all games share is drawn without them."""
    return {}
