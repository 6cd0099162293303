"""Checks on what a play reports: events and infos are as declared, and the log can be replayed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mixed_company.engine.contract.declaration import Happened, Info
from mixed_company.engine.kit.plays import SEEDS, AnyGame, actions_for, walked
from mixed_company.engine.play import record
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.events import event_kinds
from mixed_company.engine.play.period import events

_OF_THE_STEP = {"seed", "action_mask", "illegal_action", "reason", "result", "faults"}
"""Names of infos that adapters add to every game."""
_PREFIXES = ("used_", "component_", "shown_")
"""Prefixes of other names that adapters use."""


def events_and_infos_are_declared(game: AnyGame) -> list[str]:
    """Check that events and infos are plain JSON and as declared."""
    kinds, names = event_kinds(game), [info.name for info in game.declaration.info]
    observed = {field.name for field in game.own_observations}
    problems = [
        f"info {name!r}: adapters use this name at every step"
        for name in names
        if name in _OF_THE_STEP or name.startswith(_PREFIXES)
    ]
    for field in game.declare().components:
        problems += [
            f"component {field.name!r}: no observation {name!r}"
            for name in field.reads
            if name not in observed
        ]
    for info in game.declaration.info:
        problems += [
            f"info {info.name!r}: no observation {of!r}" for of in info.of if of not in observed
        ]
    for seed in SEEDS:
        for before, after, outcome in walked(game, seed):
            when = f"period {int(before['period'])}"
            chance = game.draw_chance(seed, int(before["period"]))
            happened = Happened(before, outcome.used, after, chance, outcome.components)
            named = events(game, happened)
            unknown = sorted({event["event"] for event in named} - set(kinds))
            problems += [f"{when}: event {name!r} is not declared" for name in unknown]
            values = game.info(before, outcome.used, after)
            if list(values) != names:
                problems.append(f"{when}: info {list(values)} not {names}")
            problems += _unlike(when, game.declaration.info, values)
            try:
                json.dumps([named, dict(values)], allow_nan=False)
            except (TypeError, ValueError) as error:
                problems.append(f"{when}: events and info have no JSON form: {error}")
    return problems


def _unlike(when: str, declared: Sequence[Info], values: Mapping[str, Any]) -> Iterator[str]:
    """Yield a fault for each info whose keys differ from those declared."""
    for info in declared:
        value = values.get(info.name)
        keys = tuple(value) if isinstance(value, Mapping) else ()
        if keys != info.keys:
            yield f"{when}: info {info.name!r} has keys {list(keys)} not {list(info.keys)}"


def log_replays(game: AnyGame) -> list[str]:
    """Check that a log equals its replay from the configuration, seed and actions."""
    if game.config.instrumentation.period != 1 or not game.config.instrumentation.episode:
        return []
    episode = Episode(game, seed=9)
    log = record.Recorder(episode)
    for number in range(game.steps):
        if not episode.done:
            log.take(episode.step(actions_for(game, episode._state, 9, number)))
    return record.replay(json.loads(json.dumps(log.lines)), game)
