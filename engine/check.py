"""The conformance kit: does a game keep the contract of `engine.game`?

    check.conformance(engine.make("my_game"))     raises ConformanceError naming every broken rule

Each check is a function of a game that returns sentences, one per fault, and none if all is well.
The kit plays random legal actions; it is itself tested on games broken on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from engine import record, space
from engine.config import Config
from engine.episode import Episode
from engine.errors import ActionError, EngineError
from engine.game import Game, Outcome
from engine.space import Array, Arrays, Field

__all__ = ["CHECKS", "ConformanceError", "conformance", "faults"]

AnyGame = Game[Any]
_SEEDS = (0, 1, 20_261)
_PERIODS = 25


class ConformanceError(AssertionError):
    """The game breaks the contract; the message lists how."""


def conformance(game: AnyGame) -> None:
    """Run every check. Raises ConformanceError with all faults."""
    found = [f"{name}: {fault}" for name, fault in faults(game)]
    if found:
        raise ConformanceError(f"{game.id}:\n" + "\n".join(found))


def faults(game: AnyGame) -> Iterator[tuple[str, str]]:
    """(check, fault) for every fault of every check."""
    for check in CHECKS:
        try:
            found = check(game)
        except Exception as error:
            found = [f"{type(error).__name__}: {error}"]
        for fault in found:
            yield check.__name__, fault


def actions_for(game: AnyGame, state: Arrays, seed: int, period: int) -> dict[str, Array]:
    """Random actions inside the declared ranges, choices inside what the state allows."""
    generator = np.random.default_rng((seed, period))
    shape = (*np.shape(state["period"]), game.seats)
    return space.sample(game.declaration.actions, shape, generator, game.bounds(state))


def walk(
    game: AnyGame, seed: int, periods: int = _PERIODS
) -> Iterator[tuple[Arrays, Arrays, Outcome]]:
    """(state before, state after, outcome) of a random play."""
    state, _ = game.reset(seed)
    for period in range(min(periods, game.horizon)):
        after, outcome = game.step(
            state, actions_for(game, state, seed, period), game.draw_chance(seed, period)
        )
        yield state, after, outcome
        if outcome.done:
            return
        state = after


def same_seed_same_play(game: AnyGame) -> list[str]:
    """Reset and step depend on config, seed and actions alone."""
    found = []
    for seed in _SEEDS:
        first = [_outcome_json(outcome) for _, _, outcome in walk(game, seed)]
        if first != [_outcome_json(outcome) for _, _, outcome in walk(game, seed)]:
            found.append(f"seed {seed}: two plays of the same actions differ")
        if not _equal(game.reset(seed)[1], game.reset(seed)[1]):
            found.append(f"seed {seed}: two resets observe different things")
    return found


def layout_is_stable(game: AnyGame) -> list[str]:
    """State and observations have the declared fields, shapes, types and ranges in every period."""
    found: list[str] = []
    for seed in _SEEDS:
        state, seen = game.reset(seed)
        found += _against(game, game.declaration.state, state, "state at reset")
        found += _against(game, game.declaration.observations, seen, "observation at reset")
        for before, after, outcome in walk(game, seed):
            when = f"after period {int(before['period'])}"
            found += _against(
                game, game.declaration.observations, outcome.observations, f"observation {when}"
            )
            found += _against(game, game.declaration.state, after, f"state {when}")
    return sorted(set(found))


def nothing_is_mutated(game: AnyGame) -> list[str]:
    """A step leaves state, actions and chance that came in as they were."""
    found = []
    for seed in _SEEDS[:2]:
        state, _ = game.reset(seed)
        for period in range(min(5, game.horizon)):
            actions = actions_for(game, state, seed, period)
            chance = game.draw_chance(seed, period)
            parts = (("state", state), ("actions", actions), ("chance", chance))
            copies = [(name, _copy(part), part) for name, part in parts]
            try:
                after, outcome = game.step(state, actions, chance)
            except ValueError as error:
                return [f"period {period}: {error}"]
            found += [
                f"period {period}: {name} changed" for name, a, b in copies if not _equal(a, b)
            ]
            if outcome.done:
                break
            state = after
    return found


def components_add_up(game: AnyGame) -> list[str]:
    """The declared components are there, finite, in range, and their sum is the reward."""
    found: list[str] = []
    names = {field.name for field in game.declaration.components}
    for seed in _SEEDS:
        for before, _, outcome in walk(game, seed):
            when = f"period {int(before['period'])}"
            if set(outcome.components) != names:
                found.append(f"{when}: components {sorted(outcome.components)} not {sorted(names)}")
                continue
            total = sum(outcome.components.values())
            if not np.allclose(total, outcome.rewards, rtol=0, atol=1e-9):
                found.append(f"{when}: components sum to {total}, reward is {outcome.rewards}")
            found += _against(
                game, game.declaration.components, outcome.components, when, per_seat=True
            )
    return found


def batch_is_the_same_play(game: AnyGame) -> list[str]:
    """A batch gives, play for play and bit for bit, what each play gives alone."""
    seeds = np.arange(5) * 7919 + 3
    states, seen = game.reset(seeds)
    found = []
    alone = [game.reset(int(seed)) for seed in seeds]
    if not all(_equal(_pick(seen, i), alone[i][1]) for i in range(len(seeds))):
        found.append("first observations differ from those of single plays")
    single = [state for state, _ in alone]
    for period in range(min(_PERIODS, game.horizon)):
        actions = actions_for(game, states, 5, period)
        states, outcome = game.step(states, actions, game.draw_chance(seeds, period))
        for i, seed in enumerate(seeds):
            own = {name: value[i] for name, value in actions.items()}
            single[i], mine = game.step(single[i], own, game.draw_chance(int(seed), period))
            same = (
                _equal(_pick(states, i), single[i])
                and _equal(_pick(outcome.observations, i), mine.observations)
                and _equal(_pick(outcome.components, i), mine.components)
                and np.array_equal(outcome.rewards[i], mine.rewards)
            )
            if not same:
                return [*found, f"period {period}, play {i}: batch and single play differ"]
    return found


def state_goes_through_json(game: AnyGame) -> list[str]:
    """A play saved and restored in every period goes on exactly as if it had not been."""
    straight = Episode(game, seed=11)
    saved = Episode(game, seed=11)
    for before, _, _ in walk(game, seed=11):
        period = int(before["period"])
        saved = Episode.from_json(game, saved.state_json())
        actions = actions_for(game, before, 11, period)
        straight.step(actions)
        saved.step(actions)
        if straight.state_json() != saved.state_json():
            return [f"period {period}: a restored play goes on differently"]
    return []


def config_goes_through_json(game: AnyGame) -> list[str]:
    """The configuration survives JSON unchanged and refuses unknown keys."""
    found = []
    text = game.config.model_dump_json()
    if type(game).config_from(json.loads(text)) != game.config:
        found.append("config differs after JSON")
    data = json.loads(text)
    data["core"]["no_such_parameter"] = 1
    try:
        type(game).config_from(data)
        found.append("an unknown core parameter is accepted")
    except EngineError:
        pass
    if not isinstance(game.config, Config):
        found.append("config is not an engine.config.Config")
    return found


def play_ends(game: AnyGame) -> list[str]:
    """A play ends at its horizon at the latest, for a declared reason, and then nothing moves."""
    seeds = np.arange(4)
    state, _ = game.reset(seeds)
    for period in range(game.horizon):
        actions = actions_for(game, state, 2, period)
        state, outcome = game.step(state, actions, game.draw_chance(seeds, period))
    if not outcome.done.all():
        return [f"not over after {game.horizon} periods"]
    if not ((outcome.reason >= 1) & (outcome.reason <= len(game.reasons))).all():
        return [f"reasons {outcome.reason.tolist()} are not among {game.reasons}"]
    actions = actions_for(game, state, 3, 0)
    after, late = game.step(state, actions, game.draw_chance(seeds, game.horizon))
    found = []
    if not _equal(state, after):
        found.append("the state moves after the end")
    if np.any(late.rewards) or not late.seat_done.all():
        found.append("something is earned after the end")
    return found


def bad_actions_are_refused(game: AnyGame) -> list[str]:
    """NaN, infinity, text, a wrong shape, a missing or unknown field: refused, named, no change."""
    state, _ = game.reset(0)
    chance = game.draw_chance(0, 0)
    good = actions_for(game, state, 0, 0)
    kept = _copy(state)
    found = []
    for name, bad in _bad_actions(game, state, good):
        try:
            game.step(state, bad, chance)
            found.append(f"{name} is accepted")
        except ActionError as error:
            if not any(field.name in str(error) for field in game.declaration.actions):
                found.append(f"{name}: the message names no field: {error}")
        except Exception as error:  # any other error is the fault being looked for
            found.append(f"{name}: {type(error).__name__} instead of ActionError")
        if not _equal(kept, state):
            found.append(f"{name} changed the state")
    return found


def _bad_actions(
    game: AnyGame, state: Arrays, good: dict[str, Array]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    limits = game.bounds(state)
    for field in game.declaration.actions:
        for label, wrong in (("NaN", np.nan), ("infinity", np.inf), ("text", "many")):
            yield (
                f"{label} in {field.name}",
                {**good, field.name: [wrong, *good[field.name].tolist()[1:]]},
            )
        yield f"{field.name} without its seats", {**good, field.name: 1}
        yield (
            f"{field.name} missing",
            {name: value for name, value in good.items() if name != field.name},
        )
        if field.kind == "choice":
            beyond = np.full(game.seats, int(field.high) + 1)
            yield f"{field.name} beyond its choices", {**good, field.name: beyond}
            for side, end in zip((-1, 1), limits.get(field.name, ()), strict=False):
                closed = good[field.name] * 0 + end + side
                yield f"{field.name} beyond what is open", {**good, field.name: closed}
    first = game.declaration.actions[0].name
    yield "an unknown field", {**good, f"{first}_x": good[first]}


def far_actions_are_clamped(game: AnyGame) -> list[str]:
    """Finite numbers outside a range are used as its end."""
    state, _ = game.reset(0)
    found = []
    for field in game.declaration.actions:
        if field.kind == "choice":
            continue
        for end in (-1e12, 1e12):
            actions = {**actions_for(game, state, 0, 0), field.name: np.full(game.seats, end)}
            used = game.step(state, actions, game.draw_chance(0, 0))[1].used[field.name]
            if (used < field.low).any() or (used > field.high).any():
                found.append(f"{field.name} = {end:g} is used as {used.tolist()}")
    return found


def log_replays(game: AnyGame) -> list[str]:
    """A log is recomputed from config, seed and actions without a difference."""
    if game.config.instrumentation.period != 1 or not game.config.instrumentation.episode:
        return []
    played = walk(game, 9, game.horizon)
    actions = (actions_for(game, state, 9, int(state["period"])) for state, _, _ in played)
    lines = record.play(game, actions, seed=9)
    return record.replay(json.loads(json.dumps(lines)), game)


CHECKS: tuple[Callable[[AnyGame], list[str]], ...] = (
    same_seed_same_play,
    layout_is_stable,
    nothing_is_mutated,
    components_add_up,
    batch_is_the_same_play,
    state_goes_through_json,
    config_goes_through_json,
    play_ends,
    bad_actions_are_refused,
    far_actions_are_clamped,
    log_replays,
)


def _against(
    game: AnyGame, layout: tuple[Field, ...], arrays: Arrays, where: str, per_seat: bool = False
) -> list[str]:
    """Faults of one play's arrays against a layout."""
    found = []
    if set(arrays) != {field.name for field in layout}:
        found.append(f"{where}: fields {sorted(arrays)}, declared {sorted(f.name for f in layout)}")
    for field in layout:
        if field.name not in arrays:
            continue
        value = np.asarray(arrays[field.name])
        seats = (game.seats,) if per_seat or field.visibility == "private" else ()
        if value.shape != seats + field.shape:
            found.append(f"{where}: {field.name} has shape {value.shape}")
        if value.dtype != np.dtype(field.dtype):
            found.append(f"{where}: {field.name} is {value.dtype}, declared {field.kind}")
        hidden = np.isnan(value) if value.dtype.kind == "f" else np.zeros(value.shape, bool)
        if hidden.any() and not field.maskable:
            found.append(f"{where}: {field.name} is NaN but not maskable")
        slack = 1e-9 * max(1.0, abs(field.high) if np.isfinite(field.high) else 1.0)
        shown = value[~hidden]
        if shown.size and (shown.min() < field.low - slack or shown.max() > field.high + slack):
            found.append(f"{where}: {field.name} leaves {field.low} .. {field.high}")
    return found


def _outcome_json(outcome: Outcome) -> str:
    parts = (outcome.observations, outcome.components, {"rewards": outcome.rewards})
    return json.dumps([space.to_json(part) for part in parts])


def _copy(arrays: Arrays) -> dict[str, Array]:
    return {name: np.array(value) for name, value in arrays.items()}


def _equal(a: Arrays, b: Arrays) -> bool:
    return set(a) == set(b) and all(
        np.array_equal(a[name], b[name], equal_nan=np.asarray(a[name]).dtype.kind == "f")
        for name in a
    )


def _pick(arrays: Arrays, play: int) -> dict[str, Array]:
    return {name: value[play] for name, value in arrays.items()}
