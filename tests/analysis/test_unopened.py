"""oTree creates a session's places in advance. A place that nobody opened is not a participant."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, audits
from mixed_company.analysis.data import Data
from mixed_company.analysis.paper.results import prizes
from mixed_company.analysis.report.contents import contents
from mixed_company.analysis.report.flags import of_participants as flagged
from mixed_company.analysis.report.page import page
from mixed_company.analysis.report.participants import participants, taking_part, unopened
from tests.analysis.audit.faults import Rows, contents_of, planted, written
from tests.analysis.report.made import Page, played, undrawn, with_people
from tests.project import ROOT

SAMPLE = ROOT / "mixed_company/analysis/sample/gem_mining.zip"
SESSION = "b1frgrtg"


def with_places(path: Path, first_seen_ms: str = "", tries: str = "0") -> Path:
    """Write the sample with a 25th place in its first session. oTree exports it in the first row of
    both tables of people."""

    def added(rows: Rows) -> None:
        row = dict.fromkeys(rows[0], "")
        row |= {name: "0.0" for name in row if name.startswith("pay") or "points" in name}
        row |= {"session": SESSION, "participant": "zzzz0000", "first_seen_ms": first_seen_ms}
        row |= {"status": "arriving", "status_1": "arriving", "quiz_attempts": tries}
        rows.insert(1, [row[name] for name in rows[0]])

    planted(SAMPLE, path, "participants", added, remade=True, game="")
    planted(path, path, "outcomes", added, remade=True)
    files = contents_of(path)
    manifest = json.loads(files["manifest.json"])
    manifest["sessions"][SESSION]["participants"] += 1
    files["manifest.json"] = json.dumps(manifest).encode()
    return written(path, files)


def test_an_export_has_a_note_on_places_that_nobody_opened(tmp_path: Path) -> None:
    path = with_places(tmp_path / "places.zip")
    data = analysis.load(path)
    assert data.unopened == {(SESSION, "zzzz0000")}
    assert (len(data.outcomes), len(data.arrived)) == (73, 72)
    [note] = [problem for problem in data.problems if problem.kind != "interrupted"]
    assert str(note) == f"session {SESSION}: places that nobody opened: 1"
    assert note.kind in NOTES
    assert taking_part(data)["arrived"].sum() == 72


@pytest.mark.parametrize(("first_seen_ms", "tries"), [("1795705305715", "0"), ("", "2")])
def test_a_person_who_opened_the_link_arrived(
    tmp_path: Path, first_seen_ms: str, tries: str
) -> None:
    data = analysis.load(with_places(tmp_path / "places.zip", first_seen_ms, tries))
    assert not data.unopened
    assert taking_part(data)["arrived"].sum() == 73


@pytest.mark.long  # replays 24 groups
def test_the_audit_counts_only_people_who_opened_the_link(tmp_path: Path) -> None:
    *_, whole = audits(with_places(tmp_path / "places.zip"))
    assert whole.people == 72


@pytest.fixture(scope="module")
def data() -> Data:
    """Return data with two groups of two people, a person who got no further than the instructions,
    and a place that nobody opened."""
    both = with_people(played(), {"participant": "empty"}, {"participant": "a"})
    return replace(both, unopened=frozenset({("open", "empty")}))


def test_an_export_that_lacks_the_time_for_everybody_says_nothing(tmp_path: Path) -> None:
    def emptied(rows: Rows) -> None:
        place = rows[0].index("first_seen_ms")
        for row in rows[1:]:
            row[place] = ""

    path = with_places(tmp_path / "places.zip")
    planted(path, path, "participants", emptied, remade=True, game="")
    data = analysis.load(path)
    assert not data.unopened
    assert len(data.arrived) == 73


def test_saved_data_have_no_places_that_nobody_opened(tmp_path: Path) -> None:
    data = analysis.load(with_places(tmp_path / "places.zip"))
    analysis.save(data, tmp_path / "saved.zip")
    saved = analysis.load(tmp_path / "saved.zip")
    assert len(saved.arrived) == 72
    counts = [data.manifest["sessions"][SESSION]["participants"] for data in (data, saved)]
    assert counts == [25, 24]


def test_reports_count_only_people_who_arrived(data: Data) -> None:
    (row,) = taking_part(data).to_dict("records")
    assert (row["arrived"], row["grouped"], row["left_in_instructions"]) == (5, 4, 1)
    assert all("empty" not in set(table(data)["participant"]) for table in (participants, flagged))
    assert unopened(data) == "Places that nobody opened: 1."
    assert unopened(replace(data, unopened=frozenset())) == ""
    with undrawn():
        whole = contents(data)
    assert "Places that nobody opened: 1." in whole.tables["who"].note
    assert "participants: 5, decisions" in Page(page(whole)).text


def test_prizes_of_people_are_matched_without_places_that_nobody_opened(data: Data) -> None:
    """The place comes first. The four people won 1, 2, 3 and 4."""
    rows = data.outcomes.loc[[4, 0, 1, 2, 3, 5]].assign(pay_questions=[90.0, 1, 2, 3, 4, 0])
    assert "on average 2.50 in open" in prizes(replace(data, outcomes=rows.reset_index(drop=True)))


def test_joined_data_know_the_places_that_nobody_opened(data: Data) -> None:
    whole = analysis.joined(data, played(treatment="other", seed=2))
    assert taking_part(whole)["arrived"].sum() == 9
    assert whole.of_session_config("open").unopened == {("open", "empty")}
    assert not whole.of_session_config("other").unopened
