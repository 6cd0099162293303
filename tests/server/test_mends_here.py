"""Changes to oTree for PostgreSQL, for several servers and for its pages, tested without PostgreSQL
or other servers."""

from __future__ import annotations

import resource
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.board import addresses
from mixed_company.server.fleet.owners import Place
from mixed_company.server.gate import faults, limits
from mixed_company.server.mends import admin, demo, fleet, gate, sessions
from mixed_company.server.open.tables import NotSaved
from mixed_company.server.pages.guide import guide_of
from mixed_company.server.preflight import whole
from mixed_company.server.secret_key import PUBLISHED
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from tests.loops import complete
from tests.server.inside import Session, inside

__all__ = ["inside"]  # a fixture

# -- several servers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("servers", "addrport", "calls"),
    [
        (1, "127.0.0.1:9001", ["held", ("alone", "127.0.0.1:9001")]),
        (2, "127.0.0.1:9001", ["held", ("127.0.0.1", "9001")]),
    ],
)
def test_a_server_ends_with_its_keeper_and_one_of_several_starts_no_worker(
    servers, addrport, calls, monkeypatch
):
    done: list[Any] = []
    monkeypatch.setattr(fleet, "here", lambda: Place(0, servers))
    monkeypatch.setattr(fleet, "_end_with_parent", lambda: done.append("held"))
    monkeypatch.setattr(fleet, "_serve_alone", lambda _, addrport: done.append(("alone", addrport)))
    system = fleet.prodserver1of2
    monkeypatch.setattr(system, "get_addr_port", lambda address: address.split(":"))
    monkeypatch.setattr(system, "run_asgi_server", lambda *address: done.append(address))
    fleet._serve(None, addrport=addrport)
    assert done == calls


def test_people_have_the_letter_of_their_session_and_a_given_code_stays():
    person, coded = (SimpleNamespace(code=code, _session_code="abcdefgz") for code in (None, "x"))
    for participant in (person, coded):
        fleet._give_same_letter(None, None, participant)
    assert (len(person.code), person.code[-1], coded.code) == (8, "z", "x")


def test_the_worker_ends_with_its_keeper(monkeypatch):
    done: list[Any] = []
    monkeypatch.setattr(fleet, "_end_with_parent", lambda: done.append("held"))
    monkeypatch.setattr(fleet, "_work", lambda *arguments, **more: done.append((*arguments, more)))
    fleet._work_while_held("command", 1, two=2)
    assert done == ["held", ("command", 1, {"two": 2})]


@pytest.mark.parametrize("held", [True, False])
def test_a_held_process_waits_in_a_thread_until_the_other_end_is_closed(held, monkeypatch):
    read, ended, threads = [b"x", b"x", b""], list[int](), list[Any]()

    class Thread:
        def __init__(self, target: Any, daemon: bool) -> None:
            threads.append(daemon)
            self.target = target

        def start(self) -> None:
            self.target()

    monkeypatch.setattr(fleet.threading, "Thread", Thread)
    system = SimpleNamespace(
        read=lambda file, size: read.pop(0),
        _exit=ended.append,
        environ={fleet.HELD: "1"} if held else {},
    )
    monkeypatch.setattr(fleet, "os", system)
    fleet._end_with_parent()
    assert (threads, ended, read) == (([True], [1], []) if held else ([], [], [b"x", b"x", b""]))


