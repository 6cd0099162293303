"""A shared link gives each browser one place. A preview does not use up a place, and neither
does a lost response."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from requests import Response
from requests.compat import urljoin

from tests.server.wire import Browser, Server, server

__all__ = ["server"]  # a fixture


def by_session(server: Server) -> str:
    return str(server.session("commons", 2, quiz=False)["session_wide_url"])


def by_room(server: Server) -> str:
    body = {"room_name": "lab", "session_config_name": "commons", "num_participants": 2}
    server.post("/api/sessions", json=body).raise_for_status()
    return f"{server.url}/room/lab?welcome_page_ok=1"


LINKS = pytest.mark.parametrize("link_of", [by_session, by_room])


def without_cookies(server: Server, link: str) -> Response:
    """Return the response to a preview, which follows redirects without keeping cookies."""
    answer = Browser(server).get(link, allow_redirects=False)
    for _ in range(5):
        if not answer.is_redirect:
            break
        target = urljoin(answer.url, answer.headers["location"])
        answer = Browser(server).get(target, allow_redirects=False)
    return answer


def code(answer: Response) -> str:
    """Return the code of the participant whose page this response is."""
    return answer.url.split("/p/")[1].split("/")[0]


def newcomers(server: Server, link: str, count: int) -> list[Any]:
    return [Browser(server).get(link) for _ in range(count)]


@pytest.mark.few(1)
@LINKS
def test_previews_of_a_link_take_no_place(server, link_of):
    link = link_of(server)
    for _ in range(4):
        assert Browser(server).head(link).status_code == 200
        assert without_cookies(server, link).status_code == 200
    first, second, third = newcomers(server, link, 3)
    assert code(first) != code(second)
    assert third.status_code == 404
    assert "All places are taken" in third.text


@pytest.mark.few(1)
@LINKS
def test_a_person_whose_answer_was_lost_still_has_the_place_when_asking_again(server, link_of):
    link, cookies = link_of(server), dict[str, str]()
    for _ in range(2):  # two responses: a name, and a place
        for _ in range(3):  # lost, because the server was killed before sending it
            Browser(server).get(link, cookies=cookies, allow_redirects=False)
        answer = Browser(server).get(link, cookies=cookies, allow_redirects=False)
        cookies |= dict(answer.cookies)
    mine = answer.headers["location"]
    other, third = newcomers(server, link, 2)
    assert code(other) not in mine
    assert third.status_code == 404


def test_a_person_without_cookies_has_a_button_and_one_place(server):
    link = by_session(server)
    page = without_cookies(server, f"{link}?group=%22%3E%3Cscript%3E")
    assert "<script>" not in page.text
    page = without_cookies(server, link)
    assert '<html lang="en">' in page.text
    [target] = re.findall(r'href="(/join/[^"]+)"', page.text)
    target = server.url + unescape(target)
    places = {
        Browser(server).get(target, allow_redirects=False).headers["location"] for _ in range(3)
    }
    assert len(places) == 1


def test_a_browser_has_a_separate_place_in_every_session(server):
    browser = Browser(server)
    first, second = (browser.get(by_session(server)) for _ in range(2))
    assert code(first) != code(second)
    assert code(browser.get(first.history[0].url)) == code(first)
