"""Tests of plays of every game on a server that is killed halfway, and of the export."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from mixed_company.__main__ import main
from tests.door.audit import table
from tests.door.harness import Live, Person, seated, synced

pytestmark = pytest.mark.door

PLAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "commons_two_people": (2, {"periods": 4}),
    "gems": (1, {"periods": 4}),
    "sanctions": (1, {"periods": 4}),
    "vote": (1, {"turns": 4, "pace": "answers"}),
}
"""People and changed options for each session config."""

Places = list[tuple[Person, Live]]


def decide(places: Places, period: int) -> None:
    """Let each person choose the lowest allowed values; check that they are acknowledged.

    If the server is killed after a period's last ack, it settles the period after its restart.
    """
    for number, (_, live) in enumerate(places):
        view = synced(live)
        while (view["period"], view["phase"]) == (period - 1, "waiting"):
            view = live.receive("view")
        assert (view["period"], view["phase"]) == (period, "decide")
        least = {name: low for name, (low, _) in view["limits"].items()}
        assert live.act(period, f"{number} {period}", **least)["kind"] == "ack"


def back(places: Places) -> Places:
    """Reload everyone's page."""
    for person, _ in places:
        person.reload()
        assert person.page_name == "Play"
    return [(person, person.live()) for person, _ in places]


def test_plays_of_every_game_survive_a_killed_server_and_give_a_correct_file(
    server, tmp_path, capsys
):
    sessions, plays = [], []
    for config, (people, changes) in PLAYS.items():
        options = {"quiz": False, "bot_delay": "instant", **changes}
        sessions.append(server.session(config, people, **options))
        plays.append(seated(server, sessions[-1], people))
    for places in plays:
        for period in range(2):
            decide(places, period)
    server.stop(signal.SIGKILL)
    server.start()
    plays = [back(places) for places in plays]
    for places in plays:
        for period in (2, 3):
            decide(places, period)
        for person, _ in places:
            person.next()
            assert person.page_name == "Results"
    for session, places in zip(sessions, plays, strict=True):
        decisions = table(server, "decisions", session)
        person_rows = decisions[decisions["occupant"] == "person"]
        assert person_rows["decided_by"].tolist() == ["person"] * 4 * len(places)
        outcomes = table(server, "outcomes", session)
        assert outcomes["status"].tolist() == ["finished"] * len(places)
    (tmp_path / "out.zip").write_bytes(server.archive(*[session["code"] for session in sessions]))
    assert main(["check", str(tmp_path / "out.zip")]) == 0
    assert capsys.readouterr().out.count("everything matches") == len(PLAYS) + 1  # and people
