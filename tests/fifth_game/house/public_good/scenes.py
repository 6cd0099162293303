"""Numbers for pictures in the instructions. The public good adds no pictures."""

from __future__ import annotations

from mixed_company.engine.games.public_good import PublicGood
from mixed_company.server.pages.guide import Row

__all__ = ["scenes"]


def scenes(game: PublicGood) -> dict[str, Row]:
    """Return no numbers, because the pictures shared by all games need none."""
    return {}
