"""The audit accepts an export of blocks and reports any change to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, audited
from tests.door.audit import CODES
from tests.server.blocks.exported import exported, faults, play, wrong
from tests.server.blocks.planned import ABA


def test_partners_and_their_seats_are_recomputed(tmp_path):
    data = exported(tmp_path, ABA)
    assert faults(data) == []
    assert sorted(data.config["group"]) == [1, 2, 2001, 2002, 3001, 3002]
    assert set(data.outcomes["block"]) == {"first", "with", "again"}

    def of_group(number: int) -> Any:
        return lambda frame: frame["group"] == number

    problems = wrong(data, "config", "block", of_group(2001), "again")
    assert any("again should be with" in line for line in problems), problems
    problems = wrong(data, "config", "matching_group", of_group(2002), 1)
    assert any("matching_group" in line for line in problems), problems
    first = data.outcomes.loc[data.outcomes["group"] == 2001, "participant"].iloc[0]
    swapped = data.outcomes.copy()
    third = data.outcomes.loc[data.outcomes["group"] == 2002, "participant"].iloc[0]
    place = swapped["participant"].isin([first, third]) & (swapped["block"] == "with")
    swapped.loc[place, "participant"] = swapped.loc[place, "participant"].tolist()[::-1]
    lines = [str(line) for line in audited(replace(data, outcomes=swapped)).problems]
    assert any("is not this person's group in this block" in line for line in lines), lines
    problems = wrong(data, "outcomes", "status", of_group(1), "left")
    assert any("follows a block that ended with 'left'" in line for line in problems), problems


TWO_GAMES = """
title = "Another game between two plays"
session = "commons_two_people"
groups = 8
people = "greedy"
seed = 5
pay_blocks = "one"
changes = { periods = 2, quiz = false, practice_periods = 0 }

[treatments.all]
meaning = "everybody"

[[blocks]]
name = "fish"
meaning = "the commons"

[[blocks]]
name = "trust"
meaning = "another game"
session = "sanctions"
changes = { periods = 2, people_per_group = 2, quiz = false, practice_periods = 0 }
people = "sanction_averse"
"""


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export a session of two games that four people have played to the end."""
    folder = tmp_path_factory.mktemp("two_games")
    play(folder, TWO_GAMES, 2)
    return folder / "out.zip"


@pytest.fixture(scope="module")
def two_games(export: Path) -> list[Any]:
    """Load the tables of both games."""
    problems = analysis.check(export)
    assert [str(problem) for problem in problems if problem.kind not in NOTES] == []
    return [analysis.load(export, game) for game in ("commons_game", "sanctions")]


def of_second(games: list[Any], change: Any) -> list[str]:
    """Return the problems in the second game after a change to its outcomes. It is audited together
    with the first."""
    first, second = games
    changed = replace(second, outcomes=change(second.outcomes.copy()))
    return [
        str(problem) for problem in audited(changed, [first]).problems if problem.kind not in NOTES
    ]


@pytest.mark.long
def test_pay_is_recomputed_over_blocks_of_different_games(two_games, export):
    def other(column: str) -> Any:
        def change(outcomes: Any) -> Any:
            outcomes.loc[0, column] += 1.0
            outcomes.loc[0, "payment"] += 1.0
            return outcomes

        return change

    assert of_second(two_games, lambda outcomes: outcomes) == []
    for column in ("pay_fee", "pay_points", "pay_rounding"):
        lines = of_second(two_games, other(column))
        assert any(column in line and "should be" in line for line in lines), lines
    fish, trust = (game.outcomes for game in two_games)
    assert set(fish["points"]) == {
        0.0
    }  # nobody harvests, so a person whose drawn block is this one earns nothing
    with ZipFile(export) as file:
        people = pd.read_csv(file.open("participants.csv"), dtype=CODES).set_index("participant")
    drawn = people["paid_block"].loc[trust["participant"]]
    earned = (0.08 * trust["points"]).round(2)
    assert trust["pay_points"].tolist() == [
        pay if block == 2 else 0.0 for pay, block in zip(earned, drawn, strict=True)
    ]


def test_the_people_of_one_game_are_matched_by_the_groups_of_another(two_games):
    def swap(outcomes: Any) -> Any:
        number = outcomes.columns.get_loc("participant")
        names = outcomes["participant"].tolist()
        first = outcomes["group"].tolist().index(2001)
        second = outcomes["group"].tolist().index(2002)
        outcomes.iloc[[first, second], number] = [names[second], names[first]]
        return outcomes

    lines = of_second(two_games, swap)
    assert any("is not this person's group in this block" in line for line in lines), lines


def test_nobody_is_missing_from_the_next_block(two_games):
    first, second = two_games
    without = replace(second, outcomes=second.outcomes.drop(index=1))
    lines = [str(problem) for problem in audited(first, [without]).problems]
    assert any("finished but the person is missing from block 'trust'" in line for line in lines), (
        lines
    )


def test_nobody_whose_group_has_begun_is_left_waiting(two_games):
    def wait(outcomes: Any) -> Any:
        nothing = ["group", "seat", "seat_points", "disconnections", "bot_share", "reaction_ms"]
        outcomes.loc[1, nothing] = None
        outcomes.loc[1, ["status", "group_id", "points", "paid_points"]] = ["waiting", "", 0, 0]
        return outcomes

    lines = of_second(two_games, wait)
    assert any("in this block, which has started" in line for line in lines), lines
