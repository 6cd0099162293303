"""Notes name people whose times contradict each other, or whose wait no lobby allows.

The rehearsed person opened the link at 0.5 s, was told about bots at 0.8 s, passed the quiz at
3.6 s, reached the lobby at 4.2 s, played from 7.3 s to 11.9 s, and played again from 19.4 s to
22.4 s, all after ZERO. The plan has `lobby_seconds = 300`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from mixed_company import analysis
from mixed_company.analysis.audit.participants import check_participants
from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.audit.times import Times
from mixed_company.analysis.data import Data, Problem
from mixed_company.analysis.reading import participants
from mixed_company.table.export.column import iso
from mixed_company.table.export.participants import Stage
from mixed_company.table.lobby import GONE_MS, Lobby
from mixed_company.table.options import Options
from tests.analysis.audit.faults import Rows, edited, planted
from tests.analysis.audit.rehearsed import EXPORT, export

ZERO = 1_795_715_000_000
MINUTE = 60_000
CHANGED = "the machine's clock was changed, or somebody changed the times"


@pytest.fixture(scope="module")
def data() -> Data:
    return analysis.load(EXPORT)


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    frame, _ = participants(EXPORT)
    assert frame is not None
    return frame


def problems(data: Data, people: pd.DataFrame, **times_ms: int | None) -> list[Problem]:
    """Return the problems in `participants` after the first person's times are changed. They count
    from ZERO, except for `waited_ms` and for `quiz`, which moves all attempts."""
    outcomes, people = data.outcomes.copy(), people.copy()
    for name, ms in times_ms.items():
        if name == "quiz":
            log = json.loads(str(outcomes.loc[0, "quiz_log"]))
            moved = [{**attempt, "at_ms": attempt["at_ms"] + ms} for attempt in log]
            outcomes.loc[0, "quiz_log"] = json.dumps(moved)
        else:
            start_ms = 0 if name == "waited_ms" else ZERO
            time_ms = pd.NA if ms is None else start_ms + ms
            for frame in (outcomes, people):
                if name in frame:
                    frame[name] = frame[name].astype("Int64")
                    frame.loc[0, name] = time_ms
    findings = Findings("")
    check_participants(people, [replace(data, outcomes=outcomes)], findings)
    return list(findings.problems)


@pytest.mark.parametrize(
    ("times_ms", "sentence"),
    [
        ({}, ""),
        # the two clocks of a server can differ by some seconds
        ({"arrived_ms_1": 5_000}, ""),
        ({"arrived_ms_1": -8_000}, ""),
        (
            {"arrived_ms_1": -20 * MINUTE},
            "an attempt in quiz_log of block 1 is later than arrived_ms_1",
        ),
        ({"arrived_ms_1": 11_865 + MINUTE}, "arrived_ms_1 is later than began_ms_1"),
        ({"arrived_ms_2": -10 * MINUTE}, "ended_ms_1 is later than arrived_ms_2"),
        (
            {"disclosed_ms": 1440 * MINUTE},
            "disclosed_ms of block 1 is later than an attempt in quiz_log of block 1",
        ),
        (
            {"quiz": -1440 * MINUTE},
            "disclosed_ms of block 1 is later than an attempt in quiz_log of block 1",
        ),
        ({"quiz": MINUTE}, "an attempt in quiz_log of block 1 is later than arrived_ms_1"),
        ({"first_seen_ms": MINUTE}, "first_seen_ms is later than assigned_ms"),
        ({"assigned_ms": MINUTE}, "assigned_ms is later than disclosed_ms of block 1"),
        ({"began_ms_2": -MINUTE}, "arrived_ms_2 is later than began_ms_2"),
    ],
)
def test_times_out_of_order_are_noted(
    data: Data, people: pd.DataFrame, times_ms: dict[str, int], sentence: str
) -> None:
    notes = [
        str(problem) for problem in problems(data, people, **times_ms) if CHANGED in str(problem)
    ]
    assert len(notes) == bool(sentence), notes
    assert all(f"participant 597vg8pc: {sentence}: {CHANGED}" in note for note in notes), notes


def test_a_visit_later_than_the_pages_is_only_a_note(tmp_path: Path) -> None:
    """oTree writes the visit by the machine's clock. The pages' clock does not change if somebody
    sets that clock while the server runs."""

    def change(rows: Rows) -> None:
        edited(1, "first_seen_ms", str(ZERO + MINUTE))(rows)
        edited(1, "first_seen_time", iso(ZERO + MINUTE))(rows)

    good, bad = export(tmp_path), tmp_path / "bad.zip"
    planted(good, bad, "participants", change, remade=True, game="")
    new = {str(problem): problem.kind for problem in analysis.check(bad)}
    old = {str(problem): problem.kind for problem in analysis.check(good)}
    assert {new[line] for line in new.keys() - old.keys()} == {"unknown"}


def test_a_wait_of_twenty_minutes_is_noted_if_the_lobby_takes_five(
    data: Data, people: pd.DataFrame
) -> None:
    times_ms = {"arrived_ms_1": 7_256 - 20 * MINUTE, "waited_ms": 20 * MINUTE}
    [out_of_order, too_long] = map(str, problems(data, people, **times_ms))
    assert "an attempt in quiz_log of block 1 is later than arrived_ms_1" in out_of_order
    assert "waited 20 minutes in the lobby of block 1, although lobby_seconds = 300" in too_long


@pytest.mark.parametrize(("waited_ms", "too_long"), [(4_000, False), (4_200, True)])
def test_nobody_waits_for_longer_than_until_the_play(
    data: Data, people: pd.DataFrame, waited_ms: int, too_long: bool
) -> None:
    """The person arrived 3.1 s before the play. If the machine's clock was set back meanwhile, the
    wait is longer, so this is only a note."""
    notes = [line for line in problems(data, people, waited_ms=waited_ms) if line.kind == "unknown"]
    words = "which is longer than from arriving to playing: the machine's clock was changed"
    assert [words in str(line) for line in notes] == [True] * too_long


def test_a_play_that_began_without_a_person_has_no_place_in_the_order(
    data: Data, people: pd.DataFrame
) -> None:
    """In a later block, a group can begin to play while one of its people is still in the block
    before."""
    early: dict[str, int | None] = {"began_ms_2": 8_000, "arrived_ms_2": None}
    assert not [line for line in problems(data, people, **early) if line.kind == "unknown"]


@pytest.mark.parametrize(("longer_ms", "too_long"), [(0, False), (MINUTE, True)])
def test_nobody_waits_for_longer_than_a_lobby_keeps_people(longer_ms: int, too_long: bool) -> None:
    """A person leaves right after arriving, and returns a millisecond before counting as gone."""
    options = Options(people_per_group=2, lobby_seconds=300)
    lobby = Lobby(options)
    lobby.arrive(1, 0)
    lobby.leave(1)
    longest_ms = lobby.next_due(0)
    assert longest_ms == 2 * 300_000 + GONE_MS
    lobby.hear(1, longest_ms - 1)
    assert [change.kind for change in lobby.advance(longest_ms - 1)] == ["form"]
    findings, row = Findings(""), {"session": "s", "participant": "a", "row": 0}
    times = Times(float("inf"), findings)
    stage = Stage("app", {"waited_ms": longest_ms + longer_ms})
    for _ in range(2):
        times.check_wait(row, 1, stage, {"lobby_seconds": 300.0})
    times.check_wait(row, 1, stage, {})  # exports from earlier releases lack options
    words = "a: waited 12 minutes in the lobby of block 1, although lobby_seconds = 300: the server"
    notes = [str(problem) for problem in findings.problems]
    assert len(notes) == too_long
    assert all(words in note for note in notes)
