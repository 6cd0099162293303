"""A session is created with checked numbers, or not at all."""

from __future__ import annotations

import json

import pytest
import requests
import websocket

from tests.door.audit import table
from tests.door.harness import Server

pytestmark = [pytest.mark.door, pytest.mark.xdist_group("sockets")]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"capacity": -5}, "core.capacity = -5.0: should be greater than 0"),
        ({"growth": "fast"}, "core.growth = 'fast': should be 'logistic' or 'linear'"),
        ({"bots": "gredy"}, "did you mean 'greedy'?"),
        ({"people_per_group": 9}, "people_per_group = 9: more than seats, 4"),
        ({"dropout": "pause"}, "dropout = 'pause': should be 'bot' or 'reduced'"),
        ({"archetype": "labb"}, "did you mean 'lab'?"),
        ({"seed": "seven"}, "seed = 'seven'"),
    ],
)
def test_a_wrong_value_is_refused_by_name(server: Server, changes: dict, words: str) -> None:
    answer = fill_in_the_form(server, changes)
    assert answer["error"].startswith("Failed to create session: ")
    assert words in answer["error"]


def test_a_refused_session_leaves_nothing_behind(server: Server) -> None:
    before = sessions(server)
    fill_in_the_form(server, {"capacity": -5})
    assert sessions(server) == before


def fill_in_the_form(server: Server, changes: dict) -> dict:
    """What the page on which an administrator creates a session sends, and the answer it gets."""
    form = {"session_config": "commons", "num_participants": "1", "room_name": ""}
    form |= {f"commons.{key}": str(value) for key, value in changes.items()}
    socket = websocket.create_connection(f"ws://127.0.0.1:{server.port}/create_session", timeout=10)
    socket.send(json.dumps(form))
    while True:
        answer = json.loads(socket.recv())
        if "progress" not in answer:
            return answer


def sessions(server: Server) -> list[str]:
    found = requests.get(f"{server.url}/api/sessions", timeout=10).json()
    return sorted(each["code"] for each in found)


def test_changed_numbers_have_effect_and_stand_in_the_export(server: Server) -> None:
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


def test_the_demo_page_offers_every_session_config(server: Server) -> None:
    page = requests.get(f"{server.url}/demo", timeout=10).text
    for name in (
        "you and three bots",
        "two people and two bots",
        "four people",
        "a pool that feeds the stock",
        "seen only next door",
        "nobody knows exactly",
    ):
        assert name in page
