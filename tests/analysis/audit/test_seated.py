"""People sit in the seats that the session's only seed gives them, in order of arrival."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mixed_company.analysis.audit import NOTES, audited, check
from tests.analysis.audit import reseeded
from tests.analysis.audit.faults import contents_of
from tests.analysis.audit.planting import packed, tables_of
from tests.analysis.audit.rehearsed import EXPORT
from tests.analysis.audit.tables import exported, play, setup

FILES = contents_of(EXPORT)
SEATS = "which the session's seed gives to people"
RULES = {
    "another seed in the second block": "is the session's seed here, but 5 in its other groups",
    "another seed in one treatment": "99 is the session's seed here, but 5 in its other groups",
    "another seed of the session": SEATS,
    "two people's arrivals exchanged": "because the session's seed gives the seats in the order",
    "the numbers of two groups exchanged": SEATS,
}


def faults(name: str, folder: Path) -> list[str]:
    """Return the faults found after one of the forgeries; with an empty name, before all."""
    manifest = json.loads(FILES["manifest.json"])
    tables = tables_of(FILES, manifest)
    for other, _, plant in reseeded.seeds(tables):
        if other == name:
            plant(tables, manifest)
    bad = packed(folder / "bad.zip", FILES, tables, manifest)
    return [str(problem) for problem in check(bad) if problem.kind not in NOTES]


def test_the_export_itself_has_no_fault(tmp_path):
    assert faults("", tmp_path) == []


@pytest.mark.parametrize("name", RULES)
def test_seeds_and_seats_that_contradict_each_other_are_found(name, tmp_path):
    assert any(RULES[name] in fault for fault in faults(name, tmp_path))


def test_the_option_and_the_number_of_people_decide_their_seats():
    """Two groups begin with the wanted number of people, and one with fewer."""
    settings = setup(periods=2, people_per_group=2, people_seats="first")
    tables = [
        play(settings, people, number, 0.0, 20) for number, people in ((1, 2), (2, 2), (3, 1))
    ]
    data = exported(settings, tables)
    assert [str(problem) for problem in audited(data).problems if problem.kind not in NOTES] == []
    options = [text.replace('"first"', '"drawn"') for text in data.config["options"]]
    drawn = replace(data, config=data.config.assign(options=options))
    lines = [str(problem) for problem in audited(drawn).problems]
    assert len([line for line in lines if SEATS in line]) == 3