# -- checks before a server starts ----------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("MIXED_LIMITS", "bodies=1", "MIXED_LIMITS"),
        ("MIXED_ORIGINS", "lab.example.org", "MIXED_ORIGINS"),
        ("MIXED_AGENTS", "gpt=short", "MIXED_AGENTS"),
        ("OTREE_REST_KEY", "short", "the key has 5 characters"),
    ],
)
def test_a_server_that_must_not_start_says_why_and_exits(
    inside, variable, value, words, monkeypatch, capsys
):
    monkeypatch.setattr(gate, "_address", lambda address, is_devserver: ("127.0.0.1", address))
    monkeypatch.setenv(variable, value)
    limits.cache_clear()
    with pytest.raises(SystemExit) as ended:
        gate._checked_address("9000")
    assert ended.value.code == 2
    assert words in capsys.readouterr().err
    monkeypatch.delenv(variable)
    limits.cache_clear()
    assert gate._checked_address("9000") == ("127.0.0.1", "9000")
    monkeypatch.setattr(gate.settings, "SECRET_KEY", PUBLISHED)
    monkeypatch.setattr(gate.settings, "AUTH_LEVEL", "STUDY")
    monkeypatch.setattr(gate, "_address", lambda address, is_devserver: ("192.0.2.1", address))
    with pytest.raises(SystemExit):
        gate._checked_address("9000")
    assert "OTREE_SECRET_KEY" in capsys.readouterr().err


@pytest.mark.parametrize(("is_devserver", "level"), [(True, "warning"), (False, "info")])
def test_a_server_is_prepared_before_it_runs(is_devserver, level, monkeypatch):
    done: list[Any] = []
    calls = {
        "_open_more_files": gate,
        "be_brief": gate.database,
        "collect": gate.gc,
        "freeze": gate.gc,
        "begin": gate.memory,
    }
    for name, owner in calls.items():
        monkeypatch.setattr(owner, name, lambda name=name: done.append(name))
    monkeypatch.setattr(gate.gc, "set_threshold", lambda *numbers: done.append(numbers))
    monkeypatch.setattr(gate, "limits", lambda: "limits")
    monkeypatch.setattr(gate, "protocols", lambda limits: (f"http, {limits}", f"ws, {limits}"))
    monkeypatch.setattr(gate, "gate", lambda is_devserver: f"gate {is_devserver}")
    monkeypatch.setattr(gate, "Config", lambda app, **options: (app, options))

    class Server:
        def __init__(self, config: Any) -> None:
            self.config = config

        def run(self) -> None:
            done.append(self.config)

    monkeypatch.setattr(gate, "Server", Server)
    gate._serve("192.0.2.1", "9000", is_devserver=is_devserver)
    config = {
        "host": "192.0.2.1",
        "port": 9000,
        "log_level": level,
        "log_config": None,
        "workers": 1,
        "http": "http, limits",
        "ws": "ws, limits",
        "interface": "asgi3",
    }
    *earlier, last = calls
    assert done == [*earlier, gate.COLLECTIONS, last, (f"gate {is_devserver}", config)]


@pytest.mark.parametrize("is_devserver", [True, False])
def test_a_gate_is_told_about_everything_behind_it(inside, is_devserver, monkeypatch):
    from otree.asgi import app

    calls: list[Any] = []
    failures: dict[int, Any] = {}
    monkeypatch.setattr(gate, "Gate", lambda *arguments: calls.append(arguments))
    monkeypatch.setattr(app, "add_exception_handler", failures.__setitem__)
    monkeypatch.setattr(app, "debug", True)
    gate.gate(is_devserver)
    [(behind, gate_limits, files, handlers, lockless, public, tell, late)] = calls
    assert (behind, gate_limits, late) == (app, limits(), gate.lateness)
    assert (app.debug, failures) == (is_devserver, {500: gate._failed})
    assert lockless is gate.middleware._get_paths_without_lock
    assert (public, handlers) == (gate.origins(), gate.handlers())
    assert isinstance(files, gate.Files)
    assert tell == gate.Tell(gate.notice.failure, gate._is_away, gate._trouble)
    assert any("confirm" in text for text in handlers)


