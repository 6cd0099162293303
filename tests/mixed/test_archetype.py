"""Tests that commands without an archetype report that they use the game's default parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from mixed_company import engine
from mixed_company.__main__ import main

PLAYED = (
    "commons_game is played with the defaults of its parameters (archetype custom); "
    "its archetypes: "
)
COMMANDS = (
    "play commons_game --policies gredy",
    "exploit gredy --game commons_game",
    "tournament commons_game --policies gredy",
    "metagame commons_game --policies gredy --output results",
    "power commons_game --measure points --treatment a people=gredy bots=steward",
)
"""Commands that all fail early: no policy has this name, and power needs two treatments."""


@pytest.mark.parametrize("command", COMMANDS)
def test_without_an_archetype_the_parameters_in_use_are_reported(
    command: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(command.split()) == 2
    where = "treatment a: " if command.startswith("power") else ""
    line = where + PLAYED + ", ".join(engine.find("commons_game").archetypes)
    assert line in capsys.readouterr().err.splitlines()


@pytest.mark.parametrize("command", COMMANDS)
def test_with_a_named_archetype_nothing_is_added(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = "archetype=lab" if command.startswith("power") else "--archetype lab"
    assert main(f"{command} {named}".split()) == 2
    assert "is played with" not in capsys.readouterr().err
