"""Points of a seat before sanctions, worked out by hand."""

from __future__ import annotations

import math

import pytest

from mixed_company.engine import Episode
from tests.engine.games.sanctions_plays import STILL, sanctions, states, steps

QUIET = {"lambda_R": 0, **STILL}
"""Parameters without sanctions; trust stays at 0.5."""


def parts(contributions, **core):
    """Return the components of one period without sanctions, as lists."""
    (step,) = steps(sanctions(**{**QUIET, "baseline": 0, **core}), contributions)
    assert not step.components["sanctions"].any()
    return {name: value.tolist() for name, value in step.components.items()}


def test_production_is_logarithmic():
    # ln(1 + 0) = 0, ln(e) = 1, ln(e^2) = 2, times 20.
    result = parts([0, math.e - 1, math.e**2 - 1], seats=3)
    assert result["production"] == pytest.approx([0, 20, 40])


def test_production_can_be_a_power():
    # 16^0.75 = 2^3, 81^0.75 = 3^3; 16^0.5 = 4.
    assert parts([0, 16, 81], seats=3, production="power")["production"] == pytest.approx(
        [0, 8, 27]
    )
    assert parts(16, seats=2, production="power", beta=0.5)["production"] == pytest.approx([4, 4])


def test_the_synergy_is_shared_equally_from_the_geometric_mean():
    # sqrt(4 * 9) = 6; 0.65 * 6 / 2 = 1.95. The cube root of 2 * 4 * 64 is 8; 0.65 * 8 / 3.
    assert parts([4, 9], seats=2)["synergy"] == pytest.approx([1.95, 1.95])
    assert parts([2, 4, 64], seats=3)["synergy"] == pytest.approx([5.2 / 3] * 3)


def test_the_synergy_can_have_unequal_shares():
    # 3.9 in total, split into a quarter and three quarters.
    result = parts([4, 9], seats=2, share=[0.25, 0.75])
    assert result["synergy"] == pytest.approx([0.975, 2.925])


def test_the_synergy_of_many_seats_is_exactly_0_if_one_gives_nothing():
    assert parts([0.0] + [100] * 39, seats=40)["synergy"] == [0] * 40


def test_a_public_good_pays_everyone_the_same():
    # 0.4 * (10 + 20 + 30) = 24.
    result = parts([10, 20, 30], seats=3, production="public_good")
    assert result["production"] == pytest.approx([24, 24, 24])
    assert result["kept"] == [90, 80, 70]
    assert result["synergy"] == [0, 0, 0]


# -- the welfare of others ------------------------------------------------------------------

KEEP = {"theta": 0, "synergy": 0, "seats": 3, "dependence": 0.5}
"""Parameters under which a seat's points equal what it keeps: 80, 60 and 100 after giving 20, 40
and 0.
"""


def test_the_others_count_by_trust_and_dependence():
    # 0.5 * 0.5 = a quarter of the others' points: (60 + 100) / 4, (80 + 100) / 4, 140 / 4.
    assert parts([20, 40, 0], **KEEP)["others"] == pytest.approx([40, 45, 35])


def test_trust_is_capped_by_the_reputation():
    # min(0.5, 1 - 0.8) * 0.5 = a tenth.
    result = parts([20, 40, 0], **KEEP, initial_reputation=0.8)
    assert result["others"] == pytest.approx([16, 18, 14])


def test_the_reputation_after_the_period_is_used():
    # Seat 0 owes 40 and gives 0: trust 0.5 (STILL), reputation 0 + 0.9, so 0.1 * 0.5 of its 100.
    core = {**QUIET, **KEEP, "baseline": [40, 0, 0], "mu_R": 0.9}
    (step,) = steps(sanctions(**core), 0)
    # The others of seat 1 add 0.05 * 100 + 0.25 * 100; the others of seat 0 add 0.25 * 200.
    assert step.components["others"].tolist() == pytest.approx([50, 30, 30])


def test_the_dependence_of_the_caring_seat_is_used():
    matrix = [[0, 1, 0], [0, 0, 0], [0.5, 0.5, 0]]
    # Half of 60; nothing; a quarter of 80 + 60.
    result = parts([20, 40, 0], **{**KEEP, "dependence": matrix})
    assert result["others"] == pytest.approx([30, 0, 35])


def test_others_do_not_count_in_a_private_reward():
    assert parts([20, 40, 0], **KEEP, reward="private")["others"] == [0, 0, 0]


def test_a_cooperative_reward_is_the_mean_utility():
    # Utilities 80 + 40, 60 + 45, 100 + 35: 360 / 3 = 120 for everyone.
    (step,) = steps(sanctions(**QUIET, **KEEP, reward="cooperative"), [20, 40, 0])
    assert step.rewards.tolist() == pytest.approx([120, 120, 120])
    assert step.components["others"].tolist() == pytest.approx([40, 60, 20])


# -- contributing ---------------------------------------------------------------------------


def test_contributions_are_clamped_to_the_endowment():
    (step,) = steps(sanctions(seats=3), [-5, 50, 120])
    assert step.used["contribution"].tolist() == [0, 50, 100]
    (after,) = states(sanctions(seats=3), [-5, 50, 120])
    assert after["contribution"].tolist() == [0, 50, 100]


def test_every_seat_can_have_its_own_endowment():
    game = sanctions(seats=3, endowment=[10, 20, 30], baseline=5)
    (step,) = steps(game, 25)
    assert step.used["contribution"].tolist() == [10, 20, 25]
    assert step.components["kept"].tolist() == [0, 0, 5]
    allowed = Episode(game).allowed()
    assert allowed.low["contribution"].tolist() == [0, 0, 0]
    assert allowed.high["contribution"].tolist() == [10, 20, 30]


def bounds(**core):
    """Return the declared range of each component."""
    components = sanctions(**core).declaration.components
    return {field.name: pytest.approx((field.low, field.high), abs=1e-3) for field in components}


def test_the_bounds_of_the_components_match_the_source():
    # 5 partners at full trust: 5 * 1.8 * 1.35 * 0.6 * 0.35^1.5 = 1.509 (the source says 1.50). 20
    # ln(101) = 92.3024; 0.65 * 100 / 6 = 10.8333; together with 100 kept 203.1358, and the five
    # others count with weight 0.35: 355.4876.
    assert bounds() == {
        "kept": (0, 100),
        "production": (0, 92.3024),
        "synergy": (0, 10.8333),
        "others": (0, 355.4876),
        "sanctions": (-1.5095, 1.5095),
    }


def test_the_bounds_follow_the_variant():
    # A good of 0.4 * 80 = 32 and an endowment of 20.
    assert bounds(archetype="lab")["production"] == (0, 32)
    assert bounds(archetype="lab")["others"] == (0, 0)
    # U is at most 203.1358 + 355.4876 = 558.6234; a multiplier takes 0.99 of it at most and adds
    # 1.5095 / 100 of it. The mean of U is shared, from none to all of the seat's 203.1358.
    assert bounds(archetype="coopetition_gym")["sanctions"] == (-553.0371, 8.4324)
    assert bounds(reward="cooperative")["others"] == (-203.1358, 558.6234)


def test_a_play_ends_only_with_its_last_period():
    result = steps(sanctions(periods=3), 0, 0, 0)
    assert [step.reason for step in result] == [None, None, "horizon"]
    assert result[-1].result == "neither"
