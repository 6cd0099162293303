"""Correct answers, answer errors and prizes, calculated by hand."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.engine.contract import chance
from mixed_company.table.beliefs import Belief, Facts, judged
from mixed_company.table.items import Item

PEOPLE = ("person", "policy", "person", "nobody")
FACTS = Facts(PEOPLE, {"harvest": [2.0, 5.0, 1.5, 0.0]}, {"stock": 40.25})


def item(**keys: Any) -> Item:
    whole = {"name": "q", "text": "?", "every": 1, "type": "number", "least": 0, "most": 10}
    return Item.model_validate({**whole, "step": 0, **keys})


MEAN = {"about": "others_mean", "action": "harvest"}


def test_the_mean_of_the_others_leaves_out_the_seat_itself_and_seats_out_of_the_play() -> None:
    # seat 0: the other playing seats 1 and 2 took 5 and 1.5: 3.25; 3 is 0.25 off
    assert judged(item(**MEAN), 3, 0, FACTS, 7, 0) == Belief(3.25, 0.25, None)
    # seat 2: 2 and 5, mean 3.5
    assert judged(item(**MEAN), 3.5, 2, FACTS, 7, 0) == Belief(3.5, 0.0, None)


EXACTLY = {"pay": "within", "margin": 0, "prize": 4}
MINES = Facts(PEOPLE, {"mine": [2, 0, 2, 2]}, {})


@pytest.mark.parametrize(("choice", "seat", "truth"), [(2, 0, 1.0), (2, 1, 2.0), (1, 0, 0.0)])
def test_the_others_who_chose_an_option_are_counted(choice: int, seat: int, truth: float) -> None:
    """Seats 0 and 2 went to mine 2 and seat 1 to mine 0. Seat 3 is out of the play."""
    asked_for = item(about="others_choosing", action="mine", choice=choice)
    assert judged(asked_for, 1, seat, MINES, 7, 0) == Belief(truth, abs(1 - truth), None)
    paid = item(about="others_choosing", action="mine", choice=choice, **EXACTLY)
    assert judged(paid, 1, 0, MINES, 7, 0).points == (4.0 if choice == 2 else 0.0)


def test_the_action_of_one_seat_is_its_own_or_missing_if_nobody_plays_it() -> None:
    about = {"about": "seat_action", "action": "harvest"}
    assert judged(item(**about, seat=1), 3, 0, FACTS, 7, 0) == Belief(5.0, 2.0, None)
    assert judged(item(**about, seat=3), 3, 0, FACTS, 7, 0) == Belief()
    assert not item(**about, seat=1).asked_of(1)


def test_a_seat_that_is_alone_has_no_correct_answer() -> None:
    alone = Facts(("person", "nobody"), {"harvest": [2.0, 0.0]}, {})
    assert judged(item(**MEAN), 3, 0, alone, 7, 0) == Belief()


def test_the_stock_is_the_one_after_the_period() -> None:
    assert judged(item(about="stock", most=100), 50, 0, FACTS, 7, 0) == Belief(40.25, 9.75, None)


@pytest.mark.parametrize(("seat", "bots"), [(0, 1.0), (1, 0.0), (2, 1.0)])
def test_bots_are_counted_among_the_others(seat: int, bots: float) -> None:
    assert judged(item(about="bots"), 2, seat, FACTS, 7, 0) == Belief(bots, abs(2 - bots), None)


@pytest.mark.parametrize(("about", "truth"), [(1, 100.0), (2, 0.0), (3, 0.0)])
def test_the_truth_about_a_single_seat_is_all_or_nothing(about: int, truth: float) -> None:
    asked_for = item(about="bot", seat=about, most=100)
    assert judged(asked_for, 25, 0, FACTS, 7, 0) == Belief(truth, abs(25 - truth), None)


@pytest.mark.parametrize(("answer", "points"), [(3.25, 4.0), (4.25, 4.0), (4.26, 0.0), (2.25, 4.0)])
def test_a_prize_is_won_up_to_the_margin(answer: float, points: float) -> None:
    asked_for = item(**MEAN, pay="within", margin=1, prize=4)
    assert judged(asked_for, answer, 0, FACTS, 7, 0).points == points


def test_nothing_is_won_without_an_answer() -> None:
    asked_for = item(**MEAN, pay="within", margin=9, prize=4)
    assert judged(asked_for, None, 0, FACTS, 7, 0) == Belief(3.25)


def test_with_a_binarised_rule_the_prize_is_won_if_the_squared_error_is_below_the_draw() -> None:
    """The truth is 3.25. An answer of 8.25 is 5 off, and at most 10 is possible: (5 / 10)^2 = 0.25
    must be below 1 - u."""
    asked_for = item(**MEAN, pay="binarised", prize=4)
    wins = []
    for seed in range(400):
        u = float(chance.stream(seed, "prize of q for seat 0", 3).uniform())
        points = judged(asked_for, 8.25, 0, FACTS, seed, 3).points
        assert points == (4.0 if 1 - u > 0.25 else 0.0)
        wins.append(points == 4.0)
    assert 0.75 - 0.07 < sum(wins) / len(wins) < 0.75 + 0.07  # three standard errors: 0.065


def test_with_a_binarised_rule_a_correct_answer_wins_and_the_largest_error_loses() -> None:
    asked_for = item(**MEAN, pay="binarised", prize=4, most=3.25)
    for seed in range(200):
        assert judged(asked_for, 3.25, 0, FACTS, seed, 0).points == 4.0
        assert judged(asked_for, 0, 0, FACTS, seed, 0).points == 0.0


def test_seats_periods_and_questions_have_draws_of_their_own() -> None:
    """The probability of winning is 3/4, so independent series of 200 draws are practically never
    equal."""
    facts = Facts(("person", "person", "policy"), {"harvest": [3.25, 3.25, 3.25]}, {})
    first = item(**MEAN, pay="binarised", prize=4)
    second = item(**MEAN, pay="binarised", prize=4, name="r")

    def won(asked_for: Item, seat: int, period: int) -> list[float | None]:
        return [judged(asked_for, 8.25, seat, facts, seed, period).points for seed in range(200)]

    drawn = [won(first, 0, 0), won(first, 1, 0), won(first, 0, 1), won(second, 0, 0)]
    assert all(drawn.count(draw) == 1 for draw in drawn)


def test_the_largest_error_is_as_wide_as_the_answers_wherever_they_start() -> None:
    """For answers from 20.25 to 40.25 the largest error is 20, which never wins. A correct answer
    always does."""
    asked_for = item(about="stock", pay="binarised", prize=1, least=20.25, most=40.25)
    points = [
        [judged(asked_for, value, 0, FACTS, seed, 0).points for seed in range(50)]
        for value in (20.25, 40.25)
    ]
    assert points == [[0.0] * 50, [1.0] * 50]
