"""Tests of the texts of gem mining: every number comes from the session."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.games.gem_mining import GemCore, GemGame
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.pages.instructions import screens
from mixed_company.table.options import Options
from tests.gem_mining.plays import CERTAIN, ODD, core
from tests.server.guides import game_of, numbers, told

guide = guide_of("gem_mining")


STORY, CHOICE, FINDING, WORKERS, VIEW, WORTH, END = range(7)


def rules(game_core: GemCore, options: Options | None = None) -> str:
    return told(guide, game_core, options)


def part(game_core: GemCore, number: int) -> dict[str, Any]:
    return guide.sections(game_of(game_core), Options())[number]


@pytest.mark.parametrize("archetype", GemGame.archetypes)
def test_the_instructions_fill_five_screens_without_open_gaps(archetype):
    game_core = core(archetype)
    shown = screens(guide.sections(game_of(game_core), Options()))
    titles = {screen["name"]: [part["title"] for part in screen["sections"]] for screen in shown}
    assert titles == {
        "about": [""],
        "decides": [""],
        "happens": ["How gems are found", "Workers", "What you see"],
        "pays": [""],
        "ends": [""],
    }
    assert "{" not in rules(game_core)


COUNTS = {"1", "2", "3", "5", "10", "15"}
"""Columns of the table of workers."""


def test_the_instructions_contain_exactly_the_numbers_of_the_session():
    # m = 6 + 8 - 1 = 13. The mean of 2% and 28% is 15%; times 1.25, 1.25^2 and 1.25^4 =
    # 2.44140625: 18.75, 23.4375, 36.62; 15 * 1.25^9 = 111.8 is truncated to 62.
    expected = {"6", "37", "13", "4", "8", "7", "11", "3", "12", "0.5", "14", "2", "28"}
    expected |= {"1.25", "62", "15", "18.8", "23.4", "36.6"}
    assert numbers(rules(core(**ODD))) == expected | COUNTS


def test_the_instructions_put_the_numbers_where_they_belong():
    text = rules(core(**ODD))
    for words in (
        "You lead one of 6 villages.",
        "The game has 37 periods, no matter what is found.",
        "There are 13 mines. Each village can reach 4 to 8 of them",
        "Each village has 7 to 11 workers.",
        "There are 3 kinds of gems: rubies, emeralds and sapphires.",
        "One ruby is worth 12 points to every village. One emerald is worth 0.5 points to every "
        "village. One sapphire is worth 14 points to every village.",
        "the chance of finding each kind is at least 2%. The chances of all kinds in a mine add "
        "up to at most 28%. So a mine that is rich in one kind is poor in others.",
        "Each worker after the first multiplies the chances by 1.25. The chance is never higher "
        "than "
        "62%. For example, if the chance with one worker is 15%:",
        "Workers in the mine: 1 2 3 5 10 15",
        "Chance in %: 15 18.8 23.4 36.6 62 62",
    ):
        assert words in text


def test_the_sums_of_the_lab_are_shown():
    # 25.5% times 1.03, 1.0609, 1.12551, 1.30477, 1.51259
    text = rules(core("lab_0_7"))
    assert "You lead one of 4 villages." in text
    assert "The game has 20 periods, no matter what is found." in text
    assert "There are 7 mines. Each village can reach 2 to 4 of them" in text
    assert "Each village has 1 to 5 workers." in text
    assert "Each gem is worth 1 point to every village." in text
    assert "at least 1%. The chances of all kinds in a mine add up to at most 50%." in text
    assert "For example, if the chance with one worker is 25.5%:" in text
    assert "Chance in %: 25.5 26.3 27.1 28.7 33.3 38.6" in text


def test_without_a_time_limit_the_text_does_not_mention_time_running_out():
    sentence = (
        "If you do nothing or your time runs out, your workers go to the first mine you can reach."
    )
    assert sentence in rules(core("lab_0_7"), Options(decision_seconds=30))
    assert sentence not in rules(core("lab_0_7"), Options(decision_seconds=0))


def test_a_session_without_correlation_shows_both_ends_of_a_chance():
    lines = part(core("lab_0_7", correlated=False, max_probability=0.4), FINDING)["lines"]
    assert lines[-1] == (
        "With one worker, the chance of finding each kind is between 1% and 40% in every mine."
    )
    assert not any("add up" in line for line in lines)


def test_a_given_instance_is_described_exactly_and_not_called_drawn():
    game_core = core(**CERTAIN, min_workers=8, max_workers=9)
    text = rules(game_core)
    assert "There are 3 mines. Each village can reach 2 of them" in text
    assert "Each village has 2 to 3 workers." in text
    assert len(part(game_core, FINDING)["lines"]) == 2
    assert "With one worker" not in text


def test_the_published_instance_is_described_with_its_own_ends():
    assert "Each village can reach 2 to 4 of them" in rules(core("momaland_42"))
    assert "Each village has 1 to 5 workers." in rules(core("momaland_42"))
    assert "You lead one of 20 villages." in rules(core("momaland_42"))
    assert "There are 23 mines." in rules(core("momaland_42"))


def test_equal_ends_are_shown_as_one_number():
    text = rules(core("lab_0_7", min_connectivity=4, min_workers=3, max_workers=3))
    assert "Each village can reach 4 of them" in text
    assert "Each village has 3 workers." in text


def test_if_workers_change_nothing_the_text_says_so_without_a_table():
    section = part(core("lab_0_7", worker_bonus=1), WORKERS)
    assert section["lines"] == ["Sending more workers to a mine does not change its chances."]
    assert section["table"] == []


def test_no_upper_limit_is_mentioned_if_no_chance_is_cut():
    game_core = core("lab_0_7", truncation=1)
    assert not any(
        "The chance is never higher than" in line for line in part(game_core, WORKERS)["lines"]
    )
    assert "The chance is never higher than 90%." in part(core("lab_0_7"), WORKERS)["lines"]


def test_the_table_of_workers_is_truncated_like_the_rules():
    # the mean of 20% and 60% is 40%, truncated to 30% from the first worker on
    changes = {"truncation": 0.3, "min_probability": 0.2, "max_probability": 0.6}
    cut = part(core("lab_0_7", **changes), WORKERS)
    assert cut["table"][1]["cells"] == ["30"] * 6
    # a bonus below 1 reduces it: 25.5, 12.75, 6.375, 1.59, 0.05, 0
    less = part(core("lab_0_7", worker_bonus=0.5), WORKERS)
    assert less["table"][1]["cells"] == ["25.5", "12.8", "6.4", "1.6", "0", "0"]


def test_if_all_chances_are_shown_the_example_is_the_best_mine_and_possible():
    # 90% in a good mine, a quarter of it for each further worker: 22.5, 5.625; at most three
    lab = part(core("lab"), WORKERS)
    assert lab["lines"][-1] == "For example, if the chance with one worker is 90%:"
    assert [row["cells"] for row in lab["table"]] == [["1", "2", "3"], ["90", "22.5", "5.6"]]
    hidden = engine.make(
        "gem_mining",
        archetype="lab",
        layers={"information": {"intensity": 1.0, "hide": ["base_probabilities"]}},
    )
    assert "90%:" not in " ".join(guide.sections(hidden, Options())[WORKERS]["lines"])


def test_a_single_kind_of_gem_is_described_in_the_singular():
    lines = part(core("lab_0_7", gem_types=1, weights=[2]), WORTH)["lines"]
    assert lines[0] == "There is only one kind of gem: rubies."
    assert lines[-1] == "Each gem is worth 2 points to every village."


@pytest.mark.parametrize(
    ("weights", "lines"),
    [
        ([1, 1], ["Each gem is worth 1 point to every village."]),
        ([2.5, 2.5], ["Each gem is worth 2.5 points to every village."]),
        ([0, 1], ["One ruby is worth 0 points to every village.",
                  "One emerald is worth 1 point to every village."]),
        ([1e-3, 1e6], ["One ruby is worth 0.001 points to every village.",
                       "One emerald is worth 1000000 points to every village."]),
    ],
)  # fmt: skip
def test_gem_values_are_shown_once_if_equal_and_by_kind_otherwise(weights, lines):
    assert part(core("lab_0_7", weights=weights), WORTH)["lines"][2:] == lines


@pytest.mark.parametrize(
    ("information", "first"),
    [
        ("none", "After every period, you see your points, but not what the other villages did."),
        ("own",
                "After every period, you see what was found in your own mine and what all villages "
                "found together."),
        ("all",
                "After every period, you see which mine each village chose. You also see how many "
                "workers were in each mine, and what was found there."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("chances_known", [True, False])
def test_the_text_describes_what_the_page_shows(information, first, chances_known):
    lines = part(
        core("lab_0_7", information=information, known_probabilities=chances_known), VIEW
    )["lines"]  # fmt: skip
    assert lines[0] == first
    assert len(lines) == 2
    shown = (
        "You see the chances of every mine. You also see the roads and workers of every village."
    )
    assert (lines[1] == shown) == chances_known
    assert lines[1].startswith("You are not told the chances of finding gems") == (
        not chances_known
    )


def test_a_guide_has_a_name_for_its_page_and_two_digits():
    assert guide.title == "Villages and mines"
    assert guide.digits == 2


# -- sentences that must not appear ----------------------------------------------------------------


@pytest.mark.parametrize("information", ["none", "own"])
def test_no_advice_to_watch_the_others_if_they_are_hidden(information):
    lines = part(core("lab_0_7", information=information), VIEW)["lines"]
    assert not any("watch the other villages" in line for line in lines)


def test_an_upper_limit_that_cuts_one_workers_chance_is_shown_without_a_bonus_too():
    """Use base chances of up to 50%, which are truncated to 30%."""
    assert "30%" in rules(core("lab_0_7", worker_bonus=1, truncation=0.3))


def test_with_one_kind_mines_are_not_said_to_be_rich_in_one_and_poor_in_others():
    assert "poor in others" not in rules(core("lab_0_7", gem_types=1))


def test_one_period_and_one_worker_are_in_the_singular():
    text = rules(core("lab_0_7", periods=1, min_workers=1, max_workers=1))
    assert "1 periods" not in text
    assert "1 workers" not in text
