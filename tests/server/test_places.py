"""Browsers are recognized by a cookie that they keep, or by a button."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.requests import Request

from mixed_company.server.open import places
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture

NAME = "a" * 20 + "-_"


@pytest.fixture(autouse=True)
def drawn(inside: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places.secrets, "token_urlsafe", lambda size: f"drawn-{size}")


def request(query: str = "", method: str = "GET", **cookies: str) -> Request:
    scope = {"type": "http", "method": method, "path": "/join/abc", "headers": []}
    return Request({**scope, "query_string": query.encode(), "session": cookies})


def session(language: str = "en") -> Any:
    return SimpleNamespace(config={"language": language})


def test_a_browser_is_sent_on_with_a_cookie():
    visit = request("participant_label=K1")
    answer = places.introduced(visit, session())
    assert answer is not None
    assert (answer.status_code, answer.headers["location"]) == (
        302,
        "/join/abc?participant_label=K1&browser=1",
    )
    assert visit.session == {"visitor": "drawn-16"}


def test_a_browser_without_cookies_sees_a_button_with_the_name():
    for joined, word in ((session(), "Begin"), (session("de"), "Beginnen"), (None, "Begin")):
        visit = request("participant_label=K1&browser=1")
        answer = places.introduced(visit, joined)
        assert answer is not None
        page = bytes(answer.body).decode()
        [link] = [part.split('"')[0] for part in page.split('href="')[1:] if "join" in part]
        split = urlsplit(link.replace("&amp;", "&"))
        assert split.path == "/join/abc"
        assert parse_qs(split.query) == {
            "participant_label": ["K1"],
            "browser": ["1"],
            "visit": ["drawn-16"],
        }
        assert f">{word}</a>" in page
        assert visit.session == {}


def test_a_name_from_the_button_is_accepted_but_not_somebody_else_s():
    visit = request(f"browser=1&visit={NAME}")
    assert places.introduced(visit, None) is None
    assert visit.session == {"visitor": NAME}
    for wrong in (NAME[:-1], f"{NAME}a", f"{NAME[:-1]}é", ""):
        visit = request(f"visit={wrong}")
        answer = places.introduced(visit, None)
        assert answer is not None
        assert answer.status_code == 302
        assert visit.session == {"visitor": "drawn-16"}


def test_a_browser_with_a_name_keeps_it_and_a_preview_gets_none():
    visit = request(f"visit={NAME}", visitor="own")
    assert places.introduced(visit, None) is None
    assert visit.session == {"visitor": "own"}
    preview = request(method="HEAD")
    answer = places.introduced(preview, None)
    assert answer is not None
    assert (answer.status_code, answer.body, preview.session) == (200, b"", {})


@pytest.mark.parametrize(
    ("joined", "language"),
    [
        (None, "en"),
        (session("fr"), "fr"),
        (session("xx"), "en"),
        (SimpleNamespace(config={}), "en"),
    ],
)
def test_the_language_is_that_of_the_session_if_it_has_one(joined, language):
    assert places._language(joined) == language
