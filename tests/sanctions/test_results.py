"""Tests of the results page of the sanctions game: reasons for earnings, by hand and by the rules.

PLAIN is so steep that every response is all-or-nothing, and it remembers everything. At full trust,
one other seat sanctions or rewards by 20 * 0.8 * 1.25 * 0.25^0.5 = 10. Giving too little halves
trust; giving more moves it halfway to 1. Each contributed point pays 0.6 to everyone.
"""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.server.pages import results, texts
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.table import Table
from tests.sanctions.plays import AWAY, MINUS, play, summary

guide = guide_of("sanctions")


MORE = "With more trust, you could gain or lose more in a period."
LOST = (
    "You lost {x} points through sanctions, in {n} of {all} periods. In these periods, your "
    "remembered average or your contribution was too low."
)
GAINED = (
    "You gained {x} points through rewards, in {n} of {all} periods. In these periods, your "
    "remembered average or your contribution was high enough."
)
LATE = (
    "Of that, you lost {x} points in periods in which you contributed enough, because your "
    "remembered average was still too low (periods: {n})."
)
COST = "You lost {x} points in {n} of {all} periods because of what the others contributed."
BROUGHT = "You gained {x} points in {n} of {all} periods because of what the others contributed."


def sanctioned(table: Table, seat: int) -> list[str]:
    """Return the sentences between contributions and trust."""
    return summary(table, seat)[1:-2]


def through(table: Table, seat: int) -> list[list[Any]]:
    rows: list[list[Any]] = guide.details(table, table.rows, seat)[0]["rows"]
    return rows


def periods(table: Table, seat: int) -> list[list[Any]]:
    rows: list[list[Any]] = guide.details(table, table.rows, seat)[1]["rows"]
    return rows


def parts(table: Table, seat: int) -> dict[str, str]:
    words = guide.texts(table.game.core)
    return {row["name"]: row["sum"] for row in results.parts(table.rows, seat, words, guide.digits)}


def value(cell: str) -> float:
    return float(cell.replace(MINUS, "-"))


# -- losses, gains, and late losses ------------------------------------------------------------

SLOW = ((20, 0), (0, 15), (0, 15), (0, 20))
# Period  seat 0: average, trust in it, effect     seat 1: average, trust in it, effect   points
#   1             20       0.7    +7                       0        0.2    -2             19, 30
#   2             10       0.35    0                       7.5      0.6    -6             29,  8
#   3             6.667    0.175  -1.75                    10       0.8     0          27.25, 14
#   4             5        0.0875 -0.875                   12.5     0.9    +9        31.125, 21
# The common good pays 12, 9, 9 and 12 to both.


def test_losses_and_gains_are_distinguished():
    table = play(*SLOW)
    assert summary(table, 0) == [
        "You contributed 5 points on average, the others 12.5. Expected: 10.",
        LOST.format(n=2, x="2.62", all=4),  # 1.75 + 0.875 = 2.625
        GAINED.format(n=1, x="7", all=4),
        f"The others' trust in you was 40% at the start and 8.8% at the end. {MORE}",  # 8.75
        "All players together earned 179.4 points in these periods.",
    ]
    assert [chair.points for chair in table.seats] == pytest.approx([106.375, 73])


def test_a_loss_despite_giving_enough_is_mentioned():
    """Let seat 1 give 15 in period 2. It gave too little in period 1, so its remembered average is
    only 7.5.
    """
    assert summary(play(*SLOW), 1) == [
        "You contributed 12.5 points on average, the others 5. Expected: 10.",
        LOST.format(n=2, x="8", all=4),
        LATE.format(x="6", n=1),
        GAINED.format(n=1, x="9", all=4),
        f"The others' trust in you was 40% at the start and 90% at the end. {MORE}",
        "All players together earned 179.4 points in these periods.",
    ]


def test_giving_exactly_the_expected_amount_is_enough():
    # averages 0, 5, 6.67: trust stays at 0.2, a loss of 2 per period
    table = play((10, 0), (10, 10), (10, 10))
    assert sanctioned(table, 1) == [LOST.format(n=3, x="6", all=3), LATE.format(x="4", n=2)]
    # 9.9 is not enough: trust 0.2, 0.1, 0.05
    table = play((10, 0), (10, 9.9), (10, 9.9))
    assert sanctioned(table, 1) == [LOST.format(n=3, x="3.50", all=3)]


