"""Tests of the command `mixed agents llm`: its errors, and a run replayed from its table."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.agents.client import GiveUp
from mixed_company.agents.llm import running
from mixed_company.agents.llm.calls import COLUMNS, Calls
from mixed_company.agents.llm.model import Question
from mixed_company.agents.llm.offline import AGENT
from mixed_company.agents.llm.running import run_stub
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.outside.words import instructions
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup
from tests.agents.test_llm import Scripted, run
from tests.loops import aside
from tests.project import ROOT


def chosen(*arguments: str) -> list[str]:
    return ["agents", "llm", "--model", "scripted", *arguments]


def replaying(folder: Path, *arguments: str) -> list[str]:
    """Return arguments that replay a folder's calls offline and write into that folder."""
    files = {"--replay": "first.jsonl", "--calls": "calls.jsonl", "--output": "plays.json"}
    named = [part for name, file in files.items() for part in (name, str(folder / file))]
    return chosen("--offline", "commons_game", *named, *arguments)


def test_missing_and_unknown_values_are_named(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("AGENT_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("none.jsonl").write_text("", encoding="utf-8")
    offline = ["--offline", "commons_game", "--replay", "none.jsonl"]
    for arguments, reason in (
        (["agents", "llm"], "--model: is missing"),
        (chosen(), "AGENT_KEY: not set"),
        (chosen(*offline, "perods=3"), "perods: unknown key; did you mean 'periods'?"),
        (chosen(*offline, "--calls", "none.jsonl"), "--calls: none.jsonl is the file to replay"),
        (chosen(*offline, "--money", "5"), "--money: set --price-in and --price-out too"),
    ):
        assert aside(main, arguments) == 2
        assert reason in capsys.readouterr().err
    with pytest.raises(ConfigError, match="mood"):
        run_stub("happy", 0)


def test_a_model_reads_without_a_server_what_people_read():
    model = Scripted()
    run(model, periods=1, archetype="fishing", instructions=instructions)
    game = engine.make("commons_game", archetype="fishing", periods=1)
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options(bots=AGENT))
    read = model.questions[0].messages[0]["content"]
    assert instructions(setup).splitlines()[0] in read
    assert "Each fish you take is worth 1 point." in read
    assert "The number of new fish is 100% of the number left in the lake." in read


def test_instructions_need_the_folder_of_the_project(tmp_path, monkeypatch, capsys):
    (tmp_path / "first.jsonl").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert aside(main, replaying(tmp_path, "periods=2")) == 2
    assert f"there is no settings.py in {tmp_path}" in capsys.readouterr().err


def test_a_run_is_replayed_from_its_table_by_the_command(tmp_path):
    calls = Calls(tmp_path / "first.jsonl")
    first, _ = run(Scripted("nonsense"), calls=calls, periods=3, instructions=instructions)
    calls.close()
    assert aside(main, replaying(tmp_path, "--seed", "7", "periods=3")) == 0
    [again] = json.loads((tmp_path / "plays.json").read_text(encoding="utf-8"))
    assert again["periods"] == json.loads(json.dumps(first["periods"]))
    assert again["points"] == first["points"]


def test_a_model_that_never_answers_is_a_failure(tmp_path, capsys):
    (tmp_path / "first.jsonl").write_text("", encoding="utf-8")
    assert aside(main, replaying(tmp_path, "periods=2")) == 1
    play, mean, last, why = capsys.readouterr().out.splitlines()
    reason = "this question is not in the recorded run"
    assert play.endswith(f"; 8 default decisions, the last: gave up: {reason}")
    assert mean.startswith("mean of 1, including default decisions: survival rate 1")
    assert last.endswith(f"8 of them failed, the last: {reason}")
    assert why == "100% of the decisions were defaults, more than 10%"


def test_a_run_with_too_many_defaults_fails(tmp_path, capsys):
    """One of the 8 decisions is a default, because its three answers are unusable."""
    calls = Calls(tmp_path / "first.jsonl")
    run(Scripted(*["nonsense"] * 3), calls=calls, instructions=instructions)
    calls.close()
    again = replaying(tmp_path, "--seed", "7", "periods=2")
    assert aside(main, again) == 1
    assert "12% of the decisions were defaults, more than 10%" in capsys.readouterr().out
    assert aside(main, [*again, "--most-defaults", "0.2"]) == 0
    assert aside(main, [*again, "--most-defaults", "2"]) == 2
    assert "--most-defaults: 2 should be from 0 to 1" in capsys.readouterr().err


def test_a_run_on_a_server_with_too_many_defaults_fails(tmp_path, monkeypatch, capsys):
    """The only decision fails, because the recorded run lacks the question. Then press Ctrl-C."""

    async def play(*arguments: Any) -> None:
        view = {"period": 0, "remaining_ms": None, "text": "", "asked": ""}
        schema = {"properties": {}, "required": []}
        game = {"place": "a/1/0", "game": "a", "seat": 0, "instructions": "", "rules": ""}
        with pytest.raises(GiveUp):
            await arguments[3](game, {**view, "schema": schema})
        assert arguments[5:7] == (2, 4)
        raise KeyboardInterrupt

    (tmp_path / "first.jsonl").write_text("", encoding="utf-8")
    monkeypatch.setattr(running, "play", play)
    monkeypatch.setenv("AGENT_KEY", "key")
    command = replaying(tmp_path, "--seats", "2", "--plays", "4")
    assert aside(main, [part for part in command if part not in ("--offline", "commons_game")]) == 1
    assert "100% of the decisions were defaults" in capsys.readouterr().out


def test_a_corrected_answer_is_counted(tmp_path, capsys):
    calls = Calls(tmp_path / "first.jsonl")
    run(Scripted("nonsense"), calls=calls, instructions=instructions)
    calls.close()
    assert aside(main, replaying(tmp_path, "--seed", "7", "periods=2")) == 0
    play, mean, last = capsys.readouterr().out.splitlines()
    assert "default" not in play + mean
    assert last.endswith("1 of them failed, the last: it is not JSON")


def test_the_document_has_every_column_of_the_table_of_calls():
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    for name, meaning in COLUMNS.items():
        assert f"| `{name}` | {meaning} |" in text


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_run_that_is_ended_writes_its_last_calls(name, tmp_path, monkeypatch):
    """End the run after its first call. The call is written when the next one begins or at the
    end."""
    path, number = tmp_path / "calls.jsonl", getattr(signal, name)
    codes = (signal.SIGTERM, signal.SIGHUP)
    calls, before = Calls(path), [signal.signal(code, lambda *_: None) for code in codes]

    def models(_chosen: object, _instructions: object) -> int:
        calls.add(Question(()), "a/1/0", purpose="decide")
        assert not path.read_text("utf-8")
        try:
            os.kill(os.getpid(), number)
            raise AssertionError(f"{name} did not end the run")
        except KeyboardInterrupt:
            calls.close()
        return 0

    monkeypatch.setattr(running, "run_llm", models)
    try:
        assert main(["agents", "llm", "--model", "scripted"]) == 0
    finally:
        for code, handler in zip(codes, before, strict=True):
            signal.signal(code, handler)
    assert json.loads(path.read_text("utf-8"))["place"] == "a/1/0"
