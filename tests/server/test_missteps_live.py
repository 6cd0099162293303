"""Unexpected behaviour of people: two tabs, reloads, old links.

Everyone plays on one server, each in a separate session. Many simultaneous reloads, and a device
with a wrong date, are in `tests/door/test_missteps.py`.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from requests.compat import urljoin

from mixed_company.server.rehearse.person import Quiz
from tests.door.audit import table, wrong_numbers
from tests.door.harness import meet_in_lobby, synced
from tests.server.wire import Browser, Person, Server, Socket, server

__all__ = ["server"]  # a fixture

CALM: dict[str, Any] = {
    "bot_delay": "instant",
    "decision_seconds": 600.0,
    "grace_seconds": 600.0,
    "lobby_seconds": 600.0,
}
RELOADS = 20
MESSENGER = {"User-Agent": "WhatsApp/2.23.20.0"}


def second_tab(person: Person) -> Person:
    """Open another tab of the same browser on the same page."""
    tab = Person(person.server, person.page.url)
    assert (tab.code, tab.page_name) == (person.code, person.page_name)
    return tab


def main_of(person: Person) -> str:
    """Return a page's content without the parts that change on every load."""
    [main] = re.findall(r"<main.*</main>", person.page.text, re.DOTALL)
    return str(main)


def status(server: Server, session: dict[str, Any], person: Person) -> dict[str, Any]:
    """Return a person's row in the outcomes."""
    rows = table(server, "outcomes", session).set_index("participant")
    return dict(rows.loc[person.code])


# -- two tabs, back, reloads --------------------------------------------------------------------


def test_answers_from_an_old_tab_of_the_quiz_use_no_attempt_and_change_nothing(server):
    session = server.session("commons", 1, **CALM, quiz_tries=1, quiz_failed="go_on")
    person = server.join(session)
    person.walk_to("Quiz")
    tab = second_tab(person)
    answers = {"shortage": "5", "when": "All at the same time"}
    person.next(quiz_answers=json.dumps(answers))  # an incomplete form is not an attempt
    assert person.page_name == "Quiz"
    tab.next(quiz_answers="no JSON")
    assert (tab.page_name, "submit your answers 1 more time" in tab.page.text) == ("Quiz", True)
    wrong = {name: options[0] for name, options in Quiz(tab.page.text).options.items()}
    person.next(quiz_answers=json.dumps(wrong))
    assert person.page_name == "Play"
    tab.next(quiz_answers=json.dumps(wrong))  # still shown in the old tab
    assert tab.page_name == "Play"
    assert status(server, session, person)["quiz_attempts"] == 3


def test_two_tabs_of_a_lobby_are_one_person_who_is_there_while_one_of_them_is_open(server):
    session = server.session("commons_two_people", 2, **CALM, quiz=False, disclosure="labels")
    first, other = server.join(session), server.join(session)
    first.walk_to("Lobby")
    tab = second_tab(first)
    first_live, tab_live = first.live(), tab.live()
    assert first_live.ask({"kind": "sync"}, "view")["here"] == 1
    assert (
        tab_live.ask({"kind": "sync"}, "view")["here"] == 1
    )  # not two people, because nobody else has come
    first_live.close()
    assert tab_live.ask({"kind": "sync"}, "view")["here"] == 1
    other.walk_to("Lobby")
    meet_in_lobby([tab, other])
    first.next()  # the tab whose page has lost its channel
    assert (first.page_name, tab.page_name) == ("Play", "Play")
    assert sorted(table(server, "seats", session)["occupant"]) == [*["person"] * 2, *["policy"] * 2]


def test_tabs_of_a_finished_play_lead_to_the_results_and_so_does_the_back_button(server):
    session = server.session("commons", 1, **CALM, quiz=False, periods=2)
    person = server.join(session)
    person.walk_to("Play")
    tab, play = second_tab(person), person.page.url
    live, old = person.live(), tab.live()
    for period in range(2):
        assert live.act(period, f"p{period}", harvest=3, contribution=0)["kind"] == "ack"
    assert synced(old)["phase"] == "over"
    person.next()
    assert person.page_name == "Results"
    earned = main_of(person)
    assert old.act(1, "late", harvest=9, contribution=0)["kind"] == "refused"
    tab.next()
    assert (tab.page_name, main_of(tab)) == ("Results", earned)
    back = Person(server, play)  # the browser's back button
    assert (back.page_name, main_of(back)) == ("Results", earned)
    person.reload()
    assert (person.page_name, main_of(person)) == ("Results", earned)
    assert status(server, session, person)["payment"] == pytest.approx(2.6)  # 2.00, 6 times 0.10
    assert wrong_numbers(server, session) == []


