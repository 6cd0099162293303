"""Archetypes with layers do what their docstrings say."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import Episode
from tests.engine.plays import acts, state

LAYERED = {
    "commons_game": ("unequal", {"power", "information", "hierarchy"}),
    "punishment_vote": ("weighted_votes", {"power", "temporal"}),
    "sanctions": ("reputation", {"temporal", "information"}),
    "gem_mining": ("open_book", {"information", "uncertainty"}),
}


@pytest.mark.parametrize("game", LAYERED)
def test_every_game_has_an_archetype_with_at_least_two_layers(game):
    archetype, names = LAYERED[game]
    assert {layer.name for layer in engine.make(game, archetype=archetype).layers} == names


@pytest.mark.parametrize("game", LAYERED)
def test_without_its_layers_it_is_the_plain_game(game):
    archetype, names = LAYERED[game]
    off = {"layers": {name: {"intensity": 0} for name in names}}
    assert engine.make(game, archetype=archetype, **off).layers == ()


def test_weak_seats_take_half_and_each_sees_the_sums_of_its_group():
    play = Episode(engine.make("commons_game", archetype="unequal"), 0)
    play.step(acts(10))
    assert state(play)["harvest"] == [10, 5, 10, 5]
    assert [float(play.observation(seat)["group_harvest"]) for seat in range(4)] == [20, 10, 20, 10]
    reading = float(play.observation(0)["stock"])
    drawn = float(play.game.draw_chance(0, 0)["information.noise.stock"])
    assert reading == 100 + drawn  # the stock of the previous period


def test_the_vote_of_the_elder_counts_three_times():
    play = Episode(engine.make("punishment_vote", archetype="weighted_votes"), 0)
    play.step({"action": [4, 5, 5, 6]})
    assert state(play)["level"] == pytest.approx(0.1 + 0.2 * (3 - 2))
    assert play.observation(1)["reputation"].tolist() == [1] * 4


def test_only_the_mean_contribution_is_visible():
    play = Episode(engine.make("sanctions", archetype="reputation"), 0)
    step = play.step({"contribution": [0, 10, 20, 20]})
    seen = play.observation(1)
    assert seen["mean_cooperation"].tolist() == [0, 0.5, 1, 1]
    assert all(np.isnan(seen[name]).all() for name in ("contribution", "trust", "reputation"))
    assert step.rewards.tolist() == [0] * 4


def test_the_probabilities_are_visible_and_change():
    play = Episode(engine.make("gem_mining", archetype="open_book"), 0)
    before = np.array(play.observation(0)["shown_base_probabilities"])
    assert before.tolist() == state(play)["base_probabilities"]
    play.step({"mine": [0, 1, 2, 3]})
    moved = np.array(play.observation(0)["shown_base_probabilities"]) - before
    assert 0.005 < moved.std() < 0.05
