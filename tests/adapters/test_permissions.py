"""Tests that libraries receive only the choices that a role allows."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.adapters.spaces import form

LEFT, MORE, NOOP = 2, 4, 6
WALKS = {"action": ["up", "down", "left", "right", "noop"]}
AGENTS = {"roles": {"citizen": {}, "guest": {"acts": WALKS}}, "seats": ["citizen", "guest"]}


@pytest.mark.parametrize("name", ["flat", "named"])
def test_a_guests_vote_is_masked_and_illegal_but_its_move_is_not(name):
    game = engine.make("punishment_vote", archetype="lab", seats=2, agents=AGENTS)
    citizen, guest = engine.Episode(game).allowed(0), engine.Episode(game).allowed(1)
    adapter = form(game, name)
    assert adapter.mask(citizen).tolist() == [1, 1, 1, 1, 1, 1, 1]
    assert adapter.mask(guest).tolist() == [1, 1, 1, 1, 0, 0, 1]
    assert adapter.action(MORE, guest) == ({"action": NOOP}, True)
    assert adapter.action(LEFT, guest) == ({"action": LEFT}, False)
