"""Purpose of the archetypes: sums from the manual page, and which of them escalate."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from tests.engine.games.sanctions_plays import steps


def sanctions_on(archetype, *contributions):
    """Return gains and losses from reciprocity by period and seat, shape (periods, n)."""
    game = engine.make("sanctions", archetype=archetype)
    return np.array([step.components["sanctions"] for step in steps(game, *contributions)])


def defect(archetype, *first):
    """Return reciprocity's effect on seat 0, which gives `first` while the others give the
    baseline.
    """
    core = engine.make("sanctions", archetype=archetype).core
    others = [core.baseline] * (core.seats - 1)
    return sanctions_on(archetype, *[[amount, *others] for amount in first])[:, 0]


def test_the_source_sanctions_a_free_rider_by_half_a_point_and_then_less_and_less():
    # 5 * 0.0977394 = 0.488697, see the manual page.
    points = defect("source", *[0] * 10)
    assert points[0] == pytest.approx(-0.488697, abs=1e-6)
    assert (np.diff(points) > 0).all()
    assert (points < 0).all()


def test_in_the_source_sanctions_on_repeated_defection_grow_at_first():
    # 1.5, 3 and 4.5 points below the baseline on average: the response grows each time. A second
    # breach meets less trust.
    good, small = [40.0] * 9, [25.0]
    memory = engine.make("sanctions", archetype="source", lambda_minus=0, mu_R=0)
    plays = steps(memory, *[[amount] + [40.0] * 5 for amount in good + small * 3])
    last = [step.components["sanctions"][0] for step in plays[-3:]]
    assert last[0] > last[1] > last[2]


@pytest.mark.parametrize("archetype", ["tr4", "coopetition_gym"])
def test_the_paper_and_the_published_game_do_not_sanction_a_steady_free_rider(archetype):
    # The seat never deviates from its own past of 0.
    game = engine.make("sanctions", archetype=archetype)
    plays = steps(game, *[[0.0] + [40.0] * 5] * 15)
    assert plays[-1].components["sanctions"] == pytest.approx([0] * 6, abs=1e-9)


@pytest.mark.parametrize("archetype", ["tr4", "coopetition_gym"])
def test_there_a_new_free_rider_costs_its_partners_points(archetype):
    points = sanctions_on(archetype, *[[40.0] * 6] * 10, [0.0] + [40.0] * 5)[-1]
    assert points[0] == pytest.approx(0, abs=1e-9)
    assert (points[1:] < 0).all()


def total(archetype, contributions, others):
    """Return seat 0's total points if it gives these contributions per period and the others
    `others`."""
    game = engine.make("sanctions", archetype=archetype)
    return sum(
        step.rewards[0]
        for step in steps(game, *[[amount] + [others] * 3 for amount in contributions])
    )


def test_in_the_lab_seats_that_all_give_everything_earn_32_per_period():
    assert total("lab", [20.0] * 20, 20.0) == pytest.approx(640)


def test_in_the_lab_sanctions_grow_with_repetition_and_end_with_reform():
    # 30.19 * tanh(0.05 * 10), then 30.19 * tanh(0.05 * 20), then the first again, then nothing.
    points = defect("lab", 20.0, 0.0, 0.0, 20.0, 20.0)
    assert points == pytest.approx([0, -13.9514, -22.9926, -13.9514, 0], abs=1e-3)


@pytest.mark.parametrize("others", [0.0, 20.0])
@pytest.mark.parametrize("less", [0.0, 5.0, 10.0, 19.0])
def test_in_the_lab_giving_less_never_pays_even_at_the_end(less, others):
    all_of_it = total("lab", [20.0] * 20, others)
    for first, last in ((0, 20), (0, 1), (10, 15), (17, 20), (18, 20), (19, 20)):
        contributions = [less if first <= period < last else 20.0 for period in range(20)]
        assert total("lab", contributions, others) < all_of_it


@pytest.mark.parametrize("others", [0.0, 20.0])
def test_without_sanctions_every_point_given_costs_six_tenths(others):
    # 20 - a + 0.4 * (a + 3 others) in each of 20 periods
    for amount in (0.0, 7.0, 20.0):
        assert total("unsanctioned", [amount] * 20, others) == pytest.approx(
            20 * (20 - 0.6 * amount + 1.2 * others)
        )
