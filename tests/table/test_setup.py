"""Session configs: changes take precedence, the archetype supplies the rest, and errors name
mistakes.
"""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.engine.contract.errors import ConfigError, EngineError
from mixed_company.table.setup import Setup, resolve, session_config

SHIPPED = session_config("commons", "commons_game", "lab", people_per_group=2)


def resolved(**changes: Any) -> tuple[Setup, dict[str, Any]]:
    return resolve("commons_game", {**SHIPPED, **changes}, SHIPPED)


def test_a_config_lists_every_number_so_that_each_can_be_edited() -> None:
    assert SHIPPED["capacity"] == 160.0
    assert SHIPPED["growth_rate"] == 0.7
    assert SHIPPED["bot_delay"] == "people"
    assert SHIPPED["num_demo_participants"] == 2
    assert {type(value) for key, value in SHIPPED.items() if key != "app_sequence"} <= {
        bool,
        int,
        float,
        str,
    }


def test_the_archetype_provides_unchanged_values() -> None:
    setup, written = resolved(capacity=50.0)
    assert setup.config["core"]["growth_rate"] == 0.7
    assert setup.config["core"]["capacity"] == 50.0
    assert setup.config["core"]["initial_stock"] == 50.0
    assert written["initial_stock"] == 50.0


def test_another_archetype_brings_its_own_numbers_and_changes_still_win() -> None:
    setup, written = resolved(archetype="governed", capacity=200.0)
    core = setup.config["core"]
    assert (core["governance"], core["pool_effect"]) == ("per_step", 2.0)
    assert (core["growth_rate"], core["collapse_stock"]) == (0.3, 0.0)
    assert core["capacity"] == written["capacity"] == 200.0
    assert setup.config["identity"]["archetype"] == written["archetype"] == "governed"


def test_strings_from_a_form_become_numbers_lists_and_links() -> None:
    setup, _ = resolved(
        periods="7",
        observation="local",
        neighbours="[[0, 1], [1, 2]]",
        initial_stock="60",
        completion_links='{"finished": "https://example.org/done"}',
        seed="12",
    )
    assert setup.config["core"]["periods"] == 7
    assert setup.game.core.neighbours == ((0, 1), (1, 2))
    assert setup.game.core.initial_stock == 60.0
    assert setup.options.completion_links == {"finished": "https://example.org/done"}
    assert setup.config["identity"]["seed"] == 12


def test_strings_of_a_form_are_parsed_by_the_type_of_their_key() -> None:
    setup, written = resolved(
        people_per_group="3",
        decision_seconds=" 2.5 ",
        quiz="false",
        terminate_on_collapse="True",
        dropout_bot="",
    )
    options = setup.options
    assert (options.people_per_group, options.decision_seconds) == (3, 2.5)
    assert (options.quiz, setup.game.core.terminate_on_collapse) == (False, True)
    assert (written["people_per_group"], written["dropout_bot"]) == (3, "")


def test_without_a_seed_one_is_drawn_and_recorded() -> None:
    first, written = resolved()
    second, _ = resolved()
    assert written["seed"] == str(first.config["identity"]["seed"])
    assert first.config["identity"]["seed"] != second.config["identity"]["seed"]