def test_enough_is_the_amount_expected_of_this_player():
    # The baseline of seat 1 is 4: 5 is enough, averages 0 and 2.5, trust 0.2 and 0.6. That of seat
    # 0 is 10: 5 is not enough, averages 0 and 2.5, trust 0.2 and 0.1.
    table = play((0, 0), (5, 5), baseline=[10, 4])
    assert sanctioned(table, 0) == [LOST.format(n=2, x="3", all=2)]
    assert sanctioned(table, 1) == [LOST.format(n=2, x="8", all=2), LATE.format(x="6", n=1)]


def test_no_loss_is_late_if_earlier_contributions_count_otherwise():
    """Give 12 after 20. This is less than the seat's own past, but more than the baseline."""
    past = {"signal": "deviation", "window": "prior"}
    table = play((20, 0), (12, 10), **past)
    # trust in seat 0: 0.7, 0.85; in seat 1: 0.2, which 10 does not change
    assert sanctioned(table, 0) == [LOST.format(n=1, x="8.50", all=2)]
    assert sanctioned(table, 1) == [GAINED.format(n=1, x="2", all=2)]
    table = play((20, 0), (12, 10), **past, falls_on="observer")
    assert sanctioned(table, 0) == [BROUGHT.format(n=1, x="2", all=2)]
    assert sanctioned(table, 1) == [COST.format(n=1, x="8.50", all=2)]
    # the same if sanctions fall on others
    assert not any("Of that" in line for line in summary(play(*SLOW, falls_on="observer"), 1))


def test_the_late_loss_is_right_if_effects_are_factors():
    # Period 1: 30 * 2 / 20 = 3 from seat 1 (of 20 + 10 * 0.6 = 26: 2.6); period 2: 22 * 2 / 20
    table = play((10, 0), (10, 10), form="multiplier")
    assert sanctioned(table, 1) == [LOST.format(n=2, x="4.80", all=2), LATE.format(x="2.20", n=1)]


def test_gains_and_losses_of_observers():
    # Three seats with trust 0.4. Seat 1 gives 20: trust 0.7, so both others gain 7 by it; seat
    # 2 gives 0: trust 0.2, both others lose 2 by it. Seat 0 gives 10.
    table = play((10, 20, 0), (10, 0, 20), seats=3, falls_on="observer")
    # Period 2: averages are 10. Only trust changes: 0.35 in seat 1, 0.6 in seat 2.
    assert sanctioned(table, 0) == [BROUGHT.format(n=1, x="5", all=2)]
    assert sanctioned(table, 1) == [COST.format(n=1, x="2", all=2)]
    assert sanctioned(table, 2) == [BROUGHT.format(n=1, x="7", all=2)]
    assert through(table, 0) == [["Player 2", "10", "0", "7"], ["Player 3", "10", f"{MINUS}2", "0"]]
    assert through(table, 1) == [["Player 1", "10", "0", "0"], ["Player 3", "10", f"{MINUS}2", "0"]]
    # mean trust in both others: (0.35 + 0.6) / 2, 0.4 and 0.6, 0.4 and 0.35
    for seat, trust in enumerate(("47.5", "50", "37.5")):
        assert summary(table, seat)[-2] == (
            f"Your trust in the others was 40% at the start and {trust}% at the end. {MORE}"
        )


@pytest.mark.parametrize(
    "changes",
    [
        {"lambda_R": 0},
        {"lambda_R": 0, "falls_on": "observer"},
        {"rho_0": 0},
        {"kappa": 0},
        {"dependence": 0},
    ],
)
def test_without_sanctions_trust_is_not_said_to_matter(changes):
    """The text mentions no expectations, memory, losses or gains."""
    table = play((20, 0), **changes)
    assert summary(table, 0) == [
        "You contributed 20 points on average, the others 0.",
        "All players together earned 44 points in these periods.",  # 2 * 12 and the 20 of seat 1
    ]
    others, periods = guide.details(table, table.rows, 0)
    assert (others["title"], others["rows"]) == ("What the others gave", [["Player 2", "0"]])
    assert periods["heads"] == ["Period", "you gave", "points"]
    assert periods["rows"] == [[1, "20", "12"]]


