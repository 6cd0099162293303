"""Values in a game's core that layers and roles do not change, field by field."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.pages import plain

ALL = {"stock", "wealth", "harvest", "contribution", "pool"}


def make_game(information: dict[str, Any] | None = None, **agents: Any) -> Any:
    layers = {"information": information} if information else {}
    return engine.make("commons_game", archetype="lab", layers=layers, agents=agents)


@pytest.mark.parametrize(
    ("game", "seen"),
    [
        (make_game(), ALL),
        (make_game({"intensity": 1, "hide": ["stock"]}), ALL - {"stock"}),
        (make_game({"intensity": 0, "hide": ["stock"]}), ALL),
        (make_game({"intensity": 1, "graph": "complete"}), ALL),
        (make_game({"intensity": 1, "graph": "ring"}), {"stock", "pool"}),  # neighbours hide seats
        (make_game(roles={"member": {"sees": ["stock"]}}), {"stock"}),
    ],
)
def test_quantities_that_every_seat_sees_unchanged(game, seen):
    assert {name for name in ALL if plain.is_seen(game, name)} == seen
    assert plain.is_seen(game, *seen)
    assert plain.is_seen(game, *ALL) == (seen == ALL)
    assert not plain.is_seen(game, "nothing")


@pytest.mark.parametrize(
    ("information", "shown"),
    [
        ({"intensity": 1, "show": ["stock"]}, True),
        ({"intensity": 0.5, "show": ["stock"]}, False),
        ({"intensity": 1, "hide": ["stock"]}, False),
        (None, False),
    ],
)
def test_quantities_that_are_always_shown_to_everybody(information, shown):
    assert plain.is_shown(make_game(information), "stock") is shown
