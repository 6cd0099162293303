"""The conformance kit checks whether a game fulfils the contract of `engine.game`.

    check.conformance(engine.make("my_game"))     raises ConformanceError naming every broken rule

Each check is a function that takes a game and returns one sentence per fault. The kit plays random
legal actions, and is itself tested on deliberately broken games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mixed_company.engine.kit.basics import (
    bad_actions_are_refused,
    batch_is_the_same_play,
    components_add_up,
    config_goes_through_json,
    far_actions_are_clamped,
    layout_is_stable,
    nothing_is_mutated,
    one_value_says_what_is_allowed,
    play_ends,
    same_seed_same_play,
    state_goes_through_json,
)
from mixed_company.engine.kit.diagnostics import events_and_infos_are_declared, log_replays
from mixed_company.engine.kit.layers import layers_at_zero_change_nothing, layers_keep_the_contract
from mixed_company.engine.kit.leaks import nothing_leaks
from mixed_company.engine.kit.plays import AnyGame, actions_for, walk
from mixed_company.engine.kit.seats import (
    seats_decide_in_turn,
    seats_end_one_by_one,
    stages_show_what_was_decided,
)

__all__ = [
    "CHECKS",
    "ConformanceError",
    "actions_for",
    "conformance",
    "faults",
    "log_replays",
    "walk",
]


class ConformanceError(AssertionError):
    """Error for a game that breaks the contract. The message lists the faults."""


def conformance(game: AnyGame) -> None:
    """Run every check. Raises ConformanceError with all faults."""
    problems = [f"{name}: {fault}" for name, fault in faults(game)]
    if problems:
        raise ConformanceError(f"{game.id}:\n" + "\n".join(problems))


def faults(game: AnyGame) -> Iterator[tuple[str, str]]:
    """Yield (check, fault) for every fault of every check."""
    for check in CHECKS:
        try:
            problems = check(game)
        except Exception as error:
            problems = [f"{type(error).__name__}: {error}"]
        for fault in problems:
            yield check.__name__, fault


CHECKS: tuple[Callable[[AnyGame], list[str]], ...] = (
    same_seed_same_play,
    layout_is_stable,
    nothing_is_mutated,
    components_add_up,
    batch_is_the_same_play,
    state_goes_through_json,
    config_goes_through_json,
    play_ends,
    one_value_says_what_is_allowed,
    bad_actions_are_refused,
    far_actions_are_clamped,
    log_replays,
    events_and_infos_are_declared,
    layers_at_zero_change_nothing,
    layers_keep_the_contract,
    seats_end_one_by_one,
    seats_decide_in_turn,
    stages_show_what_was_decided,
    nothing_leaks,
)
