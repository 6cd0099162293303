"""Calls to a policy within a time limit: for several seats of a play at once, or for a message.

Asking for several seats gives the same answers as asking seat by seat.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import Answer, Memory, Observation, Policy, no_notes, of_row
from mixed_company.policies.seats import Gathered, Seats
from mixed_company.policies.talk import Saying, Talk


def ask_together(
    policy: Policy,
    episode: Episode,
    seats: Sequence[int],
    memories: Sequence[Memory],
    budget: float,
    patience: float,
) -> list[Answer] | None:
    """Return a policy's answers for several seats, or None if it must be asked for each seat
    separately.

    This is the case if the policy decides for one seat at a time, if memories differ in form, or if
    the call fails, exceeds the time for one seat (`budget` and `patience`, in seconds), or returns
    an invalid answer. So a fault affects only the seat that causes it.
    """
    if not policy.together or type(policy).act_within is not Policy.act_within:
        return None
    started, began = time.thread_time(), time.monotonic()
    rows, count = np.array(seats), len(seats)
    draws = Draws([episode.seed] * count, seats, [episode.period] * count)
    try:
        asked_seats = Seats(_seen(episode, rows), _stacked(memories), draws)
        decided = policy.act_rows(asked_seats, episode.allowed(), rows)
        parts = [of_row(decided, row, count) for row in range(count)]
        answers = [
            Answer(episode.allowed(seat).plain(action), memory)
            for seat, (action, memory) in zip(seats, parts, strict=True)
        ]
    except Exception:  # noqa: BLE001  any error, perhaps because of one seat only
        return None
    late = time.thread_time() - started > budget or time.monotonic() - began > patience
    return None if late or any(no_notes(answer.memory) for answer in answers) else answers


def _seen(episode: Episode, rows: Array) -> Gathered:
    """Return the seats' observations; each field (K, ...) is gathered when it is first read."""
    seen = episode.observations
    plays = {name: seen[name][None] for name in seen}
    layout = episode.game.declaration.observations
    return Gathered(layout, plays, np.zeros(len(rows), dtype=np.int64), rows)


def _stacked(memories: Sequence[Memory]) -> dict[str, Array]:
    """Return the memories as arrays (K, ...). Raises ValueError if their forms differ."""
    stacked = {}
    for name in {name: None for memory in memories for name in memory}:
        arrays = [np.asarray(memory[name]) for memory in memories]
        kinds = {array.dtype for array in arrays}
        if len(kinds) > 1 or arrays[0].dtype.hasobject:
            raise ValueError(f"notes {name!r}: should have the same type in all seats")
        stacked[name] = np.stack(arrays)
    return stacked


def ask_to_say(
    policy: Policy,
    talk: Talk,
    seen: Observation,
    rng: np.random.Generator,
    budget: float = math.inf,
    patience: float = math.inf,
) -> Saying | str | None:
    """Return a policy's message, or a string that says why there is none.

    There is no message if the policy fails, or takes more than `budget` seconds of CPU time or
    `patience` seconds of wall time. A policy that exceeds `budget` counts as slow.
    """
    began, spent = time.monotonic(), time.thread_time()
    try:
        saying = policy.say(talk, seen, rng)
    except Exception as error:  # noqa: BLE001  any error of a policy; the play goes on
        return f"{type(error).__name__}: {error}"
    if time.thread_time() - spent > budget:
        policy.slow = True
        return f"took more than {budget * 1000:g} ms"
    if time.monotonic() - began > patience:
        return f"took more than {patience:g} s of wall time"
    return saying if _is_saying(saying) else f"{saying!r:.60}: not a valid message"


def _is_saying(saying: Any) -> bool:
    if saying is None:
        return True
    return isinstance(saying, Saying) and all(
        value is None or (isinstance(value, kind) and not isinstance(value, bool))
        for value, kind in zip(saying, (str, int, int), strict=True)
    )