def test_trust_matters_without_sanctions_if_others_share_in_earnings():
    lines = summary(play((20, 0), lambda_R=0, reward="integrated"), 0)
    assert lines[0].endswith("Expected: 10.")  # trust depends on the expectation
    assert lines[1] == "The others' trust in you was 40% at the start and 70% at the end."


# -- the person's own periods only -----------------------------------------------------------------

LEAVES = ((10, 0), (10, AWAY), (10, AWAY), (10, 20))
# Stand-ins give 8 in periods 2 and 3.
# Period  average of seat 1, trust in it, effect, points
#   1             0          0.2     -2         20 + 6 - 2 = 24
#   2             4          0.1     -1         (12 + 10.8 - 1)
#   3             5.333      0.05    -0.5       (12 + 10.8 - 0.5)
#   4             9          0.525   -5.25      0 + 18 - 5.25 = 12.75
# Seat 0 gives 10 and is neither sanctioned nor rewarded: 16, 20.8, 20.8, 28.


def test_only_the_persons_own_periods_count():
    table = play(*LEAVES)
    log = [row for row in table.rows if row["kind"] == "period"]
    assert [row["seats"][1]["occupant"] for row in log] == ["person", "policy", "policy", "person"]
    assert [row["state"]["contribution"][1] for row in log] == [0, 8, 8, 20]
    assert [row["period"] for row in texts.own_periods(table.rows, 1)] == [0, 3]
    assert [row["period"] for row in texts.own_periods(table.rows, 0)] == [0, 1, 2, 3]
    assert table.seats[1].points == pytest.approx(24 + 12.75)


def test_the_summary_of_a_person_who_was_away():
    table = play(*LEAVES)
    assert summary(table, 1) == [
        "You contributed 10 points on average, the others 10. Expected: 10.",
        LOST.format(n=2, x="7.25", all=2),
        LATE.format(x="5.25", n=1),
        f"The others' trust in you was 40% at the start and 52.5% at the end. {MORE}",
        "All players together earned 80.8 points in these periods.",  # 16 + 24 and 28 + 12.75
    ]
    # the person who stayed gets all four, including those with a stand-in in the other seat
    assert summary(table, 0)[0] == (
        "You contributed 10 points on average, the others 9. Expected: 10."
    )
    assert summary(table, 0)[-1] == "All players together earned 166.4 points in these periods."


def test_the_details_of_a_person_who_was_away():
    table = play(*LEAVES)
    assert through(table, 1) == [["Player 1", "10", f"{MINUS}7.25", "0"]]
    assert periods(table, 1) == [
        [1, "0", "0", f"{MINUS}2", "24"],
        [4, "20", "9", f"{MINUS}5.25", "12.75"],
    ]
    assert through(table, 0) == [["Player 2", "9", "0", "0"]]
    assert [row[0] for row in periods(table, 0)] == [1, 2, 3, 4]


def test_the_parts_of_a_person_who_was_away_add_up_to_the_points():
    table = play(*LEAVES)
    assert parts(table, 1) == {
        "Kept": "20",  # 20 and 0
        "From the common pool": "24",  # 6 and 18
        "Sanctions and rewards": f"{MINUS}7.25",
    }
    assert sum(value(part) for part in parts(table, 1).values()) == table.seats[1].points


def test_a_person_who_never_decided_gets_no_summary():
    table = play((10, AWAY), (10, AWAY))
    assert texts.own_periods(table.rows, 1) == []
    assert summary(table, 1) == []
    assert guide.details(table, table.rows, 1) == []
    assert results.parts(table.rows, 1, guide.texts(table.game.core), guide.digits) == []


# -- player by player, period by period ----------------------------------------------------------


def test_the_details_by_hand():
    table = play(*SLOW)
    assert through(table, 0) == [["Player 2", "12.5", f"{MINUS}2.62", "7"]]
    assert periods(table, 0) == [
        [1, "20", "20", "7", "19"],
        [2, "0", "10", "0", "29"],
        [3, "0", "6.7", f"{MINUS}1.75", "27.25"],
        [4, "0", "5", f"{MINUS}0.88", "31.12"],  # 0.875, 31.125
    ]
    assert through(table, 1) == [["Player 1", "5", f"{MINUS}8", "9"]]
    assert periods(table, 1) == [
        [1, "0", "0", f"{MINUS}2", "30"],
        [2, "15", "7.5", f"{MINUS}6", "8"],
        [3, "15", "10", "0", "14"],
        [4, "20", "12.5", "9", "21"],
    ]


