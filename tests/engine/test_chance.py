"""Random numbers are identified by seed, stream, period and index, and are of good quality."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine.contract.chance import (
    MAX_SEED,
    NORMAL_MOST,
    Chance,
    Stream,
    check_seed,
    generator,
    stream,
)
from mixed_company.engine.contract.errors import ConfigError

GAMMA, M1, M2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD = 2**64


def test_the_bits_match_splitmix64():
    # Published outputs of the reference implementation for seed 1234567.
    assert Stream(key=np.uint64(1234567)).bits((5,)).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_a_longer_draw_starts_with_the_shorter_one():
    assert stream(7, "noise").bits((9,)).tolist()[:4] == stream(7, "noise").bits((4,)).tolist()


def test_a_shape_arranges_the_same_numbers():
    drawn = stream(7, "noise").bits((2, 3))
    assert drawn.shape == (2, 3)
    assert drawn.ravel().tolist() == stream(7, "noise").bits((6,)).tolist()


@pytest.mark.parametrize("draw", ["bits", "uniform", "normal"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 2)])
def test_a_batch_draws_what_each_play_draws_alone(draw, shape):
    seeds = [0, 5, MAX_SEED]
    batch = getattr(stream(np.array(seeds), "noise", 2), draw)(shape)
    alone = [getattr(stream(seed, "noise", 2), draw)(shape) for seed in seeds]
    assert batch.shape == (3, *shape)
    assert np.array_equal(batch, np.stack(alone))


@pytest.mark.parametrize("period", [-1, 0, 3, 9999])
@pytest.mark.parametrize("seat", [None, 0, 3])
def test_a_batch_of_one_draws_what_its_play_draws_alone(period, seat):
    seats = None if seat is None else np.array([seat])
    for seed in (0, 5, MAX_SEED):
        batch = stream(np.array([seed]), "noise", np.array([period]), seats)
        assert batch.bits((2,)).tolist() == [
            stream(seed, "noise", period, seat).bits((2,)).tolist()
        ]


def test_plays_of_a_batch_can_be_at_different_periods():
    batch = stream(np.array([4, 4]), "noise", np.array([1, 2])).bits()
    assert batch.tolist() == [int(stream(4, "noise", period).bits()) for period in (1, 2)]


def test_another_seed_name_or_period_gives_other_numbers():
    names = [(7, "noise", 0), (8, "noise", 0), (7, "order", 0), (7, "noise", 1), (7, "noise", -1)]
    assert len({int(stream(*name).bits()) for name in names}) == len(names)


def test_neighbouring_seeds_and_periods_never_share_a_number():
    drawn = [stream(np.arange(300), "noise", period).bits((4,)) for period in range(-1, 20)]
    assert len(np.unique(drawn)) == 300 * 21 * 4


def test_chance_holds_the_streams_of_one_period():
    assert Chance(7, 3)("noise").bits() == stream(7, "noise", 3).bits()


def key_for(word: int) -> np.uint64:
    """Return the key whose first output is `word`, by running the finaliser of SplitMix64
    backwards."""
    for shift, factor in ((31, M2), (27, M1), (30, None)):
        part = word
        for _ in range(64 // shift + 1):
            part = word ^ (part >> shift)
        word = part if factor is None else part * pow(factor, -1, WORD) % WORD
    return np.uint64((word - GAMMA) % WORD)


@pytest.mark.parametrize("word", [0, WORD - 1])
def test_the_most_extreme_bits_give_a_number_below_one_and_a_finite_normal(word):
    extreme = Stream(key=key_for(word))
    assert int(extreme.bits()) == word
    assert 0 <= float(extreme.uniform()) < 1
    assert np.isfinite(extreme.normal())


def test_the_smallest_bits_give_the_normal_number_farthest_from_0():
    lowest = Stream(key=key_for(0))
    assert float(lowest.uniform()) == 0
    assert float(lowest.normal()) == -NORMAL_MOST
    assert float(Stream(key=key_for(2**64 - 1)).normal()) <= NORMAL_MOST


def test_uniform_numbers_are_uniformly_distributed():
    # The mean is 1/2 with a standard error of sqrt(1/12 / N); each of 10 bins has N/10 with an sd
    # of sqrt(0.09 N).
    count = 100_000
    drawn = stream(1, "x").uniform((count,))
    assert abs(drawn.mean() - 0.5) < 4 * np.sqrt(1 / 12 / count)
    bins = np.histogram(drawn, bins=10, range=(0, 1))[0]
    assert np.abs(bins - count / 10).max() < 4 * np.sqrt(0.09 * count)


def test_normal_numbers_have_mean_zero_and_spread_one():
    # Standard errors: mean 1/sqrt(N), sd 1/sqrt(2N), share beyond 1.959964: sqrt(.05 * .95 / N).
    count = 100_000
    drawn = stream(2, "x").normal((count,))
    assert abs(drawn.mean()) < 4 / np.sqrt(count)
    assert abs(drawn.std() - 1) < 4 / np.sqrt(2 * count)
    beyond = (np.abs(drawn) > 1.959964).mean()
    assert abs(beyond - 0.05) < 4 * np.sqrt(0.05 * 0.95 / count)


@pytest.mark.parametrize("other", [(1, "x", 1), (2, "x", 0), (1, "y", 0)])
def test_two_streams_are_not_correlated(other):
    # The correlation of N independent pairs has standard error 1/sqrt(N).
    count = 50_000
    pair = stream(1, "x").uniform((count,)), stream(*other).uniform((count,))
    assert abs(np.corrcoef(*pair)[0, 1]) < 4 / np.sqrt(count)


def test_first_numbers_of_neighbouring_seeds_are_not_correlated():
    count = 50_000
    drawn = stream(np.arange(count + 1), "x").uniform()
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 4 / np.sqrt(count)


def test_an_order_is_a_permutation():
    assert sorted(stream(1, "order").order(7).tolist()) == list(range(7))
    batch = stream(np.arange(50), "order").order(5)
    assert np.array_equal(np.sort(batch, axis=-1), np.tile(np.arange(5), (50, 1)))


def test_every_order_is_equally_likely():
    # 6 orders of 3, N/6 times each with sd sqrt(N * 1/6 * 5/6).
    count = 30_000
    drawn = stream(np.arange(count), "order").order(3)
    codes, times = np.unique(drawn @ [100, 10, 1], return_counts=True)
    assert len(codes) == 6
    assert np.abs(times - count / 6).max() < 4 * np.sqrt(count * 5 / 36)


@pytest.mark.parametrize("seed", [0, 1, MAX_SEED, np.int64(5)])
def test_an_integer_within_range_is_a_seed(seed):
    assert check_seed(seed) == int(seed)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "7", None, True, [1]])
def test_anything_else_is_refused_as_a_seed(seed):
    with pytest.raises(ConfigError, match=r"seed = .*: should be a whole number from 0 to"):
        check_seed(seed)


def test_a_library_generator_is_seeded_like_a_stream():
    drawn = [generator(*name).random() for name in ((7, "a", 1), (7, "a", 1), (7, "a", 2))]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


def test_numbers_shown_to_a_seat_do_not_reveal_the_next_period():
    # A uniform number has 53 of the 64 bits. Run backwards, each value of the other 11 bits gives a
    # key. If only the finaliser derived the keys, one key would reveal the secret behind the next
    # period too.
    seed, when = 20_261, int(M1)
    shown = int(stream(seed, "noise", 1).bits()) >> 11
    keys = [int(key_for((shown << 11) + low)) for low in range(2**11)]
    assert int(stream(seed, "noise", 1).key) in keys
    following = int(stream(seed, "noise", 2).key)
    for key in keys:
        secret = (unmixed(key) - when) % WORD
        assert mixed((secret + 2 * when) % WORD) != following
        assert mixed((secret + 2 * when) % WORD) ^ secret != following


def mixed(word: int) -> int:
    word = (word ^ (word >> 30)) * M1 % WORD
    word = (word ^ (word >> 27)) * M2 % WORD
    return word ^ (word >> 31)


def unmixed(word: int) -> int:
    """Return the input of `mixed`."""
    return (int(key_for(word)) + GAMMA) % WORD
