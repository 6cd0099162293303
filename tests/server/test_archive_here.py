"""Exports and payment lists of people and sessions in memory."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.engine.contract.errors import UnknownName
from mixed_company.server import payroll
from mixed_company.server.archive import participants, writing
from mixed_company.server.archive.participants import Ways
from mixed_company.server.payroll import Line, Payroll
from mixed_company.table.export.participants import Stage
from tests.loops import complete


def played(*seats: tuple[int, str, int], ended: int = 0, periods: tuple[int, ...] = ()) -> Any:
    """Return a play with these seatings (seat, occupant, time), this end and these periods."""
    entries = {
        "seat": [{"seat": seat, "occupant": who, "at_ms": time_ms} for seat, who, time_ms in seats],
        "event": [{"event": "other", "at_ms": 1}]
        + [{"event": "ended", "at_ms": time_ms} for time_ms in (ended, ended + 1) if ended],
    }
    rows = [{"at_ms": time_ms} for time_ms in periods]
    return SimpleNamespace(
        entries=entries.__getitem__, periods=rows, wall=lambda time_ms: time_ms + 1000
    )


SAT = (2, "person", 10), (1, "person", 11)
BACK = (1, "policy", 13), (1, "person", 14)


@pytest.mark.parametrize(
    ("play", "status", "times"),
    [
        (None, "arriving", ("", "")),
        (played(*SAT, periods=(20, 30)), "seated", (1011, "")),
        (played(*SAT, periods=(20, 30)), "finished", (1011, 1030)),
        (played(*SAT, ended=25, periods=(20, 30)), "ended", (1011, 1025)),
        (played(*SAT, (1, "policy", 15), periods=(20, 30)), "left", (1011, 1015)),
        (played(*SAT, (2, "policy", 15), periods=(20, 30)), "finished", (1011, 1030)),
        (played(*SAT), "ended", (1011, 1011)),
        (played(*SAT, *BACK, periods=(20, 30)), "left", (1011, 1030)),
    ],
)
def test_a_play_begins_with_the_seat_and_ends_with_the_seat_or_with_the_play(play, status, times):
    assert participants._times(SimpleNamespace(seat=1), {"status": status}, play) == times


@pytest.mark.parametrize(
    ("noted", "seen"), [(None, ""), ("", ""), ("1970-01-01 00:00:02.5004", 2500)]
)
def test_the_first_opening_of_the_link_is_as_otree_recorded_it(noted, seen):
    if noted:
        noted = datetime(1970, 1, 1, 0, 0, 2, 500_400).isoformat()
    assert participants._first_seen(SimpleNamespace(time_started_utc=noted)) == seen


def test_one_row_per_participant_has_the_blocks_in_order(monkeypatch):
    monkeypatch.setattr(
        participants,
        "participant_row",
        lambda stages, seen, paid: (list(stages.items()), seen, paid),
    )
    monkeypatch.setattr(participants, "planned_of", lambda subsession: subsession)
    monkeypatch.setattr(participants, "paid_number", lambda player, plan: plan.paid)
    session = SimpleNamespace(config={"app_sequence": ["survey", "gem_mining", "commons_game_2"]})

    def player(number: int, app: str, plan: Any = None, session_id: int = 5) -> Any:
        human = SimpleNamespace(id_in_session=10 - number, time_started_utc=None)
        columns = {"participant_id": number, "participant": human, "subsession": plan}
        where = {"session": session, "session_id": session_id, "get_folder_name": lambda: app}
        return SimpleNamespace(**columns, **where, arrived_ms=7.6 * (number == 1), seat=0)

    ways = Ways()
    assert (ways.blocks, list(ways.rows())) == (1, [])
    two = SimpleNamespace(blocks=["a", "b"], paid=0)
    ways.add(player(1, "commons_game_2", two), {"status": "left"}, None)
    ways.add(player(1, "gem_mining", two), {"status": "finished"}, played((0, "person", 3)))
    ways.add(player(2, "gem_mining", SimpleNamespace(blocks=[], paid=1)), {"status": "full"}, None)
    two_paid = SimpleNamespace(blocks=["a"], paid=None)
    ways.add(player(3, "gem_mining", two_paid, session_id=4), {"status": "full"}, None)
    ways.add(player(4, "gem_mining"), {"status": "full"}, None)
    full = Stage("gem_mining", {"status": "full"})
    first = Stage("gem_mining", {"status": "finished"}, 8, 1003, 1003)
    last = Stage("commons_game_2", {"status": "left"}, 8)
    assert list(ways.rows()) == [
        ([(1, full)], "", ""),
        ([(1, full)], "", ""),
        ([(1, full)], "", ""),
        ([(1, first), (2, last)], "", 0),
    ]
    assert ways.blocks == 2


def test_license_and_citation_are_those_given_or_else_those_of_the_settings(monkeypatch):
    monkeypatch.setattr(writing, "settings", SimpleNamespace(DATA_LICENSE="CC0", DATA_CITATION=""))
    assert writing._terms({}) == {"license": "CC0"}
    options = {"license": "BY", "citation": "Me", "other": "x"}
    assert writing._terms(options) == {"license": "BY", "citation": "Me"}
    monkeypatch.setattr(writing, "settings", SimpleNamespace())
    assert writing._terms({"citation": "Me"}) == {"citation": "Me"}


class Query(list[Any]):
    """Rows of the database, already in order."""

    def order_by(self, *keys: Any) -> Query:
        return self

    def options(self, *ways: Any) -> Query:
        return self

    def all(self) -> list[Any]:
        return list(self)


def stored(monkeypatch: pytest.MonkeyPatch, *rows: Any) -> None:
    database = SimpleNamespace(db=SimpleNamespace(query=lambda model: Query(rows)))
    monkeypatch.setattr(writing, "database", database)


def test_sessions_are_found_by_code_in_the_order_of_creation(monkeypatch):
    a, b, c = (SimpleNamespace(code=code) for code in ("aaa", "bbb", "ccc"))
    stored(monkeypatch, a, b, c)
    assert writing._sessions([]) == [a, b, c]
    assert writing._sessions(["ccc", "aaa"]) == [a, c]
    with pytest.raises(
        UnknownName, match=r"^session 'aab': no such session; did you mean 'aaa'\?$"
    ):
        writing._sessions(["aaa", "aab"])
    stored(monkeypatch)
    with pytest.raises(writing.ExportError, match=r"^there are no sessions in the database$"):
        writing._sessions([])


def test_the_manifest_describes_each_session(monkeypatch):
    def session(code: str, name: str, people: int) -> Any:
        config = {"name": name, "app_sequence": [name, "survey"]}
        return SimpleNamespace(code=code, config=config, num_participants=people)

    a, b = session("a", "gems", 3), session("b", "commons", 4)
    stored(monkeypatch, ("a",), ("b",), ("gone",))
    monkeypatch.setattr(writing, "code_hash", lambda: "hash")
    monkeypatch.setattr(writing.export, "software", lambda: {"otree": "6"})
    monkeypatch.setattr(writing.engine, "find", lambda name: SimpleNamespace(version=f"{name} 2"))
    monkeypatch.setattr(writing.door, "history", lambda session: ["shut"] if session is a else [])
    configs = dict.fromkeys(("other", "commons", "gems"))
    monkeypatch.setattr(writing, "SESSION_CONFIGS_DICT", configs)
    plan = SimpleNamespace(number=1)
    monkeypatch.setattr(writing, "described", lambda blocks: {"blocks": len(blocks)})
    subsessions = [None, "plain", "planned"]

    def app(subsession: Any) -> Any:
        by_session = {a.code: None, b.code: subsession}
        first = SimpleNamespace(objects_first=lambda session: by_session[session.code])
        return SimpleNamespace(Subsession=first)

    apps = [app(subsession) for subsession in subsessions]
    monkeypatch.setattr(writing.storage, "apps_of", lambda session: apps)
    monkeypatch.setattr(writing, "planned_of", {"plain": None, "planned": plan}.__getitem__)
    monkeypatch.delenv(writing.REHEARSED, raising=False)
    manifest = writing._made([a, b], ["commons_game"])
    moment = manifest.pop("made")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", moment)
    assert datetime.fromisoformat(moment).tzinfo == UTC
    whole = {
        "software": {"otree": "6"},
        "code": "hash",
        "games": {"commons_game": "commons_game 2"},
        "sessions": {
            "a": {
                "session_config": "gems",
                "participants": 3,
                "apps": ["gems", "survey"],
                "door": ["shut"],
            },
            "b": {
                "session_config": "commons",
                "participants": 4,
                "apps": ["commons", "survey"],
                "plan": {"blocks": 1},
            },
        },
        "created": ["a", "b", "gone"],
        "session_configs": ["commons", "gems"],
    }
    assert manifest == whole
    monkeypatch.setenv(writing.REHEARSED, '{"people": 2}')
    rehearsed = writing._made([a, b], ["commons_game"])
    assert rehearsed == {**whole, "made": rehearsed["made"], "rehearsed": {"people": 2}}


def test_the_total_of_a_session_of_one_app_is_to_the_cent():
    sessions = {
        code: SimpleNamespace(config={"app_sequence": apps})
        for code, apps in (("a", ["x"]), ("b", ["x", "y"]), ("c", ["x"]))
    }
    about: dict[str, Any] = {"sessions": {code: {} for code in sessions}}
    rows = [{"session": code, "payment": paid} for code, paid in (("a", 0.1), ("a", 0.2), ("b", 1))]
    writing._add_totals(rows, sessions, about)
    assert about == {"sessions": {"a": {"total": 0.3}, "b": {}, "c": {}}}


def test_apps_of_a_game_are_in_the_order_of_blocks(monkeypatch):
    apps = [
        SimpleNamespace(__name__=name, C=SimpleNamespace(GAME=name.partition("_2")[0]))
        for name in ("commons_game_2", "gem_mining", "commons_game")
    ]
    monkeypatch.setattr(writing.storage, "apps_of", lambda session: apps[session:])
    assert writing._by_game([1, 0]) == {"gem_mining": [apps[1]], "commons_game": [apps[2], apps[0]]}


@pytest.mark.parametrize(("name", "expected"), [("commons_game", [1, 2]), ("commons_game_2", [2])])
def test_the_members_of_a_later_block_are_the_people_who_reached_it(monkeypatch, name, expected):
    players = [SimpleNamespace(id=number, session_id=number != 3) for number in (1, 2, 3)]
    stored(monkeypatch, *players)
    names: list[str] = []
    monkeypatch.setattr(writing, "has_come", lambda player: player.id != 1)
    monkeypatch.setattr(writing, "joinedload", lambda relation, innerjoin: names.append(relation))
    model = {"participant": "p", "group": "g", "session": "s", "session_id": 0, "id": 0}
    app = SimpleNamespace(__name__=name, Player=SimpleNamespace(**model))
    sessions = [SimpleNamespace(id=True)]
    assert [player.id for player in writing._players(app, sessions)] == expected
    assert names == ["p", "g", "s"]


# -- lists of payments -----------------------------------------------------------------------


def line(bonus: str, panel: str = "x", **named: str) -> Line:
    label = named.get("label", "")
    return Line(4, "code", label, panel, "finished", Decimal("2.00"), Decimal(bonus))


def test_everybody_who_is_paid_is_in_the_list_in_order(monkeypatch):
    def person(number: int, paid: str, label: str | None) -> Any:
        return SimpleNamespace(id_in_session=number, code=f"c{number}", label=label, paid=paid)

    people = [person(3, "2.50", "Ann"), person(1, "2.00", None), person(2, "0", "Ben")]
    session = SimpleNamespace(pp_set=people, config={"display_name": "Commons"})
    sessions = SimpleNamespace(objects_first=lambda code: session if code == "s" else None)
    monkeypatch.setattr(payroll, "Session", sessions)
    monkeypatch.setattr(payroll, "paid_to", lambda player: Decimal(player.paid))
    monkeypatch.setattr(payroll, "beyond_fee", lambda player: Decimal(player.paid) - 2)
    before, last = [SimpleNamespace(status="finished")] * 2, SimpleNamespace(status="left")
    monkeypatch.setattr(payroll, "reached_by", lambda player: [*before, last])
    monkeypatch.setattr(payroll, "panel_id", lambda player: f"panel of {player.status}")
    whole = ("panel of left", "left", Decimal(2))
    listed = [Line(1, "c1", "", *whole, Decimal(0)), Line(3, "c3", "Ann", *whole, Decimal("0.50"))]
    assert payroll.payroll("s") == Payroll("s", "Commons", listed, 1)
    assert payroll.payroll("other") is None


@pytest.mark.parametrize(
    ("name", "code", "status", "text"),
    [
        ("prolific", "s", 200, "x,1.00\n"),
        ("prolific", "t", 404, "session t: there is no such session\n"),
        ("other", "s", 404, "'other': should be one of prolific, payments\n"),
    ],
)
def test_a_file_of_payments_is_sent_under_its_name(monkeypatch, name, code, status, text):
    paid = Payroll("s", "<b>", [line("1.00", label="<i>")], unpaid=3)

    async def with_database(work: Any) -> Any:
        return work()

    monkeypatch.setattr(payroll, "with_database", with_database)
    monkeypatch.setattr(payroll, "payroll", {"s": paid, "t": None}.__getitem__)
    answer: Any = complete(payroll.SessionPaymentFile.get(None, None, code, name))
    assert (answer.status_code, answer.body.decode()) == (status, text)
    if status == 200:
        assert answer.headers["content-disposition"] == 'attachment; filename="prolific_s.csv"'
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    monkeypatch.setattr(payroll, "RealWorldCurrency", lambda amount: f"{amount} EUR")
    page = SimpleNamespace(
        get_context_data=lambda **shown: shown, render_to_response=lambda shown: shown
    )
    shown: Any = complete(payroll.SessionReceipt.get(page, None, code))
    if code == "t":
        assert (shown.status_code, shown.body.decode()) == (status, text)
        return
    assert shown == {
        "code": "s",
        "name": "&lt;b&gt;",
        "rows": [{"name": "&lt;i&gt;", "code": "code", "payment": "3.00 EUR"}],
        "total": "3.00 EUR",
        "paid": 1,
        "unpaid": 3,
    }
