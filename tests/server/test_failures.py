"""The pages of requests that fail, in the reader's language, without anything of the server's."""

from __future__ import annotations

from typing import Any

import pytest

from server.pages import failures
from tests.server.inside import Session, inside

__all__ = ["inside"]  # a fixture

SENTENCE = "harvest = 5: should be <= 4 (OTREE_PRODUCTION, Sentry)"


def page(status: int, path: str, form: bytes = b"", method: str = "GET", **headers: str) -> str:
    """Return the page for a sentence that nobody but the administrator should read."""
    named = [(key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()]
    asked: dict[str, Any] = {"path": path, "query_string": b"a=1&b=%22", "method": method}
    return failures.page(status, SENTENCE, {**asked, "headers": named}, form).decode()


PEOPLE = ("/p/abc/commons/Play/7", "/join/abc", "/room/lab", "/InitializeParticipant/abc")


@pytest.mark.parametrize("status", [400, 403, 404, 405, 408, 413, 429, 500, 503])
@pytest.mark.parametrize("path", PEOPLE)
def test_people_read_no_name_of_a_variable(inside: None, status: int, path: str) -> None:
    told = page(status, path)
    assert not any(word in told for word in ("harvest", "OTREE", "Sentry", "Traceback", "&lt;"))
    assert told.count("<h1>") == 1
    again = status in (408, 429) or status >= 500
    assert ("Try again" in told) == again
    assert ("again.js" in told) == (status in (429, 503))


def test_the_administrator_reads_the_sentence(inside: None) -> None:
    assert "harvest = 5: should be &lt;= 4" in page(500, "/SessionMonitor/abc")


def test_a_participant_reads_the_language_of_the_page_before(inside: None) -> None:
    ann, ben = Session("commons", 2, quiz=False, language="de").people
    ann.come()
    assert "Einen Moment bitte" in page(503, f"/p/{ann.code}/commons/Play/7")
    assert "One moment" in page(503, f"/p/{ben.code}/commons/Play/7")
    assert "Un instant" in page(503, "/join/abc", accept_language="pt;q=0.9, fr-CH;q=0.8, en")
    assert "One moment" in page(503, "/sessions", accept_language="fr")


def test_what_was_sent_is_sent_again_as_it_was(inside: None) -> None:
    told = page(503, "/p/abc/x", b"why=%3Cb%3E+%22&n=&n=2", "POST")
    assert '<form method="post" action="/p/abc/x?a=1&amp;b=%22" data-again="3">' in told
    assert 'name="why" value="&lt;b&gt; &quot;"' in told
    assert told.count('name="n"') == 2
    assert "<form" in page(503, "/p/abc/x", b"", "POST")  # a button alone
    assert "<form" not in page(503, "/p/abc/x")


def test_so_many_languages_are_remembered_and_no_more(
    inside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "MOST_REMEMBERED", 2)
    monkeypatch.setattr(failures, "_languages", type(failures._languages)())
    for code in ("one", "two", "one", "three"):
        failures.remember(code, "de")
    assert list(failures._languages) == ["one", "three"]
