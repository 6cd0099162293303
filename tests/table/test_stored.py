"""Stored setups: a key is parsed and rejected only once, on entry. Stored JSON is trusted because
of its digest."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.experiment.checking import PLAN
from mixed_company.experiment.planned import Planned, planned_blocks
from mixed_company.experiment.treatments import plan_of, shipped_series
from mixed_company.table import stored as storing
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup, resolve, setup_from
from mixed_company.table.stored import digest_of, restored, stored
from settings import SESSION_CONFIG_DEFAULTS, SESSION_CONFIGS

CONFIGS = {config["name"]: {**SESSION_CONFIG_DEFAULTS, **config} for config in SESSION_CONFIGS}
PLANNED = [name for name, config in CONFIGS.items() if PLAN in config]


def make_setup(**changes: Any) -> Setup:
    shipped = CONFIGS["commons"]
    return resolve("commons_game", {**shipped, "seed": "7", **changes}, shipped)[0]


def edited(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_trusted_setup_equals_the_checked_one(name):
    """All of the project's sessions, with all their treatments and rules, are the same with and
    without the check."""
    game_id = CONFIGS[name]["app_sequence"][0]
    for setups in shipped_series(game_id, CONFIGS[name]):
        for setup in setups.values():
            again = restored(Setup, stored(setup))
            assert again == setup == Setup.model_validate_json(setup.model_dump_json())
            for copy, other in zip(again.games, setup.games, strict=True):
                assert (
                    copy.config == other.config == engine.restored(other.config.model_dump()).config
                )
            assert type(again.options.bot_list) is list


@pytest.mark.parametrize("name", PLANNED)
def test_a_plan_is_stored_completely(name):
    config = {**CONFIGS[name], "seed": "7"}
    plan = plan_of(config)
    assert plan is not None
    assert plan == type(plan).model_validate(config[PLAN]["plan"])
    for planned in planned_blocks(plan, config, config):
        assert restored(Planned, stored(planned)) == planned


def test_a_stored_setup_is_not_checked_again(monkeypatch):
    text = stored(make_setup(decision_seconds=8.0))

    def check(*_: Any) -> None:
        raise AssertionError("was checked again")

    monkeypatch.setattr(engine, "completed", check)
    monkeypatch.setattr(Options, "model_validate", check)
    monkeypatch.setattr(Setup, "model_validate", check)
    setup = restored(Setup, text)
    assert setup.options.decision_seconds == 8.0
    assert setup.game.core.capacity == 160.0


CHANGED = "stored setup: changed after it was stored: its digest differs"


def test_a_changed_setup_is_detected():
    """30 s instead of 8 s is valid, but it differs from the created session."""
    text = edited(
        stored(make_setup(decision_seconds=8.0)),
        '"decision_seconds": 8.0',
        '"decision_seconds": 30.0',
    )
    with pytest.raises(ConfigError) as refused:
        setup_from(text)
    assert str(refused.value) == CHANGED


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            '"decision_seconds": 8.0',
            '"decision_seconds": -1.0',
            "stored setup.options.decision_seconds = -1.0: should be greater than or equal to 0",
        ),
        (
            '"decision_seconds": 8.0',
            '"decision_second": 8.0',
            "stored setup.options.decision_second = 8.0: unknown key; did you mean "
            "'decision_seconds'?",
        ),
    ],
)
def test_a_changed_setup_that_cannot_be_played_gives_the_reason(old, new, sentence):
    text = edited(stored(make_setup(decision_seconds=8.0)), old, new)
    with pytest.raises(ConfigError) as refused:
        setup_from(text)
    assert str(refused.value).splitlines() == [CHANGED, sentence]


def test_the_form_of_the_json_does_not_count_as_a_change():
    setup = make_setup()
    text = json.dumps(json.loads(stored(setup)), sort_keys=True, indent=1)
    assert restored(Setup, text) == setup


def test_a_setup_of_an_earlier_release_is_checked_and_completed():
    """Releases before the digest was introduced wrote only the fields, and had fewer keys."""
    setup = make_setup()
    data = json.loads(setup.model_dump_json())
    del data["config"]["agents"], data["options"]["countdown_seconds"]
    earlier = restored(Setup, json.dumps(data))
    assert earlier.options == setup.options
    assert earlier.game.config == setup.game.config
    assert earlier.checked() == setup
    data["options"]["talk"] = "loud"
    with pytest.raises(ConfigError) as refused:
        restored(Setup, json.dumps(data))
    sentence = "stored setup.options.talk = 'loud': should be 'off', 'free' or 'list'"
    assert str(refused.value) == sentence


def test_the_options_of_a_play_with_other_rules_can_be_read():
    """People in a session are paid even after an update."""
    data = json.loads(make_setup(pay_cap=9.0).model_dump_json())
    data["config"]["identity"]["version"] = "0"
    setup = restored(Setup, json.dumps(data))
    assert setup.options.pay_cap == 9.0
    for ask in (lambda: setup.game, setup.checked):
        with pytest.raises(ConfigError, match=r"identity\.version = '0': the rules of"):
            ask()


def test_different_code_checks_again(monkeypatch):
    """The digest matches, but different code may have different rules."""
    data = json.loads(stored(make_setup()))
    data["options"]["grace_seconds"] = 1.0
    data["stored"]["digest"] = digest_of({key: data[key] for key in data if key != "stored"})
    assert restored(Setup, json.dumps(data)).options.grace_seconds == 1.0
    monkeypatch.setattr(storing, "_code", lambda: "other")
    with pytest.raises(ConfigError, match=r"options\.grace_seconds = 1\.0: should be greater"):
        restored(Setup, json.dumps(data))


@pytest.mark.parametrize(
    "text", ["", "no", "[]", "1", '{"stored": 1}', '{"stored": {}}', "[" * 99_999]
)
def test_a_text_that_is_not_a_setup_is_refused(text):
    with pytest.raises(ConfigError, match="stored setup"):
        restored(Setup, text)
