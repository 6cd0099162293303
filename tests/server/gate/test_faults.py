"""Responses to failed requests: a page for browsers, and a sentence for programs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mixed_company.server.gate import Gate, Limits
from mixed_company.server.gate.faults import AWAY_SECONDS, Tell
from mixed_company.server.gate.request import Refused
from tests.server.gate.asking import FORM, Answer, Behind, ask, run

BROWSER = (b"accept", b"text/html,application/xhtml+xml")


def shown(status: int, sentence: str, scope: dict[str, Any], form: bytes) -> bytes:
    """Return a page with every value that error pages use."""
    return f"<h1>{status}</h1> {sentence} {scope['path']} {form.decode()}".encode()


def is_away(error: BaseException) -> bool:
    return isinstance(error, ConnectionError)


def answer_of(app: Any, *headers: tuple[bytes, bytes], trouble: str = "", **how: Any) -> Answer:
    """Return a client's response from an application behind the gate."""
    gate = Gate(app, Limits(), tell=Tell(shown, is_away, lambda: trouble))
    answers = []

    async def test() -> None:
        answers.append(await ask(gate, how.pop("path", "/p/abc/x"), *headers, **how))

    run(test)
    return answers[0]


class Failing:
    """Application that raises an error, either before its response or at the end of it."""

    def __init__(self, error: Exception, begun: bool = False) -> None:
        self.error, self.begun = error, begun

    async def __call__(self, _scope: Any, _receive: Any, send: Any) -> None:
        if self.begun:  # oTree finishes after everything except the end of its response
            head = (b"content-type", b"text/plain; charset=utf-8")
            await send({"type": "http.response.start", "status": 503, "headers": [head]})
            await send({"type": "http.response.body", "body": b"away", "more_body": True})
        raise self.error


@pytest.mark.parametrize("status", [400, 403, 404, 413, 429, 500, 503])
def test_a_sentence_for_a_browser_becomes_a_page(status):
    behind = Behind()
    behind.status, behind.page = status, b"harvest = 5: at most 4"
    answer = answer_of(behind, BROWSER)
    assert (answer.status, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert answer.text == f"<h1>{status}</h1> harvest = 5: at most 4 /p/abc/x "
    assert int(answer.headers["content-length"]) == len(answer.text)
    assert answer_of(behind).text == "harvest = 5: at most 4"  # a program


@pytest.mark.parametrize("kind", [b"text/html; charset=utf-8", b"application/json"])
def test_pages_and_data_are_left_unchanged(kind):
    behind = Behind()
    behind.status, behind.headers = 404, [(b"content-type", kind)]
    assert answer_of(behind, BROWSER).text == "<p>page</p>"
    behind.status, behind.headers = 200, [(b"content-type", b"text/plain")]
    assert answer_of(behind, BROWSER).text == "<p>page</p>"


def test_the_submitted_form_is_returned_with_the_page():
    away = Failing(ConnectionError("psycopg2: secret"))
    answer = answer_of(away, BROWSER, FORM, method="POST", body=[b"choice=5&why=a%26b"])
    assert (answer.status, answer.headers["retry-after"]) == (503, str(AWAY_SECONDS))
    assert answer.text.endswith("/p/abc/x choice=5&why=a%26b")
    assert "secret" not in answer.text


@pytest.mark.parametrize("headers", [(), (BROWSER,)])
def test_a_server_error_is_answered_and_described_only_in_the_log(headers, caplog):
    answer = answer_of(Failing(ValueError("secret = 7")), *headers)
    assert (answer.status, "secret" in answer.text) == (500, False)
    assert "secret = 7" in caplog.text


def test_a_started_answer_is_shown_and_its_error_is_raised():
    answer = answer_of(Failing(ConnectionError("gone"), begun=True), BROWSER)
    assert answer.text == "<h1>503</h1> away /p/abc/x "
    with pytest.raises(ValueError, match="mine"):
        answer_of(Failing(ValueError("mine"), begun=True), BROWSER)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *((path, 503) for path in ("/p/abc/x", "/join/abc", "/SessionMonitor/abc", "/api/export")),
        *((path, 200) for path in ("/session_board/abc", "/SessionBoard/abc", "/board_view/a/b")),
        *((path, 200) for path in ("/live_state", "/static/mixed/page.css", "/login")),
    ],
)
def test_while_the_database_is_away_only_cached_data_is_served(path, status):
    behind = Behind()
    answer = answer_of(behind, trouble="nothing is saved for 3 s", path=path)
    assert answer.status == status
    assert len(behind.paths) == (status == 200)
    assert ("nothing is saved for 3 s" in answer.text) == (status == 503)


def test_nobody_waits_longer_to_learn_that_the_database_is_away():
    gate = Gate(Behind(), Limits(refusals_at_once=1), tell=Tell(shown, is_away, lambda: "away"))

    async def test() -> None:
        clock = asyncio.get_running_loop()
        began = clock.time()
        answers = [await ask(gate, "/p/abc/x", BROWSER) for _ in range(50)]
        assert {answer.status for answer in answers} == {503}
        assert clock.time() == began

    run(test)


def test_a_client_is_told_to_wait_no_less_than_it_must():
    """Fractions of a second are rounded up."""
    answer = answer_of(Failing(Refused(429, "too many", 1.2)))
    assert (answer.status, answer.headers["retry-after"]) == (429, "2")
