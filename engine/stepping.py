"""A step of any game, in its fixed order.

1. seats that leave are out; the actions are validated, those of seats that are out filled in
2. the game's transition; then the layers shake the world (`shake`)
3. why seats and the play are over is judged on the world as it is now
4. the game's reward, from the world as the transition left it: a shock is nobody's doing;
   seats that are out earn 0; then the layers settle (`settle`)
5. a play that was over before stays as it was, and earns 0
6. what is seen
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.contract.declaration import Outcome
from engine.contract.errors import ActionError
from engine.contract.space import Array, Arrays
from engine.layers.base import Period, total

if TYPE_CHECKING:
    from engine.game import Game

__all__ = ["advanced", "frozen", "outcome"]


class Parts(NamedTuple):
    """The actions as used, and what was earned with them."""

    used: Arrays
    components: Arrays


def advanced(
    game: Game[Any], state: Arrays, actions: Mapping[str, Any], chance: Arrays, leaving: Any
) -> tuple[Arrays, Parts]:
    """Steps 1 to 5: the state after, and what was done and earned."""
    if leaving is not None:
        state = _without(game, state, leaving)
    used = _used(game, state, actions)
    after = dict(game.transition(state, used, chance))
    shaken: dict[str, Array] = {}
    for layer in game.layers:
        shaken |= layer.shake(state, {**after, **shaken}, chance)
    after["period"] = state["period"] + 1
    _judge(game, state, after, shaken)
    components = _settled(game, state, used, after, chance, shaken)
    over = state["reason"] > 0
    if over.any():
        after = {name: _choose(over, state[name], value) for name, value in after.items()}
        components = {
            name: np.where(over[..., None], 0.0, value) for name, value in components.items()
        }
    return frozen(after), Parts(used, components)


def _without(game: Game[Any], state: Arrays, leaving: Any) -> Arrays:
    if game.presence.may_leave:
        return game.presence.without(state, leaving)
    if np.any(leaving):
        raise ActionError("leaving: agents.may_leave is false, so no seat can leave this play")
    return state


def _used(game: Game[Any], state: Arrays, actions: Mapping[str, Any]) -> Arrays:
    playing = game.playing(state)
    if playing is not None and not playing.all():
        actions = game.presence.filled(actions, ~playing, game.defaults(state))
    return game.validate(state, actions)


def _judge(game: Game[Any], state: Arrays, after: dict[str, Array], shaken: Arrays) -> None:
    """Fill in why seats and the play are over."""
    world = {**after, **shaken} if shaken else after
    if not game.seat_reasons:
        after["reason"] = game._reason(world)
        return
    after["seat_reason"] = game.presence.judged(state, game.seat_ending(world))
    reason = game._reason(world)
    nobody = (after["seat_reason"] > 0).all(axis=-1) & (reason <= 1)  # 1 is the horizon
    after["reason"] = np.where(nobody, len(game.reasons), reason)


def _settled(
    game: Game[Any],
    state: Arrays,
    used: Arrays,
    after: dict[str, Array],
    chance: Arrays,
    shaken: Arrays,
) -> Arrays:
    """What was earned, layers included; `after` gets their fields and what was shaken."""
    components: Arrays = dict(game.reward(state, used, after))
    playing = game.playing(state)
    if playing is not None:
        components = {name: np.where(playing, v, 0.0) for name, v in components.items()}
    if not game.layers:
        return components
    after |= shaken
    closing = (after["reason"] > 0)[..., None]
    if playing is not None:
        closing = closing | (after["seat_reason"] > 0)
    period = Period(state, used, after, chance, playing, closing)
    for layer in game.layers:
        components, own = layer.settle(period, components)
        after |= own
    return components


def outcome(game: Game[Any], after: Arrays, parts: Parts, chance: Arrays) -> Outcome:
    """Step 6: what a step gives."""
    done = after["reason"] > 0
    seat_done, seat_reason = np.repeat(done[..., None], game.seats, axis=-1), None
    if game.seat_reasons:
        seat_reason = after["seat_reason"]
        seat_done = seat_done | (seat_reason > 0)
    return Outcome(
        observations=game.observe(after, chance),
        rewards=total(parts.components),
        components=parts.components,
        used=parts.used,
        seat_done=seat_done,
        done=done,
        reason=after["reason"],
        seat_reason=seat_reason,
    )


def frozen(state: Arrays) -> Arrays:
    """A state whose arrays nobody can change."""
    for value in state.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return state


def _choose(over: Array, before: Array, after: Array) -> Array:
    where = np.reshape(over, np.shape(over) + (1,) * (np.ndim(after) - np.ndim(over)))
    return np.asarray(np.where(where, before, after))
