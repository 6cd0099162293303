"""An export of as many periods as there can be takes time as it has rows, whatever it says."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import analysis
import engine
from analysis.audit.group import Group
from analysis.audit.replay import Replay
from analysis.audit.rows import Rows
from analysis.data import Data
from analysis.interruptions import interruptions
from analysis.types import TableError, typed
from mixed.__main__ import main
from tests.analysis.audit.faults import planted
from tests.mixed.bad import soon

PERIODS = 10_000
SAMPLE = Path(__file__).resolve().parents[3] / "analysis" / "sample" / "commons_game.zip"


def sat_down(rows: list[dict[str, Any]]) -> Group:
    """A group of which only the table `seats` is known."""
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    seats = Rows("seats", columns, range(len(rows)))
    game = engine.make("commons_game", seats=2)
    return Group({}, {}, game, {"seats": seats}, PERIODS, Replay())


def test_who_has_a_seat_is_the_last_row_of_those_that_begin_by_then() -> None:
    """Against the sentence itself: rows of one seat in any order, since any period or none."""
    draw = random.Random(3)
    for _ in range(100):
        sinces = [draw.choice(["", *range(8)]) for _ in range(6)]
        rows = [{"seat": 0, "since_period": since} for since in sinces]
        group = sat_down(rows)
        for period in range(10):
            by_then = [at for at, since in enumerate(sinces) if since == "" or since <= period]
            sat = group.occupancy(period, 0)
            assert (sat and sat["row"]) == (by_then[-1] if by_then else None)


def test_a_seat_that_changes_hands_in_every_period_is_looked_up_soon() -> None:
    rows = [{"seat": at % 2, "since_period": at // 2} for at in range(4 * PERIODS)]
    group = sat_down(rows)
    with soon():
        found = [group.occupancy(at // 2, at % 2) for at in range(4 * PERIODS)]
    assert [sat["row"] for sat in found if sat is not None] == list(range(4 * PERIODS))


def test_ten_thousand_interruptions_are_told_soon() -> None:
    """At every second decision the machine's clock is 5 s further than at the others."""
    at = np.arange(1, PERIODS + 1) * 10_000
    wall = at + 5_000 * (np.arange(PERIODS) % 2)
    own = {"session": "s", "group": 1, "period": np.arange(PERIODS)}
    periods = pd.DataFrame({**own, "settled_ms": at, "wall_ms": wall})
    decisions = pd.DataFrame({**own, "received_ms": at, "wall_ms": wall})
    seats = pd.DataFrame({"session": "s", "group": 1, "at_ms": at[:1], "wall_ms": wall[:1]})
    known = analysis.load(SAMPLE)
    data: Data = replace(known, periods=periods, decisions=decisions, seats=seats)
    with soon():
        told = [str(problem) for problem in interruptions(data)]
    assert len(told) == PERIODS - 1
    assert told[0].startswith("group 1 of session s, period 1: the play stood still for 5.0 s")
    assert told[-1].startswith(f"group 1 of session s, period {PERIODS - 1}:")


def test_a_row_of_the_last_period_there_can_be_is_named_soon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def last(rows: list[list[str]]) -> None:
        rows[-1][rows[0].index("period")] = str(PERIODS - 1)

    def longer(rows: list[list[str]]) -> None:
        at = rows[0].index("config")
        for row in rows[1:]:
            config = json.loads(row[at])
            config["core"]["periods"] = PERIODS
            row[at] = json.dumps(config)

    far = planted(SAMPLE, tmp_path / "far.zip", "decisions", last, remade=True)
    bad = planted(far, tmp_path / "bad.zip", "config", longer, remade=True)
    with soon():
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
def test_texts_are_read_as_their_column_says(
    kind: str, texts: list[str], values: list[Any]
) -> None:
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
def test_a_text_that_is_none_of_its_kind_is_named_by_its_row(kind: str, text: str) -> None:
    with pytest.raises(TableError) as refused:
        typed(pd.DataFrame({"own": ["1", text]}, dtype=object), {"own": kind})
    assert refused.value.row == 1
