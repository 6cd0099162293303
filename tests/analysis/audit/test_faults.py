"""Planted faults are found, whether the manifest is kept or rebuilt."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, UNKNOWN, audited
from mixed_company.analysis.audit.people import check_unseated
from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.data import Data
from mixed_company.analysis.types import column_of
from mixed_company.table.export import columns
from tests.analysis.audit.faults import (
    contents_of,
    deleted,
    doubled,
    edited,
    other,
    planted,
    swapped,
)
from tests.analysis.audit.tables import exported, play, setup

TABLES = ("decisions", "periods", "pairs", "seats", "events", "outcomes", "config")
SHORT = {
    "commons_game": {"archetype": "governed", "periods": 3},
    "gem_mining": {"archetype": "lab_0_7", "periods": 3, "seats": 2},
    "punishment_vote": {"archetype": "lab", "turns": 4},
    "sanctions": {"archetype": "lab", "periods": 3},
}

LONG = pytest.mark.long
PAGES = {
    f"outcomes.{name}"
    for name in (
        *("consented", "consented_ms", "disclosure", "disclosed_ms", "parameters", "comments"),
        *("hidden_ms", "hidden_times", "idle_ms"),
    )
}
"""Columns that pages fill in outside the play. No other table has them."""

CUT = {"decisions.sent_contribution"}
"""Columns whose sent value can exceed the used value, in which case the used value stays the
same."""


def wrong(path: Path) -> list[str]:
    return [str(problem) for problem in analysis.check(path) if problem.kind not in NOTES]


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """Return a valid export of every game, with two groups each and without times."""
    folder = tmp_path_factory.mktemp("simulated")
    for game, short in SHORT.items():
        options = {"people": ["random"] * 2, "bots": ["random"], "groups": 2, "seed": 3, **short}
        analysis.save(analysis.simulated(game, **options), folder / f"{game}.zip")
        assert wrong(folder / f"{game}.zip") == []
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Return a valid export with times, in which people leave and return."""
    path = tmp_path_factory.mktemp("served") / "export.zip"
    settings = setup(grace_seconds=10.0, decision_seconds=5.0, periods=6, bots="random,greedy")
    analysis.save(exported(settings, [play(settings, 2, number, 0.1) for number in (1, 2)]), path)
    assert wrong(path) == []
    return path


def missed(good: Path, bad: Path, table: str) -> set[str]:
    """Return the columns of a table where a changed value went unnoticed."""
    data = analysis.load(good)
    frame = getattr(data, table)
    columns = [] if frame is None else list(frame.columns)
    if table == "config":  # reading reports a game that cannot be played
        return {
            f"config.{column}"
            for column in columns
            if not wrong(planted(good, bad, table, edited(2, column), remade=True))
        }
    changed = ((column, with_another(good, data, table, column)) for column in columns)
    return {
        f"{table}.{column}"
        for column, altered in changed
        if all(problem.kind in NOTES for problem in audited(altered).problems)
    }


def with_another(good: Path, data: Data, table: str, column: str) -> Data:
    """Return the loaded export with a different value in the middle row of a column."""
    text = contents_of(good)[f"{data.game_id}/{table}.csv"].decode()
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    game = next(iter(data.games.values()))
    kinds = {name: column.type for column in columns(table, game) for name in column.names()}
    texts = [row[header.index(column)] for row in rows]
    before = texts[len(rows) // 2]
    flag = kinds[column] == "flag" and before
    texts[len(rows) // 2] = str(1 - int(before)) if flag else other(before)
    frame = getattr(data, table).assign(**{column: column_of(column, texts, kinds[column])})
    return replace(data, **{table: frame})


OF_GAMES = ("decisions", "periods", "pairs")
"""Tables whose columns differ between games."""
GAMES_AND_TABLES = [
    pytest.param(game, table, marks=() if table in OF_GAMES or game == "sanctions" else LONG)
    for game in SHORT
    for table in TABLES
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "table"), GAMES_AND_TABLES)
def test_every_column_is_checked_or_listed_as_unchecked(simulated, tmp_path, game, table):
    """Test columns without times; `test_points.py` and `test_catalogue.py` cover every column of an
    export with times.
    """
    unknown = missed(simulated / f"{game}.zip", tmp_path / "bad.zip", table) - CUT
    assert unknown <= {"outcomes.label", "outcomes.payment", "outcomes.disconnections"} | PAGES
    assert unknown <= set(UNKNOWN)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("game", "table"), [case for case in GAMES_AND_TABLES if case.values[1] != "outcomes"]
)
def test_missing_duplicate_and_swapped_rows_are_found(simulated, tmp_path, game, table):
    good, bad = simulated / f"{game}.zip", tmp_path / "bad.zip"
    frame = getattr(analysis.load(good), table)
    if frame is None:
        return
    for change in (deleted(1), deleted(len(frame)), doubled(2), swapped(1, 2)):
        assert wrong(planted(good, bad, table, change, remade=True))


