"""Simultaneous sessions in several languages on one server: pages, sockets, numbers, money."""

from __future__ import annotations

import re

import pytest

from tests.door.harness import synced
from tests.server.wire import Browser, Live, Person, server

__all__ = ["server"]  # a fixture

ALONE = {"quiz": False, "bot_delay": "instant", "decision_seconds": 0.0, "periods": 2}


def language_of(person: Person) -> str:
    match = re.search(r'<html lang="(\w+)">', person.page.text)
    assert match is not None
    return match[1]


def play(live: Live, periods: int) -> None:
    for period in range(periods):
        live.act(period, f"own {period}", harvest=2.5, contribution=0)
    view = synced(live)
    while view["phase"] != "over":
        view = live.receive("view")


def test_two_simultaneous_sessions_are_each_in_their_language(server):
    people = {
        code: server.join(server.session("commons", 1, language=code, **ALONE))
        for code in ("de", "fr", "en")
    }
    for code, person in people.items():
        assert language_of(person) == code
    assert "Sie sind eine von 4 Personen" in people["de"].page.text
    assert "2,00 €" in people["de"].page.text
    assert "Chaque poisson que vous prenez vaut 1 point." in people["fr"].page.text
    assert "You are one of 4 players" in people["en"].page.text
    lives = {}
    for code, person in people.items():
        person.walk_to("Play")
        lives[code] = person.live()
    refusals = {code: lives[code].act(7, "late", harvest=1)["reason"] for code in people}
    assert refusals["de"] == "Runde 8 hat noch nicht begonnen; dies ist Runde 1"
    assert refusals["fr"].startswith("la période 8")
    assert refusals["en"] == "period 8 has not begun yet; this is period 1"
    for code, person in people.items():
        play(lives[code], 2)
        person.walk_to("Results")
        assert language_of(person) == code
    assert "Sie haben insgesamt 5 Fische gefangen." in people["de"].page.text
    assert re.search(r"<strong>2,50 €</strong>", people["de"].page.text)
    assert "Vous avez pris 5 poissons en tout." in people["fr"].page.text
    assert re.search(r"<strong>€2.50</strong>", people["en"].page.text)


def test_a_missing_language_is_refused_by_name(server):
    with pytest.raises(RuntimeError, match=r"language = 'xx'.*'en', 'de', 'es'.*'fr'"):
        server.session("commons", 1, language="xx", **ALONE)


def test_a_person_without_cookies_is_greeted_in_the_language_of_the_session(server):
    session = server.session("commons", 1, language="es", **ALONE)
    server.join(session)
    page = Browser(server).get(session["session_wide_url"], params={"browser": "1"})
    assert '<html lang="es">' in page.text
    assert "Pulse el botón para participar." in page.text
