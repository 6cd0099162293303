"""The random numbers that a seat sees do not reveal any others.

SplitMix64 is run backwards here. A uniform number has 53 of 64 bits, so it comes from one of 2^11
words, and each word comes from one key (`engine.kit.secrets`).
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine import Episode
from mixed_company.engine.contract.chance import Stream, as_halves, stream
from mixed_company.engine.kit.secrets import inputs_behind

LENGTH = 12
GAMMA = 0x9E3779B97F4A7C15


def keys_behind(number, place, normal=False):
    """Return the keys of all streams that draw this number at this place."""
    return inputs_behind(number, normal) - np.uint64((place + 1) * GAMMA % 2**64)


def spawned(game, key):
    """Return the spawns of a turn of the vote for this key of its stream."""
    cells = game.tables.grids * game.tables.grid.cells
    words = Stream(np.uint64(key)).bits(((cells + 1) // 2,))
    return game._spawned(as_halves(words)[:cells])


def rebuilt(game, seed, period, seat):
    """Return whether an observation after a turn reveals the spawns of that turn."""
    drawn = game.draw_chance(seed, period)
    cells = game.tables.grids * game.tables.grid.cells
    play = Episode(game, seed)
    for _ in range(period + 1):
        play.step({"action": [6] * game.seats})
    shown = float(play.observation(seat)["noise"])
    places = range((cells + 1) // 2 + 2 * game.seats)
    truth = drawn["spawned"].ravel()
    return any(
        np.array_equal(spawned(game, key), truth)
        for place in places
        for key in _likely(keys_behind(shown, place), stream(seed, "turn", period).key)
    )


def _likely(keys, true):
    """Return the right key if it is among these; no other key could reveal the spawns."""
    return [key for key in keys.tolist() if key == int(true)]


@pytest.mark.parametrize("archetype", ["source", "lab", "separate_worlds"])
def test_the_spawns_of_a_turn_cannot_be_rebuilt_from_a_seats_random_number(archetype):
    game = engine.make("punishment_vote", archetype=archetype)
    assert not any(rebuilt(game, 5, period, seat) for period in (0, 3) for seat in (0, 1))


@pytest.mark.parametrize("archetype", ["lab", pytest.param("source", marks=pytest.mark.long)])
def test_the_random_numbers_of_others_cannot_be_computed_from_a_seats_own(archetype):
    noise = engine.make("punishment_vote", archetype=archetype).draw_chance(5, 3)["noise"]
    for place in range(LENGTH):
        drawn = [Stream(key).uniform((LENGTH,)) for key in keys_behind(float(noise[0]), place)]
        assert not np.isin(noise[1:], drawn).any()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("layer", "options"),
    [("information", {"noise": {"wealth": 2.0}}), ("uncertainty", {"shocks": {"wealth": 2.0}})],
)
def test_a_seat_that_knows_its_own_error_does_not_know_the_others(layer, options):
    # A seat knows its points, so the reading of its own wealth reveals the error.
    game = engine.make("commons_game", layers={layer: {"intensity": 1.0, **options}})
    name = "information.noise.wealth" if layer == "information" else "uncertainty.wealth"
    errors = game.draw_chance(5, 3)[name] / 2.0
    assert np.array_equal(errors, game.draw_chance(5, 3)[name] / 2.0)
    ours, others = float(errors[0]), errors[1:]
    for key in keys_behind(ours, 0, normal=True):
        assert not np.isclose(Stream(key).normal((4,))[1:], others, rtol=0, atol=1e-9).any()


def test_a_single_number_of_a_stream_is_its_first():
    assert stream(7, "noise", 3).apart(()).bits() == stream(7, "noise", 3).bits()


def test_separate_numbers_have_their_own_streams():
    apart = stream(7, "noise", 3).apart((2, 3))
    assert apart.key.shape == (2, 3)
    assert len(np.unique(apart.key)) == 6
    drawn = apart.bits((4,))
    assert drawn.shape == (2, 3, 4)
    assert len(np.unique(drawn)) == 24


def test_separate_numbers_are_the_same_in_a_batch_and_alone():
    seeds = np.array([3, 9])
    batch = stream(seeds, "noise", 2).apart((5,)).normal()
    assert batch.shape == (2, 5)
    alone = [stream(int(seed), "noise", 2).apart((5,)).normal() for seed in seeds]
    assert np.array_equal(batch, np.stack(alone))


def test_separate_numbers_are_uniform_and_uncorrelated():
    # Correlation of N independent pairs: standard error 1/sqrt(N); mean 1/2, sd sqrt(1/12 / N).
    count = 50_000
    drawn = stream(np.arange(count), "noise").apart((2,)).uniform()
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 4 / np.sqrt(count)
    assert abs(drawn.mean() - 0.5) < 4 * np.sqrt(1 / 12 / (2 * count))


def test_the_key_of_a_separate_number_does_not_reveal_the_others():
    whole = stream(7, "noise", 3)
    apart = whole.apart((3,)).bits()
    for place in range(3):
        for key in keys_behind(int(apart[0]) / 2**64, place):
            assert not np.isin(apart[1:], Stream(key).bits((4,))).any()
            assert key != whole.key
