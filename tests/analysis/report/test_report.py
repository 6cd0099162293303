"""The report: every number in it can be traced, nothing of an export gets out of its place."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from importlib import import_module

import pandas as pd
import pytest

import analysis
import engine
from analysis import report
from analysis.data import Problem
from analysis.report.parts import MINUS, shown
from engine.contract.errors import UnknownName
from mixed.__main__ import main
from tests.analysis.report.made import (
    NASTY,
    Page,
    both,
    of_game,
    of_one_treatment,
    of_two_treatments,
    played,
    short,
    two_treatments,
    undrawn,
    with_people,
    with_row,
    words,
)


@lru_cache(maxsize=8)
def page(game="commons_game"):
    return Page(of_game(game)["report.html"])


def named(data):
    return words(data).text


# -- every number can be traced --------------------------------------------------------------------


@pytest.mark.parametrize("game", engine.game_ids())
def test_every_cell_shows_what_stands_in_the_csv_it_names(game):
    tables = {
        name.removeprefix("tables/").removesuffix(".csv"): pd.read_csv(
            io.StringIO(text), keep_default_na=False, na_values=[""]
        )
        for name, text in of_game(game).items()
        if name.endswith(".csv")
    }
    cells = page(game).cells
    assert {"who", "participants", "measures_by_treatment", "tests", "groups"} <= {
        csv for csv, *_ in cells
    }
    for csv, row, column, text in cells:
        value = tables[csv][column].iloc[row]
        assert text == shown(value) or text == str(value), (csv, row, column)


@pytest.mark.parametrize("game", engine.game_ids())
def test_every_table_and_figure_names_a_function_that_there_is_and_a_file(game):
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


def test_the_tables_of_a_pandas_user_are_the_csv_files():
    data = played(groups=1, periods=2)
    with undrawn():
        made = report.files(data)
    frames = report.tables(data)
    assert {f"tables/{name}.csv" for name in frames} == {
        name for name in made if name.startswith("tables/")
    }
    for name, frame in frames.items():
        assert frame.to_csv(index=False, lineterminator="\n") == made[f"tables/{name}.csv"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((0.12345, "0.123"), (12.345, "12.35"), (123.45, "123.5"), (12345.6, "12346")),
        *((7, "7"), (7.0, "7"), (0.00001, "<0.001"), (-0.5, f"{MINUS}0.500")),
        *((float("inf"), "∞"), (True, "yes"), (None, ""), (float("nan"), ""), ("a", "a")),
    ],
)
def test_numbers_are_rounded_as_told(value, text):
    assert shown(value) == text


# -- the same bytes, and nothing out of its place --------------------------------------------------


def test_the_same_export_gives_the_same_bytes():
    again = of_game.__wrapped__("gem_mining")
    assert again == of_game("gem_mining")
    printed = [content for content in again.values() if isinstance(content, bytes)]
    assert not any(b"CreationDate" in content for content in printed)


def test_what_comes_from_an_export_is_text_and_no_markup():
    data = with_people(played(treatment=NASTY, groups=1, periods=2))
    data = replace(data, outcomes=with_row(data.outcomes, 0, label=NASTY))
    found = words(data)
    assert NASTY in found.text
    assert f"Replay of Session {NASTY}, group 1" in [
        each.get("data-title") for each in found.all("button")
    ]
    kinds = [each.get("type") for each in found.all("script")]
    assert kinds == ["text/plain", "text/plain", None]  # a group, the player, the page's own
    assert not any(name.startswith("on") for _, each in found.tags for name in each)
    assert not found.all("img")


@pytest.mark.parametrize("game", engine.game_ids())
def test_the_page_needs_nothing_else_and_no_id_is_there_twice(game):
    found = page(game)
    ids = Counter(each["id"] for _, each in found.tags if each.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    for tag, each in found.tags:
        for name in ("src", "href", "xlink:href", "data"):
            assert each.get(name, "#").startswith(("#", "data:image/png")), (tag, each)
    (policy,) = [each["content"] for each in found.all("meta") if "content" in each][1:]
    assert "default-src 'none'" in policy


def test_every_figure_has_a_text_instead_and_its_files():
    found = page()
    drawn = [each for each in found.all("svg") if each.get("class") == "drawn"]
    assert len(drawn) == sum(name.endswith(".svg") for name in of_game("commons_game"))
    assert all(each["role"] == "img" and each["aria-label"] for each in drawn)
    assert all(
        name.replace(".svg", ".pdf") in of_game("commons_game")
        for name in of_game("commons_game")
        if name.endswith(".svg")
    )


# -- what it says ----------------------------------------------------------------------------------


def test_simulated_people_are_told_in_large_letters():
    assert "Simulated: policies in people's places." in page().text


def test_good_tables_are_told_to_have_no_difference():
    told = named(played(groups=1, periods=2))
    assert re.search(r"numbers compared: [1-9]\d*; no difference", told)


def test_an_edited_number_is_shown_with_its_place():
    data = played(groups=1, periods=2)
    wrong = with_row(data.decisions, 3, reward=data.decisions["reward"][3] + 1)
    told = named(replace(data, decisions=wrong))
    assert "no difference" not in told
    assert "The first problems" in told
    assert "commons_game/decisions.csv, line 5, reward" in told


def test_of_many_differences_the_first_twenty_stand_at_the_head_and_all_in_the_table():
    data = played(groups=1, periods=10)
    wrong = data.decisions.assign(reward=data.decisions["reward"] + 1)
    with undrawn():
        made = report.files(replace(data, decisions=wrong))
    problems = pd.read_csv(io.StringIO(made["tables/problems.csv"]))
    assert len(problems) > 20
    cells = Page(made["report.html"]).cells
    assert sum(cell[0] == "problems" and cell[2] == "what" for cell in cells) == 20 + len(problems)


def test_nobody_is_excluded_and_the_report_says_so():
    found = page()
    assert "Nobody is excluded" in found.text
    listed = [text for csv, _, column, text in found.cells if (csv, column) == _PEOPLE]
    assert listed.count("gone") == 2  # who it is, and what the flags look at
    assert len(listed) == 2 * 9


_PEOPLE = ("participants", "participant")


def test_one_treatment_has_no_tests_and_the_report_says_so():
    _, found = of_one_treatment()
    assert "of one treatment: there is nothing to compare, and no test is made" in found.text
    assert "tests" not in {csv for csv, *_ in found.cells}


def test_a_group_that_never_started_is_named_and_the_rest_analysed():
    data = played(periods=2)
    started = {
        name: frame[frame["group"] != 2].reset_index(drop=True)
        for name in ("decisions", "periods", "events")
        if (frame := getattr(data, name)) is not None
    }
    found = words(replace(data, **started))
    assert "No period was played." in found.text
    assert "it never started: no period was played" in found.text
    assert [each["data-replay"] for each in found.all("button")] == ["group-0-data"]


def test_a_group_that_cannot_be_played_is_named_and_the_rest_analysed():
    data = played(periods=2)
    problem = Problem("unplayable", "its configuration is damaged", "", "open", 2)
    made = report.tables(replace(data, problems=(problem,)))
    assert made["left_out"].to_dict("records") == [
        {
            "session": "open",
            "group": 2,
            "why": "its configuration describes no game that can be played",
        }
    ]
    assert made["groups"]["group"].tolist() == [1]
    assert len(made["participants"]) == 4
    lost = replace(data, config=data.config.iloc[:1])
    assert "not in the table config" in report.tables(lost)["left_out"]["why"][0]


@pytest.mark.parametrize("column", ["config", "options", "software"])
@pytest.mark.parametrize("damaged", ["{", "", "[1]", "5", '{"core": 5}', '{"identity": []}'])
def test_a_damaged_cell_of_the_configuration_does_not_stop_the_report(column, damaged):
    data = played(groups=2, periods=1)
    config = with_row(data.config, 1, **{column: damaged})
    problem = Problem("unplayable", "its configuration is damaged", "", "open", 2)
    problems = (problem,) if column == "config" else ()
    made = report.tables(replace(data, config=config, problems=problems))
    assert made["groups"]["group"].tolist() == ([1] if column == "config" else [1, 2])
    assert len(made["problems"]) > 0
    assert len(made["participants"]) == 4


def test_tables_that_are_missing_leave_the_rest_to_be_reported():
    data = played(groups=1, periods=2)
    empty = {name: getattr(data, name).iloc[:0] for name in ("outcomes", "seats", "events")}
    found = words(replace(data, **empty, unread=tuple(empty)))
    assert "Measures of its seats" in found.text


def test_one_group_and_one_period_are_enough():
    for game in engine.game_ids():
        told = named(played(game, groups=1, **short(game, 1)))
        assert "numbers compared" in told


def test_a_treatment_looks_the_same_in_every_figure():
    """Its place is that of the export, wherever its name or its session comes by the alphabet."""
    data = analysis.joined(played(treatment="zeta"), played(treatment="alpha", seed=2))
    made = report.files(data)
    for name in ("figures/groups_harvest.svg", "figures/period_harvest.svg"):
        assert 0 < made[name].index("zeta") < made[name].index("alpha"), name


def test_measures_to_be_compared_first_can_be_chosen():
    data = two_treatments(periods=2)
    tests = report.tables(data, main=["gini"])["tests"]
    assert tests.loc[tests["family"] == "main", "measure"].tolist() == ["gini"]
    with pytest.raises(UnknownName, match=r"measure 'ginni': there is none.*gini"):
        report.tables(data, main=["ginni"])


def four_groups(**changes):
    """Two treatments of two groups of people alone, so that people's measures are the groups'."""
    return report.tables(two_treatments(**{"people": ["random"] * 4, "periods": 5, **changes}))


def test_constants_counts_and_repetitions_are_shown_with_means_but_not_tested():
    made = four_groups(game="sanctions")
    tests = made["tests"].set_index(["family", "measure"])
    why = {
        ("group", "bot_share"): "not tested: it is the same everywhere",
        ("group", "cooperation"): "not tested: it repeats contribution on another scale",
        ("group", "people_cooperation"): "not tested: it repeats contribution on another scale",
        ("group", "mean_points"): "not tested: it repeats points_per_period on another scale",
        ("person", "decided"): "not tested: it is a count",
        ("person", "conditional_p"): "not tested: it describes the line",
    }
    means = made["measures_by_treatment"].set_index(["family", "measure"])
    for key, told in why.items():
        assert tests.loc[key, "notes"] == told
        assert pd.isna(tests.loc[key, "p_corrected"])
    assert means.loc[[*why][:4], "mean"].notna().all()
    main = tests.loc["main"].dropna(subset=["p"])
    smallest = main["p"].min()
    assert main["p_corrected"].min() == pytest.approx(min(1, len(main) * smallest))


def test_what_would_repeat_is_tested_where_it_does_not():
    # With policies beside them people do not earn what the group does.
    tests = report.tables(two_treatments("sanctions", periods=3))["tests"]
    tests = tests.set_index(["family", "measure"])
    assert pd.notna(tests.loc[("group", "people_points"), "p"])


def test_what_all_tests_of_a_table_have_in_common_stands_above_them():
    tables, shown_page = of_two_treatments()
    tests = tables["tests"]
    tested = tests[tests["p"].notna()]
    assert set(tested["effect_name"]) == {"Hodges-Lehmann shift (other - open)"}
    assert "Effect: Hodges-Lehmann shift (other - open). Test: Mann-Whitney" in shown_page.text
    assert not any(cell[2] == "effect_name" for cell in shown_page.cells[:50])


def test_tests_that_nothing_could_make_significant_are_announced():
    """Two against two have p = 1 / 3 at the least."""
    told = of_two_treatments()[1].text
    assert "No values could make any of these tests significant after the correction" in told


def test_where_treatments_differ_in_bots_people_come_first():
    """The same people beside a bot that takes all and one that takes little: a group's mean is that
    of its bot as well."""
    given = {"people": ["fixed:harvest=2"] * 3, "periods": 2}
    data = analysis.joined(
        played(**given, bots=["fixed:harvest=9"]),
        played(**given, bots=["fixed:harvest=1"], treatment="other", seed=2),
    )
    tables, shown_page = both(data)
    means = tables["measures_by_treatment"].query("family == 'main' and measure == 'harvest'")
    assert means["level"].tolist() == ["person"] * 2
    assert means["mean"].tolist() == [2, 2]
    of_groups = tables["measures_by_treatment"].query("family == 'group' and measure == 'harvest'")
    assert of_groups["mean"].tolist() == [(3 * 2 + 9) / 4, (3 * 2 + 1) / 4]
    assert "Treatments differ in the bots that sit in their groups" in shown_page.text
    chosen = report.tables(data, main=["harvest"])["measures_by_treatment"]
    assert chosen.query("family == 'main'")["level"].unique().tolist() == ["group"]
    same = of_two_treatments()[0]["measures_by_treatment"]
    assert same.query("family == 'main'")["level"].unique().tolist() == ["group"]


def test_three_treatments_are_compared_two_by_two_and_for_a_trend():
    names = ("low", "middle", "high")
    data = analysis.joined(
        *(played(treatment=name, periods=3, seed=seed) for seed, name in enumerate(names))
    )
    tables, shown_page = both(data)
    pairs = tables["pairs"].query("measure == 'harvest'")
    assert pairs[["first", "second"]].to_numpy().tolist() == [
        ["low", "middle"],
        ["low", "high"],
        ["middle", "high"],
    ]
    assert pairs["effect_name"].tolist() == [
        f"Hodges-Lehmann shift ({two})" for two in ("middle - low", "high - low", "high - middle")
    ]
    trend = tables["trends"].query("measure == 'harvest'").iloc[0]
    assert trend["effect_name"] == "probability of superiority (high over middle over low)"
    tests = tables["tests"]
    assert tests.loc[tests["effect_name"] == "epsilon squared", "low"].isna().all()
    assert "Every two treatments" in shown_page.text
    assert "Trends" in shown_page.text
    assert of_two_treatments()[0]["pairs"].empty


def test_treatments_that_had_one_session_each_are_told():
    tables, shown_page = of_two_treatments()
    table = tables["sessions"]
    assert table[["treatment", "session", "groups"]].to_numpy().tolist() == [
        ["open", "open", 2],
        ["other", "other", 2],
    ]
    assert "One session only: open; other." in shown_page.text
    assert "One session only" not in of_one_treatment()[1].text


# -- in which order it says it ---------------------------------------------------------------------


def test_results_come_first_and_annexes_last():
    found = page()
    ids = [each["id"] for tag, each in found.tags if tag in ("section", "h2") and each.get("id")]
    assert ids[0] == "measures"
    assert ids.index("quality") < ids.index("annexes") < ids.index("export") < ids.index("codebook")
    assert ids[-1].startswith("group-")


def test_the_first_screen_has_the_question_the_main_measure_with_its_test_and_one_figure():
    tables, found = of_two_treatments()
    tags = [tag for tag, _ in found.tags]
    head = Page("")
    head.tags = found.tags[: tags.index("nav")]
    assert "What is compared: efficiency between open and other." in found.text
    first = [column for csv, row, column, _ in found.cells[:40] if (csv, row) == ("tests", 0)]
    shown_first = {"mean open", "mean other", "effect", "low", "high", "standardised", "p"}
    assert {*shown_first, "p_corrected"} - {*first} <= {
        "low",
        "high",
    }  # of two groups there is none
    treated = [cell for cell in found.cells[:20] if cell[0] == "treatments"]
    assert [cell[3] for cell in treated if cell[2] == "groups"] == ["2", "2"]
    assert sum(each.get("class") == "drawn" for each in head.all("svg")) == 1
    assert tables["tests"]["measure"][0] == "efficiency"


def test_periods_are_counted_as_people_saw_them():
    data = played(groups=1, periods=3)
    made = report.tables(data)
    for name in ("series", "group_series", "measures_periods"):
        assert sorted(set(made[name]["period"])) == [1, 2, 3], name
    assert made["occupancy"]["since_period"].tolist() == [1] * 4
    assert data.decisions["period"].min() == 0
    lacking = report.tables(replace(data, decisions=data.decisions.iloc[:-1]))["problems"]
    assert any("period 3" in what for what in lacking["what"])
    assert not any("period 2" in what for what in lacking["what"])


# -- the command -----------------------------------------------------------------------------------


def test_the_command_writes_the_folder(tmp_path, capsys):
    export, folder = tmp_path / "export.zip", tmp_path / "found"
    analysis.save(played(groups=1, periods=2), export)
    assert main(["report", str(export), "--output", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder / 'report.html'}\n"
    assert (folder / "tables" / "participants.csv").is_file()
    assert len(list((folder / "figures").glob("*.svg"))) == len(
        list((folder / "figures").glob("*.pdf"))
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--threshold", "quizz=2"], "threshold 'quizz': there is none"),
        (["--measures", "ginni"], "measure 'ginni': there is none"),
        (["--game", "commons"], "game = 'commons'"),
    ],
)
def test_what_the_command_cannot_do_is_named_and_nothing_is_written(
    tmp_path, capsys, arguments, told
):
    export, folder = tmp_path / "export.zip", tmp_path / "found"
    analysis.save(played(groups=1, periods=1), export)
    assert main(["report", str(export), "--output", str(folder), *arguments]) == 2
    assert told in capsys.readouterr().err
    assert not folder.exists()
