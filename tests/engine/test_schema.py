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


def test_each_stage_has_the_schema_of_its_fields() -> None:
    """Seat 1 of four may give at most 3 points to seats 0, 2 and 3. Two points cost 2."""
    game = engine.make("sanctions", archetype="unsanctioned", peer="punishment", peer_max=2)
    episode = engine.Episode(game, 1)
    assert action_schema(episode.allowed(1))["required"] == ["contribution"]
    episode.step({"contribution": [0, 5, 10, 20]})
    schema = action_schema(episode.allowed(1))
    assert schema["required"] == ["assign"]
    assert schema["properties"]["assign"] == {
        "description": "punishment points to each player (points). Places that may get points: "
        "0, 2, 3. Costs of 0, 1, ... points to one player: 0, 1, 2",
        "type": "array",
        "minItems": 4,
        "maxItems": 4,
        "items": {"type": "integer", "minimum": 0, "maximum": 2},
        "default": [0, 0, 0, 0],
    }


def test_the_rules_on_points_are_described() -> None:
    core = {"peer": "both", "peer_budget": 5, "peer_targets": 2, "peer_max": 1, "peer_cost": 3}
    episode = engine.Episode(engine.make("commons_game", archetype="lab", **core), 1)
    episode.step({"harvest": [4, 2, 0, 0], "contribution": [0] * 4})
    described = action_schema(episode.allowed(0))["properties"]["assign"]["description"]
    assert described.endswith(
        "Places that may get points: 1, 2, 3. At most 5 points in all. Points to at most 2 players."
        " Costs of 0, 1, ... points to one player: 0, 3. Costs of at most 4 in all"
    )


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_default_action_of_every_game_satisfies_its_schema(game_id: str) -> None:
    schema = schema_of(game_id)
    episode = engine.Episode(engine.make(game_id, archetype="lab"), 1)
    default = {name: field["default"] for name, field in schema["properties"].items()}  # type: ignore[attr-defined]
    assert schema["required"] == list(default)
    assert episode.allowed(0).plain(default) == episode.allowed(0).default_action()
