"""Tests of the promises of the sanctions game, with numbers calculated by hand."""

from __future__ import annotations

import numpy as np
import pytest

from docs.stakes import earning, sanctions
from docs.stakes.conditions import Condition
from docs.stakes.earning import Earned, Table
from settings import SESSION_CONFIGS

CONFIGS = {config["name"]: config for config in SESSION_CONFIGS}
AMOUNTS = np.arange(0.0, 21.0, 2.0)  # 0, 2, ..., 20


def read(condition: Condition) -> tuple[str, bool]:
    return condition.number, condition.met


def alone(best: int, points: float, nothing: float, everything: float) -> np.ndarray:
    """Return the points for each of `AMOUNTS`: these for the first, the last and the best, and 0
    for all others."""
    earned = np.zeros(len(AMOUNTS))
    earned[0], earned[-1], earned[best] = nothing, everything, points
    return earned


def test_less_than_all_is_expected():
    assert read(sanctions.expects_less(10, 20)) == ("10 of 20", True)
    assert read(sanctions.expects_less(20, 20)) == ("20 of 20", False)


def test_the_best_fixed_amount_is_judged_by_hand():
    # 12 is 20% above 10; 125 = 1.25 * 100 and 125 > 1.1 * 113 = 124.3
    results = sanctions.sanctioned(AMOUNTS, alone(6, 125, 100, 113), 10)
    assert [read(result) for result in results] == [
        ("12", True),
        ("12, 10 expected", True),
        ("125.0, 100.0 for nothing", True),
        ("125.0, 113.0 for all", True),
    ]


def test_a_best_fixed_amount_far_from_the_expected_is_reported():
    # 14 is 40% above 10; 1.25 * 100.4 = 125.5 and 1.1 * 114 = 125.4
    results = sanctions.sanctioned(AMOUNTS, alone(7, 125, 100.4, 114), 10)
    assert [read(result) for result in results] == [
        ("14", True),
        ("14, 10 expected", False),
        ("125.0, 100.4 for nothing", False),
        ("125.0, 114.0 for all", False),
    ]


@pytest.mark.parametrize("end", [0, 10])
def test_a_best_fixed_amount_at_an_end_is_reported(end):
    earned = np.where(np.arange(len(AMOUNTS)) == end, 2.0, 1.0)
    assert not next(sanctions.sanctioned(AMOUNTS, earned, 10)).met


def test_a_dilemma_is_recognised_by_hand():
    # steps of -1 and -2 alone, +3 and +1 together, 14 to 10
    results = sanctions.dilemma(np.array([20, 19, 17]), np.array([10, 13, 14]))
    assert [read(result) for result in results] == [
        ("-1.0 points for the step that costs the least", True),
        ("+1.0 points for the step that adds the least", True),
        ("1.40", True),
    ]


def test_a_game_without_a_dilemma_is_reported():
    # the second point costs a player nothing, and the group 1; 13 to 10
    results = sanctions.dilemma(np.array([20, 19, 19]), np.array([10, 13, 12]))
    assert [read(result) for result in results] == [
        ("+0.0 points for the step that costs the least", False),
        ("-1.0 points for the step that adds the least", False),
        ("1.30", False),
    ]


def test_bots_differ_by_their_closest_pair():
    # two plays of one period; distances 3, (1 + 2) / 2 and (2 + 1) / 2
    kept = np.array([[[8.0, 5.0, 6.0]], [[8.0, 5.0, 7.0]]])
    assert read(sanctions.differ(kept)) == ("1.50", True)
    assert read(sanctions.differ(kept[..., [0, 0, 1]])) == ("0.00", False)


def test_the_bot_that_reacts_least_counts():
    # after a defection in period 1 the first bot gives 3 less at once, and the second 2 less later
    kept = np.full((2, 5, 2), 8.0)
    defected = kept.copy()
    defected[:, 2, 0], defected[:, 3, 1] = 5.0, 10.0
    assert read(sanctions.react(kept, defected, 1)) == ("2.00", True)
    defected[:, 3, 1], defected[:, 4, 1] = 8.0, 10.0  # too late
    assert read(sanctions.react(kept, defected, 1)) == ("0.00", False)


def test_contributions_of_the_bots_are_measured_by_hand(monkeypatch):
    monkeypatch.setattr(earning, "PLAYS", 2)
    bots = "fixed:contribution=4,free_rider,conditional_cooperator:bias=0"
    stake = earning.stake_of({**CONFIGS["sanctions"], "periods": 3, "bots": bots})
    kept = sanctions.given(stake, "baseline_keeper")
    assert kept.shape == (2, 3, 3)
    # 5 are expected; then the third bot gives (5 + 4 + 0) / 3
    assert kept[1].tolist() == [[4, 0, 5], [4, 0, 3], [4, 0, 3]]


@pytest.mark.parametrize(("name", "count"), [("sanctions", 7), ("sanctions_without", 6)])
def test_every_session_has_its_promises(name, count, monkeypatch):
    monkeypatch.setattr(earning, "PLAYS", 2)
    stake = earning.stake_of(CONFIGS[name])
    reply = {f"fixed:contribution={amount}": Earned(np.ones(2)) for amount in (0, 10, 20)}
    results = list(sanctions.conditions(Table(stake, {}, reply, {}, None)))
    assert len({result.promise for result in results}) == len(results) == count
