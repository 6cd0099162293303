"""Trust and reputation (TR-2), worked out by hand for two seats with D = 0.5."""

from __future__ import annotations

import pytest

from tests.engine.games.sanctions_plays import HALF, sanctions, states

PAIR = {"seats": 2, "dependence": 0.5, "baseline": 40}
UP, DOWN = (
    [40, 80],
    [40, 0],
)  # seat 1 gives 40 more or 40 less than expected, seat 0 the expected amount


def of_seat_1(game, *contributions):
    """Return (trust, reputation) of seat 1 with seat 0 after each period."""
    result = states(game, *contributions)
    return [(float(s["trust"][0, 1]), float(s["reputation"][0, 1])) for s in result]


def test_a_small_gap_enters_as_its_tanh():
    game = sanctions(**PAIR, kappa_T=HALF)
    # 0.5 + 0.1 * 0.5 * 0.5 = 0.525.
    assert of_seat_1(game, [40, 41]) == [pytest.approx((0.525, 0))]
    # 0.5 - 0.3 * 0.5 * 0.5 * 1.25 = 0.40625, and 0.6 * 0.5 = 0.3.
    assert of_seat_1(game, [40, 39]) == [pytest.approx((0.40625, 0.3))]


def test_trust_is_rebuilt_only_up_to_the_ceiling_of_the_reputation():
    # The ceiling is 1 - 0.6 = 0.4: 0.3125 + 0.1 * (0.4 - 0.3125) = 0.32125; 0.6 - 0.03 * 0.6.
    result = of_seat_1(sanctions(**PAIR), DOWN, UP)
    assert result[1] == pytest.approx((0.32125, 0.582))


def test_the_ceiling_is_from_before_the_period():
    # One breach ruins the reputation (mu_R = 1). Trust falls to 0.3125 with the ceiling still at 1,
    # and to 0 in the next period, whatever is given, because then the ceiling is 1 - 1.
    result = of_seat_1(sanctions(**PAIR, mu_R=1, delta_R=0), DOWN, UP)
    assert result == [pytest.approx((0.3125, 1)), (0, 1)]


def test_trust_above_the_ceiling_is_cut_and_does_not_grow():
    # 0.9 with a ceiling of 0.5: trust builds nothing and stays at 0.5; 0.5 - 0.03 * 0.5 = 0.485.
    game = sanctions(**PAIR, initial_trust=0.9, initial_reputation=0.5)
    assert of_seat_1(game, UP) == [pytest.approx((0.5, 0.485))]
    assert of_seat_1(game, 40) == [pytest.approx((0.5, 0.485))]


def test_damage_to_a_reputation_is_a_share_of_what_is_left():
    # 0.6, then 0.6 + 0.6 * 0.4 = 0.84, then 0.84 + 0.6 * 0.16 = 0.936.
    damaged = [reputation for _, reputation in of_seat_1(sanctions(**PAIR), DOWN, DOWN, DOWN)]
    assert damaged == pytest.approx([0.6, 0.84, 0.936])


def test_trust_never_falls_below_0():
    # Erosion by 1 * (1 + 10 * 1) = 11 times the trust.
    game = sanctions(seats=2, dependence=1, lambda_minus=1, xi=10)
    assert of_seat_1(game, DOWN)[0][0] == 0


def test_a_contribution_moves_only_the_trust_of_others_in_the_seat():
    (after,) = states(sanctions(seats=3, dependence=0.5), [40, 0, 80])
    expected = [[1, 0.3125, 0.55], [0.5, 1, 0.55], [0.5, 0.3125, 1]]
    assert after["trust"].tolist() == [pytest.approx(row) for row in expected]
    assert after["reputation"].tolist() == [[0, 0.6, 0], [0, 0, 0], [0, 0.6, 0]]
    # Off the diagonal 0.3125 + 0.55 + 0.5 + 0.55 + 0.5 + 0.3125 = 2.725, over 6.
    assert after["mean_trust"] == pytest.approx(2.725 / 6)


def test_the_observers_dependence_is_used():
    # Seat 0 depends on seat 1 by 1, seat 1 on seat 0 by 0: 0.275 and 0.35, as above.
    (after,) = states(sanctions(seats=2, dependence=[[0, 1], [0, 0]]), 0)
    assert (after["trust"][0, 1], after["trust"][1, 0]) == pytest.approx((0.275, 0.35))


def test_every_seat_has_its_own_baseline():
    # 50 is 20 more than seat 0 owes and 20 less than seat 1 does.
    (after,) = states(sanctions(**{**PAIR, "baseline": [30, 70]}), 50)
    assert (after["trust"][1, 0], after["trust"][0, 1]) == pytest.approx((0.55, 0.3125))


def test_trust_starts_at_the_configured_value():
    state, _ = sanctions(seats=2, initial_trust=0.25, initial_reputation=0.125).reset()
    assert state["trust"].tolist() == [[1, 0.25], [0.25, 1]]
    assert state["reputation"].tolist() == [[0, 0.125], [0.125, 0]]
    assert state["mean_trust"] == 0.25
