"""A session is created with checked options, or not at all."""

from __future__ import annotations

import json

import pytest
from otree import settings

from mixed_company import engine
from tests.door.audit import table
from tests.server.wire import Server, Socket, server

__all__ = ["server"]  # a fixture


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"capacity": -5}, "core.capacity = -5.0: should be greater than 0"),
        (
            {"growth": "fast"},
            "core.growth = 'fast': should be 'logistic', 'linear' or 'exponential'",
        ),
        ({"bots": "gredy"}, "did you mean 'greedy'?"),
        ({"people_per_group": 9}, "people_per_group = 9: should be at most seats, 4"),
        ({"dropout": "stop"}, "dropout = 'stop': should be 'bot', 'reduced', 'pause' or 'end'"),
        ({"archetype": "labb"}, "did you mean 'lab'?"),
        ({"seed": "seven"}, "seed = 'seven'"),
    ],
)
def test_a_wrong_value_is_refused_by_name(server, changes, words):
    answer = fill_in_the_form(server, changes)
    assert answer["error"].startswith("Failed to create session: ")
    assert words in answer["error"]


@pytest.mark.parametrize(
    ("changes", "key", "words"),
    [
        ({"capacity": "much"}, "capacity", "much: should be a number"),
        ({"people_per_group": "1.5"}, "people_per_group", "1.5: should be a whole number"),
        ({"decision_seconds": "nan"}, "decision_seconds", "nan: should be a number"),
        ({"capacity": -5}, "capacity", "-5.0: should be greater than 0"),
        ({"bots": "gredy"}, "bots", "did you mean 'greedy'?"),
    ],
)
def test_a_refusal_is_shown_beside_its_field_without_a_traceback(server, changes, key, words):
    answer = fill_in_the_form(server, changes)
    assert "traceback" not in answer
    assert words in answer["fields"][key]


def asked_for(server: Server, changes: dict) -> tuple[Socket, str]:
    """Return a socket of the page on which an administrator creates a session, and its message."""
    form = {"session_config": "commons", "num_participants": "1", "room_name": ""}
    form |= {f"commons.{key}": str(value) for key, value in changes.items()}
    return Socket(server, f"{server.url}/create_session"), json.dumps(form)


def answered(socket: Socket) -> dict:
    """Return the response to the form, after all progress reports."""
    while "progress" in (answer := json.loads(socket.recv())):
        pass
    return dict(answer)


def fill_in_the_form(server: Server, changes: dict) -> dict:
    """Send the form, and return the response."""
    socket, text = asked_for(server, changes)
    socket.send(text)
    return answered(socket)


def test_changed_numbers_take_effect_and_are_in_the_export(server):
    session = server.session(
        "commons", 1, capacity=60, periods=3, seed="11", quiz=False, bot_delay="instant"
    )
    person = server.join(session)
    assert "The lake can hold 60." in person.page.text
    person.walk_to("Play")
    live = person.live()
    view = live.ask({"kind": "sync"}, "view")
    assert view["observation"]["stock"] == 60.0
    row = table(server, "config", session).iloc[0]
    assert '"capacity": 60.0' in row["config"]
    again = server.session("commons", 1, seed="11", quiz=False)
    other = server.join(again)
    other.walk_to("Play")
    assert table(server, "config", again).iloc[0]["seed"] == row["seed"]


def test_the_demo_page_offers_every_session_config(server):
    page = server.get("/demo").text
    for name in (
        "you and three bots",
        "two people and two bots",
        "four people",
        "players can pay to restock the lake",
        "players see only their neighbours",
        "nobody knows exactly",
    ):
        assert name in page
    assert page.count('class="mc-demo-game"') == len(engine.game_ids())
    for game_id in engine.game_ids():
        assert f'src="/static/{game_id}/picture.svg"' in page
    # 2 + 20 periods of 45 s: 16.5 minutes, rounded to even
    assert "4 players, 2 of them people; about 16 minutes with the practice" in page


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({}, "HTTP Request Header otree-rest-key is missing"),
        ({"otree-rest-key": "a key"}, "HTTP Request Header otree-rest-key is incorrect"),
        ({"otree-rest-key": "the key"}, ""),
    ],
)
def test_in_a_study_an_export_and_the_board_need_the_key(server, monkeypatch, headers, words):
    code = server.session("commons", 1)["code"]
    monkeypatch.setattr(settings, "AUTH_LEVEL", "STUDY")
    monkeypatch.setenv("OTREE_REST_KEY", "the key")
    for address in ("export_archive", f"session_board/{code}"):
        answer = server.get(f"/api/{address}", headers=headers)
        assert answer.status_code == (403 if words else 200)
        assert words in answer.text


def test_in_a_study_the_pages_of_the_manager_need_a_login(server, monkeypatch):
    from otree import urls  # needs the apps, which have been imported by now
    from otree.channels import routing

    code = server.session("commons", 1)["code"]
    for route in routing.websocket_routes:
        before = getattr(route.endpoint, "_requires_login", False)
        monkeypatch.setattr(route.endpoint, "_requires_login", before, raising=False)
    monkeypatch.setattr(settings, "AUTH_LEVEL", "STUDY")
    urls._assign_websocket_requires_login()  # as when a server starts
    for address in ("export_archive", f"SessionBoard/{code}", f"SessionReceipt/{code}"):
        page = server.get(f"/{address}")
        assert page.url.endswith("/login")
        assert "application/zip" not in page.headers["content-type"]
