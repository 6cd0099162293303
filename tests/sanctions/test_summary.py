"""Tests of the sanctions game's results page: whole summaries and tables, calculated by hand."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.language import speaking
from mixed_company.server.pages.guide import guide_of
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.sanctions.plays import MINUS, PLAIN, play, summary

guide = guide_of("sanctions")


TWO = ((20, 0), (0, 10))
# Period 1: both get 0.6 * 20 = 12, and seat 1 keeps 20. Trust in seat 0 rises to 0.4 + 0.5 * 0.6 =
# 0.7, in seat 1 it falls to 0.2. Averages are 20 and 0: seat 0 gains 0.7 * 10 = 7, seat 1 loses
# 0.2 * 10 = 2. Period 2: both get 0.6 * 10 = 6, and they keep 20 and 10. Trust in seat 0 falls to
# 0.35, in seat 1 it stays. Averages are 10, as expected, and 5: seat 1 loses 2 again.
# Seat 0: 20 + 18 + 7 = 45, seat 1: 30 + 18 - 4 = 44.


MORE = " With more trust, you could gain or lose more in a period."


def test_the_summary_adds_up_by_hand():
    table = play(*TWO)
    assert summary(table, 0) == [
        "You contributed 10 points on average, the others 5. Expected: 10.",
        "You gained 7 points through rewards, in 1 of 2 periods. In these periods, your remembered "
        "average or your contribution was high enough.",
        "The others' trust in you was 40% at the start and 35% at the end." + MORE,
        "All players together earned 89 points in these periods.",
    ]
    assert summary(table, 1) == [
        "You contributed 5 points on average, the others 10. Expected: 10.",
        "You lost 4 points through sanctions, in 2 of 2 periods. In these periods, your remembered "
        "average or your contribution was too low.",
        "Of that, you lost 2 points in periods in which you contributed enough, because your "
        "remembered average was still too low (periods: 1).",
        "The others' trust in you was 40% at the start and 20% at the end." + MORE,
        "All players together earned 89 points in these periods.",
    ]
    assert [chair.points for chair in table.seats] == pytest.approx([45, 44])


def test_the_details_are_right_by_hand():
    table = play(*TWO)
    through, periods = guide.details(table, table.rows, 1)
    assert through["rows"] == [["Player 1", "10", f"{MINUS}4", "0"]]
    assert periods["rows"] == [[1, "0", "0", f"{MINUS}2", "30"], [2, "10", "5", f"{MINUS}2", "14"]]
    through, periods = guide.details(table, table.rows, 0)
    assert through["rows"] == [["Player 2", "5", "0", "7"]]
    assert periods["rows"] == [[1, "20", "20", "7", "19"], [2, "0", "10", "0", "26"]]
    for detail in (through, periods):
        assert {len(row) for row in detail["rows"]} == {len(detail["heads"])}
    table = play(*TWO, falls_on="observer")
    assert guide.details(table, table.rows, 0)[0]["rows"] == [["Player 2", "5", f"{MINUS}4", "0"]]
    assert guide.details(table, table.rows, 1)[0]["rows"] == [["Player 1", "10", "0", "7"]]


def test_effects_from_others_add_up_to_the_loss_if_effects_are_factors():
    table = play((20, 0), form="multiplier")  # with one other player: 32 * 2 / 20 = 3.2
    assert guide.details(table, table.rows, 1)[0]["rows"] == [
        ["Player 1", "20", f"{MINUS}3.20", "0"]
    ]


def test_the_summary_is_the_same_after_the_table_is_stored_and_reloaded():
    table = play(*TWO)
    again = Table.from_json(table.setup, table.to_json())
    assert guide.summary(again, table.rows, 1) == summary(table, 1)


def test_the_summary_if_the_observer_pays():
    # Effects on the other seat: seat 0 loses 4 through seat 1, and seat 1 gains 7 through seat 0.
    table = play(*TWO, falls_on="observer")
    assert summary(table, 0)[1:3] == [
        "You lost 4 points in 2 of 2 periods because of what the others contributed.",
        "Your trust in the others was 40% at the start and 20% at the end." + MORE,
    ]
    assert summary(table, 1)[1:3] == [
        "You gained 7 points in 1 of 2 periods because of what the others contributed.",
        "Your trust in the others was 40% at the start and 35% at the end." + MORE,
    ]
    assert [chair.points for chair in table.seats] == pytest.approx([34, 55])


@pytest.mark.parametrize("falls_on", ["deviator", "observer"])
def test_the_summary_if_nothing_is_taken_or_given(falls_on):
    lines = summary(play((10, 10), falls_on=falls_on), 0)
    assert lines[1] == "Sanctions and rewards made no difference."
    assert lines[2].endswith("was 40% at the start and 40% at the end." + MORE)
    assert lines[3] == "All players together earned 44 points in these periods."
    assert len(lines) == 4


def test_the_summary_of_a_play_with_losses():
    # 1000 * 0.5 = 500 at full trust, so each loses 0.2 * 500 = 100; both keep 20.
    table = play((0, 0), lambda_R=1000)
    assert summary(table, 0) == [
        "You contributed 0 points on average, the others 0. Expected: 10.",
        "You lost 100 points through sanctions, in 1 of 1 periods. In these periods, your "
        "remembered average or your contribution was too low.",
        "The others' trust in you was 40% at the start and 20% at the end." + MORE,
        f"All players together earned {MINUS}160 points in these periods.",
    ]
    assert [chair.points for chair in table.seats] == pytest.approx([-80, -80])


@pytest.mark.parametrize(
    ("amounts", "changes", "total"),
    [
        # production a^1 = 10, synergy 1/2 of the mean 10: 25; trust 0.4 and D = 0.25 add 2.5
        ((10, 10), {"production": "power", "beta": 1, "synergy": 1, "reward": "integrated"}, "55"),
        # 12 and 32; trust 0.2 and 0.7, D = 0.5: 12 + 3.2 = 15.2 and 32 + 4.2 = 36.2
        ((20, 0), {"reward": "cooperative", "dependence": 0.5, "lambda_R": 0}, "51.4"),
    ],
)
def test_the_summary_adds_up_everybodys_earnings(amounts, changes, total):
    lines = summary(play(amounts, **changes), 0)
    assert lines[-1] == f"All players together earned {total} points in these periods."


def test_the_summary_if_effects_are_factors():
    # 12 * 7 / 20 = 4.2 and 32 * 2 / 20 = 3.2
    table = play((20, 0), form="multiplier")
    assert summary(table, 0)[1].startswith("You gained 4.20 points through rewards, in 1 of 1 ")
    assert summary(table, 1)[1].startswith("You lost 3.20 points through sanctions, in 1 of 1 ")
    assert "earned 45 points" in summary(table, 1)[3]  # 16.2 + 28.8


def test_the_summary_averages_trust_over_the_others_and_shows_lists():
    # Three seats, mpcr 0.6. Only seat 1 gives too little: both others trust it with 0.2.
    table = play((12, 0, 7), seats=3, endowment=[20, 30, 40], baseline=[12, 5, 7])
    lines = summary(table, 1)
    assert lines[0] == (
        "You contributed 0 points on average, the others 9.5. Expected: 12 for Player 1, 5 for "
        "Player 2, 7 for Player 3."
    )
    assert lines[1].startswith("You lost 4 points through sanctions, in 1 of 1 ")
    assert lines[2] == "The others' trust in you was 40% at the start and 20% at the end." + MORE
    assert (
        summary(table, 2)[2]
        == "The others' trust in you was 40% at the start and 40% at the end." + MORE
    )


def test_there_is_no_summary_before_the_first_period_is_over():
    game = engine.make("sanctions", **PLAIN)
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options(bots="free_rider"))
    table = Table.open(setup, [0], seed=5, now=0)
    assert summary(table, 0) == []


def test_the_picture_compares_total_earnings_by_hand():
    table = play(*TWO)  # these sums are calculated above
    drawn = guide.picture(table, table.rows, 0)
    assert drawn["points"] == pytest.approx([45, 44])
    assert drawn["given"] == [10, 5]
    # seat 0 gained 7 through seat 1, which lost 2 and 2 through seat 0
    assert drawn["effects"] == {"received": [0, pytest.approx(7)], "given": [0, pytest.approx(-4)]}
    # if everyone gives 10: 10 + 0.6 * 20 = 22 per period. If everyone gives 0: 20, minus 2 and 1 at
    # trust 0.2 and 0.1
    assert drawn["expected"] == pytest.approx(44)
    assert drawn["nothing"] == pytest.approx(37)


def test_the_chart_of_points_shows_the_best_equal_amount_by_hand():
    """If everyone gives 20, each gets 24, and 7 and then 8.5 as rewards, at trust 0.7 and 0.85."""
    table = play(*TWO)
    drawn = guide.picture(table, table.rows, 0)["course"]
    assert drawn["others"]
    assert drawn["best"]["name"] == "Best if everyone had always given the same amount: 20"
    assert drawn["best"]["points"] == pytest.approx([31, 63.5])
    with speaking("de"):  # the same play, in a session in another language
        german = guide.picture(table, table.rows, 0)["course"]
    assert german["best"]["name"].startswith("Am besten, wenn alle ")


@pytest.mark.parametrize("hidden", ["contribution", "reciprocity_effects"])
def test_values_hidden_during_the_play_stay_hidden_at_the_end(hidden):
    table = play(*TWO, layers={"information": {"intensity": 1.0, "hide": [hidden]}})
    drawn = guide.picture(table, table.rows, 1)
    assert drawn["points"] == [None, pytest.approx(44)]
    assert drawn["given"] == [None, 5]
    assert drawn["effects"] is None
    assert not drawn["course"]["others"]
    assert [part["title"] for part in guide.details(table, table.rows, 1)] == ["Period by period"]


def test_the_summary_shows_of_others_what_was_visible():
    hide = {"information": {"intensity": 1.0, "hide": ["contribution"]}}
    lines = summary(play(*TWO, layers=hide), 1)
    assert lines[0] == "You contributed 5 points on average. Expected: 10."
    assert not any("All players together" in line for line in lines)
    hide = {"information": {"intensity": 1.0, "hide": ["trust"]}}
    assert not any("Trust in you" in line for line in summary(play(*TWO, layers=hide), 1))


def test_there_is_no_comparison_if_chance_or_a_role_rules_it_out():
    shaken = {"uncertainty": {"intensity": 1.0, "shocks": {"trust": 0.1}}}
    table = play(*TWO, layers=shaken)
    assert guide.picture(table, table.rows, 0)["expected"] is None
    assert guide.picture(table, table.rows, 0)["course"]["best"] is None
    limited = {"power": {"intensity": 1.0, "limits": {"member": {"contribution": 8.0}}}}
    table = play((8, 0), (0, 8), layers=limited)
    drawn = guide.picture(table, table.rows, 0)
    assert drawn["expected"] is None
    assert drawn["nothing"] == pytest.approx(37)


def test_no_arrows_are_drawn_if_nobody_can_take_or_give():
    table = play(*TWO, lambda_R=0)
    assert guide.picture(table, table.rows, 0)["effects"] is None
