"""Every command of an export's Stata script works on the export's tables, and pandas reads the
resulting .dta files.

Stata was not available, so an interpreter for the script's commands (`stata.py`) takes its place.
"""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from pandas.io.stata import StataReader

from mixed_company import analysis
from tests.project import ROOT
from tests.table.export.stata import LONGEST_LABEL, Stata

SAMPLES = ROOT / "mixed_company" / "analysis" / "sample"


def unpacked(sample: str, folder: Path) -> Path:
    """Save a sample in the current format, and unpack it."""
    analysis.save(analysis.load(SAMPLES / f"{sample}.zip"), folder / "export.zip")
    with zipfile.ZipFile(folder / "export.zip") as archive:
        archive.extractall(folder)
    return folder


@pytest.mark.few(1)
@pytest.mark.parametrize("sample", ["commons_game", "gem_mining", "punishment_vote", "sanctions"])
def test_each_table_is_read_with_its_rows_names_labels_and_keys(sample, tmp_path):
    folder = unpacked(sample, tmp_path)
    stata = Stata(folder)
    stata.run((folder / "read.do").read_text())
    book = pd.read_csv(folder / "codebook.csv", keep_default_na=False)
    book = book[book["game"] == sample]
    assert {file.stem for file in stata.saved} == set(book["table"])
    for name, columns in book.groupby("table", sort=False):
        written = pd.read_csv(folder / sample / f"{name}.csv", dtype=str, keep_default_na=False)
        file = folder / sample / f"{name}.dta"
        read = pd.read_stata(file)
        with StataReader(file) as reader:
            labels = reader.variable_labels()
        assert len(read) == len(written)
        assert {str(column)[:32] for column in written} == set(read)
        for row in columns.to_dict("records"):
            column, values = row["column"], written[row["column"]]
            short = column[:32]
            if row["unit"] == "ISO 8601, UTC":
                times = pd.to_datetime(values, utc=True).dt.tz_localize(None)
                assert (read[short].dropna() == times.dropna()).all(), column
                continue
            assert labels[short] == row["meaning"].translate({34: "'", 96: "'"})[:LONGEST_LABEL]
            if row["type"] == "text" or column == "seed":
                assert read[short].tolist() == values.tolist(), column
            else:
                numbers = pd.to_numeric(values.where(values != ""))
                pd.testing.assert_series_equal(
                    read[short], numbers, check_dtype=False, check_exact=True, check_names=False
                )
        keys = columns.loc[columns["key"] == 1, "column"].tolist()
        assert not (keys and read.duplicated(keys).any()), keys


def test_the_documented_reshape_has_its_variables_and_keys(tmp_path):
    """`reshape` needs variables that end in a number, and keys that identify a row."""
    text = (ROOT / "docs" / "export.md").read_text()
    match = re.search(r"reshape long (.+), i\((.+)\) j\((.+)\) +//", text)
    assert match is not None
    stubs, keys, number = (part.split() for part in match.groups())
    with zipfile.ZipFile(SAMPLES / "commons_game.zip") as archive:
        archive.extractall(tmp_path)
    Stata(tmp_path).run((tmp_path / "read.do").read_text())
    people = pd.read_stata(tmp_path / "participants.dta")
    assert len(people) == len(pd.read_csv(tmp_path / "participants.csv"))
    assert not people.duplicated(keys).any()
    assert all(f"{stub}1" in people for stub in stubs)
    assert number[0] not in people


def test_a_table_without_rows_is_not_read(tmp_path):
    """The behaviour of Stata on a file with only a header is unknown, because Stata was not
    available.
    """
    data = analysis.simulated(
        "gem_mining", people=["random"] * 2, groups=1, seats=2, periods=1, seed=1
    )
    analysis.save(replace(data, events=data.events.iloc[:0]), tmp_path / "export.zip")
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        assert "gem_mining/events.csv" in archive.namelist()
        script = archive.read("read.do").decode()
        archive.extractall(tmp_path)
    assert "decisions.csv" in script
    assert "events.csv" not in script
    Stata(tmp_path).run(script)
