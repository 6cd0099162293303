"""The memory needed for a large export is a small multiple of its size, not tens of times its
size."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure as Canvas

from mixed_company import analysis
from mixed_company.analysis import gathering
from mixed_company.analysis.audit.rows import Rows
from mixed_company.analysis.gathering import gathered
from mixed_company.analysis.report import groups
from tests.analysis.audit.faults import contents_of, planted

ROWS = 10_000


def peak(work: Callable[[], Any]) -> int:
    """Return the peak number of bytes that Python and numpy use during the call."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save an export with times, whose decisions are repeated in many sessions."""
    folder = tmp_path_factory.mktemp("large")
    options: dict[str, Any] = {
        "people": ["steward"],
        "bots": ["steward"],
        "groups": 1,
        "seed": 1,
        "periods": 5,
    }
    analysis.save(
        analysis.simulated("commons_game", archetype="lab", **options), folder / "one.zip"
    )

    def more(rows: list[list[str]]) -> None:
        header, *body = rows
        index = {name: header.index(name) for name in ("session", "received_ms", "received_time")}
        for number in range(ROWS // len(body)):
            for row in body:
                rows.append(list(row))
                rows[-1][index["session"]] = f"session{number}"
                rows[-1][index["received_ms"]] = str(1_700_000_000_000 + 1000 * len(rows))
                time = np.datetime64(1_700_000_000_000 + 1000 * len(rows), "ms")
                rows[-1][index["received_time"]] = f"{time}Z"

    return planted(folder / "one.zip", folder / "large.zip", "decisions", more, remade=True)


@pytest.mark.long
def test_reading_an_export_takes_a_few_times_its_size(large: Path) -> None:
    """Keeping all strings in memory used to take twelve times the export's size, although most
    values are empty.
    """
    analysis.load(large.with_name("one.zip"))  # modules are imported on first use
    size = sum(len(content) for content in contents_of(large).values())
    assert peak(lambda: analysis.load(large)) < 8 * size


def test_rows_of_a_large_table_are_created_when_used() -> None:
    """As plain values, 200,000 numbers take 6.4 MB, four times their size in the frame."""
    frame = pd.DataFrame(np.random.default_rng(1).random((40_000, 5)), columns=list("abcde"))
    rows = Rows.of("decisions", frame)
    assert peak(lambda: sum(1 for _ in rows.records())) < 1_600_000
    assert [row["row"] for row in Rows.of("decisions", frame[frame["a"] > 2]).records()] == []


def test_parts_are_joined_as_if_read_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part has two rows, so missing values, wrong values and rows without a key fall into
    different parts.
    """
    header = ["key", "whole", "real", "flag", "text", "at_ms", "at_time"]
    types = {"key": "whole", "whole": "whole", "real": "real", "flag": "flag", "at_ms": "whole"}
    rows = [
        (0, ["1", "1", "0.5", "1", "a", "", ""]),
        (1, ["2", "2", "", "0", "", "0", "1970-01-01T00:00:00.000Z"]),
        (3, ["3", "x", "1", "1", "a", "0", "late"]),
        (4, ["", "4", "much", "", "b", "", ""]),
        (5, ["5", "5", "1e3", "0", "c", "", ""]),
    ]
    several = [gathered(header, rows, types, ["key"])]
    monkeypatch.setattr(gathering, "PART", 2)
    several.append(gathered(header, rows, types, ["key"]))
    for table in several:
        assert table.frame.index.tolist() == [0, 1, 3, 5]
        assert [str(kind) for kind in table.frame.dtypes] == [
            *("int64", "Int64", "float64", "bool", "str", "Int64")
        ]
        assert [(error.row, error.column) for error in table.wrong] == [(3, "whole"), (4, "real")]
        assert table.keyless == [4]
        assert [(place, column) for place, column, _ in table.times] == [(3, "at_time")]
    pd.testing.assert_frame_equal(several[0].frame, several[1].frame)


def test_the_figure_of_a_group_keeps_nothing_but_its_files() -> None:
    """A canvas takes megabytes, and a report has one figure per group."""
    data = analysis.simulated(
        "commons_game", ["steward"], ["steward"], groups=1, seed=1, periods=2, archetype="lab"
    )
    kept = [groups.figure(data, "one")]
    gc.collect()
    assert len(kept[0].pdf()) > 1000
    assert [canvas for canvas in gc.get_objects() if isinstance(canvas, Canvas)] == []


def test_the_rows_of_a_group_match_its_number_and_session(large: Path) -> None:
    data = analysis.load(large)
    key = ("session7", 1)
    of_group = data.of_group(*key)
    rows = (data.decisions["session"] == key[0]) & (data.decisions["group"] == key[1])
    pd.testing.assert_frame_equal(of_group.decisions, data.decisions[rows])
    assert len(of_group.decisions) > 0
    assert len(data.of_group("elsewhere", 1).decisions) == 0
