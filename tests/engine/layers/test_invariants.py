"""Invariants of every game with every layer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from mixed_company import engine
from mixed_company.engine.kit.layers import settings, with_layers
from mixed_company.engine.kit.plays import actions_for, equal, walk
from tests.engine.layers.plays import commons


def brief(game):
    parameters = engine.find(game).Core.model_fields
    return engine.make(game, **{name: 5 for name in ("periods", "turns") if name in parameters})


@pytest.mark.parametrize("game", engine.game_ids())
def test_layers_that_only_change_observations_do_not_change_the_games_draws(game):
    without = brief(game)
    layers = settings(without)
    only_seen = {name: {**layers[name], "intensity": 1} for name in ("information", "hierarchy")}
    layered = with_layers(without, only_seen)
    for (_, bare, state), (_, after, other) in zip(walk(without, 3), walk(layered, 3), strict=True):
        assert equal(bare, {name: after[name] for name in bare})
        assert np.array_equal(state.rewards, other.rewards)


HARVESTS = st.lists(st.lists(st.floats(0, 10), min_size=4, max_size=4), min_size=1, max_size=8)


@hypothesis_settings(max_examples=15)
@given(HARVESTS, st.integers(1, 5), st.floats(0.05, 1), st.integers(0, 7))
def test_a_delay_never_changes_a_seats_total_earnings(harvests, delay, s, leaves):
    agents = {"may_leave": True}
    games = [
        commons("temporal", s, agents, {"periods": len(harvests)}, reward_delay=delay),
        engine.make("commons_game", agents=agents, periods=len(harvests)),
    ]
    sums = []
    for game in games:
        play, total = engine.Episode(game, 1), np.zeros(4)
        for period, harvest in enumerate(harvests):
            actions = {"harvest": harvest, "contribution": [0] * 4}
            step = play.step(actions, [2] if period == leaves else ())
            total += step.rewards
            if play.done:
                break
        sums.append(total)
    assert sums[0] == pytest.approx(sums[1])


@hypothesis_settings(max_examples=15)
@given(HARVESTS, st.floats(0, 1), st.floats(0.05, 1), st.integers(0, 7))
def test_sharing_sums_to_zero_over_the_playing_seats(harvests, share, s, leaves):
    game = commons("interaction", s, {"may_leave": True}, share=max(share, 0.01))
    play = engine.Episode(game, 1)
    for period, harvest in enumerate(harvests):
        actions = {"harvest": harvest, "contribution": [0] * 4}
        step = play.step(actions, [2] if period == leaves else ())
        assert step.components["shared"].sum() == pytest.approx(0, abs=1e-9)
        assert period < leaves or step.rewards[2] == 0
        if play.done:
            break


@pytest.mark.parametrize("game", engine.game_ids())
def test_layers_in_a_batch_follow_the_period_of_each_play(game):
    layered = brief(game)
    layers = {name: {**layer, "intensity": 1.0} for name, layer in settings(layered).items()}
    layered = with_layers(layered, layers)
    early, _ = layered.reset(1)
    later, _ = layered.step(
        layered.reset(2)[0],
        actions_for(layered, layered.reset(2)[0], 2, 0),
        layered.draw_chance(2, 0),
    )
    both = {name: np.stack([early[name], later[name]]) for name in early}
    actions = actions_for(layered, both, 4, 0)
    seeds, periods = np.array([1, 2]), np.array([0, 1])
    after, outcome = layered.step(both, actions, layered.draw_chance(seeds, periods))
    for i, state in enumerate((early, later)):
        action = {name: values[i] for name, values in actions.items()}
        alone, mine = layered.step(
            state, action, layered.draw_chance(int(seeds[i]), int(periods[i]))
        )
        assert equal({name: value[i] for name, value in after.items()}, alone)
        assert np.array_equal(outcome.rewards[i], mine.rewards)
