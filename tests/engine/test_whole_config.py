"""Whole configurations: a missing key is an error that names it, and is never filled in. One
function completes configurations from earlier releases when they are read.
"""

from __future__ import annotations

import copy
import functools
import json
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, UnknownName
from mixed_company.engine.play import record

EVERY = [
    (game_id, archetype)
    for game_id in engine.game_ids()
    for archetype in sorted(engine.find(game_id).archetypes)
]


def whole(game_id="commons_game", archetype="lab") -> dict[str, Any]:
    return engine.make(game_id, archetype=archetype).config.model_dump(mode="json")


def keys(section: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the path of every key in a configuration that is also a key of its schema."""
    names = list(section) if isinstance(section, dict) else []
    return [
        place for name in names for place in [(*path, name), *keys(section[name], (*path, name))]
    ]


def without(config: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return the configuration without the key at this path."""
    less = copy.deepcopy(config)
    del functools.reduce(lambda part, name: part[name], path[:-1], less)[path[-1]]
    return less


def refusal(config: dict[str, Any]) -> str:
    with pytest.raises(ConfigError) as refused:
        engine.make(config)
    return str(refused.value)


@pytest.mark.parametrize(("game_id", "archetype"), EVERY)
def test_a_whole_configuration_lacks_nothing(game_id, archetype):
    config = whole(game_id, archetype)
    assert engine.make(config).config.model_dump(mode="json") == config


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_every_missing_key_is_refused_by_its_name(game_id):
    config = whole(game_id)
    game = engine.find(game_id)
    written = [name for name in game.Core.model_fields if name not in game.Core.unwritten()]
    schema = [("core", name) for name in written]
    schema += [path for path in keys(config) if path[0] != "core" and path[-1] != "member"]
    assert len(schema) > 40
    for path in schema:
        name = "identity.game" if path == ("identity",) else ".".join(path)
        assert refusal(without(config, path)) == f"{name}: is missing"


def test_a_key_missing_in_part_of_a_table_is_named_too():
    config = whole("punishment_vote")
    message = refusal(without(config, ("core", "resources", "B", "harm")))
    assert message == "core.resources.B.harm: is missing"


def test_all_missing_keys_are_named_in_one_message():
    config = without(without(whole(), ("core", "periods")), ("layers", "power"))
    assert refusal(config) == "core.periods: is missing\nlayers.power: is missing"


def test_missing_keys_are_reported_before_values_are_checked():
    # With the default of 6 seats their shares would not sum to 1, and the error would say so.
    assert refusal(without(whole("sanctions"), ("core", "seats"))) == "core.seats: is missing"


def test_a_misspelt_key_is_both_missing_and_unknown():
    config = whole()
    config["core"]["capcity"] = config["core"].pop("capacity")
    assert refusal(config).splitlines() == [
        "core.capacity: is missing",
        "core.capcity = 160.0: unknown key; did you mean 'capacity'?",
    ]


def test_an_archetype_with_changes_need_not_be_complete():
    game = engine.make("commons_game", archetype="lab_0_7", layers={"power": {"intensity": 0}})
    assert game.core.periods == 15
    assert game.config.layers.power.limits == {}


@pytest.mark.parametrize(
    "game_id", ["commons_game", "gem_mining", "punishment_vote", "sanctions"]
)  # a new game has no earlier releases
def test_an_archetype_of_an_earlier_release_is_accepted_by_name_but_not_offered(game_id):
    game = engine.make(game_id, archetype="lab_0_7")
    assert engine.make(game.config.model_dump(mode="json")).config == game.config
    assert "lab_0_7" not in engine.find(game_id).archetypes
    with pytest.raises(UnknownName, match=r"archetype = 'lab_0_6': unknown in .* mean 'lab'"):
        engine.make(game_id, archetype="lab_0_6")


def test_a_configuration_of_an_earlier_release_is_completed_when_read():
    config = whole()
    for path in (("agents", "timing"), ("layers", "temporal"), ("core", "discount")):
        older = without(config, path)
        assert engine.completed(older) == config
        assert engine.make(engine.completed(older)).config == engine.make(config).config


def test_a_configuration_of_no_game_is_not_completed():
    with pytest.raises(ConfigError, match=r"identity\.game: is missing"):
        engine.completed({"core": {}})
    with pytest.raises(ConfigError, match=r"core\.capcity = 5: unknown key"):
        engine.completed({**whole(), "core": {"capcity": 5}})


def test_a_log_of_an_earlier_release_is_read_with_defaults_for_missing_keys():
    game = engine.make("commons_game", archetype="lab", periods=2)
    sent = [{"harvest": [2, 2, 2, 2], "contribution": [0, 0, 0, 0]}] * 2
    lines = json.loads(json.dumps(record.play(game, sent, seed=7)))
    older = [{**lines[0], "config": without(lines[0]["config"], ("agents", "order"))}, *lines[1:]]
    assert record.replay(older) == []
    assert len(list(record.replayed(older[0]["config"], 7, sent))) == 2
