"""Check of games whose periods have several stages."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mixed_company.engine.contract.errors import ActionError
from mixed_company.engine.contract.space import Arrays
from mixed_company.engine.kit.plays import (
    AnyGame,
    actions_for,
    chance_now,
    equal,
    first_stages,
    so_far,
)

__all__ = ["stages_show_what_was_decided"]


def stages_show_what_was_decided(game: AnyGame) -> list[str]:
    """Check that a later stage shows what the earlier ones bring, pays nothing, and takes only its
    own actions.
    """
    if not game.stages.several:
        return []
    return [fault for number in (0, 1) for fault in _faults(game, number)]


def _faults(game: AnyGame, seed: int) -> Iterator[str]:
    chance = game.draw_chance(seed, 0)
    for state in first_stages(game, seed):
        when = f"seed {seed}, stage {game.stages.names[int(state['stage'])]}"
        seen = game.observe(state, chance if state["stage"] else game.draw_chance(seed, -1))
        if not np.array_equal(np.unique(seen["stage"]), [state["stage"]]):
            yield f"{when}: the stage is shown as {seen['stage']}"
        if state["stage"]:
            expected = {**game.observe(so_far(game, state, chance), chance), "stage": seen["stage"]}
            for name in seen:
                if not equal({name: seen[name]}, {name: expected[name]}):
                    yield f"{when}: {name} is not what the earlier stages bring"
        yield from _other_stages_do_not_count(game, state, seed, when)
        actions = actions_for(game, state, seed, 0)
        after, outcome = game.step(state, actions, chance_now(game, seed, state))
        if after["stage"] and (outcome.rewards.any() or outcome.done):
            yield f"{when}: points are paid, or the play ends, before the period is over"


def _other_stages_do_not_count(game: AnyGame, state: Arrays, seed: int, when: str) -> Iterator[str]:
    """Yield a fault if a field of another stage cannot be left out, or changes the play."""
    allowed = game.allowed(state)
    actions = actions_for(game, state, seed, 0)
    own = {name: value for name, value in actions.items() if name not in allowed.idle}
    chance = chance_now(game, seed, state)
    try:
        alone, _ = game.step(state, own, chance)
    except ActionError as error:
        yield f"{when}: actions of other stages cannot be left out: {error}"
        return
    if not equal(alone, game.step(state, actions, chance)[0]):
        yield f"{when}: actions of other stages change the play"
