"""Imitation of people: probabilities calculated by hand, the shipped model, and the figures on its
card."""

from __future__ import annotations

import math

import numpy as np
import onnxruntime
import pandas as pd
import pytest

from docs.judged import imitation, judging, reading, shipped
from docs.judged.imitation import Imitation
from mixed_company import engine, policies
from tests.docs.test_judged import DATA
from tests.project import ROOT

GAME = engine.make("sanctions", archetype="unsanctioned")
HERE = pytest.mark.skipif(
    not (DATA / reading.FILE).exists(), reason="the data of people are not here"
)


def weights() -> np.ndarray:
    """Return weights. The edge is 1 for a gift of 0 and 0 otherwise, plus the last choice: 0.5 for
    0.5, 1 for 1. The width of a gift of 0 falls by log 2 until the last period.
    """
    cells = np.array([[1.0], [0.0], [0.0]]) + np.array([0.0, 0.5, 1.0, 9.0])
    edge = np.concatenate([cells.ravel(), np.zeros(3)])
    width = np.concatenate([np.zeros(12), [-math.log(2), 0, 0]])
    return np.stack([edge, width])


def test_probabilities_by_hand() -> None:
    """For a gift of 0 after nothing, the edge is 1 and the width 0 in period 0, so the range is
    from 1 to 1 + exp(0) = 2 deviations above the mean. Phi(1) = 0.8413, 1 - Phi(2) = 0.0228.

    For a gift of 0.25 after 0.75, the edge is (1 + 0) / 2 + (0.5 + 1) / 2 = 1.25. In the last
    period the width is -log(2) / 2, so the range ends at 1.25 + 0.7071 = 1.9571.
    """
    model = Imitation(weights())
    first = model.logs(imitation.features(np.array(0.0), np.array(0.0), np.array(0)))
    assert np.exp(first) == pytest.approx([0.8413, 0.1359, 0.0228], abs=1e-4)
    between = imitation.features(np.array(0.25), np.array(0.75), np.array(9))
    assert between @ model.weights.T == pytest.approx([1.25, -math.log(2) / 2])
    assert np.exp(model.logs(between)).sum() == pytest.approx(1)
    later = imitation.features(np.array(0.25), np.array(0.75), np.array(15))
    assert later == pytest.approx(between)
    unknown = imitation.features(np.array(0.5), np.array(np.nan), np.array(0))
    assert unknown @ model.weights.T == pytest.approx([9.0, 0.0])


def test_the_model_sees_the_seat_as_a_person_would() -> None:
    """Seat 1 gave 15 of 20, the others 0, 5 and 10, so 0.25 on average: edge 1.25 as above. The
    distance from -1 to 1 is 0.7071 deviations, so one deviation is 2.8284, and the mean is -1 -
    1.25 * 2.8284 = -4.5355.

    In the first period the edge is -1 and the width log(2), so a deviation is 1 and the mean -1 + 1
    = 0.
    """
    content = shipped.model(weights(), np.array([-1.0, math.log(2)]), GAME)
    session = onnxruntime.InferenceSession(content)
    rows = np.array([[9, 1, 0, 15, 5, 10], [0, 1, 0, 0, 0, 0], [19, 1, 0, 15, 5, 10]], np.float32)
    action, spread = session.run(["action", "spread"], {"observation": rows})
    assert action[:, 0] == pytest.approx([-4.5355, 0.0, -4.5355], abs=1e-4)
    assert spread[:, 0] == pytest.approx([2.8284, 1.0, 2.8284], abs=1e-4)


def test_an_opening_has_the_frequencies() -> None:
    edge, width = imitation.opening(np.repeat([0, 1, 2], [50, 30, 20]))
    logs = imitation.gift_logs(edge, edge + math.exp(width))
    assert np.exp(logs) == pytest.approx([0.5, 0.3, 0.2], abs=0.002)


def test_the_odds_of_a_fit_are_those_of_the_people() -> None:
    """There are 12,000 people. Whatever they did before, they reply to 0 with 0, to 50 with 0, 50
    and 100 equally often, and to 100 with 100 in three of four cases and otherwise with 0. A cell
    has at least 3,000 replies, so the errors are at most sqrt(0.25 / 3000) = 0.009.
    """
    rng, size = np.random.default_rng(1), (2, 12_000)
    for_100 = rng.choice([0, 2], size, p=[0.25, 0.75])
    replies = np.stack([np.zeros(size, np.int64), rng.integers(3, size=size), for_100], axis=-1)
    people = reading.People(
        replies, replies[..., 1], replies[..., 1], np.zeros(12_000), pd.DataFrame()
    )
    seen = imitation.of_tables(people)
    chances = np.exp(imitation.fitted(seen, replies).logs(seen[1, 0]))
    wanted = [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3], [0.25, 0, 0.75]]
    assert chances == pytest.approx(np.array(wanted), abs=3 * 0.009)


@HERE
def test_the_shipped_policy_has_the_figures_of_its_card() -> None:
    people = reading.read(DATA)
    policy = policies.make(judging.POLICY, GAME)
    likeness = policy.card.likeness
    assert shipped.scores(policy, people).mean() == pytest.approx(likeness.fitted, abs=1e-4)
    for same, figure in ((False, likeness.per_reply), (True, likeness.others[judging.SAME_GIFT])):
        scores = judging.imitated(people, same).scores
        assert scores.mean() == pytest.approx(figure, abs=1e-4)
    assert likeness.others[judging.CHANCE] == pytest.approx(-math.log(3), abs=1e-4)
    assert likeness.replies == people.replies.size


def test_the_page_has_the_figures_of_the_card() -> None:
    lines = (ROOT / "docs/judged.md").read_text("utf-8").splitlines()
    likeness = policies.make(judging.POLICY, GAME).card.likeness
    for name, figure in {judging.IMITATION: likeness.per_reply, **likeness.others}.items():
        starts = (f"| *{name}* |", f"| `{name}` |")
        row = next(line for line in lines if line.startswith(starts))
        assert float(row.split(" | ")[2]) == pytest.approx(figure, abs=6e-4)
