"""Messages to a page do not depend on data hidden from its seat.

All hidden data of a table are replaced by the data of another table with the same number of
periods. The message to the page must stay the same, byte for byte.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import of_seat
from mixed_company.engine.kit.secrets import World, visible
from mixed_company.engine.layers.information import Information
from mixed_company.table.protocol import Message
from mixed_company.table.table import Table
from tests.table.layered import begun, left
from tests.table.plays import SECOND, view


def sent(table: Table, seat: int, now: int) -> str:
    return json.dumps(view(table, seat, now), sort_keys=True)


def world(table: Table) -> World:
    play = table.episode
    chance = play.game.draw_chance(play.seed, play.period - 1)
    return World(play._state, chance, None)


def taken_from(table: Table, other: Table, seat: int) -> None:
    """Replace the table data that are hidden from a seat by another table's data."""
    here, theirs = world(table), world(other)
    seen = of_seat(table.game.declaration.observations, table.episode.observations, seat)
    secret = {key: ~may for key, may in visible(table.game, here, seat, seen).items()}
    table.episode._move(here.swapped(theirs, secret).state, None)


def played(periods: int, seed: int, game: str, **options: Any) -> Table:
    """Play with bots and two people who do anything that is allowed."""
    table = begun([0, 2], game=game, bots="random", dropout="reduced", grace_seconds=600, **options)
    for second in range(1, periods + 1):
        for seat in (0, 2):
            drawn = table.episode.allowed(seat).sample(np.random.default_rng((seed, second, seat)))
            action = {name: float(value) for name, value in drawn.items()}
            sent = Message("act", f"{seat} {second}", table.episode.period, action)
            answer = table.act(seat, sent, second * SECOND).to_json()
            assert answer["kind"] == "ack", answer
    assert table.episode.period == periods
    return table


GRAPH = {"information": {"intensity": 1.0, "graph": [[0, 1], [2, 3]]}}
CASES = [
    ("commons_game", "governed", GRAPH),
    ("commons_game", "local_view", None),
    ("commons_game", "lab_0_7", GRAPH),
    ("commons_game", "unequal", None),
    ("sanctions", "lab_0_7", GRAPH),
    ("sanctions", "reputation", None),
    ("gem_mining", "lab_0_7", {"information": {"intensity": 1.0, "hide": ["found", "mines"]}}),
    ("gem_mining", "open_book", None),
    ("punishment_vote", "lab_0_7", None),
    ("punishment_vote", "sequential", {"information": {"intensity": 1.0, "hide": ["window"]}}),
]


@pytest.mark.parametrize(("game", "archetype", "layers"), CASES)
def test_a_page_is_sent_nothing_that_its_seat_may_not_see(game, archetype, layers):
    options = {"archetype": archetype, "layers": layers}
    table, other = played(3, 1, game, **options), played(3, 2, game, **options)
    whole = table.episode._state
    for seat in (0, 2):
        before = sent(table, seat, 4 * SECOND)
        taken_from(table, other, seat)
        assert any((table.episode._state[name] != value).any() for name, value in whole.items())
        assert sent(table, seat, 4 * SECOND) == before
        table.episode._move(whole, None)


def test_limits_that_reveal_hidden_data_would_change_the_messages_to_a_page(monkeypatch):
    hidden = {"information": {"intensity": 1.0, "hide": ["wealth"]}}
    options: dict[str, Any] = {"archetype": "governed", "layers": hidden}
    with pytest.raises(ConfigError, match="the limits of contribution reveal"):
        played(3, 1, "commons_game", **options)
    monkeypatch.setattr(Information, "_check_told", lambda *args: None)
    table, other = played(3, 1, "commons_game", **options), played(3, 2, "commons_game", **options)
    before = view(table, 0, 4 * SECOND)
    taken_from(table, other, 0)
    after = view(table, 0, 4 * SECOND)
    assert after["limits"]["contribution"] != before["limits"]["contribution"]
    assert {**after, "limits": None} == {**before, "limits": None}


def decided_by_the_first(harvest: float, **options: Any) -> Table:
    """Return a table where only seat 0 has decided."""
    table = begun([0, 1, 2, 3], bot_delay="instant", grace_seconds=600, **options)
    sent = Message("act", "first", 0, {"harvest": harvest, "contribution": 0.0})
    assert table.act(0, sent, SECOND).to_json()["kind"] == "ack"
    return table


def test_nobody_is_sent_the_decision_of_another_before_everybody_has_decided():
    for seat in (1, 2, 3):
        low, high = (sent(decided_by_the_first(h), seat, 2 * SECOND) for h in (3.0, 9.0))
        assert low == high


def test_in_turn_only_neighbours_are_sent_earlier_decisions():
    agents = {"timing": "sequential"}
    for seat, same in ((1, False), (2, True), (3, True)):
        low, high = (
            sent(decided_by_the_first(h, agents=agents, layers=GRAPH), seat, 2 * SECOND)
            for h in (3.0, 9.0)
        )
        assert (low == high) is same


@pytest.mark.parametrize("game", ["commons_game", "gem_mining", "punishment_vote", "sanctions"])
def test_a_person_who_left_is_sent_the_same_whatever_the_others_do(game):
    table = left(game, 1)
    first = view(table, 1, 60 * SECOND)
    before = first["observation"]
    for period in range(2):
        drawn = table.episode.allowed(0).sample(np.random.default_rng(period))
        action = {name: float(value) for name, value in drawn.items()}
        now = (70 + period) * SECOND
        table.act(0, Message("act", f"more {period}", table.episode.period, action), now)
    last = view(table, 1, 80 * SECOND)
    after = last["observation"]
    assert last["limits"] == first["limits"]
    assert after == {**before, "period": after["period"]}
    assert after["period"] > before["period"]
