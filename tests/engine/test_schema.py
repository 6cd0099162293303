"""JSON Schemas of actions follow from a seat's allowed actions."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.engine.contract.schema import action_schema


def schema_of(game_id: str, seat: int = 0, **changes: object) -> dict[str, object]:
    episode = engine.Episode(engine.make(game_id, archetype="lab", **changes), 1)
    return action_schema(episode.allowed(seat))


def test_an_amount_has_its_ends_its_unit_and_its_default() -> None:
    assert schema_of("sanctions")["properties"] == {
        "contribution": {
            "description": "contribution (points)",
            "type": "number",
            "minimum": 0.0,
            "maximum": 20.0,
            "default": 0.0,
        }
    }


def test_a_choice_lists_the_open_options() -> None:
    assert schema_of("gem_mining")["properties"]["mine"]["enum"] == [0, 1, 2]  # type: ignore[index]


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_default_action_of_every_game_satisfies_its_schema(game_id: str) -> None:
    schema = schema_of(game_id)
    episode = engine.Episode(engine.make(game_id, archetype="lab"), 1)
    default = {name: field["default"] for name, field in schema["properties"].items()}  # type: ignore[attr-defined]
    assert schema["required"] == list(default)
    assert episode.allowed(0).plain(default) == episode.allowed(0).default_action()
