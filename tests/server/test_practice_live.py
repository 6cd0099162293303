"""A practice before the lobby, through pages and live channels, in every game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mixed_company import engine
from tests.crowd.page import choice
from tests.crowd.places import config_of
from tests.door.audit import table, wrong_numbers
from tests.door.harness import synced
from tests.server.wire import Live, Person, Server, server

__all__ = ["server"]  # a fixture

OF_ONE_GAME = [
    pytest.param(game_id, marks=[] if game_id == "commons_game" else pytest.mark.long)
    for game_id in engine.game_ids()
]


def practising(server: Server, game_id: str, people: int = 1, **changes: Any) -> dict[str, Any]:
    """Create a session of a game as shipped, with two periods of practice."""
    options = {"archetype": "lab", "quiz": False, "practice_periods": 2, "people_per_group": people}
    return server.session(str(config_of(game_id)["name"]), 2 * people, **{**options, **changes})


def practise(person: Person, live: Live, name: str) -> dict[str, Any]:
    """Decide once, and return the next view."""
    view = synced(live)
    action = choice(view, random.Random(1))
    live.act(view["period"], name, **action)
    return synced(live)


@pytest.mark.few(1)
@pytest.mark.parametrize("game_id", OF_ONE_GAME)
def test_a_person_practises_alone_continues_and_leaves_no_trace_in_the_data(server, game_id):
    session = practising(server, game_id)
    person = server.join(session)
    assert "Before the game, you practise for 2" in person.page.text
    person.next()
    assert person.page_name == "Practice"
    assert "Practice. Nothing here counts." in person.page.text
    person.next()  # before it is over
    assert person.page_name == "Practice"
    live = person.live()
    view = synced(live)
    assert (view["period"], view["phase"], view["remaining_ms"]) == (0, "decide", None)
    view = practise(person, live, "first")
    live.close()
    person.reload()
    live = person.live()
    back = synced(live)
    assert (back["period"], back["phase"]) == (1, "decide")
    assert back["observation"] == view["observation"]
    assert practise(person, live, "second")["phase"] == "over"
    assert live.act(2, "third")["reason"] == "the game is over"
    live.close()
    person.next()
    assert person.page_name == "Play"
    synced(person.live())
    row = table(server, "outcomes", session).set_index("participant").loc[person.code]
    assert (row["practised_periods"], row["points"], row["status"]) == (2, 0.0, "seated")
    assert len(table(server, "decisions", session)) == 0


def test_the_export_of_a_play_after_a_practice_is_correct(server):
    session = practising(server, "gem_mining", periods=2, bot_delay="instant")
    person = server.join(session)
    for page in ("Practice", "Play"):
        person.next()
        assert person.page_name == page
        live = person.live()
        for period in range(2):
            practise(person, live, f"{page} {period}")
        live.close()
    person.next()
    assert person.page_name == "Results"
    assert wrong_numbers(server, session) == []