def test_reloads_in_a_play_cost_no_period_and_no_seat(server):
    session = server.session("commons", 1, **CALM, quiz=False, periods=3)
    person = server.join(session)
    person.walk_to("Play")
    assert person.live().act(0, "first", harvest=2, contribution=0)["kind"] == "ack"
    for _ in range(RELOADS):
        person.reload()
        assert person.page.status_code == 200
    live = person.live()
    view = synced(live)
    assert (view["period"], view["phase"], view["standin"]) == (1, "decide", False)
    assert live.act(1, "second", harvest=2, contribution=0)["kind"] == "ack"
    assert len(table(server, "seats", session)) == 4  # nobody took the seat in between


# -- links --------------------------------------------------------------------------------------


def test_a_preview_of_a_personal_link_is_not_that_person(server):
    """Ignore a messenger's link preview in the lobby's count."""
    session = server.session("commons_two_people", 2, **CALM, quiz=False, disclosure="labels")
    listed = server.get(f"/api/sessions/{session['code']}").json()
    for participant in listed["participants"]:
        link = f"{server.url}/InitializeParticipant/{participant['code']}"
        for method in ("HEAD", "GET"):
            assert previewed(server, method, link) == 200
    first = Person(
        server, f"{server.url}/InitializeParticipant/{listed['participants'][0]['code']}"
    )
    first.walk_to("Lobby")
    assert first.live().ask({"kind": "sync"}, "view")["here"] == 1
    assert sorted(table(server, "outcomes", session)["status"]) == ["arriving", "waiting"]


def previewed(server: Server, method: str, link: str) -> int:
    """Open a link as a messenger does, and return the status of the page that it leads to."""
    browser = Browser(server)
    while True:
        answer = browser.request(
            method, link, headers=MESSENGER, allow_redirects=False, stream=True
        )
        if not answer.is_redirect:
            return int(answer.status_code)
        link = urljoin(answer.url, answer.headers["location"])


def test_links_of_a_deleted_session_say_so_and_raise_nothing(server):
    session = server.session("commons", 2, **CALM, quiz=False)
    person, fresh = server.join(session), server.join(session)
    person.walk_to("Play")
    live = person.live()
    synced(live)
    delete(server, session)
    wide, personal = session["session_wide_url"], f"{server.url}/InitializeParticipant/{fresh.code}"
    for link in (wide, f"{wide}?participant_label=K1", personal):
        answer = Browser(server).get(link)
        assert (answer.status_code, "This link does not work" in answer.text) == (404, True), link
    for link in (person.page.url, fresh.page.url):
        assert Browser(server).get(link).status_code == 404, link
    assert Browser(server).post(person.page.url).status_code == 404


def delete(server: Server, session: dict[str, Any]) -> None:
    """Delete a session as the Sessions page does."""
    socket = Socket(server, "ws://testserver/delete_sessions")
    socket.send(json.dumps([session["code"]]))
    assert json.loads(socket.recv()) == "ok"
    socket.close()


@pytest.mark.long
def test_links_of_a_finished_session_return_everybody_to_their_page(server):
    always = {"return_by_label": "always"}
    session = server.session("commons", 1, **CALM, **always, quiz=False, periods=1)
    link = f"{session['session_wide_url']}?participant_label=K1"
    person = Person(server, link)
    person.walk_to("Play")
    person.live().act(0, "only", harvest=1, contribution=0)
    person.next()
    assert person.page_name == "Results"
    assert Person(server, link).page.url == person.page.url  # a day later, on another computer
    late = Browser(server).get(session["session_wide_url"])
    assert late.status_code == 404
    assert "All places are taken" in late.text