def test_changed_rows_of_any_table_are_detected_by_the_sha256(simulated, tmp_path):
    good, bad = simulated / "sanctions.zip", tmp_path / "bad.zip"
    for table in TABLES:
        good = planted(good, bad, table, swapped(1, 2), remade=False)
    problems = wrong(bad)
    for table in TABLES:
        assert f"sanctions/{table}.csv: was changed after it was written" in " ".join(problems)


def test_missing_and_duplicate_outcomes_are_found(simulated, tmp_path):
    good, bad = simulated / "sanctions.zip", tmp_path / "bad.zip"
    for change in (deleted(1), doubled(2)):
        for remade in (False, True):
            assert wrong(planted(good, bad, "outcomes", change, remade=remade))
    assert wrong(planted(good, bad, "outcomes", swapped(1, 2), remade=False))


def test_a_change_that_the_rules_allow_is_detected_by_the_sha256(simulated, tmp_path):
    good, bad = simulated / "sanctions.zip", tmp_path / "bad.zip"
    change = edited(1, "payment", "100.0")
    assert wrong(planted(good, bad, "outcomes", change, remade=True)) == []
    problem, *seals = wrong(planted(good, bad, "outcomes", change, remade=False))
    assert problem.startswith("sanctions/outcomes.csv: was changed after it was written")
    assert seals == [
        "seals.csv: sanctions: group 1 of session simulated was changed after it was sealed"
    ]


# -- messages --------------------------------------------------------------------------------------


def test_missing_duplicate_and_moved_rows_are_reported_by_period_and_seat(simulated, tmp_path):
    good, bad = simulated / "sanctions.zip", tmp_path / "bad.zip"
    whose, moved = " (session simulated, group 1)", "rows out of place"
    planted(good, bad, "decisions", deleted(6), remade=True)
    assert wrong(bad)[:2] == [
        f"sanctions/decisions.csv: missing: period 1; seat 1{whose}",
        "sanctions/decisions.csv: period 1 cannot be replayed: 1 of its decisions are "
        f"missing{whose}",
    ]
    planted(good, bad, "decisions", doubled(6), remade=True)
    assert wrong(bad) == [
        f"sanctions/decisions.csv, line 8: period 1, seat 1: appears twice, first on line 7{whose}"
    ]
    planted(good, bad, "decisions", swapped(2, 6), remade=True)
    assert wrong(bad) == [
        "sanctions/decisions.csv, line 3: period 1, seat 1: is where period 0, seat 1 should be; "
        f"{moved}: 2{whose}"
    ]
    planted(good, bad, "periods", swapped(1, 4), remade=True)
    assert wrong(bad) == [
        "sanctions/periods.csv, line 2: group 2 of session simulated is out of place: groups "
        "should be in the order of config; rows out of order: 2",
        f"sanctions/periods.csv, line 3: period 1: is where period 0 should be; {moved}: 3{whose}",
    ]


def test_an_edited_number_is_reported_with_its_correct_value(simulated, tmp_path):
    good, bad = simulated / "commons_game.zip", tmp_path / "bad.zip"
    [before] = analysis.load(good).periods["after_stock"].tolist()[1:2]
    planted(good, bad, "periods", edited(2, "after_stock", "99.5"), remade=True)
    assert wrong(bad) == [
        f"commons_game/periods.csv, line 3, after_stock: period 1: 99.5 should be {before!r} "
        "(session simulated, group 1)"
    ]
    reward = analysis.load(good).decisions["reward"].tolist()[2]
    planted(good, bad, "decisions", edited(3, "reward", "much"), remade=True)
    assert wrong(bad) == [
        "commons_game/decisions.csv, line 4, reward: 'much' is not a number; read as missing",
        "commons_game/decisions.csv, line 4, reward: period 0, seat 2: nothing should be "
        f"{reward!r} (session simulated, group 1)",
    ]


