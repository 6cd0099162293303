"""Tests of the texts of the commons: every number comes from the session."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.games.commons_game import CommonsGame
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from tests.server.guides import game_of, told
from tests.table.plays import SECOND, act, rows, started

guide = guide_of("commons_game")


def core(archetype: str = "lab_0_7", **changes: Any) -> Any:
    return engine.make("commons_game", archetype=archetype, **changes).core


def rules(game_core: Any) -> str:
    return told(guide, game_core)


def question(game_core: Any, name: str) -> Any:
    return next(
        (item for item in guide.quiz(game_of(game_core), Options()) if item["name"] == name), None
    )


def test_the_instructions_name_the_numbers_of_the_session() -> None:
    text = rules(core(seats=5, capacity=80, initial_stock=60, periods=9, max_harvest=7.5))
    assert "one of 5 players" in text
    assert "there are 60 fish. The lake can hold 80." in text
    assert "has 9 periods" in text
    assert "each player asks for 0 to 7.5 fish." in text


def test_the_growth_table_is_right_by_hand() -> None:
    # 0.4 R (1 - R / 100) at 10, 25, 50, 75 and 100
    text = rules(core())
    assert "Fish before the harvest: 10 25 50 75 100" in text
    assert "Fish born: 3.6 7.5 10 7.5 0" in text


def test_linear_growth_is_described_as_such() -> None:
    assert "After every period, 6 fish are added, but the lake never holds more than 100." in rules(
        core(growth="linear", growth_rate=6)
    )


def test_the_pool_is_explained_if_there_is_one() -> None:
    assert "pool" not in rules(core())
    assert "Each point in the pool adds 2 fish" in rules(core("governed"))
    assert "The whole pool is used up in every period." in rules(core("governed"))
    assert "90% of the pool carries over" in rules(core("governed_savings"))


def test_hidden_and_uncertain_information_is_announced() -> None:
    text = rules(core("local_view"))
    assert "You see nothing about the other players." in text
    assert "If there is a common pool, you do not see how much is in it." in text
    assert "within 10 fish of the true number" in rules(core("noisy_stock"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "fewer than 10 fish are left"),
        ({"collapse_stock": 0}, "If no fish are left after a period"),
        (
            {"collapse_stock": 0, "collapse_zero_periods": 3},
            "no fish are left for 3 periods in a row",
        ),
        ({"terminate_on_collapse": False}, "Even if that happens, the game goes on."),
    ],
)
def test_the_end_of_the_game_is_described_correctly(changes: dict[str, Any], words: str) -> None:
    assert words in rules(core(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"max_harvest": 200},
        {
            "capacity": 0.5,
            "collapse_stock": 0,
            "initial_stock": None,
            "recovery_stock": None,
            "recovery_bonus": 0,
        },
        {"seats": 7},
    ],
)
def test_every_quiz_question_can_be_answered(changes: dict[str, Any]) -> None:
    for archetype in CommonsGame.archetypes:
        for item in guide.quiz(game_of(core(archetype, **changes)), Options()):
            assert item["right"] in item["options"], archetype
            assert len(set(item["options"])) == len(item["options"]), (archetype, item)


def test_the_shortage_question_describes_what_could_happen() -> None:
    # Four seats may ask for 10 each, 40 in total. With 10 in the lake, each gets 2.5.
    item = question(core(), "shortage")
    assert "There are 10 fish. Each of the 4 players asks for 10, so 40 in total." in item["text"]
    assert item["right"] == "2.5"
    # They may ask for more than the capacity: 50 each, 200 in total, from 100.
    item = question(core(max_harvest=500), "shortage")
    assert "There are 50 fish. Each of the 4 players asks for 50" in item["text"]
    assert item["right"] == "12.5"
    assert question(core(seats=1), "shortage") is None


def test_the_summary_says_how_the_play_went() -> None:
    # Greedy: harvests of 40, 40 and 29.6; 109.6 of 229.6 are 47.7%; 10 + 10 + 7.4 per seat.
    table = started([0], bots="greedy")
    for second in range(3):
        act(table, 0, second * SECOND, harvest=10)
    lines = guide.summary(table, table.rows, 0)
    assert lines == [
        "The fish stock collapsed after period 3 of 15.",
        "Your group earned 109.6 points together.",
        "That is 47.7% of what your group could have earned with the best plan.",
        "If every player had asked for 3.5 fish in every period, each player could have earned "
        "52.5 points.",
        "You took 27.4 fish in total.",
    ]


def test_a_best_plan_that_is_not_known_exactly_gives_an_interval() -> None:
    # 12 fish, 2 more in every period, and the play ends below 10. Taking 2 each period earns 24.
    # The best plan found earns 29 (two more at first, and 5 at the end); a bound is 29.1125.
    core = {"growth": "linear", "growth_rate": 2, "initial_stock": 12, "max_harvest": 5}
    core |= {"seats": 1, "periods": 12, "collapse_stock": 10}
    table = started([0], archetype="open_access", core=core)
    for second in range(12):
        act(table, 0, second * SECOND, harvest=2)
    assert guide.summary(table, table.rows, 0)[2] == (
        "That is between 82.4 and 82.8% of what your group could have earned with the best plan. "
        "The exact amount is not known."
    )
    assert guide.picture(table, table.rows, 0)["course"]["best"]["name"] == "Best plan found"


def test_a_group_that_waits_for_growth_earns_100_percent_of_the_best_plan() -> None:
    # 20 fish double to 40; 25 of them leave 15, which double to the 30 that may be taken at last.
    core = {"periods": 3, "initial_stock": 20, "max_harvest": 6}
    table = started([0], archetype="fishing", core=core, bots="best_plan")
    for second, harvest in enumerate((0, 5, 6)):
        act(table, 0, second * SECOND, harvest=harvest)
    lines = guide.summary(table, table.rows, 0)
    assert lines[1] == "Your group earned 55 points together."
    assert lines[2] == "That is 100% of what your group could have earned with the best plan."


def test_without_anything_to_earn_no_share_is_shown() -> None:
    table = started([0], core={"initial_stock": 0, "periods": 1}, bots="greedy")
    act(table, 0, SECOND, harvest=10)
    assert "%" not in " ".join(guide.summary(table, table.rows, 0))


def test_the_summary_mentions_a_collapse_after_which_the_game_went_on() -> None:
    table = started([0], bots="greedy", core={"terminate_on_collapse": False, "periods": 5})
    for second in range(5):
        act(table, 0, second * SECOND, harvest=10)
    assert len(rows(table, "period")) == 5
    assert guide.summary(table, table.rows, 0)[0] == "The fish stock collapsed after period 3 of 5."


def test_the_summary_of_a_play_that_lasted() -> None:
    table = started([0], archetype="governed", core={"periods": 2}, bots="fixed:harvest=3")
    for second in range(2):
        act(table, 0, second * SECOND, harvest=2, contribution=1)
    lines = guide.summary(table, table.rows, 0)
    assert lines[0] == "The fish stock lasted all 2 periods."
    # 2 + 3 * 3 each period, minus the point paid in the second (in the first none was held)
    assert lines[1] == "Your group earned 21 points together."
    assert lines[-1] == "You paid 1 point into the pool."


def test_the_cost_of_living_and_winning_are_explained_if_they_apply() -> None:
    text = rules(core("subsistence"))
    assert "In every period, each player pays 1.5 points in living costs." in text
    assert (
        "If a player has fewer points than that after a period, that player is out of the game."
        in text
    )
    assert "If there are 60 or more fish after a period, the players win and the game ends." in text
    assert "Each player who is still in the game then gets 20 points." in text
    for words in ("living costs", "is won", "is out", "still in the game"):
        assert words not in rules(core())
    item = question(core("subsistence"), "living")
    assert item["text"].startswith(
        "After a period, your points are down to 0.75. Living costs are 1.5 per period."
    )
    assert question(core(), "living") is None


def test_the_summary_of_a_play_won_by_the_remaining_players() -> None:
    # Seat 0 takes nothing and is out after 4 periods; the others, at 1.5 each, win after 7: 4.5 *
    # 7 taken, 4 * 1.5 * 4 + 3 * 1.5 * 3 paid for living, 3 * 20 for the recovery: 54.
    table = started([0], archetype="subsistence", bots="fixed:harvest=1.5")
    for second in range(4):
        act(table, 0, second * SECOND, harvest=0)
    table.advance(20 * SECOND)
    assert guide.summary(table, table.rows, 0) == [
        "After period 7 of 15, the fish stock had recovered and your group won the game.",
        "Your group earned 54 points together.",
        "After period 4, you could not pay the living costs for another period, so you were out.",
        "You took 0 fish in total.",
    ]


def test_the_summary_of_a_play_in_which_nobody_could_pay_for_living() -> None:
    table = started(
        [0], archetype="subsistence", bots="fixed:harvest=0", core={"recovery_stock": 99}
    )
    for second in range(4):
        act(table, 0, second * SECOND, harvest=0)
    assert guide.summary(table, table.rows, 0)[0] == "After period 4, nobody was left to fish."


@pytest.mark.parametrize(("acts", "compared"), [(("harvest",), False), ("all", True)])
def test_the_summary_compares_with_the_best_plan_if_one_is_known(acts: Any, compared: bool) -> None:
    # No solution is known if a role may not pay into a pool that feeds the stock.
    agents = {"roles": {"a": {}, "b": {"acts": acts}}, "seats": ("a", "a", "a", "b")}
    rules = {"periods": 1, "agents": agents}
    table = started([0], archetype="governed", core=rules, bots="greedy")
    act(table, 0, SECOND, harvest=2, contribution=0)
    text = " ".join(guide.summary(table, table.rows, 0))
    assert "Your group earned 32 points together." in text
    assert ("% of what your group could have earned with the best plan" in text) == compared


def test_the_results_show_everybodys_harvests_if_all_saw_them() -> None:
    table = started([0], bots="fixed:harvest=3", core={"periods": 2})
    for second in range(2):
        act(table, 0, second * SECOND, harvest=1 + 2 * second)
    game_core = guide.details(table, table.rows, 0)[0]
    assert game_core["heads"] == ["Players", "total fish", "fish per period"]
    assert game_core["rows"][:2] == [["You", "4", "2"], ["Player 2", "6", "3"]]
    unseen = started([0], archetype="local_view", bots="fixed:harvest=3", core={"periods": 1})
    act(unseen, 0, SECOND, harvest=1)
    assert guide.details(unseen, unseen.rows, 0) == []


def test_the_final_picture_shows_the_best_plan_if_one_is_known() -> None:
    # In `lab` nobody fishes at first, and harvests of 28 keep 80 fish until the last periods.
    picture = guide.picture(started([0], archetype="lab"), [], 0)
    best, course = picture["best"], picture["course"]
    assert best["stock"][:3] == pytest.approx([74.0625, 80, 80], abs=1e-3)
    assert best["harvest"][:4] == pytest.approx([0, 21.908, 28, 28], abs=1e-3)
    assert sum(best["harvest"]) == pytest.approx(4 * 144.3, abs=0.2)  # as in docs/stakes.md
    assert len(best["stock"]) == len(best["harvest"]) == 20
    assert course["others"]
    assert course["best"]["points"][:3] == pytest.approx([0, 5.477, 12.477], abs=1e-3)  # a quarter
    assert course["best"]["points"][-1] == pytest.approx(144.3, abs=0.05)
    unknown = guide.picture(started([0], archetype="subsistence"), [], 0)
    assert (unknown["best"], unknown["course"]) == (None, {"others": True})
    unseen = guide.picture(started([0], archetype="local_view"), [], 0)
    assert not unseen["course"]["others"]
