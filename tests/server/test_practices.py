"""Practices are kept in memory, up to a limit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.open import practices as module
from mixed_company.server.open.practices import Practices
from mixed_company.server.open.tables import OpenTables
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup


def _no_writer() -> Any:
    pytest.fail("nothing of a practice is written")


@pytest.fixture
def practices(monkeypatch: pytest.MonkeyPatch) -> Practices:
    """Return practices of which two are kept without an open page."""
    monkeypatch.setattr(module, "clock_of", lambda _session: SimpleNamespace(now_ms=lambda: 0))
    return Practices(OpenTables(_no_writer), most_left=2)


class _OpenPage:
    """Open page."""

    def tell(self, text: str) -> None:
        pass


def person(number: int) -> Any:
    config = engine.make("commons_game", archetype="lab").config.model_dump(mode="json")
    setup = Setup(config=config, options=Options(practice_periods=2))
    return SimpleNamespace(
        id=number,
        session_id=1,
        participant=SimpleNamespace(code=f"code{number}", _session_code="s"),
        subsession=SimpleNamespace(setup=setup.model_dump_json()),
        treatment="",
        get_folder_name=lambda: "commons_game",
    )


def decide(practices: Practices, player: Any) -> list[str]:
    """Decide, and return the kinds of the messages that the page gets."""
    opened = practices.of(player)
    (seat,) = opened.table.people
    period = opened.table.episode.period
    action = opened.table.episode.allowed(seat).default_action()
    act = Message("act", f"{period}", period, action)
    return [payload["kind"] for _, payload in opened.exchanged(seat, act)]


def test_a_person_who_returns_finds_the_practice_with_earlier_decisions(practices):
    player = person(1)
    assert decide(practices, player) == ["ack", "view"]
    assert practices.of(person(1)).table.episode.period == 1
    practised = practices.end(player)
    assert practised.periods == 1
    [decision] = practised.decisions
    assert (set(decision), decision["period"]) == ({"at_ms", "period", "action"}, 0)
    assert set(decision["action"]) == {"harvest", "contribution"}
    assert len(practices) == 0


def test_the_oldest_practice_without_an_open_page_is_dropped_if_there_is_no_room(practices):
    """Open four practices, with room for two without an open page. The first one stays, because its
    page is open.
    """
    first, *others = (person(number) for number in range(4))
    opened = practices.of(first)
    (seat,) = opened.table.people
    opened.sit(seat, _OpenPage())
    before = [practices.of(player) for player in others]
    assert len(practices) == 3
    assert practices.of(first) is opened
    assert before[0].gone
    assert not before[2].gone


def test_while_there_is_room_no_practice_is_forgotten(practices, monkeypatch):
    """Keep all three practices without an open page, because there is room for ten."""
    monkeypatch.setattr(practices, "_most_left", 10)
    opened = [practices.of(person(number)) for number in range(3)]
    assert not any(practice.gone for practice in opened)
    assert len(practices) == 3
