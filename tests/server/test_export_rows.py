"""Rows in the export that come from the journal or a person's record, checked by hand."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from mixed_company import engine
from mixed_company.experiment.digests import of_treatment
from mixed_company.experiment.treatments import rules_of
from mixed_company.server import export, live
from mixed_company.server.open.tables import tables
from mixed_company.server.play_clock import Stretch
from mixed_company.server.played import Played, _wall_times
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from tests.server.inside import Session, asked, inside

__all__ = ["inside"]  # a fixture

BASE = {"session": "s", "group": 1, "group_id": "s 1", "treatment": "t", "block": ""}


class Somebody:
    """Person in a seat."""

    def __init__(self, code: str) -> None:
        self.participant = self
        self.code = code
        self.subsession = SimpleNamespace(plan="")

    def get_folder_name(self) -> str:
        return "commons_game"


def played(*log: dict[str, Any]) -> Played:
    """Return a play of two people in seats 0 and 1, in which wall time is play time plus 1 s."""
    game = engine.make("commons_game", archetype="lab")
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options())
    people = {0: Somebody("ann"), 1: Somebody("ben")}
    codes = {seat: person.code for seat, person in people.items()}
    wall_at = lambda ms: None if ms < 0 else ms + 1000  # noqa: E731
    return Played(BASE, setup, list(log), codes, wall_at, people=people)


def sat(seat: int, occupant: str, since: int, reason: str, at_ms: int) -> dict[str, Any]:
    policy = "steward" if occupant == "policy" else None
    return {
        "kind": "seat",
        "seat": seat,
        "occupant": occupant,
        "policy_id": policy,
        "since_period": since,
        "reason": reason,
        "at_ms": at_ms,
    }


def test_a_seat_belongs_to_its_occupant_until_the_period_before_the_next_one_starts():
    """Let Ann play periods 0 and 1 of five, a bot play period 2 for her, and Ann play the rest. Ben
    plays all."""
    log = [
        sat(0, "person", 0, "seated", 0),
        sat(1, "person", 0, "seated", 0),
        sat(2, "policy", 0, "seated", -1),
        sat(0, "policy", 2, "dropout", 200),
        sat(0, "person", 3, "return", 300),
        *({"kind": "period", "period": period} for period in range(5)),
    ]
    rows = list(export.ROWS["seats"](played(*log)))
    spans = [
        (row["seat"], row["occupant"], row["since_period"], row["until_period"]) for row in rows
    ]
    assert spans == [
        (0, "person", 0, 1),
        (1, "person", 0, 4),
        (2, "policy", 0, 4),
        (0, "policy", 2, 2),
        (0, "person", 3, 4),
    ]
    assert [row["policy_id"] for row in rows] == ["", "", "steward", "steward", ""]
    assert [row["participant"] for row in rows] == ["ann", "ben", "", "ann", "ann"]
    assert [row["wall_ms"] for row in rows] == [1000, 1000, "", 1200, 1300]
    assert [row["reason"] for row in rows] == ["seated", "seated", "seated", "dropout", "return"]
    assert all(row["session"] == "s" for row in rows)


def test_other_data_of_an_event_are_its_detail():
    log = [
        {"kind": "event", "at_ms": 5, "period": 1, "event": "note", "seat": 0, "detail": "Hello"},
        {"kind": "event", "at_ms": 9, "event": "ended"},
        {"kind": "heard", "seat": 0, "gap": 2},
    ]
    first, second = export.ROWS["events"](played(*log))
    assert first == {
        **BASE,
        "period": 1,
        "at_ms": 5,
        "event": "note",
        "seat": 0,
        "wall_ms": 1005,
        "detail": '{"detail": "Hello"}',
    }
    assert (second["period"], second["seat"], second["detail"]) == ("", "", "")
    assert (second["at_ms"], second["wall_ms"]) == (9, 1009)


# -- a person --------------------------------------------------------------------------------


def table(session: Session, app: str, name: str) -> list[dict[str, str]]:
    about = {"app": app, "function_name": f"custom_export_{name}", "session_code": session.code}
    query = "&".join(f"{key}={value}" for key, value in about.items())
    answer = asked(f"/api/export_app_custom?{query}")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


def test_the_row_of_a_person_has_everything_recorded_on_the_way(inside):
    """Check that 3 fish in each of 2 periods are 6 points, so the pay is 2.60 at 0.10 with a fee of
    2.00.
    """
    session = Session(
        "commons",
        3,
        seed="3",
        periods=2,
        participation_fee=2.0,
        real_world_currency_per_point=0.1,
        panel_parameters="PANEL",
        consent="May we?",
        comments=True,
        attention=True,
        practice_periods=1,
    )
    ann, ben, _ = session.people
    ann.come("?PANEL=p-1").send(consented="yes").send()
    right = json.loads(ann.rightly())
    ann.send(quiz_answers=json.dumps(right | {"loss": "?"})).send(quiz_answers=json.dumps(right))
    assert ann.page == "Practice"
    practise(ann)
    ann.send().play(harvest=3.0)
    ann.send(attention='{"hidden_times": 2, "hidden_ms": 1500}').send(comments="Fine,\nthanks")
    assert ann.page == "Results"
    session.direct("message", "m", participant=ann.code, text="Hello")
    ben.come()
    assert session.direct("release", "r", participant=ben.code)[0] == 200
    full, early, never = table(session, "commons_game", "outcomes")
    assert [row["participant"] for row in (full, early, never)] == [
        visitor.code for visitor in session.people
    ]
    same = {
        "session": session.code,
        "label": "p-1",
        "treatment": "commons",
        "block": "",
        "slot": "",
        "assigned_ms": "",
        "group": "1",
        "group_id": f"{session.code}-1",
        "status": "finished",
        "points": "6.0",
        "seat_points": "6.0",
        "paid_points": "6.0",
        "payment": "2.6",
        "pay_fee": "2.0",
        "pay_points": "0.6",
        "pay_waiting": "0.0",
        "pay_elsewhere": "0.0",
        "waited_ms": "0",
        "consented": "yes",
        "comments": "Fine, thanks",
        "hidden_times": "2",
        "hidden_ms": "1500",
        "parameters": '{"PANEL": "p-1"}',
        "managed": "",
        "quiz_attempts": "2",
        "practised_periods": "1",
        "bot_share": "0.0",
        "disconnections": "0",
    }
    assert {name: full.get(name) for name in same} == same
    assert [len(entry["wrong"]) for entry in json.loads(full["quiz_log"])] == [1, 0]
    assert [entry["period"] for entry in json.loads(full["practice_log"])] == [0]
    assert float(full["consented_ms"]) > 1e12
    assert "computer programs" in full["disclosure"]
    assert float(full["disclosed_ms"]) > float(full["consented_ms"])
    [managed] = json.loads(early["managed"])
    assert (managed["what"], early["status"], early["seat"]) == ("release", "released", "")
    assert (early["quiz_attempts"], early["quiz_log"], early["practice_log"]) == ("0", "[]", "")
    assert (never["status"], never["treatment"], never["payment"]) == ("arriving", "commons", "0.0")
    nothing = (
        "group",
        "seat",
        "consented_ms",
        "disclosure",
        "disclosed_ms",
        "managed",
        "reaction_ms",
    )
    assert {never[name] for name in nothing} == {""}


def practise(visitor: Any) -> None:
    from mixed_company.server.open.practices import practices

    player = visitor.player()
    practice = practices.of(player).table
    (seat,) = practice.people
    live.practice(player, {"kind": "sync"})
    while not practice.parted(seat):
        period, action = practice.episode.period, practice.episode.allowed(seat).default_action()
        live.practice(
            player, {"kind": "act", "id": f"{period}", "period": period, "action": action}
        )


def test_a_person_replaced_by_a_bot_has_a_share_of_periods_and_a_gap(inside):
    """Let Ann decide in the first of two periods and be away for the second."""
    from mixed_company.server import clock

    session = Session(
        "commons",
        1,
        seed="3",
        periods=2,
        quiz=False,
        decision_seconds=60.0,
        grace_seconds=30.0,
        participation_fee=0.0,
        real_world_currency_per_point=0.1,
        pay_floor=10.0,
    )
    [ann] = session.people
    ann.come().send().play(periods=1, harvest=3.0)
    player = ann.player()
    clock.put_on(200_000)
    assert tables.settled(player).episode.done
    [row] = table(session, "commons_game", "outcomes")
    assert (row["bot_share"], row["disconnections"]) == ("0.5", "1")
    assert (row["points"], row["paid_points"]) == ("3.0", "10.0")
    assert float(row["seat_points"]) > 3.0
    seats = [
        seat_row
        for seat_row in table(session, "commons_game", "seats")
        if seat_row["seat"] == row["seat"]
    ]
    assert [(seat_row["occupant"], seat_row["reason"]) for seat_row in seats][:2] == [
        ("person", "seated"),
        ("policy", "dropout"),
    ]


# -- other rows of a group ------------------------------------------------------------------------


def test_a_message_has_its_author_its_time_and_the_people_who_reported_it():
    message = {
        "kind": "message",
        "number": 4,
        "period": 1,
        "at_ms": 50,
        "seat": 1,
        "to": None,
        "occupant": "person",
        "policy_id": None,
        "sentence": None,
        "blocked": False,
    }
    log = [
        {**message, "text": "=1+1"},
        {"kind": "report", "message": 4, "seat": 0},
        {**message, "number": 5, "seat": 2, "to": 0, "policy_id": "steward", "text": "Yes"},
    ]
    first, second = export.ROWS["messages"](played(*log))
    assert first == {
        **BASE,
        "number": 4,
        "period": 1,
        "at_ms": 50,
        "seat": 1,
        "occupant": "person",
        "policy_id": "",
        "to": "",
        "text": "'=1+1",
        "sentence": "",
        "blocked": False,
        "reported_by": "0",
        "wall_ms": 1050,
        "participant": "ben",
    }
    names = ("seat", "to", "policy_id", "text", "reported_by", "participant")
    assert [second[name] for name in names] == [2, 0, "steward", "Yes", "", ""]


def test_the_row_of_a_group_has_everything_that_determined_its_play(monkeypatch):
    monkeypatch.setattr(
        export, "matching_group", lambda members: [member.code for member in members]
    )
    play = played({"kind": "start", "seed": 7})
    money = {"participation_fee": "2.5", "real_world_currency_per_point": "0.1"}
    [row] = export.ROWS["config"](replace(play, session={"name": "commons", **money}))
    identity = play.setup.config["identity"]
    assert row == {
        **BASE,
        "matching_group": ["ann", "ben"],
        "digest": of_treatment("t", "", rules_of(play.setup)),
        "seed": 7,
        "rehearsed": play.setup.rehearsed,
        "session_config": "commons",
        "participation_fee": 2.5,
        "point_value": 0.1,
        "game": "commons_game",
        "version": identity["version"],
        "config": json.dumps(play.setup.config),
        "rule": play.setup.rule,
        "rules": "",
        "options": play.setup.options.model_dump_json(),
        "software": json.dumps(export.software()),
    }


def test_a_time_is_that_of_the_machine_although_the_play_was_paused():
    """Pause the play for 300 ms at 100 ms, and for 50 ms at 400 ms."""
    log = [{"at_ms": 100, "stood_ms": 300}, {"at_ms": 200}, {"at_ms": 400, "stood_ms": 50}]
    wall = _wall_times([Stretch(0, 10_000, 5_000)], 1_000, log)
    assert [wall(at_ms) for at_ms in (1100, 100, 101, 400, 401)] == [
        *(5_450, 4_100, 4_401, 4_700, 4_751)
    ]
