"""Effects of reciprocity, worked out by hand, and the seats that they affect.

There are three seats, with D = 0.5, rho_0 = 1, eta = 1, omega = 1, lambda_R = 2, and trust 0.5
throughout. So an effect is 2 * 0.5 * (1 + 1 * 0.5) * 1 * 0.5 = 0.75 times the response. The
response is 1/2 per point.
"""

from __future__ import annotations

import pytest

from tests.engine.games.sanctions_plays import HALF, PLAIN, STILL, sanctions, states, steps

EASY = {"seats": 3, "dependence": 0.5, "rho_0": 1, "eta": 1, "lambda_R": 2, "kappa": HALF, **STILL}


def effects(*contributions, **core):
    """Return the effects (row observes column) after the last period."""
    return states(sanctions(**{**EASY, **core}), *contributions)[-1]["reciprocity_effects"].tolist()


def sanctioned(*contributions, **core):
    """Return the part of each reward that comes from reciprocity in the last period."""
    (*_, last) = steps(sanctions(**{**EASY, **PLAIN, **core}), *contributions)
    return last.components["sanctions"].tolist()


def rows(*values):
    return [pytest.approx(row) for row in values]


def test_a_point_below_the_baseline_has_an_effect_with_every_partner():
    # 0.75 * -0.5 = -0.375.
    assert effects([39, 40, 40]) == rows([0, 0, 0], [-0.375, 0, 0], [-0.375, 0, 0])


def test_a_point_above_the_baseline_is_rewarded_as_much():
    assert effects([40, 41, 40]) == rows([0, 0.375, 0], [0, 0, 0], [0, 0.375, 0])


def test_the_response_is_bounded():
    # tanh(20 ln(3)) is 1.
    assert effects([0, 80, 40])[2] == pytest.approx([-0.75, 0.75, 0])


def test_the_response_grows_with_its_steepness():
    # Two points at half the steepness are one point.
    assert effects([38, 40, 40], kappa=HALF / 2)[1][0] == pytest.approx(-0.375)


@pytest.mark.parametrize(
    ("core", "effect"),
    [
        ({"lambda_R": 4}, -0.75),
        ({"rho_0": 3}, -1.125),
        ({"omega": 0}, -0.25),  # 2 * 0.5 * 0.5 * 0.5
        ({"omega": 3}, -0.625),  # ... * (1 + 3 * 0.5)
        ({"eta": 2}, -0.1875),  # half of it: 0.5^2
        ({"eta": 0}, -0.75),  # 0.5^0
        ({"dependence": 1}, -1),  # 2 * 0.5 * 2 * 1 * 0.5
        ({"dependence": 0}, 0),
        ({"dependence": 0, "eta": 0}, -0.5),  # 2 * 0.5 * 1 * 1 * 0.5
        ({"initial_trust": 1}, -0.75),
        ({"initial_trust": 0}, 0),
    ],
)
def test_every_parameter_of_reciprocity_has_its_effect(core, effect):
    assert effects([39, 40, 40], **core)[1][0] == pytest.approx(effect)


def test_no_seat_has_an_effect_on_itself():
    result = effects([0, 20, 80], dependence=0, eta=0, omega=0)
    assert [result[seat][seat] for seat in range(3)] == [0, 0, 0]


def test_the_dependence_of_the_observer_is_used():
    # Seat 1 depends on seat 0 by 1, which gives -1 as above; seat 2 does not depend on it.
    matrix = [[0, 0.5, 0.5], [1, 0, 0.5], [0, 0.5, 0]]
    assert effects([39, 40, 40], dependence=matrix) == rows([0, 0, 0], [-1, 0, 0], [0, 0, 0])


def test_the_trust_after_the_period_gates_the_effect():
    # Trust in seat 0 falls from 0.5 to 0.5 - 0.3 * 0.5 * 1.25 = 0.3125; 2 * 0.3125 * 1.5 * 0.5 * 1.
    result = effects([0, 40, 40], lambda_minus=0.3)
    assert result[1][0] == pytest.approx(-0.46875)


# -- the affected seats -------------------------------------------------------------------


def test_effects_of_several_seats_add_up():
    # Seat 0 one point below, seat 1 one above: 2 * 0.375 each way, and both for seat 2.
    assert sanctioned([39, 41, 40]) == pytest.approx([-0.75, 0.75, 0])
    result = sanctioned([39, 41, 40], falls_on="observer")
    assert result == pytest.approx([0.375, -0.375, 0])


# -- how they change the reward -----------------------------------------------------------


def test_a_multiplier_is_relative_to_the_mean_endowment():
    # (60 + 40 + 50) / 3 = 50: 21 * (1 - 0.75 / 50) = 20.685.
    core = {**EASY, **PLAIN, "form": "multiplier", "endowment": [60, 40, 50]}
    (step,) = steps(sanctions(**core), [39, 40, 40])
    assert step.rewards.tolist() == pytest.approx([20.685, 0, 10])


def test_a_multiplier_leaves_at_least_a_hundredth():
    (step,) = steps(
        sanctions(**{**EASY, **PLAIN, "lambda_R": 1e6}, form="multiplier"), [39, 40, 40]
    )
    assert step.rewards.tolist() == pytest.approx([0.61, 60, 60])
    assert step.components["sanctions"][0] == pytest.approx(-60.39)


def test_a_multiplier_can_more_than_double_the_utility():
    core = {**EASY, **PLAIN, "lambda_R": 2000 / 3, "form": "multiplier"}
    # 2000/3 * 0.5 * 1.5 * 0.5 * 0.5 = 125 each, 250 together: 59 * (1 + 2.5) = 206.5.
    (step,) = steps(sanctions(**core), [41, 40, 40])
    assert step.rewards.tolist() == pytest.approx([206.5, 60, 60])


def test_a_shared_welfare_is_scaled_or_shifted_after_it_is_shared():
    # U = 61, 60, 60 with nobody counting the others (D = 0, eta = 0: effect -0.5 each), mean 181/3.
    core = {**EASY, **PLAIN, "reward": "cooperative", "dependence": 0, "eta": 0}
    (step,) = steps(sanctions(**core), [39, 40, 40])
    assert step.rewards.tolist() == pytest.approx([181 / 3 - 1, 181 / 3, 181 / 3])
