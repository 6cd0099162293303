"""Reports: every number can be traced to its source, and strings from an export cannot break out of
their cell.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from importlib import import_module

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis import report
from mixed_company.analysis.report import collected, figures, groups
from mixed_company.analysis.report.parts import MINUS, shown
from mixed_company.analysis.statistics.intervals import OF_MEAN
from tests.analysis.report.made import (
    FIRST_GAME,
    NASTY,
    Page,
    of_game,
    played,
    undrawn,
    with_people,
    with_row,
    words,
)


@lru_cache(maxsize=8)
def page(game="commons_game"):
    return Page(of_game(game)["report.html"])


# -- every number can be traced --------------------------------------------------------------------


@pytest.mark.parametrize("game", FIRST_GAME)
def test_every_cell_shows_the_value_in_the_csv_it_names(game):
    tables = {
        name.removeprefix("tables/").removesuffix(".csv"): pd.read_csv(
            io.StringIO(text), keep_default_na=False, na_values=[""]
        )
        for name, text in of_game(game).items()
        if name.endswith(".csv")
    }
    cells = page(game).cells
    assert {"who", "participants", "measures_by_treatment", "tests", "groups", "regressions"} <= {
        csv for csv, *_ in cells
    }
    for csv, row, column, text in cells:
        value = tables[csv][column].iloc[row]
        assert text == shown(value) or text == str(value), (csv, row, column)


@pytest.mark.parametrize("game", FIRST_GAME)
def test_every_table_and_figure_names_an_existing_function_and_a_file(game):
    text = of_game(game)["report.html"]
    functions = set(re.findall(r"(?:Made|Drawn) by <code>([\w.]+)</code>", text))
    assert len(functions) > 10
    for function in functions:
        module, _, name = function.rpartition(".")
        if module.endswith(".Data"):
            module, name = module.removesuffix(".Data"), "Data"
        assert hasattr(import_module(module), name), function
    for name in re.findall(r"<code>((?:tables|figures)/[^<]+)</code>", text):
        assert name in of_game(game)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((0.12345, "0.123"), (12.345, "12.35"), (123.45, "123.5"), (12345.6, "12346")),
        *((7, "7"), (7.0, "7"), (0.00001, "<0.001"), (-0.5, f"{MINUS}0.500")),
        *((float("inf"), "∞"), (True, "yes"), (None, ""), (float("nan"), ""), ("a", "a")),
    ],
)
def test_numbers_are_rounded_as_stated(value, text):
    assert shown(value) == text


def test_intervals_of_means_are_printed_with_the_remark_that_they_can_be_too_narrow():
    """The remark is below the table of means and below each figure of means by period."""
    drawn = [name for name in of_game("commons_game") if re.match(r"figures/period_.*svg", name)]
    assert page().text.count(OF_MEAN) == 1 + len(drawn) > 1


# -- reproducible bytes, and strings that stay in their cells --------------------------------------


@pytest.mark.long
def test_the_same_export_gives_the_same_bytes():
    again = of_game.__wrapped__("gem_mining")
    assert again == of_game("gem_mining")
    printed = [content for content in again.values() if isinstance(content, bytes)]
    assert not any(b"CreationDate" in content for content in printed)


def test_strings_from_an_export_are_text_and_not_markup():
    data = with_people(played(treatment=NASTY, groups=1, periods=2))
    sentences = ["Simulated people: 4 per group, each greedy; no bots.", "They differ <by> a key."]
    manifest = {**data.manifest, "rehearsed": {"people": ["greedy"], "described": sentences}}
    outcomes = with_row(data.outcomes, 0, label=NASTY)
    shown_page = words(replace(data, outcomes=outcomes, manifest=manifest))
    assert NASTY in shown_page.text
    assert " ".join(["played in place of people.", *sentences]) in shown_page.text
    assert f"Replay of Session {NASTY}, group 1" in [
        element.get("data-title") for element in shown_page.all("button")
    ]
    kinds = [element.get("type") for element in shown_page.all("script")]
    # a group's replay and tables, the player, the game, the page itself
    assert kinds == [*["text/plain"] * 4, None]
    assert not any(name.startswith("on") for _, element in shown_page.tags for name in element)
    assert not shown_page.all("img")


@pytest.mark.parametrize("game", FIRST_GAME)
def test_the_page_is_self_contained_and_has_no_duplicate_ids(game):
    shown_page = page(game)
    ids = Counter(element["id"] for _, element in shown_page.tags if element.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    for tag, element in shown_page.tags:
        for name in ("src", "href", "xlink:href", "data"):
            assert element.get(name, "#").startswith(("#", "data:image/png")), (tag, element)
    (policy,) = [element["content"] for element in shown_page.all("meta") if "content" in element][
        1:
    ]
    assert "default-src 'none'" in policy


@pytest.mark.long
def test_of_very_many_groups_none_has_a_section_or_a_line(monkeypatch):
    """With 10,000 groups the page used to have a section and a line for every group."""
    data = played(groups=3, periods=2)
    some = words(data)
    assert (
        len([section for section in some.all("section") if section["id"].startswith("group-")]) == 3
    )
    monkeypatch.setattr(groups, "MOST_GROUPS", 2)
    monkeypatch.setattr(figures, "MOST_DRAWN", 2)
    page = report.html(data)
    assert (
        "With more than 2 groups, replays and measures of individual groups are left out." in page
    )
    assert 'id="group-' not in page
    assert "Circles: groups" not in page
    assert "Thin lines: groups" not in page


def test_every_figure_has_alternative_text_and_files():
    shown_page = page()
    drawn = [element for element in shown_page.all("svg") if element.get("class") == "drawn"]
    assert len(drawn) == sum(name.endswith(".svg") for name in of_game("commons_game"))
    assert all(element["role"] == "img" and element["aria-label"] for element in drawn)
    assert all(
        name.replace(".svg", ".pdf") in of_game("commons_game")
        for name in of_game("commons_game")
        if name.endswith(".svg")
    )


# -- the order of the report -----------------------------------------------------------------------


def test_results_come_first_and_annexes_last():
    shown_page = page()
    ids = [
        element["id"]
        for tag, element in shown_page.tags
        if tag in ("section", "h2") and element.get("id")
    ]
    assert ids[0] == "measures"
    assert ids.index("quality") < ids.index("annexes") < ids.index("export") < ids.index("codebook")
    assert ids[-1].startswith("group-")


def test_simulated_people_are_announced_in_large_letters():
    assert "Simulated: policies played in place of people." in page().text


def test_nobody_is_excluded_and_the_report_says_so():
    shown_page = page()
    assert "Nobody is excluded" in shown_page.text
    listed = [text for csv, _, column, text in shown_page.cells if (csv, column) == _PEOPLE]
    assert listed.count("gone") == 2  # identity columns, and the inputs of the flags
    assert len(listed) == 2 * 9


_PEOPLE = ("participants", "participant")


# -- the command -----------------------------------------------------------------------------------


def test_the_command_writes_the_tables_and_draws_a_group_if_asked_for(tmp_path, capsys):
    export, folder = tmp_path / "export.zip", tmp_path / "found"
    analysis.save(played(groups=1, periods=2), export)
    with undrawn():
        assert main(["report", str(export), "--output", str(folder), "--group-figures"]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{folder / 'report.html'}\n"
    assert "Audit:" in printed.err  # progress bars
    assert "Groups:" in printed.err
    figures = {file.name for file in (folder / "figures").iterdir()}
    assert {name.replace(".svg", ".pdf") for name in figures if name.endswith(".svg")} == {
        name for name in figures if name.endswith(".pdf")
    }
    drawn = {"group_0_open_1.svg", "group_0_open_1.pdf"}
    assert {name for name in figures if name.startswith("group_")} == drawn
    assert not [name for name in of_game("commons_game") if name.startswith("figures/group_")]
    data, tables = analysis.load(export), folder / "tables"
    names = {f"tables/{file.name}" for file in tables.iterdir()}
    assert names == {name for name in of_game("commons_game") if name.startswith("tables/")}
    frames = {"files": collected.files(data), "export": collected.export(data)}
    for name, frame in frames.items():
        text = (tables / f"{name}.csv").read_text("utf-8")
        assert frame.to_csv(index=False, lineterminator="\n") == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--threshold", "quizz=2"], "unknown threshold 'quizz'"),
        (["--measures", "ginni"], "unknown measure 'ginni'"),
        (["--game", "commons"], "game = 'commons'"),
    ],
)
def test_impossible_requests_are_named_and_nothing_is_written(tmp_path, capsys, arguments, message):
    export, folder = tmp_path / "export.zip", tmp_path / "found"
    analysis.save(played(groups=1, periods=1), export)
    assert main(["report", str(export), "--output", str(folder), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not folder.exists()
