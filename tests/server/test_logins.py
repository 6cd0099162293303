"""Administrators' logins end at logout, after hours of inactivity and after a password change."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError

from mixed_company.server import logins
from tests.server.inside import _client, asked, inside, posted

__all__ = ["inside"]  # a fixture

NOW = 1_900_000_000.0


@pytest.fixture
def kept(inside: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield the login database, as if it were on disk."""
    engine = create_engine(f"sqlite:///{tmp_path / 'logins.sqlite3'}")
    logins.AdminLogin.__table__.create(engine)
    monkeypatch.setattr(logins, "_engine", lambda: engine)
    monkeypatch.setattr(logins, "_logins", {})
    yield engine
    engine.dispose()


def restart() -> None:
    """Forget the logins that this process has cached."""
    logins._logins.clear()


def test_a_login_survives_a_restart_and_ends_on_every_server_at_logout(kept):
    first, second = logins.begin(NOW), logins.begin(NOW)
    restart()
    assert [logins.holds(token, NOW + 1) for token in (first, second)] == [True, True]
    cached = dict(logins._logins)
    logins.end(first)
    assert [logins.holds(token, NOW + 2) for token in (first, second)] == [False, True]
    logins._logins.update(cached)  # another server, which has not asked again yet
    assert logins.holds(first, NOW + 2)
    assert not logins.holds(first, NOW + 1 + logins.RECHECK_SECONDS)
    assert not any(logins.holds(other, NOW) for other in (None, "", "x", 5, ["x"], {}))


def test_a_login_ends_after_idle_hours_but_not_while_it_is_used(kept):
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


def test_a_login_ends_when_the_password_is_changed(kept, monkeypatch):
    from otree import settings

    token = logins.begin(NOW)
    restart()
    monkeypatch.setattr(settings, "ADMIN_PASSWORD", "another one")
    assert not logins.holds(token, NOW + 1)


def test_the_database_contains_nothing_that_opens_a_page(kept):
    token = logins.begin(NOW)
    [row] = kept.execute(logins.AdminLogin.__table__.select()).fetchall()
    assert token not in str(row)
    assert not logins.holds(row.token, NOW)


def test_a_login_lasts_while_the_database_is_away(kept, monkeypatch):
    class Away:
        attempts = 0

        def begin(self) -> Any:
            Away.attempts += 1
            raise OperationalError("", {}, Exception("the server is away"))

    token = logins.begin(NOW)
    monkeypatch.setattr(logins, "_engine", Away)
    assert all(logins.holds(token, NOW + 10 + second / 10) for second in range(100))
    assert Away.attempts == 1  # not again and again, because every page would wait for it
    assert not logins.holds("of yesterday", NOW)
    later = logins.begin(NOW)
    assert logins.holds(later, NOW + 1)


def test_the_old_cookie_opens_nothing_after_logout(kept, monkeypatch):
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
def test_links_from_other_pages_change_nothing(inside, monkeypatch, path):
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


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_database_in_memory_keeps_no_logins(monkeypatch, in_memory):
    monkeypatch.setattr(logins, "database", SimpleNamespace(IN_MEMORY=in_memory))
    monkeypatch.setattr(logins, "own_engine", {0.2: "an engine"}.__getitem__)
    assert logins._engine.__wrapped__() == (None if in_memory else "an engine")


def test_a_login_is_stored_as_digests_and_again_after_a_minute(kept):
    def rows() -> list[tuple[Any, ...]]:
        stored = kept.execute(logins.AdminLogin.__table__.select()).fetchall()
        return [(row.token, row.password, row.seen_s) for row in stored]

    token = logins.begin(NOW + 0.7)
    digests = hashlib.sha256(token.encode()).hexdigest(), logins._password()
    assert rows() == [(*digests, int(NOW))]
    for passed, seen in ((59, 0), (60, 60), (100, 60), (130, 130)):
        restart()
        assert logins.holds(token, NOW + passed)
        assert rows() == [(*digests, int(NOW) + seen)]


def test_failures_to_read_or_write_are_logged(kept, monkeypatch, caplog):
    def begin() -> Any:
        raise OperationalError("", {}, Exception("away"))

    monkeypatch.setattr(logins, "_engine", lambda: SimpleNamespace(begin=begin))
    caplog.set_level(logging.WARNING, logins.__name__)
    token = logins.begin(NOW)
    assert logins.holds(token, NOW + 5)
    messages = [record.message for record in caplog.records]
    assert messages == ["logins cannot be written: away", "logins cannot be read: away"]


def test_a_login_lasts_for_exactly_the_set_idle_hours_and_that_is_recorded(kept):
    token = logins.begin(NOW)
    last = NOW + logins.IDLE_SECONDS
    assert logins.holds(token, last)
    [row] = kept.execute(logins.AdminLogin.__table__.select()).fetchall()
    assert row.seen_s == int(last)
    logins.begin(last + logins.IDLE_SECONDS)  # older logins are forgotten
    assert len(kept.execute(logins.AdminLogin.__table__.select()).fetchall()) == 2
