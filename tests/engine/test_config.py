"""Configurations are complete and frozen, survive JSON, and name the key that is wrong."""

from __future__ import annotations

import json

import numpy as np
import pytest
from pydantic import ValidationError

from mixed_company import engine
from mixed_company.engine import ConfigError, UnknownName
from mixed_company.engine.config import Layers
from mixed_company.engine.games.commons_game import CommonsGame
from tests.engine.plays import commons
from tests.engine.toys import Toy


def refusal(*args, error=ConfigError, **parameters):
    with pytest.raises(error) as refused:
        engine.make(*args or ("commons_game",), **parameters)
    return str(refused.value)


def whole(**sections):
    """Return a whole configuration as a dict, with some sections replaced."""
    return {**commons().config.model_dump(mode="json"), **sections}


# -- refusals -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [None, 3, ["commons_game"], b"commons_game", int])
def test_an_invalid_game_is_refused_by_value_and_rule(game):
    rule = "must be an id, a Game class or a configuration"
    assert refusal(game, error=UnknownName) == f"game = {game!r}: {rule}"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"capacty": 5}, "core.capacty = 5: unknown key; did you mean 'capacity'?"),
        (
            {"instrumentation": {"evnt": True}},
            "instrumentation.evnt = True: unknown key; did you mean 'event'?",
        ),
        (
            {"layers": {"powr": {"intensity": 0}}},
            "layers.powr = {'intensity': 0}: unknown key; did you mean 'power'?",
        ),
        ({"agents": {"seat": []}}, "agents.seat = []: unknown key; did you mean 'seats'?"),
        (
            {"agents": {"roles": {"member": {"act": []}}}},
            "agents.roles.member.act = []: unknown key; did you mean 'acts'?",
        ),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_valid_one(parameters, message):
    assert refusal(**parameters) == message


def test_an_unknown_section_is_refused_with_the_nearest_valid_one():
    assert refusal(whole(layer={})) == "layer = {}: unknown key; did you mean 'layers'?"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"seats": 0}, "core.seats = 0: should be greater than or equal to 1"),
        ({"max_harvest": 0}, "core.max_harvest = 0: should be greater than 0"),
        ({"pool_decay": 1.5}, "core.pool_decay = 1.5: should be less than or equal to 1"),
        ({"growth_rate": "fast"}, "core.growth_rate = 'fast': should be a valid number"),
        ({"discount": float("nan")}, "core.discount = nan: should be a finite number"),
        (
            {"governance": "perstep"},
            "core.governance = 'perstep': should be 'none', 'per_step' or 'accumulating'",
        ),
        ({"initial_stock": 500}, "initial_stock = 500.0: should be at most the capacity, 100.0"),
        ({"collapse_stock": 101}, "collapse_stock = 101.0: should be at most the capacity, 100.0"),
        ({"neighbours": [[1, 1]]}, "pair [1, 1]: a seat cannot be its own neighbour"),
        ({"neighbours": [[0, 9]]}, "core.neighbours = [0, 9]: seat 9 is not in 0 .. 3"),
        ({"neighbours": "rng"}, "core.neighbours = 'rng'"),
        ({"layers": {"power": {"intensity": 2}}}, "layers.power.intensity = 2: should be less tha"),
    ],
)
def test_a_wrong_value_is_refused_by_key_value_and_rule(parameters, message):
    assert message in refusal(**parameters)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"seats": True}, "core.seats = True: should be a valid integer"),
        ({"seats": "4"}, "core.seats = '4': should be a valid integer"),
        ({"seats": np.True_}, "core.seats = np.True_: should be a valid integer"),
        ({"growth_rate": True}, "core.growth_rate = True: should be a valid number"),
        ({"growth_rate": "0.3"}, "core.growth_rate = '0.3': should be a valid number"),
        ({"initial_stock": "50"}, "core.initial_stock = '50': should be a valid number"),
        ({"terminate_on_collapse": 1}, "core.terminate_on_collapse = 1: should be a valid boolean"),
        ({"terminate_on_collapse": "no"}, "core.terminate_on_collapse = 'no': should be a valid"),
        ({"neighbours": [[0, True]]}, "core.neighbours.0.1 = True: should be a valid integer"),
        ({"layers": {"power": {"intensity": True}}}, "layers.power.intensity = True: should be a"),
        (
            {"layers": {"uncertainty": {"shocks": {"stock": "2"}}}},
            "layers.uncertainty.shocks.stock = '2': should be a valid number",
        ),
        ({"agents": {"may_leave": "yes"}}, "agents.may_leave = 'yes': should be a valid boolean"),
        ({"agents": {"order": ["0"]}}, "agents.order.0 = '0': should be a valid integer"),
        (
            {"instrumentation": {"period": True}},
            "instrumentation.period = True: should be a valid integer",
        ),
    ],
)
def test_a_value_of_another_type_is_refused_by_key_value_and_rule(parameters, message):
    assert message in refusal(**parameters)


