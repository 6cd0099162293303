"""Flat observations: the order of the numbers, masks, and a lossless inverse."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.policies.flat.observations import FlatObservations
from tests.adapters.plays import ARCHETYPES, lab, short


def flat_of(game):
    return FlatObservations(game.declaration.observations, game.seats)


def test_the_numbers_come_in_the_declared_order_followed_by_their_masks():
    game = lab()
    flat = flat_of(game)
    play = engine.Episode(game, seed=1)
    play.step({"harvest": [2, 4, 6, 8], "contribution": [0, 0, 0, 0]})
    values = [1, 3, 0]  # period 1, seat 3, not ended
    values += [80]  # 100 - 20; nothing grows in a full lake
    values += [2, 4, 6, 8] + [2, 4, 6, 8] + [0, 0, 0, 0] + [0]  # wealth, harvest, paid, pool
    assert flat.of_seat(play.observation(3)).tolist() == values + [1] * 14
    assert flat.of_seat(play.observation(3)).dtype == np.float32
    assert flat.names[:6] == ("period", "seat", "ended", "stock", "wealth[0]", "wealth[1]")
    assert flat.names[17:19] == ("shown: stock", "shown: wealth[0]")
    assert (flat.values["wealth"], flat.shown["wealth"]) == (slice(4, 8), slice(18, 22))
    assert len(flat.names) == flat.size == 31


def test_masked_values_are_zero_and_marked_as_hidden():
    game = engine.make("commons_game", archetype="local_view", seats=5)
    flat = flat_of(game)
    play = engine.Episode(game, seed=1)
    play.step({"harvest": [1, 2, 3, 4, 5], "contribution": [0] * 5})
    seen = flat.of_seat(play.observation(0))
    # on a ring seat 0 sees itself and seats 1 and 4
    assert seen[flat.values["harvest"]].tolist() == [1, 2, 0, 0, 5]
    assert seen[flat.shown["harvest"]].tolist() == [1, 1, 0, 0, 1]
    assert seen[flat.values["pool"]].tolist() == [0]
    assert seen[flat.shown["pool"]].tolist() == [0]
    assert seen[flat.shown["stock"]].tolist() == [1]


def test_arrays_of_several_axes_are_named_by_row_and_column():
    flat = flat_of(engine.make("sanctions", archetype="lab"))
    assert flat.names[flat.values["trust"]][:5] == (
        "trust[0,0]",
        "trust[0,1]",
        "trust[0,2]",
        "trust[0,3]",
        "trust[1,0]",
    )


@pytest.mark.parametrize(("game_id", "archetype"), ARCHETYPES)
def test_flattening_is_lossless_and_stays_within_the_ranges(game_id, archetype):
    game = short(game_id, archetype)
    flat = flat_of(game)
    seeds = np.arange(3)
    _, seen = game.reset(seeds)
    everyone = flat.of_all(seen, (3,))
    assert everyone.shape == (3, game.seats, flat.size)
    assert flat.low.dtype == flat.high.dtype == np.float32
    assert (everyone >= flat.low).all()
    assert (everyone <= flat.high).all()
    last_and_first = [game.seats - 1, 0]
    assert np.array_equal(flat.of_all(seen, (3,), last_and_first), everyone[:, last_and_first])
    for seed in seeds:
        play = engine.Episode(game, int(seed))
        for seat in range(game.seats):
            observation = play.observation(seat)
            assert np.array_equal(everyone[seed, seat], flat.of_seat(observation))
            back = flat.named(everyone[seed, seat])
            assert list(back) == [field.name for field in game.declaration.observations]
            for name, value in back.items():
                expected = np.asarray(observation[name], dtype=np.float32)
                assert value.shape == expected.shape
                assert np.array_equal(value, expected, equal_nan=True), name


def test_a_field_hidden_by_a_role_is_masked_only_for_its_seats():
    agents = {
        "roles": {"all": {}, "blind": {"sees": ["wealth"]}},
        "seats": ["all", "blind", "all", "all"],
    }
    game = lab(agents=agents)
    flat = flat_of(game)
    _, seen = game.reset(0)
    numbers = flat.of_all(seen)
    assert numbers[:, flat.values["stock"]].ravel().tolist() == [100, 0, 100, 100]
    assert numbers[:, flat.shown["stock"]].ravel().tolist() == [1, 0, 1, 1]
    assert numbers[:, flat.shown["wealth"]].all()
