"""One call of a policy for several seats of a play, giving each the answer it would get alone."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import Answer, Decided, Memory, Policy, no_notes
from mixed_company.policies.seats import Seats

__all__ = ["ask_together"]


def ask_together(
    policy: Policy,
    episode: Episode,
    seats: Sequence[int],
    memories: Sequence[Memory],
    budget: float,
    patience: float,
) -> list[Answer] | None:
    """Return the answers of a policy for several seats, or None if each must be asked alone.

    They are asked alone if the policy decides for one seat at a time, if their memories have
    different forms, or if the call fails, takes longer than one seat may (`budget` and `patience`,
    seconds), or gives an invalid answer. So a fault affects only the seat that causes it.
    """
    if not policy.together or type(policy).act_within is not Policy.act_within:
        return None
    started, began = time.thread_time(), time.monotonic()
    try:
        actions, after = _decided(policy, episode, seats, memories)
        answers = [
            Answer(
                episode.allowed(seat).plain(_of_row(actions, row, len(seats))),
                _of_row(after, row, len(seats)),
            )
            for row, seat in enumerate(seats)
        ]
    except Exception:  # noqa: BLE001  any error, perhaps caused by one seat only
        return None
    late = time.thread_time() - started > budget or time.monotonic() - began > patience
    return None if late or any(no_notes(answer.memory) for answer in answers) else answers


def _decided(
    policy: Policy, episode: Episode, seats: Sequence[int], memories: Sequence[Memory]
) -> Decided:
    rows, count = list(seats), len(seats)
    draws = Draws([episode.seed] * count, rows, [episode.period] * count)
    deciding = Seats(_seen(episode, rows), _stacked(memories), draws)
    if type(policy).act_together_within is Policy.act_together_within:
        return policy.act_together(deciding)
    return policy.act_together_within(episode.allowed().rows(np.array(rows)), deciding)


def _seen(episode: Episode, rows: list[int]) -> dict[str, Array]:
    """Return what the seats observe, each field of shape (K, ...)."""
    seen = episode.observations
    return {
        field.name: seen[field.name][rows]
        if field.visibility == "private"
        else np.broadcast_to(seen[field.name], (len(rows), *np.shape(seen[field.name])))
        for field in episode.game.declaration.observations
    }


def _stacked(memories: Sequence[Memory]) -> dict[str, Array]:
    """Return the memories as arrays (K, ...). Raises ValueError if their forms differ."""
    stacked = {}
    for name in {name: None for memory in memories for name in memory}:
        arrays = [np.asarray(memory[name]) for memory in memories]
        kinds = {array.dtype for array in arrays}
        if len(kinds) > 1 or arrays[0].dtype.hasobject:
            raise ValueError(f"notes {name!r} have different kinds")
        stacked[name] = np.stack(arrays)
    return stacked


def _of_row(values: Mapping[str, Any], row: int, count: int) -> dict[str, Any]:
    """Return the values of one row in plain numbers and lists."""
    return {
        name: value[row].tolist()
        if isinstance(value, np.ndarray) and value.shape[:1] == (count,)
        else value
        for name, value in values.items()
    }
