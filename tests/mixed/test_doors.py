"""Tests that every entry point rejects an invalid key once, naming the key, value, rule and nearest
name.
"""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.__main__ import main
from mixed_company.engine.contract.errors import EngineError
from mixed_company.server.rehearse import whole
from mixed_company.server.session_form import refusals
from mixed_company.table.setup import resolve, session_config
from tests.experiment.planned import config, plan
from tests.loops import aside

WRONG = [
    # a key of talk, of time, of the game, and an unknown one
    ("talk", "loud", "talk = 'loud': should be 'off', 'free' or 'list'"),
    ("decision_seconds", -1, "decision_seconds = -1: should be greater than or equal to 0"),
    ("capacity", -5, "core.capacity = -5: should be greater than 0"),
]


def refused(enter: Any, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(EngineError) as raised:
        enter(*args, **kwargs)
    return str(raised.value)


def test_settings_refuse_a_key_that_does_not_exist():
    sentence = "small: 'decision_second': unknown key; did you mean 'decision_seconds'?"
    assert refused(session_config, "small", "commons_game", "lab", decision_second=1) == sentence


@pytest.mark.parametrize(("key", "value", "sentence"), WRONG)
@pytest.mark.parametrize("form", [lambda value: value, str])
def test_a_session_is_refused_with_numbers_and_with_strings_of_its_form(key, value, sentence, form):
    """Use numbers as in SESSION_CONFIGS and REST, and texts as in a form."""
    shipped = session_config("commons", "commons_game", "lab")
    error = refused(resolve, "commons_game", {**shipped, key: form(value)}, shipped)
    assert error == sentence
    by_field, others = refusals(f"Failed to create session: {error}")
    assert by_field == {key: sentence.partition(" = ")[2]}
    assert others == []


@pytest.mark.parametrize(("key", "value", "sentence"), WRONG)
def test_a_plan_is_refused_with_the_name_of_the_treatment(key, value, sentence):
    invalid_plan = plan(**{'governance = "per_step"': f"{key} = {value!r}"})
    assert refused(config, invalid_plan) == f"treatments.pool: {sentence}"


def test_a_plan_is_refused_with_a_list_as_toml_has_it():
    """Pass a list from the plan to its key without converting it to text."""
    invalid_plan = plan(
        **{'governance = "per_step"': "talk = 'list', talk_sentences = ['yes', 'yes']"}
    )
    sentence = "treatments.pool: talk_sentences: a sentence is listed twice"
    assert refused(config, invalid_plan) == sentence


@pytest.mark.parametrize(("key", "value", "sentence"), WRONG)
def test_a_rehearsal_is_refused_before_its_server_starts(key, value, sentence, monkeypatch, capsys):
    monkeypatch.setattr(whole, "Server", None)
    assert main(["rehearse", "commons", "--people", "greedy", f"{key}={value}"]) == 2
    assert capsys.readouterr().err.count(sentence) == 1


@pytest.mark.parametrize(("key", "value", "sentence"), WRONG)
def test_a_play_of_models_is_refused_before_it_begins(
    key: str, value: Any, sentence: str, tmp_path: Any, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "none.jsonl").touch()
    arguments = ["agents", "llm", "--model", "scripted", "--replay", "none.jsonl"]
    assert aside(main, [*arguments, "--offline", "commons_game", f"{key}={value}"]) == 2
    assert capsys.readouterr().err.count(sentence) == 1
