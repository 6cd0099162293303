"""What a game tells of a period (`Period.info`), as far as a seat may know it.

Infos are diagnostics, for logs and pictures: they are no observation, and what learns or decides
should not read them. But whoever has the info of a seat may also be who plays it, so it holds
nothing that the seat could not work out from what it sees. A value follows from observation fields
(`Info.of`); a seat for which one of these is hidden, blurred, late or not its to see, or that has
ended before the others, gets None in place of the value. The keys are the same in every period.
"""

from __future__ import annotations

from typing import Any

from mixed_company.engine.game import Game
from mixed_company.engine.play.period import Period

__all__ = ["known_info"]


def known_info(game: Game[Any], seat: int, step: Period) -> dict[str, Any]:
    """The info of a period by name, None where the seat may not know it."""
    out = seat in step.absent or seat in step.endings
    hidden = game.sight.hidden_from(seat)
    plain = {
        field.name
        for field in game.own_observations
        if field.visibility == "public" and field.name not in hidden
    }
    return {
        info.name: step.info[info.name]
        if not info.of or (not out and all(_seen(game, name, plain) for name in info.of))
        else None
        for info in game.declaration.info
    }


def _seen(game: Game[Any], name: str, plain: set[str]) -> bool:
    return name in plain and not any(layer.alters(name) for layer in game.layers)
