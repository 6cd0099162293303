"""Checks on games whose periods have several stages."""

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
)

_OF_LATER_STAGES = ("stage", "period", "ended", "received", "received_from")
"""Observations that change in later stages although nobody does anything in them."""


def stages_show_what_was_decided(game: AnyGame) -> list[str]:
    """Check that later stages show the result so far, and that nothing is paid before the period
    ends.
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
        if state["stage"] and not game.layers:
            for name in _unlike(game, state, seen, chance):
                yield f"{when}: {name} does not show the result of the earlier stages"
        yield from _other_stages_do_not_count(game, state, seed, when)
        actions = actions_for(game, state, seed, 0)
        after, outcome = game.step(state, actions, chance_now(game, seed, state))
        if after["stage"] and (outcome.rewards.any() or outcome.done):
            yield f"{when}: points are paid, or the play ends, before the period is over"


def _unlike(game: AnyGame, state: Arrays, seen: Arrays, chance: Arrays) -> list[str]:
    """Return the observations that differ from those after the same period without later decisions.

    The list is empty if a seat or the play ends with that period.
    """
    outcome = None
    while outcome is None or state["stage"]:
        state, outcome = game.step(state, game.allowed(state).default, chance)
    if outcome.seat_done.any():
        return []
    names = [name for name in seen if name not in _OF_LATER_STAGES]
    return [n for n in names if not equal({n: seen[n]}, {n: outcome.observations[n]})]


def _other_stages_do_not_count(game: AnyGame, state: Arrays, seed: int, when: str) -> Iterator[str]:
    """Yield a fault if other stages' fields cannot be left out or if they change the play."""
    actions = actions_for(game, state, seed, 0)
    fields = game.declaration.actions
    mine = {field.name: actions[field.name] for field in fields if field.stage == state["stage"]}
    chance = chance_now(game, seed, state)
    try:
        alone, _ = game.step(state, mine, chance)
    except ActionError as error:
        yield f"{when}: actions of other stages cannot be left out: {error}"
        return
    if not equal(alone, game.step(state, actions, chance)[0]):
        yield f"{when}: actions of other stages change the play"