def test_every_column_of_the_tables_has_a_heading():
    table = play(*SLOW)
    for detail, title, heads in zip(
        guide.details(table, table.rows, 0),
        ("By player", "Period by period"),
        (
            ["Player", "gave on average", "you lost", "you gained"],
            ["Period", "you gave", "remembered", "sanctions and rewards", "points"],
        ),
        strict=True,
    ):
        assert set(detail) == {"title", "heads", "rows"}
        assert detail["title"] == title
        assert detail["heads"] == heads
        assert {len(row) for row in detail["rows"]} == {len(heads)}


def test_effects_from_each_player_follow_dependence_and_trust():
    """At full trust, player i sanctions j by 16 (1 + D_ij) D_ij^0.5: row i depends on column j."""
    # D = 0.25 to seat 0 from seat 1: 10; D = 0.04 from seat 2: 16 * 1.04 * 0.2 = 3.328
    unequal = [[0, 0.01, 0.01], [0.25, 0, 0.01], [0.04, 0.01, 0]]
    table = play((0, 10, 10), (20, 10, 10), (20, 10, 10), seats=3, dependence=unequal)
    # trust 0.2, 0.6, 0.8; averages 0, 10, 13.3: 2 and 0.6656 lost, 8 and 2.6624 gained
    assert through(table, 0) == [
        ["Player 2", "10", f"{MINUS}2", "8"],
        ["Player 3", "10", f"{MINUS}0.67", "2.66"],
    ]
    assert sanctioned(table, 0) == [
        LOST.format(n=1, x="2.67", all=3),
        GAINED.format(n=1, x="10.66", all=3),
    ]


