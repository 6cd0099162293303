"""Session keys `layers` and `agents`: read as strings or objects, rejected with a message that
names the key, and written back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.engine.contract.errors import EngineError
from mixed_company.table.setup import Setup, resolve, session_config, setup_from
from settings import SESSION_CONFIGS

SHIPPED = session_config("commons", "commons_game", "lab")
UNEQUAL = session_config("unequal", "commons_game", "unequal")
RING = {"information": {"intensity": 0.5, "graph": "ring"}}
LATE = {"information": {"intensity": 1.0, "delay": {"stock": 2}}}
TURNS = {"timing": "sequential", "order": [3, 2, 1, 0]}


def resolved(
    shipped: dict[str, Any] = SHIPPED, game: str = "commons_game", **changes: Any
) -> tuple[Setup, dict[str, Any]]:
    return resolve(game, {**shipped, **changes}, shipped)


def attached(setup: Setup) -> set[str]:
    return {layer.name for layer in setup.game.layers}


# -- settings.py -----------------------------------------------------------------------------


def test_without_layers_and_roles_both_keys_are_empty() -> None:
    assert (SHIPPED["layers"], SHIPPED["agents"]) == ("", "")


def test_the_layers_of_an_archetype_are_in_its_config_as_json() -> None:
    assert json.loads(UNEQUAL["layers"]) == {
        "information": {"intensity": 1.0, "noise": {"stock": 5.0}, "delay": {"stock": 1}},
        "hierarchy": {"intensity": 1.0, "groups": [0, 1, 0, 1]},
        "power": {"intensity": 1.0, "limits": {"weak": {"harvest": 5.0}}},
    }
    assert json.loads(UNEQUAL["agents"]) == {
        "roles": {"strong": {}, "weak": {}},
        "seats": ["strong", "weak", "strong", "weak"],
    }


@pytest.mark.parametrize("config", SESSION_CONFIGS, ids=lambda config: config["name"])
def test_every_config_is_accepted_and_written_back_unchanged(config: dict[str, Any]) -> None:
    setup, written = resolve(config["app_sequence"][0], config, config)
    if config["agents"]:
        assert json.loads(written["agents"]).items() >= json.loads(config["agents"]).items()
    assert written["layers"] == config["layers"]
    again, same = resolve(config["app_sequence"][0], {**config, **written}, config)
    assert same == written
    assert again.config == setup.config


# -- effects ---------------------------------------------------------------------------------


@pytest.mark.parametrize("as_text", [True, False], ids=["form", "REST"])
def test_layers_and_agents_have_effect(as_text: bool) -> None:
    options: dict[str, Any] = {"layers": LATE, "agents": TURNS}
    if as_text:
        options = {key: json.dumps(value) for key, value in options.items()}
    setup, written = resolved(**options)
    assert attached(setup) == {"information"}
    assert setup.game.sight.order == (3, 2, 1, 0)
    assert json.loads(written["layers"]) == LATE
    assert json.loads(written["agents"]) == TURNS
    assert setup_from(setup.model_dump_json()).game.sight.order == (3, 2, 1, 0)


def test_a_given_section_replaces_the_whole_section_of_the_archetype() -> None:
    setup, written = resolved(UNEQUAL, layers=json.dumps(LATE))
    assert attached(setup) == {"information"}
    assert setup.config["layers"]["information"]["noise"] == {}
    assert setup.config["agents"]["seats"] == ["strong", "weak", "strong", "weak"]
    assert json.loads(written["layers"]) == LATE


def test_an_empty_key_removes_the_section() -> None:
    setup, written = resolved(UNEQUAL, layers="", agents="")
    assert attached(setup) == set()
    assert setup.config["agents"]["seats"] in ([], ["member"] * 4)
    assert written["layers"] == ""
    with pytest.raises(EngineError) as refused:
        resolved(UNEQUAL, agents="")  # its power layer names a role that no longer exists
    assert "layers.power.limits" in str(refused.value)


def test_an_unchanged_form_keeps_the_sections_of_the_archetype() -> None:
    setup, written = resolved(UNEQUAL)
    assert attached(setup) == {"information", "hierarchy", "power"}
    assert (written["layers"], written["agents"]) == (UNEQUAL["layers"], UNEQUAL["agents"])


def test_a_layer_at_intensity_zero_is_kept_and_not_attached() -> None:
    setup, written = resolved(layers='{"temporal": {"intensity": 0, "reward_delay": 3}}')
    assert attached(setup) == set()
    assert json.loads(written["layers"]) == {"temporal": {"reward_delay": 3}}


def test_other_numbers_of_the_session_are_combined_with_the_layers() -> None:
    groups = '{"hierarchy": {"intensity": 1, "groups": [0, 1]}}'
    setup, _ = resolved(seats=2, layers=groups)
    assert setup.game.seats == 2
    with pytest.raises(EngineError) as refused:
        resolved(seats=3, layers=groups)
    assert "layers.hierarchy.groups" in str(refused.value)
    assert "names 2 seats, but core.seats is 3" in str(refused.value)


# -- another archetype in the form -----------------------------------------------------------


def test_another_archetype_brings_its_own_layers_and_roles() -> None:
    setup, written = resolved(archetype="unequal")
    assert attached(setup) == {"information", "hierarchy", "power"}
    assert (written["layers"], written["agents"]) == (UNEQUAL["layers"], UNEQUAL["agents"])


def test_another_archetype_removes_the_layers_of_the_first() -> None:
    setup, written = resolved(UNEQUAL, archetype="lab")
    assert attached(setup) == set()
    assert (written["layers"], written["agents"]) == ("", "")


def test_layers_changed_in_the_form_win_over_those_of_another_archetype() -> None:
    setup, written = resolved(archetype="unequal", layers=json.dumps(RING))
    assert json.loads(written["layers"]) == RING
    assert setup.config["agents"]["seats"] == ["strong", "weak", "strong", "weak"]


def test_a_session_config_with_turns_keeps_them_only_with_its_archetype() -> None:
    shipped = session_config("turns", "commons_game", "lab", agents='{"timing": "sequential"}')
    assert resolved(shipped)[0].game.sight.order == (0, 1, 2, 3)
    assert resolved(shipped, archetype="governed")[0].game.sight.order is None


# -- leaving ---------------------------------------------------------------------------------


@pytest.mark.parametrize("agents", ["", '{"timing": "sequential"}', '{"may_leave": false}'])
def test_reduced_lets_seats_leave(agents: str) -> None:
    setup, written = resolved(dropout="reduced", agents=agents)
    assert setup.game.presence.may_leave is True
    assert json.loads(written["agents"])["may_leave"] is True
    kept = {"timing": "sequential"} if "timing" in agents else {}
    assert json.loads(written["agents"]) == {**kept, "may_leave": True}


def test_reduced_keeps_the_roles_of_the_archetype() -> None:
    setup, _ = resolved(UNEQUAL, dropout="reduced")
    assert setup.config["agents"]["seats"] == ["strong", "weak", "strong", "weak"]
    assert setup.game.presence.may_leave is True


def test_if_bots_stand_in_nobody_leaves() -> None:
    assert resolved()[0].game.presence.may_leave is False


# -- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"layers": "{"}, "layers = '{': not JSON"),
        ({"agents": "["}, "agents = '[': not JSON"),
        ({"layers": "late"}, "layers = 'late'"),
        ({"agents": "late"}, "agents = 'late'"),
        ({"layers": "[1]"}, "layers = [1]"),
        ({"agents": "[1]"}, "agents = [1]"),
        ({"layers": 3}, "layers = 3"),
        ({"agents": 3, "dropout": "reduced"}, "agents = 3"),
        ({"agents": "late", "dropout": "reduced"}, "agents = 'late'"),
        ({"layers": '{"informtion": {}}'}, "did you mean 'information'?"),
        ({"layers": '{"information": {"intensity": NaN}}'}, "layers.information.intensity = nan"),
        ({"agents": '{"timing": "random"}'}, "agents.timing = 'random'"),
        ({"agents": '{"roles": {"member": {"sees": ["stok"]}}}'}, "stok"),
        (
            {"pace": "clock", "decision_seconds": 2, "agents": '{"timing": "sequential"}'},
            "pace = 'clock': should be 'answers' if agents.timing is sequential",
        ),
        ({"layer": "{}"}, "layer = '{}': unknown key; did you mean 'layers'?"),
        ({"agent": "{}"}, "agent = '{}': unknown key; did you mean 'agents'?"),
        ({"dropout": "reducd"}, "dropout = 'reducd': should be 'bot', 'reduced', 'pause' or 'end'"),
    ],
)
def test_a_mistake_is_refused_by_key_value_and_rule(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(EngineError) as refused:
        resolved(**changes)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 1000
