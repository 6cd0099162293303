"""Points for collected resources, and their punishment, worked out by hand (with `three` from
`votes.py`).
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.games.votes import (
    LEFT,
    LESS,
    MORE,
    NOOP,
    RIGHT,
    TIMINGS,
    UP,
    lane,
    parts,
    three,
    turn,
    turn_of_many,
)

# -- value and punishment -----------------------------------------------------------------


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("kind", "ABCDE")
def test_at_a_level_of_one_half_a_punishment_is_five(timing, kind):
    # "At 50% probability, punishment = -10.0 * 0.5 = -5.0", for each of the five.
    game, state = three(f".{kind}.", timing=timing)
    after, outcome = turn(game, state, NOOP, RIGHT, NOOP)
    assert parts(outcome, "punishment") == [0, -5, 0]
    assert after["punished"].tolist() == [0, 5, 0]


@pytest.mark.parametrize(
    ("level", "lost"), [(0.0, 0.0), (0.1, -1.0), (0.25, -2.5), (0.7, -7.0), (1.0, -10.0)]
)
def test_a_certain_punishment_is_the_level_times_the_magnitude(level, lost):
    game, state = lane("0A", level=level)
    _, outcome = turn(game, state, RIGHT)
    assert parts(outcome, "punishment") == [lost]


def test_the_magnitude_can_be_changed():
    game, state = lane("0A", magnitude=6, level=0.25)
    assert parts(turn(game, state, RIGHT)[1], "punishment") == [-1.5]
    game, state = lane("0A", magnitude=0, level=1.0)
    assert parts(turn(game, state, RIGHT)[1], "punishment") == [0]


@pytest.mark.parametrize("punishment", ["expected", "lottery"])
def test_a_seat_that_collects_nothing_is_not_punished_even_at_level_one(punishment):
    game, state = three("...", punishment=punishment, level=1.0)
    for actions in ((RIGHT, LEFT, NOOP), (MORE, LESS, UP)):
        assert parts(turn(game, state, *actions)[1], "punishment") == [0, 0, 0]


@pytest.mark.parametrize("punishment", ["expected", "lottery"])
@pytest.mark.parametrize(("taboo", "lost"), [(["B"], [0, -10, 0]), ([], [0, 0, 0])])
def test_only_taboo_kinds_are_punished_and_all_do_harm(taboo, lost, punishment):
    game, state = three("ABC", taboo=taboo, punishment=punishment, level=1.0)
    _, outcome = turn(game, state, RIGHT, RIGHT, RIGHT)
    assert parts(outcome, "value") == [3, 7, 2]
    assert parts(outcome, "punishment") == lost
    assert parts(outcome, "harm") == [-1.3, -0.8, -1.5]


# -- the lottery --------------------------------------------------------------------------

PLAYS = 20_000


def drawn_punishments(level, **core):
    """Return the punishments of seats that all collect something, over many seeds, shape (plays,
    3).
    """
    game, state = three("ABE", punishment="lottery", level=level, **core)
    _, outcome = turn_of_many(game, state, [RIGHT] * 3, PLAYS)
    return outcome.components["punishment"]


def test_a_lottery_punishes_in_full_or_not_at_all():
    assert np.unique(drawn_punishments(0.3)).tolist() == [-10, 0]
    assert np.unique(drawn_punishments(0.3, magnitude=4)).tolist() == [-4, 0]


@pytest.mark.parametrize("level", [0.02, 0.3, 0.9])
def test_a_lottery_punishes_with_the_chance_of_the_level(level):
    # The share of N independent draws has standard error sqrt(p (1 - p) / N).
    share = (drawn_punishments(level) < 0).mean(axis=0)
    assert np.abs(share - level).max() < 4 * np.sqrt(level * (1 - level) / PLAYS)


def test_seats_are_drawn_independently():
    # The correlation of N independent pairs has standard error 1 / sqrt(N).
    drawn = np.corrcoef(drawn_punishments(0.5).T)
    assert np.abs(drawn[np.triu_indices(3, 1)]).max() < 4 / np.sqrt(PLAYS)


def test_a_lottery_is_drawn_again_each_turn():
    game, state = lane("0A", punishment="lottery")
    turns = [turn_of_many(game, state, [RIGHT], PLAYS, period)[1] for period in (0, 1)]
    drawn = [outcome.components["punishment"][:, 0] for outcome in turns]
    assert abs(np.corrcoef(*drawn)[0, 1]) < 4 / np.sqrt(PLAYS)
