"""Auditing the longest possible play takes time linear in the number of rows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.analysis.audit.group import check_listed
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.data import Data
from mixed_company.analysis.notes import interruptions
from mixed_company.analysis.types import TableError, typed
from tests.analysis.audit.faults import planted
from tests.work import assert_linear, bounded

PERIODS = 10_000
SAMPLE = Path(__file__).resolve().parents[3] / "mixed_company/analysis/sample" / "commons_game.zip"


def listed(rows: int) -> Rows:
    """Return rows of `events`, each with its own time."""
    columns: dict[str, list[Any]] = {"at_ms": [*range(rows)], "event": ["fee"] * rows}
    return Rows("events", columns, range(rows))


def test_comparing_rows_takes_linear_time_however_many_differ():
    def compare(rows: int) -> None:
        should = [{"at_ms": time_ms + time_ms % 2, "event": "fee"} for time_ms in range(rows + 1)]
        findings = Findings("commons_game")
        check_listed(listed(rows), should, findings)
        assert len(findings.problems) == rows // 2 + 1

    assert_linear(compare, 2000)


@pytest.mark.parametrize("place", [0, 700, 1999])
def test_one_missing_row_among_many_is_the_only_one_named(place):
    should = [{"at_ms": number, "event": "fee"} for number in range(2000)]
    rows = listed(2000).take([number for number in range(2000) if number != place])
    findings = Findings("commons_game")
    check_listed(rows, should, findings)
    assert [problem.what for problem in findings.problems] == ["missing: fee"]


def test_finding_interruptions_takes_linear_time():
    """The machine's clock jumps ahead by another 5 s at every other decision."""

    def told(periods: int) -> list[str]:
        times = np.arange(1, periods + 1) * 10_000
        wall = times + 5_000 * (np.arange(periods) % 2)
        keys = {"session": "s", "group": 1, "period": np.arange(periods)}
        settled = pd.DataFrame({**keys, "settled_ms": times, "wall_ms": wall})
        decisions = pd.DataFrame({**keys, "received_ms": times, "wall_ms": wall})
        seats = pd.DataFrame({"session": "s", "group": 1, "at_ms": times[:1], "wall_ms": wall[:1]})
        data: Data = replace(sample, periods=settled, decisions=decisions, seats=seats)
        return [str(problem) for problem in interruptions(data)]

    sample = analysis.load(SAMPLE)
    events = told(400)
    assert len(events) == 399
    assert events[0].startswith("group 1 of session s, period 1: the play stopped for 5.0 s")
    assert events[-1].startswith("group 1 of session s, period 399:")
    assert_linear(told, 1000)


@pytest.mark.long
def test_a_row_of_the_last_possible_period_is_named_quickly(tmp_path, capsys):
    def last(rows: list[list[str]]) -> None:
        rows[-1][rows[0].index("period")] = str(PERIODS - 1)

    def longer(rows: list[list[str]]) -> None:
        index = rows[0].index("config")
        for row in rows[1:]:
            config = json.loads(row[index])
            config["core"]["periods"] = PERIODS
            row[index] = json.dumps(config)

    far = planted(SAMPLE, tmp_path / "far.zip", "decisions", last, remade=True)
    bad = planted(far, tmp_path / "bad.zip", "config", longer, remade=True)
    with bounded():
        assert main(["check", str(bad)]) == 1
    assert "missing: period" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "texts", "values"),
    [
        ("whole", ["1", "3.0", "-2"], [1, 3, -2]),
        ("whole", ["9223372036854775807"], [2**63 - 1]),
        ("real", ["1", "0.1", "1e3"], [1.0, 0.1, 1000.0]),
        ("flag", ["True", "0"], [True, False]),
    ],
)
def test_strings_are_parsed_by_the_type_of_their_column(kind, texts, values):
    column = typed(pd.DataFrame({"own": texts}, dtype=object), {"own": kind})["own"]
    assert column.tolist() == values
    with_gap = typed(pd.DataFrame({"own": [*texts, ""]}, dtype=object), {"own": kind})["own"]
    assert with_gap.tolist()[:-1] == values
    assert pd.isna(with_gap.iloc[-1])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("whole", "9223372036854775808"),
        ("whole", "1.5"),
        ("whole", "1" * 5000),
        ("flag", "yes"),
        ("real", "a"),
    ],
)
def test_an_unparsable_string_is_named_by_its_row(kind, text):
    with pytest.raises(TableError) as refused:
        typed(pd.DataFrame({"own": ["1", text]}, dtype=object), {"own": kind})
    assert refused.value.row == 1