def test_a_table_that_is_cut_in_the_middle_of_a_row_is_found(simulated, tmp_path):
    def cut(rows):
        del rows[5][3:]
        del rows[6:]

    good, bad = simulated / "gem_mining.zip", tmp_path / "bad.zip"
    for remade in (False, True):
        problems = wrong(planted(good, bad, "decisions", cut, remade=remade))
        assert any("line 6: 3 values for" in problem for problem in problems)
        assert any("missing: period 1; seat 0" in problem for problem in problems)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("key", "value"),
    [("growth_rate", 0.41), ("max_harvest", 3.0), ("seats", 3), ("pool_effect", 0.4)],
)
def test_an_edited_configuration_is_found(simulated, tmp_path, key, value):
    def change(rows):
        index = rows[0].index("config")
        for row in rows[1:]:  # in all groups, so that they agree
            config = json.loads(row[index])
            config["core"][key] = value
            row[index] = json.dumps(config)

    good, bad = simulated / "commons_game.zip", tmp_path / "bad.zip"
    assert wrong(planted(good, bad, "config", change, remade=True))


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("table", "column", "before", "value"),
    [
        ("decisions", "occupant", "person", "policy"),
        ("decisions", "occupant", "policy", "nobody"),
        ("decisions", "decided_by", "person", "default"),
        ("decisions", "decided_by", "person", "absent"),
        ("decisions", "decided_by", "default", "person"),
        ("decisions", "policy_id", "greedy", "random"),
        ("decisions", "participant", "s-1-0", "s-1-2"),
        ("decisions", "session", "s", "t"),
        ("periods", "ended", "", "horizon"),
        ("seats", "occupant", "person", "policy"),
        ("seats", "reason", "dropout", "returned"),
        ("seats", "policy_id", "greedy", "random"),
        ("events", "event", "takeover", "left"),
        ("events", "event", "ending", "collapse"),
        ("outcomes", "participant", "s-1-0", "s-2-9"),
        ("outcomes", "status", "left", "finished"),
        ("outcomes", "seat", "2", "1"),
        ("outcomes", "quiz_attempts", "1", "2"),
        ("config", "session_config", "lab", "other"),
        ("config", "game", "commons_game", "sanctions"),
    ],
)
def test_a_plausible_but_wrong_string_is_found(served, tmp_path, table, column, before, value):
    frame = getattr(analysis.load(served), table)
    row = 1 + frame[column].astype(str).tolist().index(before)
    bad = planted(served, tmp_path / "bad.zip", table, edited(row, column, value), remade=True)
    assert wrong(bad)


def test_an_edited_option_of_pay_is_found(served, tmp_path):
    def change(rows):
        index = rows[0].index("options")
        for row in rows[1:]:
            row[index] = row[index].replace('"pay_cap":0.0', '"pay_cap":1.0')

    problems = wrong(planted(served, tmp_path / "bad.zip", "config", change, remade=True))
    assert any("outcomes.csv" in problem and "paid_points" in problem for problem in problems)


def test_one_edit_does_not_hide_another_group(simulated, tmp_path):
    """If a sent value is changed in group 1, the audit reports it and nothing about group 2."""
    good, bad = simulated / "gem_mining.zip", tmp_path / "bad.zip"
    before = analysis.load(good).decisions["sent_mine"].iloc[0]
    planted(good, bad, "decisions", edited(1, "sent_mine", str(1 - min(before, 1))), remade=True)
    problems = [problem for problem in analysis.check(bad) if problem.kind not in NOTES]
    assert {problem.group for problem in problems} == {1}
    assert str(problems[0]).startswith(
        "gem_mining/decisions.csv, line 2, sent_mine: period 0, seat 0"
    )