@pytest.mark.parametrize("seats", [4, 4.0, np.int64(4), np.float64(4)])
def test_an_integer_can_have_any_numeric_type(seats):
    core = engine.make("commons_game", seats=seats, growth_rate=np.float32(0.5)).core
    assert (core.seats, type(core.seats), core.growth_rate) == (4, int, 0.5)


@pytest.mark.parametrize(
    ("seats", "rule"),
    [
        (-1, "greater than or equal to 1"),
        (10**12, "less than or equal to 1000"),
        ("4", "a valid integer"),
    ],
)
def test_an_archetype_with_roles_is_not_fitted_to_impossible_seats(seats, rule):
    message = refusal("commons_game", archetype="unequal", seats=seats)
    assert message == f"core.seats = {seats!r}: should be {rule}"


@pytest.mark.parametrize("seats", [2, 2.0, np.int64(2)])
def test_the_roles_of_an_archetype_are_fitted_to_the_seats(seats):
    game = engine.make("punishment_vote", archetype="weighted_votes", seats=seats)
    assert game.config.agents.seats == ("elder", "member")


def test_every_wrong_value_is_named_in_one_message():
    lines = refusal(seats=0, periods=0).splitlines()
    assert [line.split(":")[0] for line in lines] == ["core.seats = 0", "core.periods = 0"]


def test_a_wrong_capacity_is_not_blamed_on_the_initial_stock():
    assert refusal(capacity=-5) == "core.capacity = -5: should be greater than 0"


def test_a_missing_section_is_named():
    data = whole()
    del data["core"]
    assert refusal(data) == "core: is missing"


class Changed(CommonsGame):
    version = "3"
    changes = {"2": "the stock grows twice", "3": "`fishes` is gone"}


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("1", "; new in '2': the stock grows twice; new in '3': `fishes` is gone"),
        ("2", "; new in '3': `fishes` is gone"),
        ("4", ""),
    ],
)
def test_the_refusal_of_another_version_says_what_changed_since(version, message):
    data = {"identity": {"game": "commons_game", "version": version}, "core": {"fishes": 3}}
    with pytest.raises(ConfigError) as error:
        Changed.config_from(data)
    assert str(error.value) == (
        f"identity.version = {version!r}: the rules of commons_game installed here are "
        f"version '3'{message}"
    )


def test_every_version_of_a_game_after_the_first_says_what_changed():
    for game_id in engine.game_ids():
        game = engine.find(game_id)
        assert ["1", *game.changes][-1] == game.version


def test_the_configuration_of_another_game_is_refused():
    with pytest.raises(ConfigError, match=r"identity.game = 'chess': should be 'commons_game'"):
        CommonsGame.config_from({"identity": {"game": "chess"}, "core": {}})


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5])
def test_an_invalid_seed_is_refused(seed):
    assert refusal(seed=seed).startswith(f"seed = {seed}: should be a whole number")


LAYERS = (
    "information",
    "temporal",
    "hierarchy",
    "interaction",
    "power",
    "incentives",
    "uncertainty",
)


def test_every_layer_is_in_every_configuration_at_zero():
    layers = commons().config.model_dump()["layers"]
    assert tuple(layers) == LAYERS
    assert [layer["intensity"] for layer in layers.values()] == [0] * 7


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_without_settings_is_accepted_only_at_zero(name):
    message = refusal(Toy, layers={name: {"intensity": 0.5}})
    assert message.startswith(f"layers.{name}.intensity = 0.5: has no effect; set one")
    assert engine.make(Toy, layers={name: {"intensity": 0}}).config.layers == Layers()


# -- guarantees of an accepted configuration ----------------------------------------------


@pytest.mark.parametrize("archetype", sorted(CommonsGame.archetypes))
def test_a_configuration_survives_json_unchanged(archetype):
    config = commons(archetype=archetype, seed=5).config
    text = config.model_dump_json()
    again = engine.make(json.loads(text)).config
    assert again == config
    assert again.model_dump_json() == text