@pytest.mark.parametrize(
    ("now", "largest", "wanted"),
    [
        (1024, 4096, [(4096, 4096)]),
        (1024, 20_000, [(gate.MOST_FILES, 20_000)]),
        (1024, resource.RLIM_INFINITY, [(gate.MOST_FILES, resource.RLIM_INFINITY)]),
        (gate.MOST_FILES, 20_000, []),
        (4096, 4096, []),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, []),
    ],
)
def test_a_server_opens_as_many_files_as_allowed(now, largest, wanted, monkeypatch):
    put: list[Any] = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (now, largest))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: put.append((kind, limits)))
    gate._open_more_files()
    assert put == [(resource.RLIMIT_NOFILE, limits) for limits in wanted]


def test_scripts_of_templates_are_marked_and_those_of_pages_are_not():
    calls: list[Any] = []
    template = SimpleNamespace()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            gate, "_template", lambda *arguments, **more: calls.append((*arguments, more))
        )
        gate._marked(template, "<script>a</script><p><script src=b>", 1, two=2)
    mark = f'<script nonce="{gate.NONCE_MARK}"'
    assert calls == [(template, f"{mark}>a</script><p>{mark} src=b>", 1, {"two": 2})]


@pytest.mark.parametrize(
    ("since", "away", "message"),
    [
        (None, None, ""),
        (99.6, None, ""),
        (99.5, None, "the database has not answered for 0 s; nothing is lost, please try again"),
        (99.9, "away", "the database has not answered for 0 s; nothing is lost, please try again"),
        (88.0, None, "the database has not answered for 12 s; nothing is lost, please try again"),
    ],
)
def test_pages_are_told_that_the_database_is_away_for_a_while(since, away, message, monkeypatch):
    trouble = None if since is None else SimpleNamespace(since=since)
    monkeypatch.setattr(gate, "tables", SimpleNamespace(trouble=trouble))
    monkeypatch.setattr(gate, "away", SimpleNamespace(trouble=away))
    monkeypatch.setattr(gate, "time", SimpleNamespace(monotonic=lambda: 100.0))
    assert gate._trouble() == message


def test_a_page_that_fails_because_of_the_database_says_when_to_try_again():
    seconds = str(faults.AWAY_SECONDS)
    for error, status, retry in ((NotSaved(), 503, seconds), (KeyError("a"), 500, None)):
        answer = complete(gate._failed(None, error))
        assert (answer.status_code, answer.headers.get("retry-after")) == (status, retry)


# -- sessions on PostgreSQL ------------------------------------------------------------------


class Whole:
    """Connection to PostgreSQL that records its statements in order."""

    def __init__(self, done: list[str]) -> None:
        self.done = done
        self.bind = SimpleNamespace(dialect=SimpleNamespace(name="postgresql"))

    def execute(self, query: Any) -> None:
        self.done.append(str(query))

    def keep(self) -> None:
        self.done.append("keep")

    def rollback(self) -> None:
        self.done.append("rollback")

    def close(self) -> None:
        self.done.append("close")


LOCKED = "SELECT pg_advisory_xact_lock(:pg_advisory_xact_lock_2) AS pg_advisory_xact_lock_1"


def test_returning_the_connection_in_memory_undoes_nothing_of_others(inside):
    from otree import database

    creating, page = sessions._Whole(bind=database.engine), database.engine.connect()
    creating.execute("CREATE TABLE beside (number INTEGER)")
    creating.keep()
    try:
        creating.execute("INSERT INTO beside VALUES (1)")
        page.close()
        assert creating.execute("SELECT number FROM beside").fetchall() == [(1,)]
    finally:
        creating.execute("DROP TABLE beside")
        creating.keep()
        creating.close()


