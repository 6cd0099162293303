"""The complete server in this process, whose pages and addresses are requested without a socket.

The database is in memory, no loop advances the plays, and time passes only when a test moves the
clock. Tests here cover pages and stored data. Tests of threads, sockets or a killed process are
in `tests/door`.
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
from tests.server.loop import entered

__all__ = ["Session", "Visitor", "asked", "emptied", "inside", "led_by_otree", "newcomer", "posted"]


@cache
def _client() -> Any:
    from otree import database
    from otree.main import setup

    with pytest.MonkeyPatch.context() as patch:  # leaves out earlier plays in this folder
        patch.setattr(database, "DB_FILE", os.devnull)
        setup()
    from otree.asgi import app
    from starlette.testclient import TestClient

    client = TestClient(app, raise_server_exceptions=False)
    client.trust_env = False  # else every request looks for proxies in all environment variables
    return client


@contextmanager
def emptied() -> Iterator[None]:
    """Provide the server with an empty database, and restore the clock afterwards.

    Tests move the machine's clock together with the other clocks, so no play is interrupted.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "_reading", clock._reading)
        patch.setattr(clock, "_ahead_ms", clock._ahead_ms)
        wall_ms, ahead_ms = clock.wall_ms, clock._ahead_ms
        patch.setattr(clock, "wall_ms", lambda: wall_ms() + clock._ahead_ms - ahead_ms)
        lateness.__init__()  # forgets how late servers of earlier tests were
        _client()
        _forget_earlier_tests()
        yield


@pytest.fixture
def inside() -> Iterator[None]:
    """Provide a test with the server and an empty database."""
    with emptied():
        yield


_kept_open: list[Any] = []
"""Database sessions whose players a test still uses. Dropping a session detaches its players."""


def _forget_earlier_tests() -> None:
    """Forget the sessions and cookies of earlier tests, which depend on the order of the tests."""
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
def _without_running_loop() -> Iterator[None]:
    """Run without the event loop that another test's browser may have left running in this
    thread."""
    with entered(_loop()):
        yield


def asked(path: str, follow: bool = True) -> Any:
    """Return the server's response to a GET, following redirects by default."""
    with _without_running_loop():
        return _client().get(path, allow_redirects=follow)


def newcomer(path: str) -> Any:
    """Return the server's response to a GET from a browser without cookies."""
    _client().cookies.clear()
    return asked(path)


def posted(path: str, **options: Any) -> Any:
    """Return the server's response to a POST of a form, or of JSON (`json=`)."""
    with _without_running_loop():
        return _client().post(path, allow_redirects=False, **options)


def _without_debug_info(answer: Any) -> str:
    """Return a page without the parts that oTree adds for developers."""
    return str(answer.text).partition("debug-var-name")[0]


def _codes_of(session: str) -> list[str]:
    """Return the codes of a session's participants, in order."""
    from otree import database
    from otree.models import Participant

    with database.session_scope():
        rows = Participant.values_dicts(_session_code=session, order_by="id_in_session")
        return [row["code"] for row in rows]


PLAIN = {"bot_delay": "instant", "practice_periods": 0, "ready": False}
"""Keys for most sessions in tests. People go straight from the rules to the play."""


class Session:
    """Session created through REST, perhaps for a room, with its people's codes in order.

    The keys are PLAIN unless `changes` say otherwise.
    """

    def __init__(self, config: str, people: int, room: str | None = None, **changes: Any) -> None:
        request = {
            "session_config_name": config,
            "num_participants": people,
            "modified_session_config_fields": {**PLAIN, **changes},
            **({} if room is None else {"room_name": room}),
        }
        answer = posted("/api/sessions", json=request)
        assert answer.status_code == 200, answer.text
        self.code: str = answer.json()["code"]
        link = answer.json().get("room_url", answer.json()["session_wide_url"])
        self.link: str = link.removeprefix("http://testserver")
        self.people = [Visitor(code, self.code) for code in _codes_of(self.code)]

    def board(self) -> dict[str, Any]:
        """Return the board's data, without cached addresses."""
        from mixed_company.server.board import addresses

        addresses._crowds.clear()
        seen: dict[str, Any] = asked(f"/session_board/{self.code}").json()
        return seen

    def direct(self, kind: str, name: str, **about: Any) -> tuple[int, dict[str, Any]]:
        """Send the manager's command, and return the status and the response."""
        command = {"kind": kind, "id": name, **about}
        answer = posted(f"/api/session_board/{self.code}", json=command)
        return answer.status_code, answer.json()


def led_by_otree(session: Session) -> None:
    """Have oTree's own bots take everyone in a session to the end (`otree test`)."""
    from otree import database
    from otree.bots.runner import run_bots
    from otree.models import Session as Stored

    with _without_running_loop(), database.session_scope():
        run_bots(Stored.objects_first(code=session.code).id, case_number=0)


class Visitor:
    """Person in a session, with the current page."""

    def __init__(self, code: str, session: str) -> None:
        self.code, self.session = code, session
        self.text = self.url = ""

    def come(self, query: str = "") -> Visitor:
        """Open the person's own link, which leads to the current page."""
        return self._arrive(asked(f"/InitializeParticipant/{self.code}{query}"))

    def _arrive(self, answer: Any) -> Visitor:
        assert answer.status_code == 200, answer.text[-2000:]
        self.text, self.url = (
            _without_debug_info(answer),
            answer.url.removeprefix("http://testserver"),
        )
        return self

    @property
    def page(self) -> str:
        """Name of the page."""
        return self.url.split("/")[-2]

    def send(self, **fields: str) -> Visitor:
        """Submit the page. `text` is then the next page."""
        answer = posted(self.url, data=fields)
        if answer.status_code == 302:
            return self._arrive(asked(answer.headers["location"]))
        self.text = _without_debug_info(answer)
        return self

    @property
    def sent(self) -> dict[str, Any]:
        """Data for the page's script."""
        marked = self.text.partition("var js_vars = ")[2] or self.text.partition("js_vars = ")[2]
        data: dict[str, Any] = json.JSONDecoder().raw_decode(marked)[0]
        return data

    def player(self) -> Any:
        """Load the player from oTree's database, in a database session that stays open."""
        from otree import database
        from otree.models import Participant

        from mixed_company.server.keeping import storage

        database.db.new_session()
        _kept_open.append(database.db._db)
        person = Participant.objects_first(code=self.code)
        players = [
            app.Player.objects_first(participant_id=person.id)
            for app in storage.apps_of(person.session)
        ]
        return next(player for player in players if player is not None)

    def rightly(self) -> str:
        """Return the correct answers to the quiz as JSON."""
        from mixed_company.server.pages.quiz import questions

        return json.dumps(
            {question["name"]: question["right"] for question in questions(self.player())}
        )

    def play(self, periods: int = 1_000_000, **action: float) -> None:
        """Take the same action for this many periods, with defaults for missing fields."""
        from mixed_company.server import live
        from mixed_company.server.open.tables import tables

        player = self.player()
        table, seat = tables.settled(player), player.seat
        live.play(player, {"kind": "sync"})
        live.play(player, {"kind": "ready", "id": f"ready {self.code}"})
        while table.episode.period < periods and not table.episode.done:
            period, default = table.episode.period, table.episode.allowed(seat).default_action()
            message = {"kind": "act", "id": f"{period}", "period": period}
            message["action"] = {**default, **action}
            live.play(player, message)
            for _ in range(100):
                clock.put_on(3000)
                live.play(player, {"kind": "alive"})
                if table.episode.period > period or table.episode.done:
                    break
