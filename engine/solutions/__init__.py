"""What is best, selfish or efficient in a game, one module per game, named like it.

A module may also judge periods that were played: `judged(core)`, the fields it gives, and
`judge(core, before, after)`, their values for a period, from the logged states around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from engine.episode import Episode
from engine.game import Game
from engine.space import Field

__all__ = ["judge", "judged"]


def judged(game: Game[Any]) -> tuple[Field, ...]:
    """The fields that periods of a game are judged by; none for most games."""
    module = _module(game.id)
    found: tuple[Field, ...] = module.judged(game.core) if hasattr(module, "judged") else ()
    return found


def judge(
    game: Game[Any], seed: int, states: Iterable[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The values of `judged` for each period of a play; None: has none.

    `states` are those after each period, from the first on (plain JSON).
    """
    fields = judged(game)
    before = Episode(game, seed).state_record() if fields else {}
    for after in states:
        yield _module(game.id).judge(game.core, before, after) if fields else {}
        before = dict(after)


def _module(game_id: str) -> Any:
    name = f"{__name__}.{game_id}"
    return import_module(name) if find_spec(name) else None
