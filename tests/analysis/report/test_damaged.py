"""Damaged exports: the report names every fault and its location, and covers the rest."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mixed_company import engine
from mixed_company.analysis import report
from mixed_company.analysis.data import Problem
from mixed_company.analysis.kept import kept, left_out
from mixed_company.analysis.report import collected, results
from mixed_company.analysis.report.contents import Table
from tests.analysis.report.made import Page, played, short, undrawn, with_row, words


@pytest.mark.long
def test_good_tables_are_reported_without_differences():
    text = words(played(groups=1, periods=2)).text
    assert re.search(r"[1-9]\d* numbers compared; everything matches", text)


@pytest.mark.long
def test_the_head_shows_twenty_differences_and_the_table_all():
    data = played(groups=1, periods=6)
    wrong = data.decisions.assign(reward=data.decisions["reward"] + 1)
    with undrawn():
        files = report.files(replace(data, decisions=wrong))
    problems = pd.read_csv(io.StringIO(files["tables/problems.csv"]))
    assert len(problems) > 20
    cells = Page(files["report.html"]).cells
    assert sum(cell[0] == "problems" and cell[2] == "what" for cell in cells) == 20 + len(problems)


def test_a_group_that_never_started_and_an_edited_number_are_named_and_the_rest_analysed():
    data = played(periods=1)
    started = {
        name: frame[frame["group"] != 2].reset_index(drop=True)
        for name in ("decisions", "periods", "events")
        if (frame := getattr(data, name)) is not None
    }
    wrong = with_row(started["decisions"], 3, reward=data.decisions["reward"][3] + 1)
    page = words(replace(data, **{**started, "decisions": wrong}))
    assert "everything matches" not in page.text
    assert "numbers compared" in page.text
    assert "The first problems" in page.text
    assert "commons_game/decisions.csv, line 5, reward" in page.text
    assert "All groups have the same treatment, so nothing is compared or tested" in page.text
    assert "tests" not in {csv for csv, *_ in page.cells}
    assert "No period was played." in page.text
    assert "it never started: no period was played" in page.text
    assert [button["data-replay"] for button in page.all("button")] == ["group-0-data"]


def test_a_group_without_a_configuration_is_left_out():
    data = played(periods=2)
    lost = replace(data, config=data.config.iloc[:1])
    assert "not in the table config" in left_out(lost)["why"][0]


def test_a_group_with_a_damaged_configuration_is_left_out():
    data = played(periods=1)
    problem = Problem("unplayable", "its configuration is damaged", "", "open", 2)
    damaged = replace(data, config=with_row(data.config, 1, config="{"), problems=(problem,))
    why = "its configuration does not describe a playable game"
    assert left_out(damaged).to_dict("records") == [{"session": "open", "group": 2, "why": why}]
    assert kept(damaged).groups["group"].tolist() == [1]


DAMAGED = ("{", "", "[1]", "5", '{"core": 5}', '{"identity": []}')
COLUMNS = ("config", "options", "software")


@pytest.mark.long
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("damaged", DAMAGED)
def test_a_damaged_cell_of_the_configuration_does_not_stop_the_report(column, damaged):
    data = played(groups=2, periods=1)
    config = with_row(data.config, 1, **{column: damaged})
    problem = Problem("unplayable", "its configuration is damaged", "", "open", 2)
    problems = (problem,) if column == "config" else ()
    with undrawn():
        files = report.tables(replace(data, config=config, problems=problems))
    assert files["groups"]["group"].tolist() == ([1] if column == "config" else [1, 2])
    why = "its configuration does not describe a playable game"
    assert files["left_out"].to_dict("records") == [
        {"session": "open", "group": 2, "why": why} for _ in problems
    ]
    assert len(files["problems"]) > 0
    assert len(files["participants"]) == 4


def test_the_rest_is_reported_if_tables_are_missing_and_cells_damaged():
    data = played(groups=1, periods=1)
    data = replace(data, config=with_row(data.config, 0, options="5", software="[1]"))
    empty = {name: getattr(data, name).iloc[:0] for name in ("outcomes", "seats", "events")}
    page = words(replace(data, **empty, unread=tuple(empty)))
    assert "Measures of its seats" in page.text


@pytest.mark.long
@pytest.mark.parametrize("game", engine.game_ids())
def test_one_group_and_one_period_are_enough(game):
    text = words(played(game, groups=1, **short(game, 1))).text
    assert "numbers compared" in text


@pytest.mark.long
def test_periods_are_numbered_as_people_saw_them():
    data = played(groups=1, periods=3)
    files = report.tables(data)
    for name in ("series", "group_series", "measures_periods"):
        assert sorted(set(files[name]["period"])) == [1, 2, 3], name
    assert files["occupancy"]["since_period"].tolist() == [1] * 4
    assert data.decisions["period"].min() == 0
    lacking = report.tables(replace(data, decisions=data.decisions.iloc[:-1]))["problems"]
    assert any("period 3" in place for place in lacking["what"])
    assert not any("period 2" in place for place in lacking["what"])


def test_pairs_of_treatments_without_an_effect_are_shown():
    """No pair has an effect, for example because each treatment has a single group."""
    columns = [*results._LINE, "measure", "first", "second", "effect_name", "statistic", "notes"]
    frame = pd.DataFrame(np.nan, index=[0, 1], columns=list(dict.fromkeys(columns)))
    shown = results._compact(Table("pairs", "Pairs of treatments", frame, "a.function", "Note."))
    assert shown.note == "Note. An effect is the second treatment minus the first."


@pytest.mark.parametrize("entry", [None, 7, "rows", [1]])
def test_a_manifest_entry_of_a_table_that_is_not_an_object_has_no_values(entry):
    data = replace(played(periods=1), manifest={"tables": {"participants.csv": entry}})
    [row] = collected.files(data).to_dict("records")
    assert row == {"file": "participants.csv", "rows": None, "sha256": None}
