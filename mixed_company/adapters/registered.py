"""Access to every game by its id, for Gymnasium and PettingZoo. Importing this module registers the
games with Gymnasium.

    import gymnasium
    import mixed_company.adapters.registered
    env = gymnasium.make("mixed_company/commons_game-v1", archetype="lab", others="sustainable")

    from mixed_company.adapters.registered import aec_env, parallel_env
    env = parallel_env("commons_game", archetype="lab")        # PettingZoo has no registry

An id is `mixed_company/<game>-v<version of its rules>`; `gymnasium.pprint_registry()` lists them.
`gymnasium.make("mixed_company.adapters.registered:mixed_company/commons_game-v1")` needs no prior
import.

`spaces` is the form of observations and actions: `flat` or `named` (`adapters.spaces`); `reveal`
adds seed or components to infos (`adapters.play`). All other parameters are passed to
`engine.make`: an archetype, a seed, core parameters, whole sections. The other seats of a Gymnasium
environment have random policies by default. Only the functions that make PettingZoo environments
need PettingZoo.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import gymnasium

from mixed_company import engine
from mixed_company.adapters.gymnasium import OneSeat

if TYPE_CHECKING:
    from mixed_company.adapters.pettingzoo import InTurn, Together

NAMESPACE = "mixed_company"
OTHERS = "random"


def environment_id(game_id: str) -> str:
    """Return the id of a game in Gymnasium's registry. Raises UnknownName."""
    return f"{NAMESPACE}/{game_id}-v{engine.find(game_id).version}"


def one_seat(
    game: str,
    *,
    others: str = OTHERS,
    seat: int = 0,
    spaces: str = "flat",
    reveal: Collection[str] = (),
    **parameters: Any,
) -> OneSeat:
    """Return `adapters.gymnasium.OneSeat` for a game id; `gymnasium.make` calls this function.

    Raises ConfigError or UnknownName.
    """
    return OneSeat(engine.make(game, **parameters), others, seat, spaces, reveal)


def parallel_env(
    game: str, *, spaces: str = "flat", reveal: Collection[str] = (), **parameters: Any
) -> Together:
    """Return `adapters.pettingzoo.Together` for a game id. Raises ConfigError, UnknownName."""
    from mixed_company.adapters.pettingzoo import Together

    return Together(engine.make(game, **parameters), spaces, reveal)


def aec_env(
    game: str, *, spaces: str = "flat", reveal: Collection[str] = (), **parameters: Any
) -> InTurn:
    """Return `adapters.pettingzoo.InTurn` for a game id. Raises ConfigError, UnknownName."""
    from mixed_company.adapters.pettingzoo import InTurn

    return InTurn(engine.make(game, **parameters), spaces, reveal)


for _game_id in engine.game_ids():
    gymnasium.register(environment_id(_game_id), f"{__name__}:one_seat", kwargs={"game": _game_id})
