"""A game can be copied and pickled, and plays the same afterwards: in a pool of processes, say."""

from __future__ import annotations

import copy
import pickle

import pytest

import engine
from engine.kit import walk
from engine.kit.plays import outcome_json
from tests.engine.toys import toy

EVERY = [
    (game_id, archetype)
    for game_id in engine.game_ids()
    for archetype in (None, *sorted(engine.find(game_id).archetypes))
]


def pickled(game):
    return pickle.loads(pickle.dumps(game))


NOT_YET = pytest.mark.xfail(raises=pickle.PicklingError, strict=True)
WAYS = [copy.copy, copy.deepcopy, pytest.param(pickled, marks=NOT_YET)]


def played(game):
    return [outcome_json(outcome) for _, _, outcome in walk(game, seed=3, periods=4)]


def assert_a_twin(twin, game):
    assert type(twin) is type(game)
    assert twin.config == game.config
    assert twin.declaration == game.declaration
    assert played(twin) == played(game)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("game_id", "archetype"), EVERY)
def test_a_game_that_was_copied_plays_the_same(game_id, archetype, way):
    game = engine.make(game_id, archetype=archetype)
    assert_a_twin(way(game), game)


@pytest.mark.parametrize("way", WAYS)
def test_a_game_with_layers_that_has_been_played_can_be_copied(way):
    layers = {"uncertainty": {"intensity": 0.5, "shocks": {"stock": 4.0}}}
    game = engine.make("commons_game", layers=layers, agents={"may_leave": True})
    played(game)
    assert_a_twin(way(game), game)


@pytest.mark.parametrize("way", WAYS)
def test_a_game_from_outside_can_be_copied(way):
    assert_a_twin(way(toy()), toy())