@pytest.fixture(scope="module")
def practised(tmp_path_factory):
    """Return a valid export of a session with two practice periods."""
    path = tmp_path_factory.mktemp("practised") / "export.zip"
    settings = setup(periods=6, practice_periods=2, bots="random,greedy")
    analysis.save(exported(settings, [play(settings, 2, 1, 0.1)]), path)
    return path


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("count", "periods", "words"),
    [
        ("2", (0, 1), ()),
        ("1", (0, 1), ()),  # the person left the practice before everyone had decided
        ("2", (0, 0, 1), ()),  # the person chose again
        ("2", (0,), ("periods, but 1 are logged",)),
        ("2", (), ("periods, but 0 are logged",)),
        ("0", (0, 1), ("periods, but 2 are logged",)),
        ("2", (1, 2), ("has a period outside 0 to 1, the practice periods",)),
        (
            "3",
            (0, 1, 2),
            ("should be from 0 to 2, the number of practice periods", "outside 0 to 1"),
        ),
        ("0", None, ("is not a list of practice decisions in JSON",)),
    ],
)
def test_decisions_in_a_practice_must_fit_its_periods(practised, tmp_path, count, periods, words):
    log = [{"at_ms": 5, "period": period, "action": {"harvest": 1.0}} for period in periods or ()]
    text = json.dumps(log) if periods is not None else '[{"period": 0}]'

    def changed(rows):
        edited(1, "practised_periods", count)(rows)
        edited(1, "practice_log", text)(rows)

    problems = wrong(planted(practised, tmp_path / "bad.zip", "outcomes", changed, remade=True))
    assert len(problems) == len(words)
    assert all(word in problem for word, problem in zip(words, problems, strict=True)), problems


@pytest.mark.parametrize(
    ("column", "text", "word"),
    [
        (
            "practice_log",
            '[{"at_ms": 5, "period": 0, "action": {}, "note": 1}]',
            "should have exactly the fields at_ms, period, action",
        ),
        (
            "practice_log",
            '[{"at_ms": 5, "period": 0, "action": "left the room"}]',
            "has an action that is not an object with numbers, or an at_ms that is not a time",
        ),
        (
            "practice_log",
            '[{"at_ms": 5, "period": 0, "action": {"harvest": "left the room"}}]',
            "has an action that is not an object with numbers, or an at_ms that is not a time",
        ),
        (
            "practice_log",
            '[{"at_ms": "yesterday", "period": 0, "action": {"harvest": 1.0}}]',
            "has an action that is not an object with numbers, or an at_ms that is not a time",
        ),
        (
            "practice_log",
            '[{"at_ms": 5, "period": 0, "action": {"tax": 1.0}}]',
            "has an action with fields other than harvest",
        ),
        ("waited_ms", "-1", "-1 should not be negative"),
        ("hidden_ms", "-5000", "-5000 should not be negative"),
        ("idle_ms", "-1", "-1 should not be negative"),
        (
            "managed",
            '[{"at_ms": 5, "what": "sacked", "id": "u1"}]',
            "should only have directives of the kinds release, exclude, message, with times",
        ),
        (
            "managed",
            '[{"at_ms": "yesterday", "what": "message", "id": "u1"}]',
            "should only have directives of the kinds release, exclude, message, with times",
        ),
        ("parameters", '{"PID": "a", "PID": "b"}', "without repeated keys"),
        ("parameters", "[]", "is not a JSON object of parameters"),
    ],
)
def test_fields_that_no_server_writes_are_named(practised, tmp_path, column, text, word):
    def changed(rows):
        edited(1, "practised_periods", "1" if column == "practice_log" else "0")(rows)
        edited(1, column, text)(rows)

    problems = wrong(planted(practised, tmp_path / "bad.zip", "outcomes", changed, remade=True))
    assert len(problems) == 1
    assert word in problems[0]


def test_practice_decisions_of_people_without_a_seat_are_checked_too():
    row = {"row": 4, "group": "", "status": "left", "practised_periods": 2, "practice_log": ""}
    row |= {"quiz_log": "", "quiz_attempts": 0, "managed": "", "participant": "alone"}
    empty = dict.fromkeys(("seat", "seat_points", "disconnections", "bot_share"), "")
    findings = Findings("commons_game")
    check_unseated([row | empty | {"points": 0.0, "paid_points": 0.0, "payment": ""}], findings)
    assert [str(problem) for problem in findings.problems] == [
        "commons_game/outcomes.csv, line 6, practised_periods: 2 periods, but 0 are logged"
    ]
