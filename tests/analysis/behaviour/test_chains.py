"""The forward recursion equals a hand calculation and a sum over all paths of types."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from mixed_company.analysis.behaviour.chains import IMPOSSIBLE, backward, forward, posterior

START = np.array([0.8, 0.2])
RATES = np.array([[0.9, 0.1], [0.0, 1.0]])


def test_the_forward_recursion_by_hand() -> None:
    """Two types: givers give 10 with probability 0.5, free riders always give 0. At the start 80%
    of people are givers, and a tenth of them become free riders after each period.

    The decisions are 10 and 0. Only givers can give 10: 0.8 * 0.5 = 0.4. Then 0.36 are still
    givers, who give 0 with probability 0.5: 0.18. The other 0.04 are free riders, who always give
    0: 0.04. In total 0.22. The person is a giver in the second period with probability 0.18 / 0.22.
    """
    chances = np.array([[np.log(0.5), IMPOSSIBLE], [np.log(0.5), 0.0]])
    joint = np.exp(forward(START, RATES, chances))
    assert joint == pytest.approx(np.array([[0.4, 0.0], [0.18, 0.04]]), abs=1e-12)
    total, visits, changes = posterior(START, RATES, chances)
    assert np.exp(total) == pytest.approx(0.22)
    assert visits == pytest.approx(np.array([[1, 0], [0.18 / 0.22, 0.04 / 0.22]]))
    assert changes == pytest.approx(np.array([[0.18 / 0.22, 0.04 / 0.22], [0, 0]]))
    giving_on = np.exp(backward(RATES, chances))[0]
    assert giving_on == pytest.approx([0.9 * 0.5 + 0.1, 1.0])  # probability of 0 in period 2


def test_the_recursion_sums_over_all_paths() -> None:
    rng = np.random.default_rng(1)
    start, rates = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), size=3)
    chances = rng.normal(size=(4, 2, 3))  # 4 periods, 2 people, 3 types
    visits, changes = np.zeros((4, 2, 3)), np.zeros((2, 3, 3))
    total = np.zeros(2)
    for person, path in product(range(2), product(range(3), repeat=4)):
        chance = start[path[0]] * np.exp(sum(chances[t, person, path[t]] for t in range(4)))
        chance *= np.prod([rates[path[t], path[t + 1]] for t in range(3)])
        total[person] += chance
        for t in range(4):
            visits[t, person, path[t]] += chance
        for t in range(3):
            changes[person, path[t], path[t + 1]] += chance
    likelihood, visited, changed = posterior(start, rates, chances)
    assert np.exp(likelihood) == pytest.approx(total)
    assert visited == pytest.approx(visits / total[:, None])
    assert changed == pytest.approx(changes / total[:, None, None])


def test_a_missing_decision_changes_no_probability() -> None:
    chances = np.log([[0.5, 0.2], [1.0, 1.0], [0.3, 0.9]])
    skipped = np.exp(forward(START, RATES @ RATES, chances[[0, 2]]))[-1]
    assert np.exp(forward(START, RATES, chances))[-1] == pytest.approx(skipped)
