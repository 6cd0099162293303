"""Checks on seats that end or decide one by one, and on periods with several stages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from mixed_company.engine.contract.errors import ActionError
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.kit.plays import (
    AnyGame,
    actions_for,
    against,
    chance_now,
    equal,
    first_stages,
    is_anonymous,
    picked,
)
from mixed_company.engine.play import record
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period

_FEW = 6


def with_agents(game: AnyGame, **agents: Any) -> AnyGame:
    """Return the game with different settings in its `agents` section."""
    data = game.config.model_dump(mode="json")
    data["agents"] |= agents
    return type(game)(type(game).completed(data))


def seats_end_one_by_one(game: AnyGame) -> list[str]:
    """Check that a seat that leaves earns 0 and sees that it has ended, while the others
    continue."""
    open_game = with_agents(game, may_leave=True)
    problems = [*_one_leaves(open_game), *_all_leave(open_game), *_batch_leaves(open_game)]
    return problems + _log_of_leaving(open_game)


def _sent(game: AnyGame, state: Arrays, seed: int, gone: Array) -> dict[str, list[Any]]:
    """Return random actions, with None for seats that have left."""
    actions = actions_for(game, state, seed, int(state["period"]))
    return {
        name: [None if left else value for value, left in zip(values.tolist(), gone, strict=True)]
        for name, values in actions.items()
    }


def _one_leaves(game: AnyGame) -> list[str]:
    """Check a play in which the last seat leaves in period 1 (or 0, if there is no other)."""
    episode, seat, when = Episode(game, seed=4), game.seats - 1, min(1, game.horizon - 1)
    problems: list[str] = []
    while not episode.done and episode.period < _FEW:
        period, state = episode.period, episode._state
        gone = state["seat_reason"] > 0
        first = episode.stage == game.stages.names[0]
        left = [seat] if period == when and first and not gone[seat] else []
        gone = gone | np.isin(np.arange(game.seats), left)
        step = episode.step(_sent(game, state, 4, gone), left)
        if any(np.any(step.components[name][gone]) for name in _without_delayed(game, step)):
            problems.append(f"period {period}: a seat that has ended earns points")
        if (episode._state["seat_reason"] == 0)[gone].any():
            problems.append(f"period {period}: a seat that has ended plays again")
        problems += _sees_its_end(game, step, gone, period)
        declared, when_now = game.declaration, f"period {period}, seats having left"
        problems += against(game, declared.components, step.components, when_now, per_seat=True)
        problems += against(game, declared.observations, step.observations, when_now)
        problems += against(game, declared.state, episode._state, when_now)
    return problems


def _without_delayed(game: AnyGame, step: Period) -> list[str]:
    """Return the components without delayed points, which are settled when a seat ends."""
    return [name for name in step.components if name != "delayed"]


def _sees_its_end(game: AnyGame, step: Period, gone: Array, period: int) -> Iterator[str]:
    for seat in np.flatnonzero(gone).tolist():
        if not step.observations["ended"][seat] or not step.seat_done[seat]:
            yield f"period {period}: seat {seat} has ended but is not told"
        for field in game.declaration.observations:
            if field.maskable and not np.isnan(step.observations[field.name][seat]).all():
                yield f"period {period}: seat {seat} has ended but sees {field.name}"


def _all_leave(game: AnyGame) -> list[str]:
    episode = Episode(game, seed=4)
    everybody = list(range(game.seats))
    step = episode.play_period(
        _sent(game, episode._state, 4, np.ones(game.seats, dtype=np.bool_)), everybody
    )
    declared = game.declaration.endings
    by_rule = step.reason in declared and step.reason not in ("horizon", "all_left")
    if not step.done or not (by_rule or step.reason == "all_left"):
        return [f"all seats have left, but the reason for the end of the play is {step.reason}"]
    return []


def _batch_leaves(game: AnyGame) -> list[str]:
    seeds = np.arange(3) + 5
    states, _ = game.reset(seeds)
    alone = [game.reset(int(seed))[0] for seed in seeds]
    for period in range(min(_FEW, game.steps)):
        actions = actions_for(game, states, 6, period)
        leaving = np.zeros((3, game.seats), dtype=np.bool_)
        leaving[period % 3, period % game.seats] = period % len(game.stages.names) == 0
        chances = chance_now(game, seeds, states)
        states, outcome = game.step(states, actions, chances, leaving)
        for i, seed in enumerate(seeds):
            single_actions = {name: value[i] for name, value in actions.items()}
            chance = chance_now(game, int(seed), alone[i])
            alone[i], single_outcome = game.step(alone[i], single_actions, chance, leaving[i])
            same = equal(picked(states, i), alone[i]) and equal(
                picked(outcome.observations, i), single_outcome.observations
            )
            if not same or not np.array_equal(outcome.rewards[i], single_outcome.rewards):
                return [f"period {period}, play {i}: leaving has a different result in a batch"]
    return []


def _log_of_leaving(game: AnyGame) -> list[str]:
    if game.config.instrumentation.period != 1 or not game.config.instrumentation.episode:
        return []
    episode = Episode(game, seed=8)
    log = record.Recorder(episode)
    for number in range(game.steps):
        if episode.done:
            break
        gone = [seat for seat in range(game.seats) if seat not in episode.absent]
        leaves = episode.period < 2 or episode.period >= _FEW
        left = gone[:1] if leaves and number % len(game.stages.names) == 0 else []
        sent = actions_for(game, episode._state, 8, number)
        log.take(episode.step(sent, left))
        if episode.state_json() != Episode.from_json(game, episode.state_json()).state_json():
            return [
                f"period {episode.period}: a play that some seats have left is not restored "
                f"correctly"
            ]
    return record.replay(json.loads(json.dumps(log.lines)), game)


def seats_decide_in_turn(game: AnyGame) -> list[str]:
    """Check that deciding in turn leads to the same play, and that later seats see earlier
    decisions."""
    if game.own_timing or is_anonymous(game):
        return []
    order = tuple(reversed(range(game.seats)))
    turned = with_agents(game, timing="sequential", order=order)
    together, one_by_one = Episode(turned, seed=6), Episode(turned, seed=6)
    while not together.done and together.period < _FEW:
        period = together.period
        actions = actions_for(turned, together._state, 6, period)
        absent = together.absent
        step = together.step(actions)
        problems = list(_in_turn(turned, one_by_one, actions, step, absent))
        if problems:
            return [f"period {period}: {fault}" for fault in problems]
        if one_by_one.state_json() != together.state_json():
            return [f"period {period}: deciding in turn leads to a different play"]
        one_by_one = Episode.from_json(turned, one_by_one.state_json())
    return []


def _in_turn(
    game: AnyGame, episode: Episode, actions: Arrays, step: Period, absent: tuple[int, ...]
) -> Iterator[str]:
    if episode.stage != game.stages.names[0]:
        if episode.turn is not None:
            yield f"it is {episode.turn}'s turn in a stage in which all decide together"
        episode.step(actions)
        return
    order = [seat for seat in game.sight.order or () if seat not in absent]
    for place, seat in enumerate(order):
        if episode.turn != seat:
            yield f"it is {episode.turn}'s turn, not {seat}'s"
            return
        yield from _sees_the_earlier(game, episode, seat, order[:place], step)
        action = {name: values[seat].tolist() for name, values in actions.items()}
        if place + 1 < len(order):
            try:
                episode.decide(order[-1], action)
                yield f"seat {order[-1]} decides out of turn"
            except ActionError:
                pass
        episode.decide(seat, action)


def _sees_the_earlier(
    game: AnyGame, episode: Episode, seat: int, before: list[int], step: Period
) -> Iterator[str]:
    """Check that later seats see earlier decisions, except those that the game or a layer hides."""
    layer, in_view = game.config.layers.information, game.in_view()
    first = [field for field in game.declaration.actions if not field.stage]
    for field in first if episode.stage == game.stages.names[0] else ():
        name = f"earlier_{field.name}"
        if layer.intensity and name in layer.noise:
            continue
        visible = [other for other in before if in_view is None or in_view[seat, other]]
        if name in game.sight.hidden_from(seat):
            visible = []
        expected = np.full((game.seats, *field.shape), np.nan)
        expected[visible] = step.used[field.name][visible]
        seen = episode.observation(seat)[name]
        if layer.intensity and (layer.graph or name in layer.hide):
            expected = np.where(np.isnan(seen), np.nan, expected)
        if not np.array_equal(seen, expected, True):
            yield f"seat {seat} sees {name} = {seen.tolist()}, should be {expected.tolist()}"


_OF_LATER_STAGES = ("stage", "period", "ended", "received", "received_from")
"""Observations that change in later stages even if nobody does anything in them."""


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
