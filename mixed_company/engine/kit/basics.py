"""Checks for every game: reproducible plays, stable layouts, pure functions and endings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mixed_company.engine.config import Config
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ActionError, EngineError
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.kit.plays import (
    PERIODS,
    SEEDS,
    AnyGame,
    actions_for,
    against,
    chance_now,
    copied,
    equal,
    first_stages,
    outcome_json,
    picked,
    walk,
    walked,
)
from mixed_company.engine.play.episode import Episode


def same_seed_same_play(game: AnyGame) -> list[str]:
    """Check that reset and step depend only on config, seed and actions."""
    problems = []
    for seed in SEEDS:
        first = [outcome_json(outcome) for _, _, outcome in walked(game, seed)]
        if first != [outcome_json(outcome) for _, _, outcome in walk(game, seed)]:
            problems.append(f"seed {seed}: two plays with the same actions differ")
        if not equal(game.reset(seed)[1], game.reset(seed)[1]):
            problems.append(f"seed {seed}: two resets lead to different observations")
    return problems


def layout_is_stable(
    game: AnyGame, seeds: Sequence[int] = SEEDS, periods: int = PERIODS
) -> list[str]:
    """Check that state and observations fit their declaration in every period."""
    problems: list[str] = []
    for seed in seeds:
        state, seen = game.reset(seed)
        problems += against(game, game.declaration.state, state, "state at reset")
        problems += against(game, game.declaration.observations, seen, "observation at reset")
        for before, after, outcome in walked(game, seed, periods):
            when = f"after period {int(before['period'])}"
            problems += against(
                game, game.declaration.observations, outcome.observations, f"observation {when}"
            )
            problems += against(game, game.declaration.state, after, f"state {when}")
    return sorted(set(problems))


def nothing_is_mutated(
    game: AnyGame, seeds: Sequence[int] = SEEDS, periods: int = PERIODS
) -> list[str]:
    """Check that a step does not change its state, actions or chance."""
    problems = []
    for seed in seeds[:2]:
        state, _ = game.reset(seed)
        for period in range(min(5, game.steps)):
            actions = actions_for(game, state, seed, period)
            chance = chance_now(game, seed, state)
            parts = (("state", state), ("actions", actions), ("chance", chance))
            copies = [(name, copied(part), part) for name, part in parts]
            try:
                after, outcome = game.step(state, actions, chance)
            except ValueError as error:
                return [f"period {period}: {error}"]
            problems += [
                f"period {period}: {name} changed" for name, a, b in copies if not equal(a, b)
            ]
            if outcome.done:
                break
            state = after
    return problems


def components_add_up(
    game: AnyGame, seeds: Sequence[int] = SEEDS, periods: int = PERIODS
) -> list[str]:
    """Check that the declared components exist, are finite and in range, and sum to the reward."""
    problems: list[str] = []
    names = {field.name for field in game.declaration.components}
    for seed in seeds:
        for before, _, outcome in walked(game, seed, periods):
            when = f"period {int(before['period'])}"
            if set(outcome.components) != names:
                problems.append(
                    f"{when}: components {sorted(outcome.components)} not {sorted(names)}"
                )
                continue
            total = sum(outcome.components.values())
            if not np.allclose(total, outcome.rewards, rtol=0, atol=1e-9):
                problems.append(f"{when}: components sum to {total}, reward is {outcome.rewards}")
            problems += against(
                game, game.declaration.components, outcome.components, when, per_seat=True
            )
    return problems


def batch_is_the_same_play(
    game: AnyGame, seeds: Sequence[int] = SEEDS, periods: int = PERIODS
) -> list[str]:
    """Check that the results of each play are bit-for-bit identical in a batch and on its own."""
    plays = np.arange(2 + len(seeds)) * 7919 + 3
    states, seen = game.reset(plays)
    problems = []
    alone = [game.reset(int(seed)) for seed in plays]
    if not all(equal(picked(seen, i), alone[i][1]) for i in range(len(plays))):
        problems.append("the batch's first observations differ from those of individual plays")
    single = [state for state, _ in alone]
    for period in range(min(periods, game.steps)):
        actions = actions_for(game, states, 5, period)
        states, outcome = game.step(states, actions, chance_now(game, plays, states))
        for i, seed in enumerate(plays):
            sent = {name: value[i] for name, value in actions.items()}
            single[i], outcome_alone = game.step(
                single[i], sent, chance_now(game, int(seed), single[i])
            )
            same = (
                equal(picked(states, i), single[i])
                and equal(picked(outcome.observations, i), outcome_alone.observations)
                and equal(picked(outcome.components, i), outcome_alone.components)
                and np.array_equal(outcome.rewards[i], outcome_alone.rewards)
            )
            if not same:
                return [
                    *problems,
                    f"period {period}, play {i}: the play is different in the batch and on its own",
                ]
    return problems


def state_goes_through_json(
    game: AnyGame, seeds: Sequence[int] = SEEDS, periods: int = PERIODS
) -> list[str]:
    """Check that saving and restoring a play in every period does not change how it continues."""
    straight = Episode(game, seed=11)
    saved = Episode(game, seed=11)
    for number, (before, _, _) in enumerate(walk(game, 11, periods)):
        period = int(before["period"])
        saved = Episode.from_json(game, saved.state_json())
        actions = actions_for(game, before, 11, number)
        straight.step(actions)
        saved.step(actions)
        if straight.state_json() != saved.state_json():
            return [f"period {period}: a restored play continues differently"]
    return []


def config_goes_through_json(game: AnyGame) -> list[str]:
    """Check that the configuration survives JSON unchanged and rejects unknown keys."""
    problems = []
    text = game.config.model_dump_json()
    if type(game).config_from(json.loads(text)) != game.config:
        problems.append("config differs after JSON")
    data = json.loads(text)
    data["core"]["no_such_parameter"] = 1
    try:
        type(game).config_from(data)
        problems.append("an unknown core parameter is accepted")
    except EngineError:
        pass
    if not isinstance(game.config, Config):
        problems.append("config is not a mixed_company.engine.contract.config.Config")
    return problems


def play_ends(game: AnyGame) -> list[str]:
    """Check that a play ends by its horizon for a declared reason, and does not change
    afterwards."""
    seeds = np.arange(4)
    state, _ = game.reset(seeds)
    for number in range(game.steps):
        actions = actions_for(game, state, 2, number)
        state, outcome = game.step(state, actions, chance_now(game, seeds, state))
    if not outcome.done.all():
        return [f"not over after {game.horizon} periods"]
    if not ((outcome.reason >= 1) & (outcome.reason <= len(game.reasons))).all():
        return [f"reasons {outcome.reason.tolist()} are not among {game.reasons}"]
    actions = actions_for(game, state, 3, 0)
    after, late = game.step(state, actions, game.draw_chance(seeds, game.horizon))
    problems = []
    if not equal(state, after):
        problems.append("the state changes after the play is over")
    if np.any(late.rewards) or not late.seat_done.all():
        problems.append("points are earned after the play is over")
    return problems


def bad_actions_are_refused(game: AnyGame) -> list[str]:
    """Check that malformed actions are refused by name and change nothing.

    Malformed actions contain NaN, infinity, a string, a wrong shape, or a missing or unknown field.
    """
    problems = []
    for state in first_stages(game):
        problems += _refused(game, state)
    return problems


def _refused(game: AnyGame, state: Arrays) -> list[str]:
    """Return the faults of a game that accepts malformed actions in this state."""
    chance = game.draw_chance(0, 0)
    good = actions_for(game, state, 0, 0)
    kept = copied(state)
    problems = []
    for name, bad in _bad_actions(game, state, good):
        try:
            game.step(state, bad, chance)
            problems.append(f"{name} is accepted")
        except ActionError as error:
            if not any(field.name in str(error) for field in game.declaration.actions):
                problems.append(f"{name}: the message names no field: {error}")
        except Exception as error:  # any other error is a fault
            problems.append(f"{name}: {type(error).__name__} instead of ActionError")
        if not equal(kept, state):
            problems.append(f"{name} changed the state")
    return problems


def _bad_actions(
    game: AnyGame, state: Arrays, good: dict[str, Array]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    allowed = game.allowed(state)
    for field in game.declaration.actions:
        if field.name in allowed.idle:
            continue
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
            beyond = np.full((game.seats, *field.shape), int(field.high) + 1)
            yield f"{field.name} beyond its choices", {**good, field.name: beyond}
            if field.name not in (*allowed.barred, *allowed.closed):
                for end in (allowed.low[field.name] - 1, allowed.high[field.name] + 1):
                    yield f"{field.name} outside the open choices", {**good, field.name: end}
    first = game.declaration.actions[0].name
    yield "an unknown field", {**good, f"{first}_x": good[first]}


def one_value_says_what_is_allowed(
    game: AnyGame, seeds: Sequence[int] = SEEDS, periods: int = PERIODS
) -> list[str]:
    """Check that the allowed actions are the same for all seats together, for each seat, and via
    JSON.
    """
    faults: list[str] = []
    for seed in seeds[:1]:
        for before, _, _ in walked(game, seed, periods)[:5]:
            allowed, when = game.allowed(before), f"period {int(before['period'])}"
            sent = allowed.sample(np.random.default_rng(seed))
            used = allowed.used(sent)
            for seat in range(game.seats):
                single = allowed.of(seat)
                single_used = single.used({name: value[seat] for name, value in sent.items()})
                if not equal(single_used, {name: value[seat] for name, value in used.items()}):
                    faults.append(f"{when}, seat {seat}: its action is used differently on its own")
                if not equal(single.used(single.default), single.default):
                    faults.append(f"{when}, seat {seat}: the default is not the action used for it")
                restored = Allowed.from_json(
                    single.fields, json.loads(json.dumps(single.to_json()))
                )
                if not (equal(restored.low, single.low) and equal(restored.high, single.high)):
                    faults.append(f"{when}, seat {seat}: its limits differ after JSON")
    return faults


def far_actions_are_clamped(game: AnyGame) -> list[str]:
    """Check that finite numbers outside a range are clamped to the nearest bound."""
    state, _ = game.reset(0)
    points = game.allowed(state).assigning
    problems = []
    for field in game.declaration.actions:
        if field.kind == "choice" or (points is not None and points.field == field.name):
            continue
        for end in (-1e12, 1e12):
            far = np.full((game.seats, *field.shape), end)
            actions = {**actions_for(game, state, 0, 0), field.name: far}
            used = game.step(state, actions, game.draw_chance(0, 0))[1].used[field.name]
            if (used < field.low).any() or (used > field.high).any():
                problems.append(f"{field.name} = {end:g} is used as {used.tolist()}")
    return problems
