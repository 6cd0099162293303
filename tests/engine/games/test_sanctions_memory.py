"""Memory, its average and the signal, worked out by hand. The baseline is 40."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.games.sanctions_plays import sanctions, states

GIVEN = (10, 40, 70, 100)


def remembered(field, *contributions, **core):
    """Return the averages or signals of seat 0 after each period."""
    return [float(state[field][0]) for state in states(sanctions(seats=2, **core), *contributions)]


@pytest.mark.parametrize(
    ("memory", "window", "averages"),
    [
        (1, "inclusive", [10, 40, 70, 100]),
        (1, "prior", [0, 10, 40, 70]),
        (1, "peer", [0, 40, 70, 100]),
        (1, "full", [10, 40, 70, 100]),
        # 10; (10 + 40) / 2; (40 + 70) / 2; (70 + 100) / 2.
        (2, "inclusive", [10, 25, 55, 85]),
        # The same, one period later; nothing precedes the first period.
        (2, "prior", [0, 10, 25, 55]),
        # Period 0 uses nothing, period 1 only the 40, then two periods as above.
        (2, "peer", [0, 40, 55, 85]),
        # The baseline fills the period before the first: (40 + 10) / 2.
        (2, "full", [25, 25, 55, 85]),
        # 10; 25; 120 / 3; (40 + 70 + 100) / 3.
        (3, "inclusive", [10, 25, 40, 70]),
        (3, "prior", [0, 10, 25, 40]),
        # min(3, t) periods, this one included: 40; (40 + 70) / 2; 210 / 3.
        (3, "peer", [0, 40, 55, 70]),
        # (40 + 40 + 10) / 3; (40 + 10 + 40) / 3; then as `inclusive`.
        (3, "full", [30, 30, 40, 70]),
        # Longer than the play: (10 + 40 + 70 + 100) / 4 = 55.
        *((memory, "inclusive", [10, 25, 40, 55]) for memory in (4, 10, 10_000)),
        # Ten periods, of which 9, 8, 7, 6 are at 40: 370 / 10; (320 + 50) / 10; 400 / 10; 460 / 10.
        (10, "full", [37, 37, 40, 46]),
    ],
)
def test_the_averages_of_a_memory(memory, window, averages):
    core = {"memory": memory, "window": window, "periods": 4}
    assert remembered("memory_averages", *GIVEN, **core) == averages


@pytest.mark.parametrize(
    ("signal", "window", "signals"),
    [
        # The averages over two periods, minus 40.
        ("baseline", "inclusive", [-30, -15, 15, 45]),
        # Nothing is remembered at first: no signal, though 0 - 40 would be -40.
        ("baseline", "prior", [0, -30, -15, 15]),
        ("baseline", "peer", [-40, 0, 15, 45]),
        # 10 - 10; 40 - 25; 70 - 55; 100 - 85.
        ("deviation", "inclusive", [0, 15, 15, 15]),
        # Nothing is remembered at first; then 40 - 10; 70 - 25; 100 - 55.
        ("deviation", "prior", [0, 30, 45, 45]),
        # 10 - 0; 40 - 40; 70 - 55; 100 - 85.
        ("deviation", "peer", [10, 0, 15, 15]),
    ],
)
def test_a_signal_against_the_baseline_or_the_past(signal, window, signals):
    core = {"memory": 2, "window": window, "signal": signal}
    assert remembered("cooperation_signals", *GIVEN, **core) == signals


@pytest.mark.parametrize(("window", "average"), [("inclusive", 48), ("prior", 47), ("peer", 48)])
def test_a_memory_holds_its_periods_however_long_the_play_is(window, average):
    # 0, 1, .. 50: the last five are 46 .. 50, mean 48; the five before the current one are 45 ..
    # 49, mean 47.
    result = remembered("memory_averages", *range(51), memory=5, window=window)
    assert result[-1] == average


def test_a_full_memory_starts_at_each_seats_baseline_and_stays_there_exactly():
    rules = {"seats": 2, "baseline": [0.1, 0.7], "memory": 7, "window": "full"}
    state, _ = sanctions(**rules).reset()
    assert state["memory_averages"].tolist() == [0.1, 0.7]
    assert state["contributions"].tolist() == [[0.1] * 7, [0.7] * 7]
    for after in states(sanctions(**rules), *[[0.1, 0.7]] * 9):
        assert after["memory_averages"].tolist() == [0.1, 0.7]
        assert after["cooperation_signals"].tolist() == [0, 0]


def test_the_memory_has_the_same_size_in_every_period():
    shapes = {state["contributions"].shape for state in states(sanctions(memory=3), *range(9))}
    assert shapes == {(6, 3)}
    assert states(sanctions(periods=2, memory=500), 1)[0]["contributions"].shape == (6, 2)


def test_every_seat_is_remembered_separately():
    (_, after) = states(sanctions(seats=3, baseline=[10, 20, 30]), [0, 20, 40], [20, 20, 50])
    assert after["memory_averages"].tolist() == [10, 20, 45]
    assert after["cooperation_signals"].tolist() == [0, 0, 15]
    assert after["contribution"].tolist() == [20, 20, 50]


def test_plays_of_a_batch_at_different_periods_are_remembered_correctly():
    # Two plays, one of them a period ahead of the other.
    game = sanctions(seats=2, memory=2, periods=9)
    ahead, _ = game.reset(0)
    ahead, _ = game.step(ahead, {"contribution": [10, 10]}, {})
    behind, _ = game.reset(0)
    both = {name: [ahead[name], behind[name]] for name in ahead}
    stacked = {name: np.array(value) for name, value in both.items()}
    after, _ = game.step(stacked, {"contribution": [[40, 40], [70, 70]]}, {})
    assert after["memory_averages"].tolist() == [[25, 25], [70, 70]]
