"""Access to every game by its id, for Gymnasium and PettingZoo. Importing this module registers the
games with Gymnasium.

    import gymnasium
    import mixed_company.adapters.registered
    env = gymnasium.make("mixed_company/commons_game-v1", archetype="lab", others="sustainable")

    envs = gymnasium.make_vec("mixed_company/commons_game-v1", num_envs=256, archetype="lab")

    from mixed_company.adapters.registered import aec_env, parallel_env, vector_env
    env = parallel_env("commons_game", archetype="lab")        # PettingZoo has no registry
    envs = vector_env("commons_game", plays=64, archetype="lab")   # every seat of 64 plays

An id is `mixed_company/<game>-v<version of its rules>`; `gymnasium.pprint_registry()` lists them.
`gymnasium.make("mixed_company.adapters.registered:mixed_company/commons_game-v1")` needs no prior
import. `gymnasium.make_vec` plays one seat in `num_envs` plays, as arrays
(`adapters.gymnasium_vector`, in the `vector_entry_point` mode); the `sync` and `async` modes play
them one by one.

`spaces` is the form of observations and actions: `flat` or `named` (`adapters.spaces`); `reveal`
adds seed or components to infos (`adapters.play`); `render_mode` is `ansi` or `rgb_array`
(`adapters.rendering`). All other parameters are passed to
`engine.make`: an archetype, a seed, core parameters, whole sections. The other seats of a Gymnasium
environment have random policies by default. Only the functions that make PettingZoo environments
need PettingZoo.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium

from mixed_company import engine
from mixed_company.adapters.batch import RewardMode
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.gymnasium_vector import SeatsVector

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
    render_mode: str | None = None,
    **parameters: Any,
) -> OneSeat:
    """Return `adapters.gymnasium.OneSeat` for a game id; `gymnasium.make` calls this function.

    Raises ConfigError or UnknownName.
    """
    return OneSeat(engine.make(game, **parameters), others, seat, spaces, reveal, render_mode)


def one_seat_of_many(
    game: str, *, num_envs: int, others: str = OTHERS, seat: int = 0, **parameters: Any
) -> SeatsVector:
    """Return `adapters.gymnasium_vector.SeatsVector` for one seat; `gymnasium.make_vec` calls this
    function.

    Raises ConfigError or UnknownName.
    """
    return SeatsVector(engine.make(game, **parameters), num_envs, seats=[seat], others=others)


def vector_env(
    game: str,
    plays: int,
    *,
    seats: Sequence[int] | None = None,
    others: str = "",
    reward: RewardMode = "own",
    **parameters: Any,
) -> SeatsVector:
    """Return `adapters.gymnasium_vector.SeatsVector` for a game id; by default all seats learn.

    Raises ConfigError or UnknownName.
    """
    chosen = engine.make(game, **parameters)
    return SeatsVector(chosen, plays, seats=seats, others=others, reward=reward)


def parallel_env(
    game: str,
    *,
    spaces: str = "flat",
    reveal: Collection[str] = (),
    render_mode: str | None = None,
    **parameters: Any,
) -> Together:
    """Return `adapters.pettingzoo.Together` for a game id. Raises ConfigError, UnknownName."""
    from mixed_company.adapters.pettingzoo import Together

    return Together(engine.make(game, **parameters), spaces, reveal, render_mode)


def aec_env(
    game: str,
    *,
    spaces: str = "flat",
    reveal: Collection[str] = (),
    render_mode: str | None = None,
    **parameters: Any,
) -> InTurn:
    """Return `adapters.pettingzoo.InTurn` for a game id. Raises ConfigError, UnknownName."""
    from mixed_company.adapters.pettingzoo import InTurn

    return InTurn(engine.make(game, **parameters), spaces, reveal, render_mode)


for _game_id in engine.game_ids():
    gymnasium.register(
        environment_id(_game_id),
        f"{__name__}:one_seat",
        vector_entry_point=f"{__name__}:one_seat_of_many",
        kwargs={"game": _game_id},
    )
