"""The whole server in this process: pages and addresses are asked without a socket.

The database is in memory, there is no loop in which plays go on, and time passes where a test puts
the clock on. What a page says and what is kept of it is tested here; what only threads, sockets or
a killed process show, in `tests/door`.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from mixed_company.server import clock
from mixed_company.server.lateness import lateness

__all__ = ["Session", "Visitor", "asked", "inside", "led_by_otree", "newcomer", "posted"]


@cache
def _client() -> Any:
    from otree import database
    from otree.main import setup

    with pytest.MonkeyPatch.context() as patch:  # what was played in this folder stays out
        patch.setattr(database, "DB_FILE", os.devnull)
        setup()
    from otree.asgi import app
    from starlette.testclient import TestClient

    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is there, nobody has ever come; the clock is put back afterwards."""
    monkeypatch.setattr(clock, "_reading", clock._reading)
    monkeypatch.setattr(clock, "_ahead_ms", clock._ahead_ms)
    lateness.__init__()  # type: ignore[misc]  # how late servers of tests before were is forgotten
    _client()
    _nothing_played()


_kept_open: list[Any] = []
"""Sessions of the database whose players a test still uses; one that is forgotten detaches them."""


def _nothing_played() -> None:
    """Forget sessions and cookies of tests before: which these are depends on all tests' order."""
    from otree import database

    _client().cookies.clear()
    _kept_open.clear()
    database.db.new_session()
    with database.engine.begin() as connection:
        connection.execute("PRAGMA defer_foreign_keys = on")
        for table in reversed(database.AnyModel.metadata.sorted_tables):
            connection.execute(table.delete())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


@contextmanager
def _in_a_loop_of_its_own() -> Iterator[None]:
    """A browser that another test of this process uses has a loop running in this thread."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    asyncio.set_event_loop(_loop())
    yield
    asyncio.set_event_loop(running)
    asyncio._set_running_loop(running)


def asked(path: str, follow: bool = True) -> Any:
    """What the server answers to a GET, after what it leads to."""
    with _in_a_loop_of_its_own():
        return _client().get(path, allow_redirects=follow)


def newcomer(path: str) -> Any:
    """The same for a browser that was never here."""
    _client().cookies.clear()
    return asked(path)


def posted(path: str, **given: Any) -> Any:
    """What the server answers to a POST: of a form, or of JSON (`json=`)."""
    with _in_a_loop_of_its_own():
        return _client().post(path, allow_redirects=False, **given)


def _said(answer: Any) -> str:
    """A page without what oTree adds to it for developers."""
    return str(answer.text).partition("debug-var-name")[0]


class Session:
    """A session that REST has made, perhaps for a room, with the codes of its people in order."""

    def __init__(self, config: str, people: int, room: str | None = None, **changes: Any) -> None:
        given = {
            "session_config_name": config,
            "num_participants": people,
            "modified_session_config_fields": {"bot_delay": "instant", **changes},
            **({} if room is None else {"room_name": room}),
        }
        answer = posted("/api/sessions", json=given)
        assert answer.status_code == 200, answer.text
        self.code: str = answer.json()["code"]
        link = answer.json().get("room_url", answer.json()["session_wide_url"])
        self.link: str = link.removeprefix("http://testserver")
        self.people = [Visitor(row["participant"], self.code) for row in self.board()["before"]]

    def board(self) -> dict[str, Any]:
        """What the board shows, with nobody known from before."""
        from mixed_company.server.board import addresses

        addresses._known.clear()
        seen: dict[str, Any] = asked(f"/session_board/{self.code}").json()
        return seen

    def direct(self, kind: str, name: str, **about: Any) -> tuple[int, dict[str, Any]]:
        """Have something done by the manager: status and answer."""
        given = {"kind": kind, "id": name, **about}
        answer = posted(f"/api/session_board/{self.code}", json=given)
        return answer.status_code, answer.json()


def led_by_otree(session: Session) -> None:
    """All people of a session are oTree's own bots, and go to the end (`otree test`)."""
    from otree import database
    from otree.bots.runner import run_bots
    from otree.models import Session as Stored

    with _in_a_loop_of_its_own(), database.session_scope():
        run_bots(Stored.objects_first(code=session.code).id, case_number=0)


class Visitor:
    """A person of a session, and the page he or she is on."""

    def __init__(self, code: str, session: str) -> None:
        self.code, self.session = code, session
        self.text = self.url = ""

    def come(self, query: str = "") -> Visitor:
        """Open the own link: it leads to the present page."""
        answer = asked(f"/InitializeParticipant/{self.code}{query}")
        assert answer.status_code == 200, answer.text[-2000:]
        self.text, self.url = _said(answer), answer.url.removeprefix("http://testserver")
        return self

    @property
    def page(self) -> str:
        """The name of the page."""
        return self.url.split("/")[-2]

    def send(self, **fields: str) -> Visitor:
        """Submit the page; `text` is what is shown then."""
        answer = posted(self.url, data=fields)
        if answer.status_code == 302:
            return self.come()
        self.text = _said(answer)
        return self

    @property
    def sent(self) -> dict[str, Any]:
        """What the page's script is given."""
        marked = self.text.partition("var js_vars = ")[2] or self.text.partition("js_vars = ")[2]
        given: dict[str, Any] = json.JSONDecoder().raw_decode(marked)[0]
        return given

    def player(self) -> Any:
        """The player in oTree's database, read anew; in a session that stays open."""
        from otree import database
        from otree.models import Participant

        from mixed_company.server.keeping import storage

        database.db.new_session()
        _kept_open.append(database.db._db)
        person = Participant.objects_first(code=self.code)
        found = [app.Player.objects_first(participant_id=person.id) for app in storage.apps()]
        return next(player for player in found if player is not None)

    def rightly(self) -> str:
        """The right answers to the quiz."""
        from mixed_company.server.pages.quiz import questions

        return json.dumps({one["name"]: one["right"] for one in questions(self.player())})

    def play(self, periods: int = 1_000_000, **action: float) -> None:
        """Decide the same in so many periods: what is given, else the game's default."""
        from mixed_company.server import live
        from mixed_company.server.open.tables import tables

        player = self.player()
        table, seat = tables.settled(player), player.seat
        live.play(player, {"kind": "sync"})
        live.play(player, {"kind": "ready", "id": f"ready {self.code}"})
        while table.episode.period < periods and not table.episode.done:
            period, default = table.episode.period, table.episode.allowed(seat).default_action()
            given = {"kind": "act", "id": f"{period}", "period": period}
            given["action"] = {**default, **action}
            live.play(player, given)
            for _ in range(100):
                clock.put_on(3000)
                live.play(player, {"kind": "alive"})
                if table.episode.period > period or table.episode.done:
                    break
