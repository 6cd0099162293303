"""Archetypes serve their purpose: sums from the manual page, and which archetypes escalate."""

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
    """Return the effect of reciprocity on seat 0, which gives `first` while the others give the
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


@pytest.mark.parametrize(
    ("amount", "points"),
    # 20 - a + 0.4 * 4 a, and 4.0253 tanh(2.5 (a - 5))
    [(0.0, 15.9747), (5.0, 23.0), (6.0, 27.5714), (20.0, 36.0253)],
)
def test_in_the_lab_a_group_that_gives_everything_earns_most(amount, points):
    assert total("lab", [amount] * 20, amount) == pytest.approx(20 * points, abs=1e-2)


def test_in_the_lab_a_full_sanction_outweighs_free_riding():
    core = engine.make("sanctions", archetype="lab").core
    gained = (1 - core.mpcr) * core.baseline
    lost = -defect("lab", 0.0)[0]
    assert (gained, lost) == (pytest.approx(3), pytest.approx(4.0253, abs=1e-4))


def test_in_the_lab_sanctions_last_as_long_as_memory_and_end_with_reform():
    # averages 5, 2.5, 0, 2.5, 5 of 5 expected: 4.0253 tanh(2.5 * 2.5) and the full 4.0253
    points = defect("lab", 5.0, 0.0, 0.0, 5.0, 5.0)
    assert points == pytest.approx([0, -4.0253, -4.0253, -4.0253, 0], abs=1e-4)


@pytest.mark.parametrize("others", [0.0, 5.0, 20.0])
def test_in_the_lab_one_point_more_than_expected_is_the_best_amount(others):
    earned = [total("lab", [float(amount)] * 20, others) for amount in range(21)]
    # 20 - 0.6 * 6 + 4.0253 tanh(2.5), and 0.4 * 3 others
    assert max(earned) == earned[6] == pytest.approx(20 * (20.3714 + 1.2 * others), abs=1e-2)


@pytest.mark.parametrize("others", [0.0, 20.0])
def test_in_the_lab_giving_nothing_for_a_while_does_not_pay_even_at_the_end(others):
    kept = total("lab", [6.0] * 20, others)
    for first, last in ((0, 20), (0, 1), (10, 15), (17, 20), (18, 20), (19, 20)):
        contributions = [0.0 if first <= period < last else 6.0 for period in range(20)]
        assert total("lab", contributions, others) < kept


@pytest.mark.parametrize("others", [0.0, 20.0])
def test_without_sanctions_every_point_given_costs_six_tenths(others):
    # 20 - a + 0.4 * (a + 3 others) in each of 20 periods
    for amount in (0.0, 7.0, 20.0):
        assert total("unsanctioned", [amount] * 20, others) == pytest.approx(
            20 * (20 - 0.6 * amount + 1.2 * others)
        )
