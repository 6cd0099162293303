"""Settings that have no effect, or that are set twice, are rejected, not ignored."""

from __future__ import annotations

import json

import pytest

from mixed_company import engine
from mixed_company.engine import ActionError, ConfigError, Episode, LogError


def refused(**layers: object) -> str:
    with pytest.raises(ConfigError) as refusal:
        engine.make("commons_game", layers={"information": {"intensity": 0.2, **layers}})
    return str(refusal.value)


def test_a_delay_that_rounds_to_0_periods_is_refused():
    # round(0.2 * 2) = 0
    assert refused(delay={"stock": 2}) == (
        "layers.information.delay.stock = 2: rounds to 0 periods at intensity 0.2"
    )


def test_a_graph_without_pairs_or_with_a_seat_in_none_is_refused():
    assert refused(graph=[]) == "layers.information.graph = []: should contain at least one pair"
    assert refused(graph=[[0, 1]]) == ("layers.information.graph = [(0, 1)]: seat 2 is in no pair")


@pytest.mark.parametrize(("key", "name"), [("hide", "stock"), ("show", "pool")])
def test_a_field_named_twice_is_refused(key, name):
    message = refused(**{key: [name, name]})
    assert message == f"layers.information.{key} = ['{name}', '{name}']: names a field twice"


def test_the_mines_of_villages_cannot_be_summed_or_made_noisy():
    lab = {"archetype": "lab", "layers": {"hierarchy": {"intensity": 1, "groups": [0, 0, 1, 1]}}}
    seen = engine.make("gem_mining", **lab).declaration.observations
    assert "group_reward" in {field.name for field in seen}
    assert "group_mines" not in {field.name for field in seen}
    blurred = {"information": {"intensity": 1, "noise": {"mines": 1}}}
    with pytest.raises(ConfigError, match="'mines' is not an observation that can be blurred"):
        engine.make("gem_mining", archetype="lab", layers=blurred)


def test_an_archetype_that_does_not_exist_is_refused_in_a_whole_configuration_too():
    config = engine.make("commons_game", archetype="lab").config.model_dump(mode="json")
    config["identity"]["archetype"] = "labb"
    with pytest.raises(ConfigError, match=r"identity\.archetype = 'labb': unknown in commons_game"):
        engine.make(config)


@pytest.mark.parametrize(
    ("leaving", "rule"),
    [
        ([1.5], "1.5 is not a seat number"),
        ([True], "True is not a seat number"),
        ([1, 1], "seat 1 is named twice"),
        ([4], "seat 4 is not in 0 .. 3"),
    ],
)
def test_only_seats_can_leave_and_each_once(leaving, rule):
    play = Episode(engine.make("commons_game", agents={"may_leave": True}), 1)
    before = play.state_json()
    with pytest.raises(ActionError) as refusal:
        play.step({"harvest": [1] * 4, "contribution": [0] * 4}, leaving)
    assert str(refusal.value) == f"leaving: {rule}"
    assert play.state_json() == before


@pytest.mark.parametrize(
    ("decided", "leaving"),
    [
        (["9"], []),  # no such seat
        (["1"], []),  # seat 0 comes first
        (["0", "1", "2", "3"], []),  # the period would already have been played
        (["0"], [2]),  # the seat has not decided
    ],
)
def test_an_impossible_half_decided_period_is_refused(decided, leaving):
    game = engine.make("commons_game", agents={"timing": "sequential", "may_leave": True})
    data = json.loads(Episode(game, 1).state_json())
    action = {"harvest": 1.0, "contribution": 0.0}
    data |= {"decided": dict.fromkeys(decided, action), "leaving": leaving}
    with pytest.raises(LogError):
        Episode.from_json(game, json.dumps(data))
    right = data | {"decided": {"0": action, "1": action}, "leaving": [1]}
    assert Episode.from_json(game, json.dumps(right)).turn == 2
