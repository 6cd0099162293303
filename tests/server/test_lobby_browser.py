"""The promise that people read in the lobby is never shorter than the longest possible wait."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from mixed_company.language import speaking
from mixed_company.server.pages import wording
from mixed_company.table.lobby import Lobby, longest_ms
from mixed_company.table.options import Options
from tests.server.modules import AT, blank

PAGE = """async ([outcome, promise, texts, view]) => {
  const ids = ["here", "dots", "clock", "bots", "promise", "sound", "heard", "state"];
  document.body.innerHTML = `<main id=main>${ids.map((id) => `<p id=${id}></p>`).join("")}</main>`;
  window.js_vars = {texts, outcome, promise_ms: promise, bots: 0};
  window.liveSocket = Object.assign(new EventTarget(), {readyState: 0});
  await import("/mixed/lobby.js");
  window.liveRecv({kind: "view", ...view});
  return document.getElementById("promise").textContent;
}"""

OUTCOMES = ("bots", "extend", "release")


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = blank(chromium)
    yield page
    page.close()


def read(page: Page, seconds: float, outcome: str = "bots", extended: bool = False) -> str:
    """Return the promise on the page of a person who waits."""
    options = Options(people_per_group=2, lobby_seconds=seconds, lobby_outcome=outcome)
    view = {"phase": "waiting", "extended": extended, "remaining_ms": 1000 * seconds}
    page.goto(AT)  # a module runs only once on a page
    shown: str = page.evaluate(PAGE, [outcome, longest_ms(options), wording.lobby(), view])
    return shown


@pytest.mark.parametrize(
    ("seconds", "promise"),
    [
        (1, "You will wait at most 1 second."),
        (2.5, "You will wait at most 3 seconds."),
        (30, "You will wait at most 30 seconds."),
        (90, "You will wait at most 90 seconds."),
        (120, "You will wait at most 2 minutes."),
        (121, "You will wait at most 3 minutes."),
        (3600, "You will wait at most 60 minutes."),
    ],
)
def test_a_wait_of_any_length_is_promised_in_words(page, seconds, promise):
    assert read(page, seconds).startswith(promise)


def test_if_a_wait_can_be_followed_by_another_both_are_promised(page):
    words = wording.lobby()
    both = "You will wait at most 80 seconds."
    assert read(page, 40, "extend") == f"{both} {words['outcome_extend']}"
    again = f"{both} {words['extended']} {words['outcome_bots']}"
    assert read(page, 40, "extend", extended=True) == again
    once = "You will wait at most 40 seconds."
    assert read(page, 40, "bots") == f"{once} {words['outcome_bots']}"
    assert read(page, 40, "release") == f"{once} {words['outcome_release']}"


@pytest.mark.parametrize(
    ("code", "promise"),
    [
        ("de", "Sie warten höchstens 1 Sekunde."),
        ("es", "Esperará como máximo 1 segundo."),
        ("fr", "Vous attendrez au maximum 1 seconde."),
    ],
)
def test_the_promise_is_translated(page, code, promise):
    with speaking(code):
        assert read(page, 1).startswith(promise)


def waited_ms(options: Options) -> int:
    """Return how long a person waits alone in a lobby."""
    lobby, now = Lobby(options), 0
    lobby.arrive(1, now)
    while 1 in lobby.waiting:
        lobby.hear(1, now)
        lobby.advance(now)
        now = lobby.next_due(now) or now
    return now


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_the_promised_wait_is_the_longest_one(outcome):
    options = Options(people_per_group=2, lobby_seconds=9.0, lobby_outcome=outcome)
    assert waited_ms(options) == longest_ms(options)
