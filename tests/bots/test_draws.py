"""What seats draw is what each draws from its own generator, alone or with others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mixed_company.policies.draws import Draws, Words, philox
from mixed_company.policies.policy import seat_chance, seats_chance
from mixed_company.policies.ziggurat import normals

COUNT = 40
SEEDS, SEATS = np.arange(COUNT) * 7919, np.arange(COUNT) % 4
PERIODS = np.full(COUNT, 3)
ODD = np.arange(COUNT) % 2 == 1


def apart() -> list[np.random.Generator]:
    """The generators of all seats."""
    return [seat_chance(int(SEEDS[row]), int(SEATS[row]), 3) for row in range(COUNT)]


def test_many_seats_are_computed_together_and_few_are_asked_one_by_one():
    assert type(seats_chance(SEEDS, SEATS, PERIODS)) is Words
    assert type(seats_chance(SEEDS[:3], SEATS[:3], PERIODS[:3])) is Draws


def test_a_block_is_that_of_numpy():
    keys = np.array([[5, 0], [2**64 - 1, 2**63]], dtype=np.uint64)
    for row, key in enumerate((5, (2**63 << 64) + 2**64 - 1)):
        words = np.random.Philox(key=key).random_raw(8)
        assert np.concatenate([philox(keys, 1)[row], philox(keys, 2)[row]]).tolist() == (
            words.tolist()
        )


@pytest.mark.parametrize(
    ("draw", "one"),
    [
        (lambda draws: draws.random(), lambda rng, _: rng.random()),
        (lambda draws: draws.uniform(-2.0, SEATS), lambda rng, i: rng.uniform(-2.0, SEATS[i])),
        (lambda draws: draws.normal(), lambda rng, _: rng.standard_normal()),
        (lambda draws: draws.integers(1 + SEATS), lambda rng, i: rng.integers(1 + SEATS[i])),
        (lambda draws: draws.integers(3 * 2**30), lambda rng, _: rng.integers(3 * 2**30)),
        (
            lambda draws: draws.apiece(lambda rng, row: rng.beta([1, 2], 1 + SEATS[row])),
            lambda rng, i: rng.beta([1, 2], 1 + SEATS[i]),
        ),
    ],
)
def test_each_seat_draws_what_its_own_generator_gives(draw, one):
    """Twelve times in a row: over the end of a block, of half words, and of what is rejected."""
    draws, generators = seats_chance(SEEDS, SEATS, PERIODS), apart()
    for _ in range(12):
        wanted = np.array([one(rng, row) for row, rng in enumerate(generators)])
        assert draw(draws).tolist() == wanted.tolist()


def numpys(word: int) -> tuple[float, int]:
    """The normal number that numpy makes of a word, and how many words it took."""
    bits = np.random.Philox(key=0)
    rng, state = np.random.Generator(bits), dict(bits.state)
    state["buffer"], state["buffer_pos"] = np.array([word, 0, 0, 0], dtype=np.uint64), 0
    bits.state = state
    number = rng.standard_normal()
    left: Any = bits.state["buffer_pos"]
    return number, left


def test_a_normal_number_that_is_taken_of_one_word_is_numpys():
    words = np.random.Philox(key=5).random_raw(3000)
    numbers, final = normals(words)
    assert 0.97 < final.mean() < 0.99
    for word, number in zip(words[final].tolist(), numbers[final].tolist(), strict=True):
        assert numpys(word) == (number, 1)


def test_each_layer_is_taken_of_one_word_nearly_to_the_end_where_numpy_takes_more():
    for layer in range(2, 256):
        low, high = 0, 2**52 - 1  # the last part that is taken, by halving
        while low < high:
            middle = (low + high + 1) // 2
            final = normals(np.array([middle << 9 | layer], dtype=np.uint64))[1].item()
            low, high = (middle, high) if final else (low, middle - 1)
        word = low << 9 | 1 << 8 | layer
        number, final = normals(np.array([word], dtype=np.uint64))
        assert final.item()
        assert numpys(word) == (number.item(), 1)
        assert numpys((low + 2048) << 9 | layer)[1] > 1


def test_kinds_of_draws_follow_one_another_in_any_order():
    rng = np.random.default_rng(4)
    kinds = [
        lambda draws, where: draws.random(where),
        lambda draws, where: draws.normal(where),
        lambda draws, where: draws.integers(5, where),
        lambda draws, where: draws.apiece(lambda own, _: own.permutation(4), where),
    ]
    together, alone = seats_chance(SEEDS, SEATS, PERIODS), Draws.of(apart())
    for _ in range(80):
        draw, where = kinds[rng.integers(4)], rng.random(COUNT) < 0.6
        assert draw(together, where).tolist() == draw(alone, where).tolist()


def test_who_does_not_draw_gets_0_and_its_chance_stays_where_it_is():
    draws = seats_chance(SEEDS, SEATS, PERIODS)
    first = draws.uniform(1.0, 2.0, where=ODD)
    assert (first[~ODD] == 0).all()
    assert (first[ODD] >= 1).all()
    wanted = [rng.random() for rng in apart()]
    assert draws.random(where=~ODD)[~ODD].tolist() == np.array(wanted)[~ODD].tolist()


def test_anew_nothing_has_been_drawn():
    for draws in (seats_chance(SEEDS, SEATS, PERIODS), seats_chance(SEEDS[:2], SEATS, PERIODS)):
        first = draws.random().tolist()
        assert draws.random().tolist() != first
        assert draws.anew().random().tolist() == first


def test_nothing_is_made_before_it_is_used():
    def never(*_):
        raise AssertionError

    Draws(3, never)
    Words(3, never)
