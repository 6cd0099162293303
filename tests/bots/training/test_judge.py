"""Judging: what is measured by which aim, and what the card says of it."""

from __future__ import annotations

import numpy as np
import pytest

import bots
from bots.trained.card import read
from bots.training import judge
from mixed.__main__ import main
from tests.bots.trained.models import always, write

SHARE = always(-0.5, -1.0)  # 2.5 fish each period: as the policy `sustainable` does


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch):
    monkeypatch.setattr(bots, "_folders", {})
    bots._all.cache_clear()
    yield
    bots._all.cache_clear()


def judged(folder, capsys, plays=4, **changes):
    path = write(folder, SHARE, **changes)
    assert main(["judge", "pupil", "--plays", str(plays), "--folder", str(folder)]) == 0
    return read(path).scores, capsys.readouterr().out


def test_the_aim_of_the_group_is_what_a_seat_earns_if_all_follow_the_policy(tmp_path, capsys):
    scores, told = judged(tmp_path, capsys, aim="group")
    assert scores.measure == "mean points of a seat if all seats follow the policy"
    assert scores.own.mean == pytest.approx(37.5)
    assert scores.others["sustainable"].mean == pytest.approx(37.5)
    assert scores.others["greedy"].mean == pytest.approx(27.4, abs=0.01)
    assert "best_plan" not in scores.others  # it is told the solution
    assert "pupil" not in scores.others
    assert scores.verdict.startswith("It does not beat ")
    assert "sustainable" in scores.verdict
    assert "greedy" not in scores.verdict
    assert "pupil: mean points of a seat" in told


def test_the_own_aim_is_what_one_seat_earns_among_those_it_was_trained_against(tmp_path, capsys):
    scores, _ = judged(tmp_path, capsys, aim="own", against="sustainable")
    assert scores.measure == "points of one seat among sustainable"
    # three take 2.5, and one 10 as long as there is something; docs: 27.4 if all were greedy
    assert scores.others["greedy"].mean > scores.own.mean == pytest.approx(37.5)
    assert scores.own.low == pytest.approx(scores.own.high)  # nothing is left to chance


def test_against_itself_it_is_the_others_too(tmp_path, capsys):
    scores, _ = judged(tmp_path, capsys, aim="own", against="self")
    assert scores.measure == "points of one seat among itself"
    assert scores.others["sustainable"].mean == pytest.approx(37.5)


def test_an_interval_is_the_mean_with_1_96_standard_errors():
    # standard deviation of 1, 2, 3, 4: 1.291; over the root of 4 and times 1.96: 1.2652
    found = judge._interval(np.array([1.0, 2.0, 3.0, 4.0]))
    assert (found.low, found.mean, found.high) == (1.2348, 2.5, 3.7652)


def test_it_says_plainly_what_it_does_not_beat():
    assert judge._verdict({"a": True, "b": False, "c": True}) == (
        "It does not beat b; it beats the other 2."
    )
    assert judge._verdict({"a": True}) == (
        "It beats every scripted policy that is not told the solution."
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nobody"], "trained policy 'nobody': unknown"),
        (["commons_ppo_group", "--plays", "1"], "plays = 1: at least 2"),
    ],
)
def test_what_cannot_be_judged_is_refused(arguments, text, capsys):
    assert main(["judge", *arguments]) == 2
    assert text in capsys.readouterr().err
