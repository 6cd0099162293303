"""The payoffs in the table appear beside the engine's points."""

from __future__ import annotations

from tests.analysis.importing.tables import MAP, TABLE, done

WITH = MAP.replace('person = "person"', 'person = "person"\npayoff = "profit"')


def test_payoffs_that_match(tmp_path):
    payoffs = done(tmp_path, TABLE, WITH).payoffs
    assert payoffs is not None
    assert [*payoffs.words] == ["payoffs: all 4 match the points that the engine computes"]


def test_a_wrong_configuration_is_noticed_with_the_first_rows(tmp_path):
    payoffs = done(tmp_path, TABLE, WITH.replace("0.75", "0.8")).payoffs
    assert payoffs is not None
    first, second = [*payoffs.words][:2]
    assert first == "payoffs: 4 of 4 differ from the points that the engine computes"
    # 20 - 20 + 0.8 * 20 = 16
    assert second == (
        "line 2: group '1' of session 'session': columns.payoff = 15, but the engine computes 16 "
        "points"
    )


def test_rounded_payoffs_match(tmp_path):
    table = TABLE.replace("32.5", "32").replace("22.5", "23")  # at most half a point off
    payoffs = done(tmp_path, table, WITH).payoffs
    assert payoffs is not None
    assert payoffs.counts == {"compared": 4, "differing": 0}


def test_another_unit_is_named_with_its_scale_and_offset(tmp_path):
    # 2 * points + 10: 40, 80, 75, 55; so points = 0.5 * payoff - 5
    table = TABLE.replace(",15\n", ",40\n").replace(",35\n", ",80\n")
    table = table.replace("32.5", "75").replace("22.5", "55")
    payoffs = done(tmp_path, table, WITH).payoffs
    assert payoffs is not None
    assert [*payoffs.words][-1].endswith("set columns.payoff scale = 0.5, offset = -5")
    named = '{ column = "profit", scale = 0.5, offset = -5 }'
    again = done(tmp_path, table, WITH.replace('"profit"', named)).payoffs
    assert again is not None
    assert again.differing == 0