@pytest.mark.parametrize("refuses", [False, True])
def test_on_postgresql_only_one_server_at_a_time_creates_a_session(inside, refuses, monkeypatch):
    from otree import database
    from otree.models import Session as Stored

    stored = Stored.objects_first(code=Session("commons", 1).code)
    done: list[str] = []

    def create(*_: Any, **options: Any) -> Any:
        done.append("create")
        if refuses:
            raise ValueError("refused")
        return stored

    caller = database.db._db
    monkeypatch.setattr(sessions, "_Whole", lambda bind: Whole(done))
    monkeypatch.setattr(sessions, "_create", create)
    options = {"session_config_name": "commons", "num_participants": 1}
    if refuses:
        with pytest.raises(ValueError, match="refused"):
            sessions._create_whole(**options)
    else:
        assert sessions._create_whole(**options).code == stored.code
    assert done == [LOCKED, "create", "rollback" if refuses else "keep", "close"]
    assert database.db._db is caller


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        ({"num_participants": None}, ""),  # of a room, whose participants oTree counts
        ({"num_participants": 1}, ""),
        ({"num_participants": sessions.MOST_PARTICIPANTS, "label": "A", "is_demo": True}, ""),
        ({"num_participants": 0}, "num_participants = 0: should be a whole number from 1 to 10000"),
        ({"num_participants": 10_001}, "should be a whole number from 1 to 10000"),
        ({"num_participants": True}, "num_participants = True: should be a whole number"),
        ({"num_participants": "5"}, "num_participants = '5': should be a whole number"),
        ({"session_config_name": 5}, "session_config_name = 5: should be a string"),
        ({"modified_session_config_fields": []}, "should be an object, key -> value"),
        ({"label": 5}, "label = 5: should be a string"),
        ({"room_name": 5}, "room_name = 5: should be a string"),
        ({"room_name": "nowhere"}, "nowhere"),
        ({"is_demo": "yes"}, "is_demo = 'yes': should be true or false"),
    ],
)
def test_the_arguments_of_a_session_are_checked_first(options, refusal):
    whole = {"session_config_name": "commons", "num_participants": 4, **options}
    name = whole.pop("session_config_name")
    if not refusal:
        sessions._check(name, **whole)
        return
    with pytest.raises(ConfigError, match=refusal):
        sessions._check(name, **whole)


def test_the_board_counts_people_of_all_parts_of_a_session(monkeypatch):
    counted: list[int] = []
    for name in ("of_server", "of_rooms", "of_database", "of_agents"):
        monkeypatch.setattr(whole, name, lambda *_: [])
    monkeypatch.setattr(whole, "of_session", lambda _, people, *__: counted.append(people) or [])
    for parts in ({}, {"parts": 4}, {"parts": "2"}):
        addresses._looked_at(parts, 10, {})
    assert counted == [10, 40, 20]


# -- pages -----------------------------------------------------------------------------------


def test_a_page_of_the_administrator_declares_its_language_and_ends_its_head_with_our_style():
    styled = admin._with_sheets("<html><head><title>oTree</title></head><body></body></html>")
    assert styled == (
        '<html lang="en"><head><title>oTree</title>'
        """<link rel="stylesheet" href="{% static 'mixed/tokens.css' %}">"""
        """<link rel="stylesheet" href="{% static 'mixed/admin.css' %}">"""
        "</head><body></body></html>"
    )


def setup(people: int, agents: dict[str, Any] | None = None, **options: Any) -> Setup:
    """Return a setup of four seats and 20 periods."""
    extra = {"agents": agents} if agents else {}
    game = engine.make("commons_game", archetype="lab", periods=20, **extra)
    return Setup(
        config=game.config.model_dump(mode="json"),
        options=Options(people_per_group=people, **options),
    )


@pytest.mark.parametrize(
    ("people", "agents", "seconds", "sentence"),
    [
        # 20 periods of 45 s are 15 minutes; in turn, of four seats, 60
        (4, None, 45.0, "4 people; 15 minutes at most"),
        (2, None, 45.0, "4 players, 2 of them people; 15 minutes at most"),
        (1, None, 45.0, "4 players, 1 of them a person; 15 minutes at most"),
        (2, {"timing": "sequential"}, 45.0, "4 players, 2 of them people; 60 minutes at most"),
        (4, None, 1.0, "4 people; 1 minute at most"),
        (4, None, 0.0, "4 people; no time limit"),
    ],
)
def test_the_page_demo_says_who_plays_and_for_how_long(people, agents, seconds, sentence):
    assert demo._of_setup(setup(people, agents, decision_seconds=seconds)) == sentence


