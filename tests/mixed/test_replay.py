"""Tests of replaying from the command line: differences, errors, and complete files."""

from __future__ import annotations

import io
import sys

import pytest

from mixed_company.engine.play import record
from mixed_company.files import write_whole
from tests.engine.golden.write import FOLDER, GAMES
from tests.engine.plays import acts, commons

GOLDEN = [FOLDER / f"{game}.jsonl" for game in sorted(GAMES)]


@pytest.fixture
def saved(tmp_path):
    """Return a function that saves a log, or part of its text, and returns the path."""

    def saving(text=None):
        if text is None:
            text = log_text()
        path = tmp_path / "play.jsonl"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return saving


def log_text():
    """Return a log: head, period 0, period 1, its clamped action, period 2, ending, last line."""
    script = [acts([1, 2, 3, 4]), acts([1, 12, 1, 1]), acts(2)]
    return record.to_text(record.play(commons(archetype="lab_0_7", periods=3), script, seed=7))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_log_replays(run, path):
    code, out, err = run("replay", path)
    assert (code, err) == (0, "")
    assert out.endswith("; replays as it was logged\n")


def test_an_edited_log_differs_where_it_was_edited(run, saved):
    code, out, _ = run("replay", saved(log_text().replace('"returns":[4.0,', '"returns":[5.0,')))
    assert code == 1
    assert out.splitlines() == [
        "line 7 (seat 0), returns[0]: log has 5.0, replay has 4.0",
        "commons_game (lab_0_7), seed 7, periods: 3; differences: 1",
    ]


def test_a_log_that_is_cut_after_a_whole_line_differs(run, saved):
    code, out, _ = run("replay", saved("\n".join(log_text().split("\n")[:2]) + "\n"))
    assert code == 1
    assert out.startswith("the log stops before the play is over; number of periods: 1\n")


def test_many_differences_are_shortened_unless_all_are_requested(run, saved):
    game = commons(periods=30)
    lines = record.play(game, [acts(1)] * 30, seed=7)
    for line in lines[1:-1]:
        line["rewards"] = [0.5] * 4
    path = saved(record.to_text(lines))
    code, out, _ = run("replay", path)
    assert code == 1
    assert len(out.splitlines()) == 52
    assert "and " in out.splitlines()[50]
    assert out.splitlines()[50].endswith(" more (--all)")
    assert len(run("replay", path, "--all")[1].splitlines()) == 1 + 30 * 4 + 1


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (lambda text: text[: text.index('"used":{"harvest":[1.0,10')], "line 3: incomplete"),
        (lambda text: text.replace('{"level":"event"', '"level"', 1), "line 4: not JSON: Extra da"),
        (
            lambda text: text.replace('"level":"event"', '"level":"party"'),
            "line 4: not a log line: its `level`",
        ),
        (lambda text: "", "line 1: not JSON: Expecting value"),
        (lambda text: text.encode() + b"\xff", "line 8: not UTF-8 text"),
        (
            lambda text: text.replace('"version":"1"', '"version":"0"'),
            "line 1: cannot be replayed: identity.version = '0': the rules of commons_game",
        ),
        (
            lambda text: text.replace('"period":1,"seat":0', '"period":5,"seat":0'),
            "instrumentation.period is not 1, so this log lacks some actions",
        ),
    ],
)
def test_a_log_that_cannot_be_replayed_is_refused_in_a_sentence(
    run, saved, tmp_path, change, refusal
):
    path, page = saved(change(log_text())), tmp_path / "page.html"
    code, out, err = run("replay", path, "--html", page)
    assert (code, out) == (2, "")
    assert err.startswith(refusal)
    assert len(err.splitlines()) == 1
    assert not page.exists()


def test_a_truncated_log_reports_how_many_periods_are_complete(run, saved):
    text = log_text()
    code, _, err = run("replay", saved(text[: text.index('"used":{"harvest":[1.0,10')]))
    assert (code, err) == (2, "line 3: incomplete; number of complete periods before it: 1\n")


def test_a_missing_file_is_reported_in_a_sentence(run, tmp_path):
    path = tmp_path / "nothing.jsonl"
    assert run("replay", path) == (2, "", f"{path}: No such file or directory\n")
    assert run("replay", tmp_path) == (2, "", f"{tmp_path}: Is a directory\n")


def test_a_page_is_written_whole_and_leaves_nothing_else(run, saved, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("old")
    assert run("replay", saved(), "--html", page)[0] == 0
    assert page.read_text().startswith("<!doctype html>")
    assert page.read_text().endswith("</html>\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "play.jsonl"]


def test_the_page_of_a_log_that_differs_says_so(run, saved, tmp_path):
    page = tmp_path / "page.html"
    path = saved(log_text().replace('"returns":[4.0,', '"returns":[5.0,'))
    assert run("replay", path, "--html", page)[0] == 1
    assert "returns[0]: log has 5.0, replay has 4.0" in page.read_text()


def test_a_page_never_replaces_its_log(run, saved):
    path = saved()
    code, _, err = run("replay", path, "--html", path)
    assert (code, err) == (2, f"{path}: this file is the log; write the page to another file\n")
    assert path.read_text() == log_text()


def test_a_page_that_cannot_be_written_is_reported_in_a_sentence(run, saved, tmp_path):
    code, _, err = run("replay", saved(), "--html", tmp_path / "no" / "page.html")
    assert code == 2
    assert err.endswith("No such file or directory\n")


def test_a_failed_write_leaves_the_earlier_file(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_log_can_come_from_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(log_text().encode())))
    assert run("replay", "-") == (
        *(0, "commons_game (lab_0_7), seed 7, periods: 3; replays as it was logged\n", ""),
    )
