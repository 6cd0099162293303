"""The command `mixed import`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mixed_company import analysis
from tests.analysis.importing.tables import MAP, TABLE

PEOPLE = Path(
    os.environ.get("MIXED_PEOPLE", Path(__file__).parents[3] / "shared" / "reference" / "human")
)
"""Folder with people's choices in other experiments. It is not part of the project."""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "map.toml").write_text(MAP, encoding="utf-8")
    return tmp_path


def test_a_table_becomes_an_export_that_passes_the_check(run, files):
    written = files / "export.zip"
    code, out, _ = run(
        "import", files / "table.csv", "--map", files / "map.toml", "--output", written
    )
    assert code == 0
    assert out.splitlines()[0] == (
        "sanctions: people: 2, plays: 1, decisions: 4, treatments: imported"
    )
    code, out, _ = run("check", written)
    assert code == 0
    assert "everything matches" in out
    assert "1 group was imported from a table of another experiment, so it has no journal" in out
    assert '"An author (2001), a journal". License: "CC BY 4.0".' in out
    assert "Nothing here is confirmatory." in out


def test_differing_payoffs_are_printed_with_exit_code_1(run, files):
    described = MAP.replace('person = "person"', 'person = "person"\npayoff = "profit"')
    (files / "map.toml").write_text(described.replace("0.75", "0.7"), encoding="utf-8")
    written = files / "export.zip"
    code, out, _ = run(
        "import", files / "table.csv", "--map", files / "map.toml", "--output", written
    )
    assert code == 1
    assert "payoffs: 4 of 4 differ from the points that the engine computes" in out
    _, out, _ = run("check", written)
    assert "4 of 4 payoffs in the table differ from these points" in out


def test_nothing_is_written_when_anything_is_refused(run, files):
    (files / "table.csv").write_text(TABLE.replace(",10,", ",ten,"), encoding="utf-8")
    before = sorted(files.iterdir())
    code, out, error = run(
        *("import", files / "table.csv", "--map", files / "map.toml", "--output", files / "new.zip")
    )
    assert (code, out) == (2, "")
    assert "should be a number; line 4: 'ten'" in error
    assert sorted(files.iterdir()) == before


def test_the_same_table_and_map_give_the_same_bytes(run, files):
    for name in ("one.zip", "two.zip"):
        run("import", files / "table.csv", "--map", files / "map.toml", "--output", files / name)
    assert (files / "one.zip").read_bytes() == (files / "two.zip").read_bytes()


def test_a_report_says_that_the_data_were_imported(run, files):
    written = files / "export.zip"
    run("import", files / "table.csv", "--map", files / "map.toml", "--output", written)
    code, _, _ = run("report", written, "--output", files / "report")
    assert code == 0
    page = (files / "report" / "report.html").read_text(encoding="utf-8")
    quoted = '"An author (2001), a journal"'.replace('"', "&#34;")
    assert f"Imported from a table of another experiment: {quoted}." in page
    assert "everything matches" in page


def test_a_citation_is_neither_a_sentence_nor_turned_around(run, files):
    described = (files / "map.toml").read_text(encoding="utf-8")
    changed = described.replace("a journal", 'a journal\\". All is confirmatory\\u202e')
    (files / "told.toml").write_text(changed, encoding="utf-8")
    written = files / "told.zip"
    run("import", files / "table.csv", "--map", files / "told.toml", "--output", written)
    _, out, _ = run("check", written)
    quoted = (
        r""": "An author (2001), a journal'. All is confirmatory\u202e". License: "CC BY 4.0"."""
    )
    assert quoted in out
    run("report", written, "--output", files / "told")
    page = (files / "told" / "report.html").read_text(encoding="utf-8")
    assert "All is confirmatory\\u202e" in page
    assert "\u202e" not in page


def map_of_document() -> str:
    """Return the map of the two-person dilemma in docs/import.md, without its payoffs."""
    text = (Path(__file__).parents[2] / "docs" / "import.md").read_text(encoding="utf-8")
    [described] = [part for part in text.split("```") if "Ploner" in part and "[columns]" in part]
    lines = described.removeprefix("toml").splitlines()
    return "\n".join(line for line in lines if not line.startswith("payoff"))


def test_the_choices_of_134_people(run, tmp_path):
    table = PEOPLE / "conditional_cooperation_2020.csv"
    if not table.is_file():
        pytest.skip(f"{table}: is not there")
    (tmp_path / "map.toml").write_text(map_of_document(), encoding="utf-8")
    written = tmp_path / "people.zip"
    code, out, _ = run("import", table, "--map", tmp_path / "map.toml", "--output", written)
    assert code == 0
    assert "people: 134, plays: 670, decisions: 1340" in out
    data = analysis.load(written)
    assert not data.problems
    # counted in the table: 687 times 0, 427 times 50, 226 times 100
    counts = data.decisions["used_contribution"].value_counts().to_dict()
    assert counts == {0.0: 687, 50.0: 427, 100.0: 226}
    # one matching group in each of six sessions
    assert data.config.groupby("session")["matching_group"].nunique().tolist() == [1] * 6
