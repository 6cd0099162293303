"""Games broken on purpose: each check of the conformance kit must catch at least one of them."""

from __future__ import annotations

from typing import Any

from mixed_company.engine.games.commons_game import CommonsGame
from tests.engine.broken import actions, layers, plays, stages, told

BROKEN: dict[str, tuple[type[CommonsGame], ...]] = {
    **plays.BROKEN,
    **actions.BROKEN,
    **layers.BROKEN,
    **told.BROKEN,
    **stages.BROKEN,
}


def cases(checks: Any) -> list[tuple[Any, type[CommonsGame] | None]]:
    """List (check, broken game) for every check. The game is None if there is no game to test the
    check.
    """
    return [(check, game) for check in checks for game in BROKEN.get(check.__name__, (None,))]