def test_the_minutes_on_the_page_demo_include_the_practice():
    """20 periods and 4 more of 45 s are 18 minutes. A practice has no limit."""
    chosen = setup(4, None, decision_seconds=45.0, practice_periods=4)
    assert demo._of_setup(chosen) == "4 people; about 18 minutes with the practice"


@pytest.mark.parametrize(("when", "minutes"), [("before", 17), ("periods", 55)])
def test_the_minutes_on_the_page_demo_include_the_talk(when, minutes):
    """20 periods of 45 s are 15 minutes. 120 s of talk are 2 more, or 40 if there is talk in every
    period.
    """
    chosen = setup(4, None, talk="free", talk_when=when, talk_seconds=120.0)
    assert demo._of_setup(chosen) == f"4 people; {minutes} minutes at most"


def test_the_page_demo_shows_each_game_with_its_sessions_and_other_sessions_last(
    inside, monkeypatch
):
    configs = {
        "a": {"display_name": "A & a", "app_sequence": ["intro", "gem_mining"]},
        "b": {"display_name": "B", "app_sequence": ["commons_game"]},
        "c": {"display_name": "C <c>", "app_sequence": ["survey"]},
        "d": {"display_name": "D", "app_sequence": ["commons_game"]},
    }
    monkeypatch.setattr(demo, "SESSION_CONFIGS_DICT", configs)
    monkeypatch.setattr(demo, "_details", lambda name: f"details of {name}")
    urls = {name: f"/{name}" for name in configs}
    shown = {game["title"]: game for game in demo.listed(urls)}
    assert [(game["best"], game["more"]) for game in shown.values()] == [
        (
            {"name": "B", "url": "/b", "details": "details of b"},
            [{"name": "D", "url": "/d", "details": "details of d"}],
        ),
        ({"name": "A &amp; a", "url": "/a", "details": "details of a"}, []),
    ]
    assert [game["picture"] for game in shown.values()] == [
        "/static/commons_game/picture.svg",
        "/static/gem_mining/picture.svg",
    ]
    assert all(len(game["sentence"].split()) > 4 for game in shown.values())
    assert demo._others(urls) == [{"name": "C &lt;c&gt;", "url": "/c"}]


def test_a_game_that_cannot_be_described_is_left_out_of_the_page_demo(inside, monkeypatch, caplog):
    def broken(game_id: str) -> Any:
        if game_id == "gem_mining":
            raise ZeroDivisionError("words.py")
        return guide_of(game_id)

    monkeypatch.setattr(demo, "guide_of", broken)
    games = demo.listed({"gems": "/gems", "commons": "/commons", "sanctions": "/sanctions"})
    assert [game["best"]["url"] for game in games] == ["/commons", "/sanctions"]
    assert caplog.messages == ["gem_mining is omitted from the Demo page: words.py"]


def test_the_page_demo_counts_treatments_and_says_why_a_session_is_impossible(inside):
    governed = demo._details("commons_governance")
    assert governed.startswith("2 treatments: 4 ")
    assert " or " not in governed  # both take as long, for as many people
    assert "treatments" not in demo._details("commons")
    # six to twelve periods of at most 60 s, or more with talk or points; groups of three to six
    many = demo._details("public_good_space")
    assert many.startswith("64 treatments: 3 to 6 people per group; from ")
    assert len(many) < 80


def test_an_impossible_session_says_so_on_the_page_demo(monkeypatch):
    wrong = {"x": {"app_sequence": ["commons_game"], "archetype": "<none>"}}
    monkeypatch.setattr(demo, "SESSION_CONFIGS_DICT", wrong)
    demo._details.cache_clear()
    assert demo._details("x").startswith("cannot be created: archetype = &#x27;&lt;none&gt;")
    demo._details.cache_clear()