def test_a_setup_survives_json_and_makes_each_policy_once() -> None:
    setup, _ = resolved(seed="1")
    again = Setup.model_validate_json(setup.model_dump_json())
    assert again.config == setup.config
    assert again.options == setup.options
    assert again.policy("greedy") is again.policy("greedy")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"periods": "many"}, "core.periods = 'many': should be a valid integer"),
        ({"periods": ""}, "core.periods = '': should be a valid integer"),
        ({"periods": True}, "core.periods = True: should be a valid integer"),
        ({"people_per_group": True}, "people_per_group = True: should be a valid integer"),
        ({"decision_seconds": True}, "decision_seconds = True: should be a valid number"),
        ({"quiz": 1}, "quiz = 1: should be a valid boolean"),
        ({"quiz": "perhaps"}, "quiz = 'perhaps': should be a valid boolean"),
        ({"bots": 3}, "bots = 3: should be a valid string"),
        ({"bots": ""}, "bots = '': should name at least one policy"),
        (
            {"bots": "population:kurzban_houser_2005"},
            "bots = 'population:kurzban_houser_2005': population:kurzban_houser_2005: a policy",
        ),
        ({"bots": "fixed:harvest=-1"}, "bots = 'fixed:harvest=-1': fixed: harvest = -1"),
        ({"dropout_bot": "gredy"}, "dropout_bot = 'gredy': policy 'gredy': unknown"),
        ({"bot_delay": "slow"}, "bot_delay: 'slow': unknown delay"),
        ({"bot_delay": "fixed:seconds=-1"}, "seconds should be from 0 to 3600"),
        ({"disclosure": "some"}, "should be 'none', 'possible', 'count' or 'labels'"),
        ({"grace_seconds": 1}, "grace_seconds = 1: should be greater than or equal to 10"),
        ({"practice_periods": 11}, "practice_periods = 11: should be less than or equal to 10"),
        ({"pay_cap": 5, "pay_floor": 9}, "pay_cap = 5.0: should be at least pay_floor, 9.0"),
        ({"completion_links": '{"done": "https://x"}'}, "'done': unknown status"),
        ({"completion_links": '{"left": "x.org"}'}, "should start with https:// or http://"),
        ({"completion_links": "{"}, "completion_links = '{': not JSON"),
        ({"neighbours": "[", "observation": "local"}, "neighbours = '[': not JSON"),
        ({"agents": "{"}, "agents = '{': not JSON"),
        ({"completion_links": "[" * 100_000}, "not JSON"),
        ({"seed": 1.7}, "seed = 1.7: should be a whole number"),
        ({"seed": True}, "seed = True: should be a whole number"),
        ({"seed": float("inf")}, "seed = inf: should be a whole number"),
        ({"real_world_currency_per_point": True}, "real_world_currency_per_point = True"),
        ({"real_world_currency_per_point": "x"}, "real_world_currency_per_point = 'x'"),
        ({"real_world_currency_per_point": float("nan")}, "real_world_currency_per_point = nan"),
        ({"layers": '{"power": {"intensity": 1}}'}, "layers.power.intensity = 1.0"),
        ({"agents": '{"seats": ["boss"]}'}, "names 1 seats, but core.seats is 4"),
        ({"lobby_second": 3}, "lobby_second = 3: unknown key; did you mean 'lobby_seconds'?"),
    ],
)
def test_a_mistake_is_refused_by_key_value_and_rule(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(EngineError) as refused:
        resolved(**changes)
    assert message in str(refused.value)


def test_a_rule_between_two_options_names_its_key_first() -> None:
    with pytest.raises(ConfigError) as refused:
        resolved(pay_cap=5, pay_floor=9)
    assert str(refused.value).startswith("pay_cap = 5.0: ")


def test_keys_of_other_apps_are_ignored() -> None:
    setup, _ = resolved(questionnaire_language="en")
    assert setup.options.people_per_group == 2


def test_an_unknown_key_is_refused_in_settings() -> None:
    with pytest.raises(ConfigError, match="did you mean 'capacity'"):
        session_config("commons", "commons_game", "lab", capacty=5)


def test_a_session_config_has_a_group_in_each_part() -> None:
    """Two people per group and three parts make six people."""
    assert SHIPPED["name"] == "commons"
    assert SHIPPED["app_sequence"] == ["commons_game"]
    assert SHIPPED["num_demo_participants"] == 2
    parted = session_config("commons", "commons_game", "lab", people_per_group=2, parts=3)
    assert (parted["num_demo_participants"], parted["parts"]) == (6, 3)
    assert (SHIPPED["seed"], SHIPPED["archetype"]) == ("", "lab")


def test_a_session_without_a_seed_draws_one() -> None:
    config = {"archetype": "lab"}
    seeds = {resolve("commons_game", config, {})[1]["seed"] for _ in range(3)}
    assert len(seeds) == 3
    assert resolve("commons_game", {**config, "seed": "5"}, {})[1]["seed"] == "5"
