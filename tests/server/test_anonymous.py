"""An anonymous export contains no personal data, whatever people's links contained and whatever
they wrote."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis.audit.rows import CODED_ONLY
from mixed_company.server import live
from mixed_company.server.archive import codes
from mixed_company.server.secret_key import PUBLISHED
from mixed_company.table.export import LEFT_OUT
from tests.analysis.audit.faults import edited
from tests.analysis.audit.faults import planted as with_fault
from tests.server.inside import Session, asked, emptied

LABEL, OTHER = "anna.muster@example.org", "ben-88"
PANEL, STUDY = "5f3c9aPANEL17", "study-of-may"
COMMENT, ANSWER = "my sister Zoe did, too", "in Sion 7"
TO_TABLE, IN_LOBBY = "Dear Anna in row 7", "Ben, come to the desk"
KEY = "known to this test alone"
PERSONAL = (LABEL, OTHER, PANEL, STUDY)
WRITTEN = (COMMENT, ANSWER, TO_TABLE, IN_LOBBY)

TEXT = {"name": "why", "text": "Why?", "when": "after", "type": "text", "length": 9}
CHOICE = TEXT | {"name": "glad", "type": "choice", "options": ["no", "yes"], "length": 500}
PLAYED: dict[str, Any] = {
    "seed": "3",
    "periods": 2,
    "quiz": False,
    "comments": True,
    "panel_parameters": "PROLIFIC_PID,STUDY_ID",
    "questions": json.dumps([TEXT, CHOICE]),
}


@pytest.fixture(scope="module")
def sessions() -> Iterator[list[Session]]:
    """Let Anna play one session to its end and join the lobby of the next, in which Ben waits."""
    with emptied(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(codes.settings, "SECRET_KEY", KEY)
        yield _played()


def _played() -> list[Session]:
    first = Session("commons", 1, **PLAYED)
    [anna] = first.people
    link = f"?participant_label={LABEL}&PROLIFIC_PID={PANEL}&STUDY_ID={STUDY}"
    anna.come(link).send().play(periods=1)
    assert first.direct("message", "m", group=1, text=TO_TABLE)[0] == 200
    anna.play()
    answers = {"why": [ANSWER, 1000], "glad": [1, 1000]}
    anna.come().send(handed_answers=json.dumps(answers))
    assert anna.send(comments=COMMENT).page == "Results"
    second = Session("commons_two_people", 3, **{**PLAYED, "lobby_seconds": 60.0})
    second.people[0].come(f"?participant_label={LABEL}")
    ben = second.people[1]
    ben.come(f"?participant_label={OTHER}&PROLIFIC_PID={LABEL}").send()
    live.lobby(ben.player(), {"kind": "sync"})
    assert second.direct("message", "n", participant=ben.code, text=IN_LOBBY)[0] == 200
    return [first, second]


def export(address: str, *sessions: Session, **query: str) -> zipfile.ZipFile:
    pairs = [("session_code", session.code) for session in sessions] + list(query.items())
    answer = asked(f"{address}?" + "&".join(f"{name}={value}" for name, value in pairs))
    assert answer.status_code == 200, answer.text
    return zipfile.ZipFile(io.BytesIO(answer.content))


@pytest.fixture(scope="module")
def exports(sessions: list[Session]) -> list[zipfile.ZipFile]:
    """Return the link file of each session, and the one for both."""
    return [export("/export_archive", *chosen) for chosen in (sessions[:1], sessions[1:], sessions)]


def table(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    text = archive.read(f"commons_game/{name}.csv").decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def planted(archive: zipfile.ZipFile, *words: str) -> set[str]:
    """Return the words that occur in any file or file name."""
    content = b"\n".join([*(archive.read(name) for name in archive.namelist())])
    content += "\n".join(archive.namelist()).encode()
    return {word for word in words if word.encode() in content}


def codes_of(sessions: list[Session]) -> list[str]:
    return [person.code for session in sessions for person in session.people]


def test_the_linked_file_contains_nothing_about_what_people_are_and_wrote(sessions, exports):
    everything = (*PERSONAL, *WRITTEN, *codes_of(sessions))
    whole = export("/export_archive", *sessions, anonymous="0")
    assert planted(whole, *everything) == set(everything)
    assert planted(exports[2], *everything) == set()
    texts = export("/export_archive", *sessions, texts="1")
    assert planted(texts, *everything) == set(WRITTEN)


@pytest.mark.long
def test_rest_returns_everything_by_default_and_the_anonymous_file_by_a_parameter(sessions):
    everything = (*PERSONAL, *WRITTEN, *codes_of(sessions))
    whole = export("/api/export_archive", *sessions)
    assert planted(whole, *everything) == set(everything)
    assert "anonymous" not in json.loads(whole.read("manifest.json"))
    anonymous = export("/api/export_archive", *sessions, anonymous="1")
    assert planted(anonymous, *everything) == set()


def test_the_same_person_has_one_code_in_all_tables_sessions_and_files(exports):
    first, second, _ = exports
    [anna] = table(first, "outcomes")
    again, ben, nobody = table(second, "outcomes")
    assert anna["label"] == again["label"] != ben["label"]
    assert nobody["label"] == ""
    # the panel's name for her, under which Ben came, is her label
    assert json.loads(ben["parameters"])["PROLIFIC_PID"] == anna["label"]
    assert set(json.loads(anna["parameters"])) == {"PROLIFIC_PID", "STUDY_ID"}
    assert len({row["participant"] for row in (anna, again, ben, nobody)}) == 4
    for name in ("decisions", "seats", "answers"):
        people = {row["participant"] for row in table(first, name)} - {""}
        assert people == {anna["participant"]}


def test_removed_values_are_distinguished_from_values_that_never_existed(exports):
    archive = exports[2]
    rows = table(archive, "outcomes")
    assert [row["comments"] for row in rows] == [LEFT_OUT, "", "", ""]
    answers = {row["question"]: row for row in table(archive, "answers")}
    assert answers["why"]["value"] == LEFT_OUT
    assert (answers["glad"]["value"], answers["glad"]["number"]) == ("no", "1.0")
    [message] = [row for row in table(archive, "events") if row["event"] == "message"]
    assert json.loads(message["detail"]) == {"text": LEFT_OUT}
    [done] = json.loads(rows[2]["managed"])
    assert (done["what"], done["text"]) == ("message", LEFT_OUT)


def test_the_manifest_and_the_codebook_describe_the_anonymisation(exports):
    archive = exports[2]
    manifest = json.loads(archive.read("manifest.json"))
    assert manifest["anonymous"] is True
    assert manifest["codes"] == "of this server"
    assert set(manifest["replaced"]) == {
        *("decisions.participant", "seats.participant", "answers.participant"),
        *("outcomes.participant", "outcomes.label", "outcomes.parameters"),
        *("participants.participant", "participants.label"),
    }
    assert set(manifest["left_out"]) == {
        *("events.detail", "outcomes.comments", "outcomes.managed", "answers.value"),
        "journal.entry",
    }
    book = csv.DictReader(io.StringIO(archive.read("codebook.csv").decode(), newline=""))
    meanings = {(row["table"], row["column"]): row["meaning"] for row in book}
    label = "participant label, if the session has labels; replaced by a code"
    assert meanings["outcomes", "label"] == label
    assert label in archive.read("codebook.md").decode()
    texts = json.loads(export("/export_archive", texts="1").read("manifest.json"))
    assert (texts["left_out"], len(texts["replaced"])) == ([], 8)


def test_the_check_accepts_the_export_and_says_what_it_cannot_verify(sessions, tmp_path, capsys):
    named = "&".join(f"session_code={session.code}" for session in sessions)
    for number in range(2):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(asked(f"/export_archive?{named}&texts={number}").content)
        assert main(["check", str(path)]) == 0, capsys.readouterr().out
        output = capsys.readouterr().out
        assert "everything matches" in output
        assert "without personal data: the people behind the codes" in output
    assert analysis.load(tmp_path / "0.zip").outcomes["label"].str.startswith("k").sum() == 3


@pytest.mark.long
def test_the_check_finds_a_label_and_a_text_that_were_put_back(sessions, tmp_path):
    good = tmp_path / "good.zip"
    good.write_bytes(asked(f"/export_archive?session_code={sessions[0].code}").content)
    for column, value in (("label", LABEL), ("comments", COMMENT), ("parameters", '{"A": "b"}')):
        bad = with_fault(
            good, tmp_path / "bad.zip", "outcomes", edited(1, column, value), remade=True
        )
        differences = [problem for problem in analysis.check(bad) if problem.kind == "differs"]
        problem = next(problem for problem in differences if CODED_ONLY in problem.what)
        assert problem.where == f"commons_game/outcomes.csv, line 2, {column}"
        # participants.csv has the label as well, but the options contain no parameters
        assert len(differences) == 1 + (column in ("label", "parameters"))


def test_without_a_key_of_its_own_codes_are_consistent_within_one_file():
    first, other = (codes.anonymous(PUBLISHED, texts=False) for _ in range(2))
    assert first.code(LABEL) == first.code(LABEL) != other.code(LABEL)
    assert (first.lasting, first.described({})["codes"]) == (False, "of this file")
    kept = [codes.anonymous(key, texts=False).code(LABEL) for key in ("a", "a", "b")]
    assert kept[0] == kept[1] != kept[2]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("anonymous=yes", "anonymous = 'yes': should be 1 or 0\n"),
        ("texts=", "texts = '': should be 1 or 0\n"),
        (
            "anonymous=0&texts=1",
            "texts = 1: requires anonymous = 1; other exports include the texts anyway\n",
        ),
    ],
)
@pytest.mark.usefixtures("sessions")
def test_an_unknown_way_to_export_is_refused(query, words):
    answer = asked(f"/export_archive?{query}")
    assert (answer.status_code, answer.text) == (400, words)


def test_the_link_of_the_admin_says_what_the_other_file_contains(sessions):
    for page in ("/ExportIndex", f"/SessionData/{sessions[0].code}"):
        text = asked(page).text
        before, _, after = text.partition('<details id="with-personal-data">')
        assert "without personal data" in before
        assert "anonymous=0" not in before.partition("<h3>")[0]
        folded = after.partition("</details>")[0]
        assert "identifies people" in folded
        assert "anonymous=0" in folded
