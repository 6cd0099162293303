"""Consent, a quiz with limited tries, attention, comments, and early endings with their pay and
link."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

from tests.door.audit import table, wrong_numbers
from tests.server.wire import Person, Server, server

__all__ = ["server"]  # a fixture

AT_ONCE = {"bot_delay": "instant", "decision_seconds": 600.0, "grace_seconds": 600.0}
LINKS = {
    status: f"https://panel.example/{status}?who={{PROLIFIC_PID}}"
    for status in ("finished", "quiz_failed", "no_consent", "released", "left")
}
CONSENT = "We record what you decide.\n\nYou can stop at any time & <leave>."


def rows(server: Server, session: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the rows of outcomes by participant, without empty values."""
    frame = table(server, "outcomes", session).set_index("participant")
    return {code: row.dropna().to_dict() for code, row in frame.iterrows()}


def link_on(person: Person) -> str:
    links = re.findall(r'class="mc-button" href="([^"]+)"', person.page.text)
    return str(links[0]) if links else ""


def join(server: Server, session: dict[str, Any], name: str) -> Person:
    link = f"{session['session_wide_url']}?PROLIFIC_PID={name}&STUDY_ID=s1&other=x"
    return Person(server, link)


def test_every_early_ending_has_a_page_an_outcome_pay_and_a_link(server):
    session = server.session(
        "commons",
        4,
        **AT_ONCE,
        consent=CONSENT,
        quiz_tries=2,
        periods=2,
        comments=True,
        fee_shares='{"quiz_failed": 0.25}',
        completion_links=json.dumps(LINKS),
    )
    refuses, fails, plays = (join(server, session, name) for name in ("anna", "ben", "cleo"))
    assert "We record what you decide." in refuses.page.text
    assert "at any time &amp; &lt;leave&gt;." in refuses.page.text
    refuses.next()  # neither of the two buttons
    assert refuses.page_name == "Consent"
    refuses.next(consented="no")
    assert refuses.page_name == "Results"
    assert link_on(refuses) == "https://panel.example/no_consent?who=anna"

    for person in (fails, plays):
        person.next(consented="yes")
        person.next()
        assert "submit your answers 2 more times" in person.page.text
    fails.next(quiz_answers="{}")  # a form without answers is not an attempt
    assert "submit your answers 2 more times" in fails.page.text
    names = re.findall(r'data-question="([^"]+)"', fails.page.text)
    wrong = {name: _options(fails.page.text, name)[0] for name in names}
    for _ in range(2):
        fails.next(quiz_answers=json.dumps(wrong))
        if fails.page_name == "Results":
            break
    outcome = rows(server, session)
    assert outcome[fails.code]["status"] == "quiz_failed"
    assert outcome[fails.code]["payment"] == 0.5  # a quarter of 2.00
    assert link_on(fails) == "https://panel.example/quiz_failed?who=ben"
    assert "€0.50" in fails.page.text

    for _ in range(2):
        plays.next(quiz_answers=json.dumps(right_answers(plays)))
        if plays.page_name != "Quiz":
            break
    live = plays.live()
    for number in range(2):
        live.act(number, f"p{number}", harvest=3, contribution=0)
    plays.next(attention='{"hidden_ms": 1200, "hidden_times": 1, "idle_ms": 0}')
    assert plays.page_name == "Comments"
    plays.next(comments="Fine.\n=1+1")
    assert plays.page_name == "Results"
    outcome = rows(server, session)
    row = outcome[plays.code]
    assert (row["status"], row["consented"], row["comments"]) == ("finished", "yes", "Fine. =1+1")
    assert (row["hidden_ms"], row["hidden_times"], row["idle_ms"]) == (1200, 1, 0)
    assert row["reaction_ms"] >= 0
    assert json.loads(row["parameters"]) == {"PROLIFIC_PID": "cleo", "STUDY_ID": "s1"}
    assert row["disclosure"] == "Some of the players may be computer programs."
    assert row["disclosed_ms"] >= row["consented_ms"] > 1e12
    # 6 points at 0.10, and the fee
    assert (row["pay_points"], row["pay_fee"], row["payment"]) == (0.6, 2.0, 2.6)
    assert outcome[refuses.code]["status"] == "no_consent"
    assert outcome[refuses.code]["payment"] == 0.0
    assert wrong_numbers(server, session) == []


def _options(page: str, name: str) -> list[str]:
    from html import unescape

    return [
        unescape(text) for text in re.findall(rf'type="radio" name="{name}" value="([^"]*)"', page)
    ]


def right_answers(person: Person) -> dict[str, str]:
    """Return the correct answers to the commons quiz, by the session's rules."""
    import commons_game.quiz as quiz_of_commons
    from mixed_company import engine
    from mixed_company.server.pages import money
    from mixed_company.server.pages.instructions import questions
    from mixed_company.table.options import Options
    from mixed_company.table.setup import Setup

    game = engine.make("commons_game", archetype="lab_0_7", periods=2)
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options())
    config = {"participation_fee": 2.0, "real_world_currency_per_point": 0.1}
    worth = money.question(SimpleNamespace(config=config), Options())
    listed = [*quiz_of_commons.quiz(game, Options()), *questions(setup), *worth]
    return {question["name"]: question["right"] for question in listed}


def test_leaving_the_lobby_pays_nothing_and_a_release_pays_for_waiting(server):
    session = server.session(
        "commons_two_people",
        2,
        **AT_ONCE,
        quiz=False,
        lobby_seconds=4.0,
        lobby_outcome="release",
        pay_waiting=6.0,
        pay_rounding=0.5,
        completion_links=json.dumps(LINKS),
    )
    leaves = join(server, session, "dora")
    leaves.walk_to("Lobby")
    leaves.next(leaving="yes")
    assert leaves.page_name == "Results"
    assert link_on(leaves) == "https://panel.example/left?who=dora"
    stays = join(server, session, "emil")
    stays.walk_to("Lobby")
    room = stays.live()
    room.send({"kind": "sync"})
    while room.receive("view")["phase"] != "released":
        pass
    stays.next()
    assert stays.page_name == "Results"
    outcome = rows(server, session)
    assert (outcome[leaves.code]["status"], outcome[leaves.code]["payment"]) == ("left", 0.0)
    row = outcome[stays.code]
    # 6.00 per minute are 0.10 per second, rounded up to the next half
    assert row["pay_waiting"] == pytest.approx(row["waited_ms"] / 10_000, abs=0.0051)
    assert row["waited_ms"] >= 4000
    assert row["payment"] * 2 == round(row["payment"] * 2)
    parts = [row[name] for name in row if name.startswith("pay_")]
    assert sum(parts) == pytest.approx(row["payment"])


def test_a_label_shared_by_two_people_is_not_an_error(server):
    always = {"return_by_label": "always"}
    session = server.session("commons", 3, **AT_ONCE, **always, quiz=False)
    people = [server.join(session) for _ in range(2)]
    listed = server.get(f"/api/sessions/{session['code']}").json()
    free = [person["code"] for person in listed["participants"]]
    last = next(code for code in free if code not in {person.code for person in people})
    start = f"{server.url}/InitializeParticipant/{last}?participant_label=K7"
    assert server.get(start).status_code == 200
    link = f"{session['session_wide_url']}?participant_label=K7"
    assert Person(server, link).code == last
