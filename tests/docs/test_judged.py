"""Populations judged by data from people: recovery of planted types, bots' replies, missing
data."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from docs.judged import chains, judging, page, reading
from docs.judged.__main__ import main
from docs.judged.bots import chain_of
from docs.judged.chains import Chain
from mixed_company.policies import populations
from tests.project import ROOT

DATA = Path(os.environ.get("MIXED_HUMAN_DATA", ROOT.parent / "shared/reference/human"))
RATES = np.array([[0.9, 0.1], [0.05, 0.95]])
GIVING, SELFISH = np.eye(3), np.tile([1.0, 0.0, 0.0], (3, 1))


def drawn(people: int, seed: int = 1) -> np.ndarray:
    """Return replies (10, people, 3) by conditional cooperators. Some of them become selfish, and
    some of these change back. A tenth of the replies are random."""
    rng = np.random.default_rng(seed)
    kinds, replies = (rng.random(people) < 0.3).astype(int), []
    for _ in range(10):
        planned = np.where(kinds[:, None] == 0, np.arange(3), 0)
        random = rng.random((people, 3)) < 0.1
        replies.append(np.where(random, rng.integers(3, size=(people, 3)), planned))
        kinds = np.where(rng.random(people) < RATES[kinds, 1], 1, 0)
    return np.array(replies)


def test_planted_types_and_rates_are_recovered() -> None:
    """200 people: 1,800 changes of period, about half from each type, so the errors of the rates
    are about sqrt(0.1 * 0.9 / 900) = 0.01 and that of the shares sqrt(0.21 / 200) = 0.032.
    """
    replies = drawn(200)
    chain = chains.of_types(replies, 2, moves=True)
    order = np.argsort(chain.tables[:, 2, 0])  # givers first
    assert chain.start[order] == pytest.approx([0.7, 0.3], abs=3 * 0.032)
    assert chain.rates[np.ix_(order, order)] == pytest.approx(RATES, abs=4 * 0.01)
    assert chain.tables[order][0] == pytest.approx(0.9 * GIVING + 0.1 / 3, abs=0.03)
    stays = chains.of_types(replies, 2, moves=False)
    others = drawn(200, seed=2)
    assert chain.scores(others).mean() > stays.scores(others).mean() + 1
    planted = Chain(np.array([0.7, 0.3]), np.eye(2), np.stack([GIVING, SELFISH]))
    assert judging.with_moves(planted, replies).error == pytest.approx(0.1, abs=0.02)


def test_a_course_by_hand() -> None:
    """Givers reply 0, 50 or 100: half on average, with a third of replies at each extreme. In the
    first period 0.7 of people give, and in the second 0.7 * 0.9 + 0.3 * 0.05 = 0.645. All others
    give nothing.
    """
    chain = Chain(np.array([0.7, 0.3]), RATES, np.stack([GIVING, SELFISH]), error=0.0)
    course = chain.course(2)
    for row, givers in zip(course, (0.7, 0.645), strict=True):
        assert row == pytest.approx([givers / 2, 1 - givers * 2 / 3, givers / 3, 1 - givers])
    stays = Chain(np.array([0.7, 0.3]), np.eye(2), np.stack([GIVING, SELFISH]), error=0.0)
    assert stays.spread(10) == pytest.approx(0.5 * np.sqrt(0.21), abs=0.01)


def test_a_constant_has_the_frequencies() -> None:
    replies = np.array([[[0, 1, 2]], [[0, 2, 2]]])  # one person, two periods
    tables = chains.constant(replies).tables[0]
    half = np.array([[2.5, 0.5, 0.5], [0.5, 1.5, 1.5], [0.5, 0.5, 2.5]]) / 3.5
    assert tables == pytest.approx(half)


def test_bots_reply_as_their_types() -> None:
    """With a bias of at most 0.2, replies are 8 to 10 and 16 to 20, nearest to 10 and 20."""
    chain = chain_of(populations.read("fischbacher_gaechter_2010")[0])
    assert chain.start == pytest.approx([0.55, 0.22857, 0.12143, 0.1], abs=1e-4)
    hump = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0]])
    assert np.array_equal(chain.tables[:3], np.stack([GIVING, SELFISH, hump]))
    assert chain.tables[3] == pytest.approx(np.tile([0.25, 0.5, 0.25], (3, 1)), abs=0.05)
    assert np.array_equal(chain.rates, np.eye(4))


def test_parts_of_a_type_keep_its_rates() -> None:
    """Cooperators in this population give 10 to 20, so they form two parts, 10 and 20."""
    described, _ = populations.read("kurzban_houser_2005")
    move = populations.Move(to="cooperator", rate=0.2)
    first = described.types[0].model_copy(update={"moves": (move,)})
    chain = chain_of(described.model_copy(update={"types": (first, *described.types[1:])}))
    assert chain.rates.sum(axis=1) == pytest.approx(1)
    assert chain.rates[0] == pytest.approx([0.8, 0, 0.1, 0.1, 0], abs=0.02)


def test_missing_data_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"{tmp_path / reading.FILE}: is missing" in shown.err
    assert "seyhunsaral/stabilitycondcoop" in shown.err


@pytest.mark.skipif(not (DATA / reading.FILE).exists(), reason="the data of people are not here")
def test_the_people_are_counted_as_published() -> None:
    people = reading.read(DATA)
    assert people.replies.shape == (10, 134, 3)
    assert people.classes["cond-coop"].tolist()[::9] == [87, 46]
    selfish = people.classes["selfish"].tolist()
    assert selfish[::9] == [35, 79]
    nothing = (people.replies == 0).all(axis=2).sum(axis=1)
    assert nothing.tolist() == selfish  # their definition of the class


def test_the_document_says_how_every_population_did() -> None:
    text = (ROOT / "docs/judged.md").read_text("utf-8")
    for name in populations.names("sanctions"):
        assert text.count(f"| `{name}` |") == 3
        assert populations.read(name)[0].judged
    assert judging.MOVING in populations.names("sanctions")


def test_the_interval_of_a_difference_has_the_direction_of_its_word():
    not_significant = "; the difference is not significant"
    assert page.by(0.2, 0.1, 0.3) == "0.200 better (95% 0.100 to 0.300)"
    assert page.by(-0.2, -0.3, -0.1) == "0.200 worse (95% 0.100 to 0.300)"
    assert page.by(-0.03, -0.084, 0.024) == f"0.030 worse (95% -0.024 to 0.084{not_significant})"