@pytest.mark.parametrize("falls_on", ["deviator", "observer"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_details_add_up_to_the_parts(falls_on, seat):
    """Compare with the rules in a play with uneven numbers."""
    amounts = ((3, 20, 11), (12, 0, 9), (20, 7, 10), (0, 13, 19), (10, 10, 2))
    crooked = {"kappa": 0.1, "kappa_T": 0.3, "mu_R": 0.2, "xi": 0.7, "falls_on": falls_on}
    table = play(*amounts, seats=3, **crooked)
    components = [row["components"]["sanctions"][seat] for row in table.rows if "state" in row]
    total = sum(components)
    assert value(parts(table, seat)["Sanctions and rewards"]) == pytest.approx(total, abs=0.006)
    by_player = sum(value(cell) for row in through(table, seat) for cell in row[2:])
    assert by_player == pytest.approx(total, abs=0.03)
    by_period = periods(table, seat)
    assert [value(row[3]) for row in by_period] == pytest.approx(components, abs=0.006)
    points = sum(value(row[4]) for row in by_period)
    assert points == pytest.approx(table.seats[seat].points, abs=0.03)


@pytest.mark.parametrize(
    ("amounts", "seat", "changes", "expected"),
    [
        (((20, 0), (0, 10)), 0, {}, ("20", None, "18", "7")),
        (((20, 20),), 0, {}, (None, None, "24", "7")),
        (((0, 0),), 0, {"lambda_R": 1000}, ("20", None, None, f"{MINUS}100")),
        # 12 and 32; with trust 0.2 and 0.7 and D = 0.5: 15.2 and 36.2, 25.7 each
        (((20, 0),), 0, {"reward": "cooperative", "dependence": 0.5, "lambda_R": 0},
         (None, "13.70", "12", None)),
        (((20, 0),), 1, {"reward": "cooperative", "dependence": 0.5, "lambda_R": 0},
         ("20", f"{MINUS}6.30", "12", None)),
    ],
)  # fmt: skip
def test_the_parts_by_hand(amounts, seat, changes, expected):
    names = ("Kept", "From others' points", "From the common pool", "Sanctions and rewards")
    expected_parts = {name: part for name, part in zip(names, expected, strict=True) if part}
    assert parts(play(*amounts, **changes), seat) == expected_parts


def test_every_part_has_a_name():
    # production a^1 = 10, synergy 1/2 of the mean 10: 25; trust 0.4 and D = 0.25 add 2.5
    changes = {"production": "power", "beta": 1, "synergy": 1, "reward": "integrated"}
    assert parts(play((10, 10), **changes), 0) == {
        "Kept": "10",
        "Own production": "10",
        "Share of the synergy": "5",
        "From others' points": "2.50",
    }


def test_a_player_who_earned_nothing_sees_the_parts_that_others_earned():
    """Give everything for no return: 20 - 20 + 0 * 40. Seat 1 keeps 5, or gives everything too."""
    changes = {"mpcr": 0, "allow_any_mpcr": True, "lambda_R": 0}
    assert parts(play((20, 15), **changes), 0) == {"Kept": "0"}
    assert parts(play((20, 20), **changes), 0) == {"Kept": "0"}


def test_points_are_shown_with_two_digits():
    assert guide.digits == 2


@pytest.mark.parametrize(
    ("number", "digits", "shown"),
    [
        (2, 1, "2"),
        (2, 2, "2"),
        (20, 0, "20"),
        (2.5, 1, "2.5"),
        (2.5, 2, "2.50"),
        (0.046, 2, "0.05"),
        (0.004, 2, "0"),
        (-0.004, 2, "0"),
        (-0.3, 0, "0"),
        (-1.996, 2, f"{MINUS}2"),
        (-12.346, 2, f"{MINUS}12.35"),
        (100, 2, "100"),
    ],
)
def test_a_result_has_fixed_digits_and_none_if_they_are_all_zero(number, digits, shown):
    assert texts.number(number, digits) == shown


@pytest.mark.parametrize(
    ("number", "shown", "share"),
    [
        (0.05, "0.05", "5%"),
        (0.07, "0.07", "7%"),  # 100 * 0.07 is 7.000000000000001
        (0.285, "0.285", "28.5%"),
        (31.5, "31.5", "3150%"),
        (-2.0, f"{MINUS}2", f"{MINUS}200%"),
    ],
)
def test_a_number_from_the_rules_keeps_every_digit(number, shown, share):
    assert texts.exact(number) == shown
    assert texts.per_player(number) == shown
    assert texts.percent(number) == share


def test_differing_numbers_are_shown_player_by_player():
    assert texts.per_player((1.0, 2.25)) == "1 for Player 1, 2.25 for Player 2"


def test_effects_from_each_player_if_effects_are_factors():
    """Take 2 from each other. Seat 2 earns 20 + 0.6 * 20 = 32, so 32 * 2 / 20 = 3.2."""
    table = play((10, 10, 0), seats=3, form="multiplier")
    assert through(table, 2) == [
        ["Player 1", "10", f"{MINUS}3.20", "0"],
        ["Player 2", "10", f"{MINUS}3.20", "0"],
    ]
    assert parts(table, 2)["Sanctions and rewards"] == f"{MINUS}6.40"


# -- sentences that were once wrong ----------------------------------------------------------------


def test_of_that_follows_the_amount_it_refers_to():
    lines = sanctioned(play(*SLOW), 1)
    assert "You lost" in lines[[line.startswith("Of that") for line in lines].index(True) - 1]


def test_rounding_is_not_a_sanction():
    """Give the baseline of 0.7 three times, with (0.7 + 0.7 + 0.7) / 3 = 0.6999999999999998."""
    table = play(*[(0.7, 0.7)] * 3, baseline=0.7, endowment=1, kappa=0.8)
    assert sanctioned(table, 0) == ["Sanctions and rewards made no difference."]


def test_no_average_is_mentioned_for_a_skipped_period():
    """Use `peer`, which leaves out the first period, so that nothing is remembered then."""
    lines = sanctioned(play((10, 10), (10, 10), window="peer"), 0)
    assert not any("your remembered average was still too low" in line for line in lines)


def test_losses_from_players_add_up_to_the_loss_if_effects_are_factors():
    """Take 100 from 20: the factor is limited to 0.01, so 19.8 of the 20 points are lost."""
    table = play((0, 0), form="multiplier", lambda_R=1000)
    assert parts(table, 0)["Sanctions and rewards"] == f"{MINUS}19.80"
    assert through(table, 0) == [["Player 2", "0", f"{MINUS}19.80", "0"]]
