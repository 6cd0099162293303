"""What is best, selfish or efficient in a game, one module per game, named like it.

A module may also judge periods that were played: `judged(core)`, the fields it gives, and
`judge(core, before, after)`, their values for a period, from the logged states around it; and whole
plays: `share_of_best(core, states, components)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from engine.contract.space import Array, Arrays, Field
from engine.game import Game
from engine.play.episode import Episode

__all__ = ["has_best", "judge", "judge_play", "judged", "share_of_best"]

_LEAVE_THE_BEST = {"information", "hierarchy"}
"""Layers under which the best a group can do is what it is without them."""


def judged(game: Game[Any]) -> tuple[Field, ...]:
    """The fields that periods of a game are judged by; none for most games."""
    module = _module(game.id)
    found: tuple[Field, ...] = module.judged(game.core) if hasattr(module, "judged") else ()
    return found


def judge(game: Game[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The values of `judged` for the period between two states (plain JSON); None: has none."""
    found: dict[str, Any] = _module(game.id).judge(game.core, before, after) if judged(game) else {}
    return found


def judge_play(
    game: Game[Any], seed: int, states: Iterable[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """`judge` for each period of a play; `states` are those after each, from the first on."""
    before: Mapping[str, Any] = Episode(game, seed).state_record()
    for after in states:
        yield judge(game, before, after)
        before = after


def has_best(game: Game[Any]) -> bool:
    """Is there a best play to compare with, under the layers of this game?"""
    layers = {layer.name for layer in game.layers}
    return hasattr(_module(game.id), "share_of_best") and layers <= _LEAVE_THE_BEST


def share_of_best(
    game: Game[Any], states: Sequence[Arrays], components: Sequence[Arrays]
) -> Array | None:
    """(B,) what B plays came to, as a share of the best; None for a game without `has_best`.

    `states` are those before the first period and after each, `components` the reward components
    of each. A play that ended before the others stands still. NaN where nothing can be earned.
    """
    if not has_best(game):
        return None
    found: Array = _module(game.id).share_of_best(game.core, states, components)
    return found


def _module(game_id: str) -> Any:
    name = f"{__name__}.{game_id}"
    return import_module(name) if find_spec(name) else None
