"""The administrator's logins end at logout, after idle hours and with another password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError

from server import logins
from tests.server.inside import _client, asked, inside, posted

__all__ = ["inside"]  # a fixture

NOW = 1_900_000_000.0


@pytest.fixture
def kept(inside: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield the file in which logins are kept, as if the database were on disk."""
    engine = create_engine(f"sqlite:///{tmp_path / 'logins.sqlite3'}")
    logins.AdminLogin.__table__.create(engine)
    monkeypatch.setattr(logins, "_engine", lambda: engine)
    monkeypatch.setattr(logins, "_known", {})
    yield engine
    engine.dispose()


def restart() -> None:
    """Forget what a process knows."""
    logins._known.clear()


def test_a_login_outlives_a_restart_and_ends_at_logout_on_every_server(kept: Any) -> None:
    first, second = logins.begin(NOW), logins.begin(NOW)
    restart()
    assert [logins.holds(token, NOW + 1) for token in (first, second)] == [True, True]
    known = dict(logins._known)
    logins.end(first)
    assert [logins.holds(token, NOW + 2) for token in (first, second)] == [False, True]
    logins._known.update(known)  # another server, which has not asked again yet
    assert logins.holds(first, NOW + 2)
    assert not logins.holds(first, NOW + 1 + logins.RECHECK_SECONDS)
    assert not any(logins.holds(other, NOW) for other in (None, "", "x", 5, ["x"], {}))


def test_a_login_ends_after_idle_hours_and_not_while_it_is_used(kept: Any) -> None:
    token, idle = logins.begin(NOW), logins.begin(NOW)
    for hour in range(1, 30):
        assert logins.holds(token, NOW + 3600 * hour)
    assert not logins.holds(idle, NOW + logins.IDLE_SECONDS + 1)
    restart()
    assert logins.holds(token, NOW + 3600 * 30)
    assert not logins.holds(idle, NOW + logins.IDLE_SECONDS + 2)
    late = NOW + 3600 * 30 + logins.IDLE_SECONDS + 1
    assert not logins.holds(token, late)
    logins.begin(late)
    assert len(kept.execute(logins.AdminLogin.__table__.select()).fetchall()) == 1


def test_a_login_ends_when_the_password_is_changed(
    kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from otree import settings

    token = logins.begin(NOW)
    restart()
    monkeypatch.setattr(settings, "ADMIN_PASSWORD", "another one")
    assert not logins.holds(token, NOW + 1)


def test_the_database_holds_nothing_that_opens_a_page(kept: Any) -> None:
    token = logins.begin(NOW)
    [row] = kept.execute(logins.AdminLogin.__table__.select()).fetchall()
    assert token not in str(row)
    assert not logins.holds(row.token, NOW)


def test_who_is_logged_in_stays_so_while_the_database_is_away(
    kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        asked = 0

        def begin(self) -> Any:
            Away.asked += 1
            raise OperationalError("", {}, Exception("the server is away"))

    token = logins.begin(NOW)
    monkeypatch.setattr(logins, "_engine", Away)
    assert all(logins.holds(token, NOW + 10 + second / 10) for second in range(100))
    assert Away.asked == 1  # not again and again, or every page would wait for it
    assert not logins.holds("of yesterday", NOW)
    later = logins.begin(NOW)
    assert logins.holds(later, NOW + 1)


def test_the_old_cookie_opens_nothing_after_logout(
    kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from otree import settings
    from otree.views import admin

    monkeypatch.setattr(admin.Sessions, "_requires_login", True)
    monkeypatch.setattr(settings, "ADMIN_USERNAME", "admin")
    monkeypatch.setattr(settings, "ADMIN_PASSWORD", "a long password")
    assert asked("/sessions", follow=False).headers["location"].endswith("/login")
    token = re.search(r'name="(\w+)" value="(\d+)"', asked("/login").text)
    assert token is not None
    form = {token[1]: token[2], "username": "admin", "password": "a long password"}
    assert posted("/login", data={**form, "password": "wrong"}).status_code == 200
    assert asked("/sessions", follow=False).status_code == 302
    assert posted("/login", data=form).status_code == 302
    assert asked("/sessions", follow=False).status_code == 200
    cookie = _client().cookies.get("session")
    asked("/logout", follow=False)
    _client().cookies.clear()
    _client().cookies.set("session", cookie)
    assert asked("/sessions", follow=False).headers["location"].endswith("/login")


@pytest.mark.parametrize("path", ["/logout", "/demo/commons"])
def test_links_of_other_pages_change_nothing(
    inside: None, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    from otree.views import demo

    monkeypatch.setattr(demo.CreateDemoSession, "_requires_login", True)
    monkeypatch.setattr(demo.CreateDemoSession, "_is_logged_in", lambda _view: True)
    client = _client()
    for site, refused in (("cross-site", True), ("same-site", True), ("same-origin", False)):
        client.headers["sec-fetch-site"] = site
        try:
            status = asked(path, follow=False).status_code
        finally:
            del client.headers["sec-fetch-site"]
        assert (status == 403) == refused, site


def seen(kept: Any) -> list[int]:
    """The last requests that are in the database."""
    table = logins.AdminLogin.__table__
    with kept.begin() as connection:
        return [row.seen_s for row in connection.execute(table.select())]


def test_the_last_request_is_written_down_once_a_minute(kept: Any) -> None:
    token = logins.begin(NOW)
    written = []
    for after in (5, 55, 60, 119, 124):
        assert logins.holds(token, NOW + after)
        written.append(seen(kept)[0] - NOW)
    assert written == [0, 0, 60, 60, 124]


def test_a_login_is_idle_for_exactly_so_long(kept: Any) -> None:
    token, other = logins.begin(NOW), logins.begin(NOW)
    end = NOW + logins.IDLE_SECONDS
    restart()
    assert logins.holds(token, end)
    assert sorted(seen(kept)) == [NOW, end]
    restart()
    assert not logins.holds(other, end + 1)
    assert sorted(seen(kept)) == [NOW, end]
    logins.begin(end + 1)  # what has ended is forgotten
    assert sorted(seen(kept)) == [end, end + 1]


def test_a_database_in_memory_needs_no_second_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logins, "own_engine", lambda seconds: f"engine {seconds}")
    for in_memory, engine in ((True, None), (False, f"engine {logins.LOCKED_SECONDS}")):
        monkeypatch.setattr(logins.database, "IN_MEMORY", in_memory)
        assert logins._engine.__wrapped__() == engine
