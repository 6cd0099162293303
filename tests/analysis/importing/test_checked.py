"""Changes to imported exports that `mixed check` finds."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, UNKNOWN, audited
from mixed_company.analysis.audit.wording import sentences
from tests.analysis.audit.faults import contents_of
from tests.analysis.audit.planting import Manifest, Tables, packed, tables_of
from tests.analysis.audit.rehearsed import EXPORT
from tests.analysis.importing.tables import MAP, STRANGERS, STRANGERS_MAP, TABLE, done

# beliefs about the other person's contribution, who gives 0, 20, 20 and 10
BELIEFS = "".join(
    f"{line},{belief}\n"
    for line, belief in zip(TABLE.splitlines(), ("belief", 10, 20, 15, 10), strict=True)
)
BELIEFS_MAP = MAP.replace(
    'person = "person"', 'person = "person"\npayoff = "profit"\nbelief = "belief"'
)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    analysis.save(done(folder, BELIEFS, BELIEFS_MAP).data, folder / "good.zip")
    return folder / "good.zip"


def found(good: Path, bad: Path, change: Callable[[Tables, Manifest], None]) -> list[str]:
    """Return the faults found in an imported export after a change, with all digests recomputed."""
    files = contents_of(good)
    manifest = json.loads(files["manifest.json"])
    tables = tables_of(files, manifest)
    change(tables, manifest)
    packed(bad, files, tables, manifest)
    return [str(problem) for problem in analysis.check(bad) if problem.kind not in NOTES]


def cells(table: str, **values: str) -> Callable[[Tables, Manifest], None]:
    """Return a change to all values in some columns; a value `=column` copies that column."""

    def change(tables: Tables, _manifest: Manifest) -> None:
        header, *rows = tables[table]
        for row in rows:
            for column, value in values.items():
                copied = row[header.index(value[1:])] if value.startswith("=") else value
                row[header.index(column)] = copied

    return change


def test_the_example_passes(good, tmp_path):
    assert found(good, tmp_path / "same.zip", lambda tables, manifest: None) == []


def test_truth_and_error_of_beliefs_follow_from_the_actions(good, tmp_path):
    change = cells("answers", truth="=number", error="0.0")
    first, *rest = found(good, tmp_path / "bad.zip", change)
    # a expects 10 in the first period, and b gives 0
    assert first == (
        "sanctions/answers.csv, line 2, truth: a, belief: 10.0 should be 0.0 "
        "(session session, group 1)"
    )
    assert len(rest) == 3  # also the error, and a's belief in the second period; b is right


def test_an_answer_as_text_is_its_number(good, tmp_path):
    faults = found(good, tmp_path / "bad.zip", cells("answers", value="0.0"))
    assert len(faults) == 4
    assert "value: a, belief: 0.0 should be 10 " in faults[0]


def test_a_belief_of_another_period_or_person_is_found(good, tmp_path):
    faults = found(good, tmp_path / "bad.zip", cells("answers", period="0", participant="a"))
    assert any("belief 'belief'" in fault or "was not asked here" in fault for fault in faults)
    assert any("participant" in fault for fault in faults)
    assert any("missing: period 1, seat 0: belief" in fault for fault in faults)


@pytest.mark.parametrize(
    "counts",
    [
        {"compared": 12000, "differing": -3},
        {"compared": 5, "differing": 0},
        {"compared": 3, "differing": 4},
        {"compared": -1, "differing": -1},
    ],
)
def test_counts_of_payoffs_are_possible(good, tmp_path, counts):
    def change(_tables: Tables, manifest: Manifest) -> None:
        manifest["imported"]["payoffs"] = counts

    assert found(good, tmp_path / "bad.zip", change) == [
        f"manifest.json: imported.payoffs: {counts['differing']} of {counts['compared']} payoffs "
        "differ: should be from 0 to 4, the number of decisions"
    ]


def test_payoffs_of_an_import_that_was_not_saved_pass(tmp_path):
    assert audited(done(tmp_path, BELIEFS, BELIEFS_MAP).data).problems == ()


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("config", "rule", "majority"),
        ("config", "participation_fee", "5.0"),
        ("answers", "answered_ms", "5"),
        ("events", "wall_ms", "5"),
        ("outcomes", "disclosure", "Two of you are bots."),
        ("outcomes", "comments", "I cheated"),
        ("outcomes", "label", "x"),
    ],
)
def test_pages_and_votes_are_not_imported(good, tmp_path, table, column, value):
    faults = found(good, tmp_path / "bad.zip", cells(table, **{column: value}))
    assert any(
        fault.startswith(f"sanctions/{table}.csv, line 2, {column}: ")
        and f"{value} should be nothing" in fault
        for fault in faults
    )


def test_a_treatment_without_groups_is_found(good, tmp_path):
    def change(_tables: Tables, manifest: Manifest) -> None:
        manifest["sessions"]["session"]["imported"]["treatments"].append("control")

    assert found(good, tmp_path / "bad.zip", change) == [
        "manifest.json: sessions: session: imported: treatments: control: no group played it"
    ]


def test_missing_treatments_are_a_fault_in_words(good, tmp_path):
    def change(_tables: Tables, manifest: Manifest) -> None:
        del manifest["sessions"]["session"]["imported"]["treatments"]

    faults = found(good, tmp_path / "bad.zip", change)
    assert [fault.partition(": ")[2] for fault in faults] == [
        "session session, group 1: imported is not a treatment of the imported table"
    ]


PLACES = MAP.replace(
    "[columns]",
    "[treatments.Bonn]\nchanges = {}\n"
    '[treatments.Athens]\nchanges = {}\n[columns]\ntreatment = "place"',
)
BONN_AND_ATHENS = """group,period,person,give,place
1,1,a,20,Bonn
1,1,b,0,Bonn
2,1,c,10,Athens
2,1,d,20,Athens
"""


def test_treatments_and_decisions_of_an_imported_group_cannot_be_checked(tmp_path):
    """Only the imported table says which treatment a group played, and how its people decided."""
    data = done(tmp_path, BONN_AND_ATHENS, PLACES).data
    analysis.save(data, tmp_path / "good.zip")
    others = BONN_AND_ATHENS.replace("20,Bonn", "15,Bonn")
    analysis.save(done(tmp_path, others, PLACES).data, tmp_path / "other.zip")

    def exchange(tables: Tables, _manifest: Manifest) -> None:
        for header, *rows in (rows for rows in tables.values() if "treatment" in rows[0]):
            place = header.index("treatment")
            for row in rows:
                row[place] = {"Bonn": "Athens", "Athens": "Bonn"}[row[place]]

    def play_otherwise(_tables: Tables, manifest: Manifest) -> None:
        manifest["imported"] = data.manifest["imported"]

    assert found(tmp_path / "good.zip", tmp_path / "bad.zip", exchange) == []
    assert found(tmp_path / "other.zip", tmp_path / "bad.zip", play_otherwise) == []
    assert "imported: treatments and decisions" in UNKNOWN
    limit = "whether the treatments, the decisions and the table's map are right was not checked."
    assert sentences([audited(data)])[1].endswith(limit)


def sessions(*plays: list[list[Any]]) -> str:
    """Return a table with one session for each play of a group of two."""
    rows = [
        f"s{number},1,{period},{person}{number},{amount}"
        for number, play in enumerate(plays)
        for period, amounts in enumerate(play)
        for person, amount in zip("ab", amounts, strict=True)
    ]
    return "\n".join(("session,group,period,person,give", *rows, ""))


SESSIONS = MAP.replace('group = "group"', 'session = "session"\ngroup = "group"')


def test_a_copied_session_is_found(tmp_path):
    draws = random.Random(1)
    play = [[draws.choice((0, 5, 10, 20)) for _ in "ab"] for _ in range(20)]
    other = [[20 - amount for amount in amounts] for amounts in play]
    analysis.save(done(tmp_path, sessions(play, other, play), SESSIONS).data, tmp_path / "x.zip")
    [fault] = map(str, analysis.check(tmp_path / "x.zip"))
    assert fault == (
        "sanctions/config.csv: session s2 is a copy of session s0: the same actions in all groups"
    )


def test_sessions_in_which_all_give_the_same_are_no_copies(tmp_path):
    play = [[20, 20]] * 19 + [[0, 0]]
    analysis.save(done(tmp_path, sessions(play, play), SESSIONS).data, tmp_path / "x.zip")
    assert analysis.check(tmp_path / "x.zip") == []


@pytest.mark.parametrize("first", [0, 1])
def test_imports_with_and_without_beliefs_pass_when_joined(good, tmp_path, first):
    others = sessions([[5, 20], [0, 10]])
    analysis.save(done(tmp_path, others, SESSIONS).data, tmp_path / "others.zip")
    parts = [analysis.load(good), analysis.load(tmp_path / "others.zip")]
    both = analysis.joined(parts[first], parts[1 - first])
    analysis.save(both, tmp_path / "both.zip")
    assert analysis.check(tmp_path / "both.zip") == []


def test_an_import_joined_with_a_rehearsal_has_no_journal_and_no_counts(tmp_path):
    imported = done(tmp_path, sessions([[5, 20], [0, 10]]), SESSIONS).data
    analysis.save(analysis.joined(imported, analysis.load(EXPORT)), tmp_path / "both.zip")
    problems = analysis.check(tmp_path / "both.zip")
    assert [problem for problem in problems if problem.session == "s0"] == []


def test_an_invented_journal_of_an_import_is_found(tmp_path):
    imported = done(tmp_path, sessions([[5, 20], [0, 10]]), SESSIONS).data
    analysis.save(analysis.joined(imported, analysis.load(EXPORT)), tmp_path / "both.zip")

    def change(tables: Tables, _manifest: Manifest) -> None:
        header, row, *_ = tables["journal"]
        values = {"session": "s0", "group": "1", "group_id": "s0-1", "number": "0"}
        new = [values.get(name, cell) for name, cell in zip(header, row, strict=True)]
        tables["journal"].insert(1, new)

    faults = found(tmp_path / "both.zip", tmp_path / "bad.zip", change)
    assert any("1 entry, but an imported group has no journal" in fault for fault in faults)


def test_an_empty_column_of_counts_is_found_if_another_is_filled(good, tmp_path):
    faults = found(good, tmp_path / "bad.zip", cells("outcomes", questions_asked=""))
    assert [fault for fault in faults if "as in answers" in fault] == [
        f"sanctions/outcomes.csv, line {line}, questions_asked: participant {person}: nothing "
        "should be 2, as in answers; somebody changed one of these tables"
        for line, person in ((2, "a"), (3, "b"))
    ]


@pytest.mark.parametrize("cells", [("154e-1", "325e-1", "225e-1"), ("x", "y", "z")])
def test_payoffs_are_compared_to_their_last_digit(tmp_path, cells):
    """The payoffs are 15.4, 35, 32.5 and 22.5, but the first should be 15."""
    payoff = '"profit"'
    if "x" in cells:
        payoff = '{ column = "profit", values = { x = 15.4, 35 = 35, y = 32.5, z = 22.5 } }'
    described = MAP.replace('person = "person"', f'person = "person"\npayoff = {payoff}')
    table = TABLE
    for old, new in zip(("20,15", "10,32.5", "20,22.5"), cells, strict=True):
        table = table.replace(old, f"{old.partition(',')[0]},{new}")
    payoffs = done(tmp_path, table, described).payoffs
    assert payoffs is not None
    assert payoffs.counts == {"compared": 4, "differing": 1}


@pytest.mark.parametrize(("value", "fault"), [("=group", "2 should be 1"), ("", "nothing should")])
def test_matching_groups_follow_from_the_people_who_met(tmp_path, value, fault):
    analysis.save(done(tmp_path, STRANGERS, STRANGERS_MAP).data, tmp_path / "good.zip")
    change = cells("config", matching_group=value)
    faults = found(tmp_path / "good.zip", tmp_path / "bad.zip", change)
    assert len(faults) == (3 if value else 4)
    assert any(
        "matching_group: session s, group 2: " + fault in line and "as in outcomes" in line
        for line in faults
    )


def test_people_of_two_imported_sessions_can_have_the_same_names(tmp_path):
    again = STRANGERS.partition("\n")[2].replace("s,", "t,").replace(",20\n", ",15\n")
    analysis.save(done(tmp_path, STRANGERS + again, STRANGERS_MAP).data, tmp_path / "x.zip")
    assert analysis.check(tmp_path / "x.zip") == []


def test_nobody_in_an_import_drops_out(good, tmp_path):
    def change(tables: Tables, manifest: Manifest) -> None:
        cells("outcomes", status="left")(tables, manifest)
        cells("decisions", decided_by="default")(tables, manifest)
        cells("seats", reason="dropout")(tables, manifest)
        cells("events", event="ended")(tables, manifest)

    faults = {fault.split(" (session")[0] for fault in found(good, tmp_path / "bad.zip", change)}
    assert faults >= {
        "sanctions/outcomes.csv, line 2, status: seat 0: left should be finished",
        "sanctions/decisions.csv, line 5, decided_by: period 1, seat 1: default should be person",
        "sanctions/seats.csv, line 3, reason: seat 1: dropout should be seated",
        "sanctions/events.csv, line 2, event: period 2: ending: ended should be ending",
    }
    assert len(faults) == 9


def test_a_person_in_a_seat_that_the_game_does_not_have_is_found(good, tmp_path):
    def change(tables: Tables, manifest: Manifest) -> None:
        for name in ("seats", "outcomes"):
            header, row, *_ = tables[name]
            values = {"seat": "7", "participant": "z"}
            new = [values.get(column, cell) for column, cell in zip(header, row, strict=True)]
            tables[name].append(new)
        manifest["sessions"]["session"]["participants"] += 1

    faults = found(good, tmp_path / "bad.zip", change)
    assert any("outcomes.csv, line 4, seat: 7 was never a person's seat" in f for f in faults)


def test_a_play_without_its_last_period_is_found(good, tmp_path):
    def change(tables: Tables, _manifest: Manifest) -> None:
        for name in ("decisions", "periods", "pairs", "answers"):
            header, *rows = tables[name]
            place = header.index("period")
            tables[name] = [header, *(row for row in rows if row[place] == "0")]

    faults = found(good, tmp_path / "bad.zip", change)
    rule = "the play continues after 1 period, but an import has whole plays"
    assert f"sanctions/decisions.csv: {rule} (session session, group 1)" in faults


def test_thinking_times_are_those_of_a_page_that_appears_at_once(tmp_path):
    lines = zip(TABLE.splitlines(), ("seconds", 1.5, 2, 0, 4.25), strict=True)
    table = "".join(f"{line},{seconds}\n" for line, seconds in lines)
    described = MAP.replace('person = "person"', 'person = "person"\nseconds = "seconds"')
    analysis.save(done(tmp_path, table, described).data, tmp_path / "good.zip")
    assert analysis.check(tmp_path / "good.zip") == []
    change = cells("decisions", shown_ms="9000")
    faults = found(tmp_path / "good.zip", tmp_path / "bad.zip", change)
    assert len([fault for fault in faults if "9000 should be 0 " in fault]) == 4