def test_a_configuration_prints_every_value_that_has_effect():
    data = commons(archetype="lab_0_7", seed=9).config.model_dump(mode="json")
    assert set(data) == {"identity", "core", "layers", "agents", "instrumentation"}
    assert data["identity"] == {
        "game": "commons_game",
        "version": "1",
        "archetype": "lab_0_7",
        "seed": 9,
    }
    peers = CommonsGame.Core.unwritten()  # without peer points their parameters have no effect
    assert "peer_max" in peers
    assert set(data["core"]) == set(CommonsGame.Core.model_fields) - set(peers)
    assert data["core"]["initial_stock"] == 100
    assert data["core"]["growth_rate"] == 0.4


@pytest.mark.parametrize(
    ("section", "key"),
    [("core", "seats"), ("identity", "seed"), ("instrumentation", "event"), ("agents", "seats")],
)
def test_a_configuration_cannot_be_changed(section, key):
    config = commons().config
    before = config.model_dump_json()
    with pytest.raises(ValidationError, match="frozen"):
        setattr(getattr(config, section), key, 3)
    assert config.model_dump_json() == before


def test_the_schema_has_the_unit_symbol_and_meaning_of_every_parameter():
    schema = CommonsGame.config_model().model_json_schema()
    core = schema["$defs"]["CommonsCore"]["properties"]
    assert all(entry.get("description") for entry in core.values())
    assert core["capacity"]["unit"] == "fish"
    assert core["capacity"]["symbol"] == "K"
    assert core["pool_decay"]["maximum"] == 1
    assert schema["$defs"]["CommonsCore"]["additionalProperties"] is False


# -- engine.make --------------------------------------------------------------------------


def test_a_game_can_be_made_from_its_name_its_archetype_or_its_configuration():
    named = engine.make("commons_game", growth_rate=0.4, collapse_stock=10)
    lab = engine.make("commons_game", archetype="lab_0_7")
    again = engine.make(lab.config.model_dump())
    assert named.core == lab.core == again.core
    assert again.config == lab.config
    assert named.config.identity.archetype == "custom"


def test_a_parameter_overrides_the_archetype():
    game = commons(archetype="lab_0_7", growth_rate=0.7, seats=2)
    assert (game.core.growth_rate, game.core.seats, game.core.collapse_stock) == (0.7, 2, 10)


def test_a_game_can_be_made_from_its_class():
    game = engine.make(CommonsGame, archetype="lab_0_7")
    assert game.config == commons(archetype="lab_0_7").config


def test_a_section_can_be_given_as_a_whole():
    game = commons(instrumentation={"verbose": True})
    assert game.config.instrumentation.verbose
    assert game.config.instrumentation.period == 1


def test_an_unknown_game_is_refused_with_the_nearest_name():
    message = refusal("comons_game", error=UnknownName)
    assert message == "game = 'comons_game': unknown; did you mean 'commons_game'?"


def test_an_unknown_archetype_is_refused_with_the_nearest_name():
    message = refusal(archetype="labb", error=UnknownName)
    assert message == "archetype = 'labb': unknown in commons_game; did you mean 'lab'?"


@pytest.mark.parametrize("archetype", [3, [], 10**5000], ids=["3", "list", "huge"])
def test_an_invalid_archetype_name_is_refused(archetype):
    message = refusal(archetype=archetype, error=UnknownName)
    assert message.startswith("archetype = ")
    assert message.endswith(": must be a string")
    assert len(message) < 80


@pytest.mark.parametrize("key", ["seats", "seed", "periods", "layers", "agents"])
@pytest.mark.parametrize(
    "value", [10**400, -(10**5000), json.loads("[" * 900 + "]" * 900)], ids=["400", "5000", "deep"]
)
def test_a_huge_value_is_refused_with_a_short_message(key, value):
    message = refusal(**{key: value})
    assert key in message
    assert len(message) < 700


@pytest.mark.parametrize("further", [{"seats": 3}, {"archetype": "lab"}, {"seed": 4}])
def test_a_whole_configuration_accepts_no_further_parameters(further):
    assert refusal(whole(), **further) == "a complete configuration takes no further parameters"


@pytest.mark.parametrize("identity", [{}, {"game": 5}, {"game": None}])
def test_a_configuration_without_a_game_is_refused(identity):
    assert refusal(whole(identity=identity)) == "identity.game: is missing"


@pytest.mark.parametrize("identity", ["commons_game", None, []])
def test_an_identity_that_is_not_a_section_is_refused_by_name(identity):
    assert "identity" in refusal(whole(identity=identity))


def test_every_game_can_be_found_by_its_id():
    assert "commons_game" in engine.game_ids()
    assert [engine.find(name).id for name in engine.game_ids()] == engine.game_ids()
