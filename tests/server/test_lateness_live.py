"""The server's loop is blocked while people play: board, export and `mixed check` report it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES
from mixed_company.server.open.tables import tables
from tests.door.harness import seated, synced
from tests.server.wire import Loop, Server, server

__all__ = ["server"]  # a fixture

GIVEN: dict[str, Any] = {"quiz": False, "bot_delay": "instant", "periods": 4}


def held_up(seconds: float) -> None:
    """Block the loop for this many seconds."""
    Loop.latest += seconds


def decided(lives: list[Any], period: int) -> None:
    """Let both people decide. The writer, which follows the test's clock, records the clocks."""
    tables.writer._kept = -math.inf
    for live, name in zip(lives, "ab", strict=True):
        answer = live.act(period, f"{name}{period}", harvest=1, contribution=0)
        assert answer["kind"] == "ack"


def exported(server: Server, session: dict[str, Any], folder: Path) -> analysis.Data:
    path = folder / "export.zip"
    path.write_bytes(server.archive(session["code"]))
    assert [str(problem) for problem in analysis.check(path) if problem.kind not in NOTES] == []
    return analysis.load(path)


def told(data: analysis.Data) -> list[str]:
    return [
        problem.what.partition(": ")[2]
        for problem in data.problems
        if problem.kind == "interrupted"
    ]


def alarms(server: Server, session: dict[str, Any]) -> list[str]:
    listed = server.get(f"/session_board/{session['code']}").json()["alarms"]
    return [alarm for alarm in listed if "late" in alarm]


def test_lateness_is_an_alarm_and_an_event_and_is_distinguished_from_an_absence(server, tmp_path):
    long = {"grace_seconds": 600.0, "decision_seconds": 600.0}
    session = server.session("commons_two_people", 2, **GIVEN, **long)
    places = seated(server, session, 2)
    people, lives = [person for person, _ in places], [live for _, live in places]
    decided(lives, 0)
    assert alarms(server, session) == []
    held_up(4.45)
    server.turn(3.0)
    held_up(2.25)
    server.turn(1.0)
    assert alarms(server, session) == [
        "The server was 4.2 s late in the last minute: pages and decisions are delayed"
    ]
    assert "longest delay in the last minute: 4.2 s" in server.get("/live_state").text
    decided(lives, 1)
    server.turn(62.0)
    assert alarms(server, session) == []
    assert "longest delay in the last minute: 0.0 s" in server.get("/live_state").text

    server.crash(away_seconds=100.0)
    for person in people:
        person.reload()
    lives = [person.live() for person in people]
    assert [synced(live)["period"] for live in lives] == [2, 2]
    decided(lives, 2)
    decided(lives, 3)

    data = exported(server, session, tmp_path)
    late = data.events[data.events["event"] == "late"]
    [detail] = [json.loads(text) for text in late["detail"]]
    assert late["seat"].isna().all()
    assert detail["late_s"] == 4.2
    assert 4.5 <= detail["stood_s"] <= 4.7  # all but one second of each, and parts of a heartbeat
    first, second = told(data)
    assert first.endswith("because the server was late, by up to 4.2 s")
    assert second.endswith("the server was down, or somebody changed the machine's clock")
