"""What the commons says to people: every number is that of the session."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.games.commons_game import CommonsGame
from server.guide import guide_of
from table.options import Options
from tests.server.guides import told
from tests.table.plays import SECOND, act, rows, started

guide = guide_of("commons_game")


def core(archetype: str = "lab", **changes: Any) -> Any:
    return engine.make("commons_game", archetype=archetype, **changes).core


def rules(found: Any) -> str:
    return told(guide, found)


def question(found: Any, name: str) -> Any:
    return next((each for each in guide.quiz(found, Options()) if each["name"] == name), None)


def test_the_instructions_name_the_numbers_of_the_session() -> None:
    said = rules(core(seats=5, capacity=80, initial_stock=60, periods=9, max_harvest=7.5))
    assert "one of 5 players" in said
    assert "there are 60 fish. The lake can hold 80." in said
    assert "has 9 periods" in said
    assert "a harvest of 0 to 7.5" in said


def test_the_growth_table_is_right_by_hand() -> None:
    # 0.4 R (1 - R / 100) at 100, 75, 50, 25 and 10
    said = rules(core())
    assert "Fish before the harvest: 100 75 50 25 10" in said
    assert "Fish born: 0 7.5 10 7.5 3.6" in said


def test_linear_growth_is_told_as_such() -> None:
    assert "After every period 6 fish are added, up to 100." in rules(
        core(growth="linear", growth_rate=6)
    )


def test_the_pool_is_explained_where_there_is_one() -> None:
    assert "pool" not in rules(core())
    assert "Each point in the pool adds 2 fish" in rules(core("governed"))
    assert "The pool is used up in every period." in rules(core("governed"))
    assert "90 % of it remains" in rules(core("governed_savings"))


def test_what_is_hidden_and_what_is_uncertain_is_said() -> None:
    assert "Of the others, and of a pool, you see nothing." in rules(core("local_view"))
    assert "within 10 fish of the truth" in rules(core("noisy_stock"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "fewer than 10 fish are left"),
        ({"collapse_stock": 0}, "If no fish is left after a period"),
        ({"collapse_stock": 0, "collapse_zero_periods": 3}, "no fish is left for 3 periods"),
        ({"terminate_on_collapse": False}, "The game goes on all the same."),
    ],
)
def test_the_end_is_told_as_it_will_come(changes: dict[str, Any], words: str) -> None:
    assert words in rules(core(**changes))


@pytest.mark.parametrize("archetype", sorted(CommonsGame.archetypes))
@pytest.mark.parametrize(
    "changes", [{}, {"max_harvest": 200}, {"capacity": 0.5, "collapse_stock": 0}, {"seats": 7}]
)
def test_every_quiz_question_can_be_answered(archetype: str, changes: dict[str, Any]) -> None:
    for each in guide.quiz(core(archetype, **changes), Options()):
        assert each["right"] in each["options"]
        assert len(set(each["options"])) == len(each["options"]), each


def test_the_shortage_question_describes_what_could_happen() -> None:
    # Four seats may ask for 10 each, 40 together: with 20 in the lake each gets 5.
    asked = question(core(), "shortage")
    assert "There are 20 fish. Each of the 4 players asks for 10, together 40." in asked["text"]
    assert asked["right"] == "5"
    # They may ask for far more than there ever is: 50 each, 200 together, of 100.
    asked = question(core(max_harvest=500), "shortage")
    assert "There are 100 fish. Each of the 4 players asks for 50" in asked["text"]
    assert asked["right"] == "25"
    assert question(core(seats=1), "shortage") is None


def test_the_summary_says_how_the_play_went() -> None:
    # Greedy: 40, 40 and 29.6 are taken, 109.6 of 229.6 are 47.7 %; 10 + 10 + 7.4 on each seat.
    made = started([0], bots="greedy")
    for second in range(3):
        act(made, 0, second * SECOND, harvest=10)
    said = guide.summary(made, made.rows, 0)
    assert said == [
        "The stock collapsed after period 3 of 15.",
        "Your group took 109.6 points together.",
        "That is 47.7 % of what the best plan would have brought.",
        "On your seat 27.4 fish were taken in all.",
    ]


def test_the_summary_tells_of_a_collapse_after_which_the_game_went_on() -> None:
    made = started([0], bots="greedy", core={"terminate_on_collapse": False, "periods": 5})
    for second in range(5):
        act(made, 0, second * SECOND, harvest=10)
    assert len(rows(made, "period")) == 5
    assert guide.summary(made, made.rows, 0)[0] == "The stock collapsed after period 3 of 5."


def test_the_summary_of_a_play_that_lasted() -> None:
    made = started([0], archetype="governed", core={"periods": 2}, bots="fixed:harvest=3")
    for second in range(2):
        act(made, 0, second * SECOND, harvest=2, contribution=1)
    said = guide.summary(made, made.rows, 0)
    assert said[0] == "The stock lasted all 2 periods."
    # 2 + 3 * 3 each period, less the one point paid in the second (none was held in the first)
    assert said[1] == "Your group took 21 points together."
    assert said[-1] == "From it 1 points were paid into the pool."
