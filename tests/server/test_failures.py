"""Error pages for failed requests: in the reader's language, without server internals."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.server.pages import notice, texts
from tests.server.inside import Session, inside

__all__ = ["inside"]  # a fixture

SENTENCE = "harvest = 5: should be <= 4 (OTREE_PRODUCTION, Sentry)"


def page(status: int, path: str, form: bytes = b"", method: str = "GET", **headers: str) -> str:
    """Return the page for an error message that only the administrator should read."""
    named = [(key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()]
    scope: dict[str, Any] = {"path": path, "query_string": b"a=1&b=%22", "method": method}
    return notice.failure(status, SENTENCE, {**scope, "headers": named}, form).decode()


PEOPLE = ("/p/abc/commons/Play/7", "/join/abc", "/room/lab", "/InitializeParticipant/abc")


@pytest.mark.parametrize("status", [400, 403, 404, 405, 408, 413, 429, 500, 503])
@pytest.mark.parametrize("path", PEOPLE)
def test_participants_read_no_name_of_a_variable(inside, status, path):
    text = page(status, path)
    assert not any(word in text for word in ("harvest", "OTREE", "Sentry", "Traceback", "&lt;"))
    assert text.count("<h1>") == 1
    again = status in (408, 429) or status >= 500
    assert ("Try again" in text) == again
    assert ("again.js" in text) == (status in (429, 503))


def test_the_administrator_reads_the_sentence(inside):
    assert "harvest = 5: should be &lt;= 4" in page(500, "/SessionMonitor/abc")


def test_a_participant_reads_the_language_of_the_previous_page(inside):
    ann, ben = Session("commons", 2, quiz=False, language="de").people
    ann.come()
    assert "Einen Moment bitte" in page(503, f"/p/{ann.code}/commons/Play/7")
    assert "One moment" in page(503, f"/p/{ben.code}/commons/Play/7")
    assert "Un instant" in page(503, "/join/abc", accept_language="pt;q=0.9, fr-CH;q=0.8, en")
    assert "One moment" in page(503, "/sessions", accept_language="fr")


def test_a_form_is_sent_again_unchanged(inside):
    text = page(503, "/p/abc/x", b"why=%3Cb%3E+%22&n=&n=2", "POST")
    assert '<form method="post" action="/p/abc/x?a=1&amp;b=%22" data-again="3">' in text
    assert 'name="why" value="&lt;b&gt; &quot;"' in text
    assert text.count('name="n"') == 2
    assert "<form" in page(503, "/p/abc/x", b"", "POST")  # only a button
    assert "<form" not in page(503, "/p/abc/x")


def test_a_limited_number_of_languages_is_remembered(inside, monkeypatch):
    monkeypatch.setattr(notice, "MOST_REMEMBERED", 2)
    monkeypatch.setattr(notice, "_languages", type(notice._languages)())
    for code in ("one", "two", "one", "three"):
        notice.remember(code, "de")
    assert list(notice._languages) == ["one", "three"]


NOTHING_MORE = {"title": "One moment, please", "what_to_do": ""}
WRONG = {
    "title": "Something went wrong",
    "what_to_do": (
        "Please load the page again. If that does not help, tell the person who invited you."
    ),
}


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (404, texts.gone()),
        (
            503,
            {
                **NOTHING_MORE,
                "lead": "Your progress is saved. This page will try again automatically.",
            },
        ),
        (
            429,
            {
                **NOTHING_MORE,
                "lead": "The server is very busy. This page will try again automatically.",
            },
        ),
        (413, {**WRONG, "lead": "This page sent more data than the server accepts."}),
        (400, {**WRONG, "lead": "The server did not accept the data from this page."}),
        (499, {**WRONG, "lead": "The server did not accept the data from this page."}),
        (500, {**WRONG, "lead": "This page could not be shown. Your progress is saved."}),
    ],
)
def test_a_failure_is_described_by_its_status(status, words):
    assert notice._words(status) == words


@pytest.mark.parametrize(
    ("path", "accepts", "language"),
    [
        ("/p/ann/x", "fr", "de"),  # the previous page
        ("/p/nobody/x", "fr", "fr"),
        ("/p", "fr", "fr"),
        ("/room/lab", "xx, pt-BR;q=0.9, es;q=0.8", "es"),
        ("/room/lab", " FR-ch ;q=1", "fr"),
        ("/room/lab", "xx", "en"),
        ("/room/lab", None, "en"),
        ("/sessions", "fr", "en"),
    ],
)
def test_a_page_is_in_the_language_of_its_reader(path, accepts, language, monkeypatch):
    monkeypatch.setattr(notice, "_languages", type(notice._languages)(ann="de"))
    headers = [] if accepts is None else [(b"accept-language", accepts.encode())]
    assert notice._language({"path": path, "headers": headers}) == language
