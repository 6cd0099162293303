"""Judging of trained policies: the measures for each aim, and the scores on the card."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.__main__ import main
from mixed_company.engine.contract.space import Field
from mixed_company.learning.training import judge
from mixed_company.learning.training.judge import use_of
from mixed_company.policies.trained.card import read
from tests.bots.trained.models import always, write

SHARE = always(-0.5, -1.0)  # 2.5 fish in each period, like the `sustainable` policy

pytestmark = pytest.mark.usefixtures("folders_forgotten")


def judged(folder, capsys, plays=4, more=("--write",), **changes):
    path = write(folder, SHARE, **changes)
    assert main(["judge", "pupil", "--plays", str(plays), "--folder", str(folder), *more]) == 0
    return read(path).scores, capsys.readouterr().out


def test_the_group_aim_is_a_seats_earnings_if_all_follow_the_policy(tmp_path, capsys):
    scores, text = judged(tmp_path, capsys, aim="group")
    assert scores.measure == "mean points of a seat if all seats follow the policy"
    assert scores.own.mean == pytest.approx(37.5)
    assert scores.others["sustainable"].mean == pytest.approx(37.5)
    assert scores.others["greedy"].mean == pytest.approx(27.4, abs=0.01)
    assert "best_plan" not in scores.others  # the policy knows the solution
    assert "pupil" not in scores.others
    assert scores.verdict.startswith("It does not beat ")
    assert "sustainable" in scores.verdict
    assert "greedy" not in scores.verdict
    assert "pupil: mean points of a seat" in text


def test_the_own_aim_is_a_seats_earnings_among_its_training_partners(tmp_path, capsys):
    scores, _ = judged(tmp_path, capsys, aim="own", against="sustainable")
    assert scores.measure == "points of one seat among sustainable"
    # three take 2.5, and one takes 10 while the stock lasts; docs: 27.4 if all are greedy
    assert scores.others["greedy"].mean > scores.own.mean == pytest.approx(37.5)
    assert scores.own.low == pytest.approx(scores.own.high)  # chance plays no role


@pytest.mark.long
def test_under_self_play_the_policy_has_the_other_seats_too(tmp_path, capsys):
    scores, _ = judged(tmp_path, capsys, aim="own", against="self")
    assert scores.measure == "points of one seat among copies of itself"
    assert scores.others["sustainable"].mean == pytest.approx(37.5)


def test_a_card_is_written_only_on_request(tmp_path, capsys):
    path = write(tmp_path, SHARE)
    before = path.read_bytes()
    assert main(["judge", "pupil", "--plays", "4", "--folder", str(tmp_path)]) == 0
    assert path.read_bytes() == before
    assert "pupil: points of one seat" in capsys.readouterr().out


def test_the_plays_follow_from_the_seed_on_the_card(tmp_path, capsys):
    by_seed = {}
    for seed in ("3", "3", "4"):
        scores, _ = judged(tmp_path, capsys, more=("--write", "--seed", seed), aim="group")
        assert scores.seed == int(seed)
        by_seed.setdefault(seed, []).append(scores.others["random"].mean)
    assert by_seed["3"][0] == by_seed["3"][1] != by_seed["4"][0]
    assert judged(tmp_path, capsys, aim="group")[0].seed == judge.SEED


def test_an_interval_uses_students_t():
    # standard deviation of 1, 2, 3, 4: 1.291; over the root of 4: 0.6455; t with three degrees of
    # freedom is within 3.1824 in 95%: 2.0543 to each side
    scores = judge.interval(np.array([1.0, 2.0, 3.0, 4.0]))
    assert (scores.low, scores.mean, scores.high) == (0.4457, 2.5, 4.5543)


def test_many_comparisons_are_judged_together():
    # 1, 2, 3, 4 less 0: t = 2.5 / 0.6455 = 3.873, which chance exceeds in 3.05%: significant
    # alone, but not for the better of two (2.5%). 7, 8, 9, 10: t = 13.17, 0.09%: enough for the
    # first of two; then 3.05% is compared with 5%.
    small, large, none = np.arange(1.0, 5.0), np.arange(7.0, 11.0), np.array([1.0, -1.0, 1.0, -1.0])
    assert judge.better({"a": small}, small) == {"a": True}
    assert judge.better({"a": small, "b": none}, small) == {"a": False, "b": False}
    assert judge.better({"a": small, "b": large}, small) == {"a": True, "b": True}
    assert judge.better({"a": small, "b": -large}, small) == {"a": True, "b": False}


def test_rounding_is_no_difference_and_a_constant_difference_is_significant():
    points = np.full(4, 40.0)
    assert judge.better({"a": np.full(4, 1e-13)}, points) == {"a": False}
    assert judge.better({"a": np.full(4, 0.5)}, points) == {"a": True}
    assert judge.better({"a": np.full(4, -0.5)}, points) == {"a": False}


def test_policies_it_does_not_beat_are_named():
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
        (["commons_ppo_group", "--plays", "1"], "plays = 1: should be at least 2"),
        (["commons_ppo_group", "--seed", "-1"], "seed = -1: should be a whole number from 0"),
    ],
)
def test_impossible_judgements_are_refused(arguments, text, capsys):
    assert main(["judge", *arguments]) == 2
    assert text in capsys.readouterr().err


def test_the_card_has_points_by_seat_and_the_frequency_of_actions(tmp_path, capsys):
    scores, shown = judged(tmp_path, capsys, aim="group")
    assert [seat.mean for seat in scores.seats] == pytest.approx([37.5] * 4)
    # 2.5 of at most 10 in each period, and nothing for the pool
    assert set(scores.actions["harvest"].values()) == {2.5}
    assert set(scores.actions["contribution"].values()) == {0.0}
    assert "in seat 3: 37.50" in shown
    selfish, _ = judged(tmp_path, capsys, plays=8, aim="own", against="greedy")
    assert len(selfish.seats) == 4
    assert selfish.seats[0].mean < 37.5


def test_choices_are_reported_as_shares_and_amounts_by_quarters():
    choice = Field("way", "", kind="choice", low=1, high=3, names=("left", "on", "right"))
    assert use_of(choice, [np.array([1, 3]), np.array([3, 3])]) == {
        "left": 0.25,
        "on": 0.0,
        "right": 0.75,
    }
    amount = Field("harvest", "", low=0, high=10)
    assert list(use_of(amount, [np.arange(5.0)]).values()) == [0.0, 1.0, 2.0, 3.0, 4.0]
