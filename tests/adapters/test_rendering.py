"""Tests of render modes: the text shows the numbers of the state, and all images have the same
size.
"""

from __future__ import annotations

import sys

import gymnasium
import numpy as np
import pytest

from mixed_company import engine
from mixed_company.adapters.gymnasium import OneSeat
from mixed_company.adapters.pettingzoo import InTurn, Together
from mixed_company.engine.contract.errors import ConfigError
from tests.adapters.plays import lab


def test_the_text_says_what_the_state_is():
    env = Together(lab(periods=2), render_mode="ansi")
    env.reset(seed=1)
    # 10 each from 100: 40 are taken, and 0.4 * 100 * (1 - 100 / 100) are born
    env.step(dict.fromkeys(env.agents, np.float32([1, -1])))
    assert env.render() == (
        "commons_game, period 1 of 2\n"
        "stock 60 fish\n"
        "pool 0 points\n"
        "empty_periods 0\n"
        "collapsed 0\n"
        "seat  points  wealth  harvest  contribution\n"
        "   0      10      10       10             0\n"
        "   1      10      10       10             0\n"
        "   2      10      10       10             0\n"
        "   3      10      10       10             0\n"
    )
    env.step(dict.fromkeys(env.agents, np.float32([-1, -1])))
    assert env.render().startswith("commons_game, period 2 of 2, over: horizon\n")


def test_a_map_has_a_digit_for_every_cell():
    game = engine.make("punishment_vote", archetype="lab")
    env = InTurn(game, render_mode="ansi")
    env.reset(seed=1)
    text = env.render().splitlines()
    grid = text[text.index("grid:") + 1 :][: game.core.height]
    assert grid == ["".join(map(str, row)) for row in env.play.episode.state["grid"][0].tolist()]


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_pixels_of_all_games_have_the_same_size_and_change(game_id):
    pytest.importorskip("matplotlib")
    env = OneSeat(engine.make(game_id, archetype="lab"), "random", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    env.step(env.action_space.sample())
    assert (first.shape, first.dtype) == ((480, 960, 3), np.uint8)
    assert not np.array_equal(first, env.render())


def test_nothing_is_drawn_without_a_mode():
    env = Together(lab())
    env.reset(seed=1)
    assert env.render() is None


def test_impossible_pictures_are_refused(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ConfigError, match="render_mode = 'ansy': unknown; did you mean 'ansi'"):
        OneSeat(lab(), "greedy", render_mode="ansy")
    env = OneSeat(lab(), "greedy", render_mode="rgb_array")
    env.reset(seed=1)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(gymnasium.error.DependencyNotInstalled, match="needs matplotlib"):
        env.render()
