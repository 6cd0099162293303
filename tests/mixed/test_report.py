"""Tests of `mixed report`: the page for an export, open or blind."""

from __future__ import annotations

import json

import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.cli.arguments import seed_of_labels
from tests.analysis.report.made import two_treatments, undrawn


@pytest.fixture
def export(tmp_path, monkeypatch):
    """Save two groups of each of two treatments in the folder that commands write to."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "export.zip"
    analysis.save(two_treatments(periods=2), path)
    return str(path)


@pytest.mark.long
def test_a_blind_report_names_its_seed_and_can_be_opened(export, capsys, tmp_path):
    """Check only the seed. The same function reproduces plans, which test_plan checks."""
    with undrawn():
        assert main(["report", export, "--blind"]) == 0
        assert capsys.readouterr().out == "blind_report/blind_report.html\n"
        about = json.loads((tmp_path / "blind_report" / "blind.json").read_text("utf-8"))
        assert (about["blind"], about["plan"], about["export"]) == (True, None, "export.zip")
        assert isinstance(about["seed"], int)
        assert main(["report", export]) == 0
    assert not list((tmp_path / "report").rglob("*blind*"))


def test_without_a_seed_for_labels_a_new_one_is_drawn():
    assert seed_of_labels(5) == 5
    assert seed_of_labels(None) != seed_of_labels(None)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--blind", "--seed", "-1"], "seed = -1: should be 0 or more"),
        (["--seed", "3"], "seed = 3: a seed sets the labels of a blind report; add --blind"),
        (
            ["--blind", "--treatment", "all", "growth_rate=0.4"],
            "two treatments, each with two groups",
        ),
    ],
)
def test_impossible_blind_reports_are_refused_in_a_sentence(export, capsys, arguments, sentence):
    assert main(["report", export, *arguments]) == 2
    assert sentence in capsys.readouterr().err
