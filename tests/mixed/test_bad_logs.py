"""Tests that invalid logs and arguments quickly lead to one sentence and exit code 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.engine.play import record
from tests.mixed.bad import NESTED, SEEDS, refused
from tests.work import bounded

TREATMENT = ("people=random", "bots=random", "archetype=lab", "periods=2")
POWER = (
    *("power", "commons_game", "--measure", "points", "--groups", 2, "--repetitions", 10),
    *("--workers", 1),
    *("--treatment", "slow", *TREATMENT, "--treatment", "fast", *TREATMENT[:-1]),
)


@pytest.fixture(scope="module")
def log() -> list[dict[str, Any]]:
    """Return the lines of a log with two periods."""
    game = engine.make("commons_game", archetype="lab", periods=2)
    actions = {"harvest": [1.0] * 4, "contribution": [0.0] * 4}
    lines: list[dict[str, Any]] = json.loads(json.dumps(record.play(game, [actions] * 2, 7)))
    return lines


def log_file(folder: Path, lines: list[dict[str, Any]]) -> Path:
    path = folder / "play.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_the_unchanged_log_is_valid(tmp_path, log):
    assert main(["replay", str(log_file(tmp_path, log))]) == 0


@pytest.mark.parametrize("seed", SEEDS, ids=[f"{seed!r:.12}" for seed in SEEDS])
def test_a_log_with_a_bad_seed(tmp_path, log, capsys, seed):
    bad = log_file(tmp_path, [{**log[0], "seed": seed}, *log[1:]])
    assert "seed" in refused(capsys, "replay", bad) or isinstance(seed, int)


@pytest.mark.parametrize("periods", [10**9, -1, 10**400])
def test_a_log_whose_config_has_an_impossible_number_of_periods(tmp_path, log, capsys, periods):
    head = json.loads(json.dumps(log[0]))
    head["config"]["core"]["periods"] = periods
    assert "periods" in refused(capsys, "replay", log_file(tmp_path, [head, *log[1:]]))


@pytest.mark.parametrize(
    "content", [NESTED, '{"level": ' + NESTED + "}", "", "\0" * 10**6, "[" * 999 + "]" * 999]
)
def test_a_file_that_is_not_a_log(tmp_path, capsys, content):
    bad = tmp_path / "play.jsonl"
    bad.write_text(content)
    assert "line 1" in refused(capsys, "replay", bad)


@pytest.mark.parametrize("depth", [200, 900])
@pytest.mark.parametrize("where", ["config", "seed", "core"])
def test_a_log_that_is_nested_as_deeply_as_possible(tmp_path, log, capsys, where, depth):
    deep: Any = []
    for _ in range(depth):
        deep = [deep]
    head = json.loads(json.dumps(log[0]))
    (head["config"] if where == "core" else head)[where] = deep
    refused(capsys, "replay", log_file(tmp_path, [head, *log[1:]]))


def test_a_log_with_the_maximum_number_of_periods(tmp_path, log):
    """Replay a log that stops before the end of its play."""
    head = json.loads(json.dumps(log[0]))
    head["config"]["core"]["periods"] = 10_000
    with bounded():
        assert main(["replay", str(log_file(tmp_path, [head, *log[1:-1]]))]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "commons_game", "--seed", -1),
        ("play", "commons_game", "--seed", 2**63),
        ("play", "commons_game", "periods=1000000000"),
        ("play", "commons_game", f"periods={10**400}"),
        ("play", "commons_game", "periods=" + NESTED[:50_000]),
        ("show", "sanctions", "--seed", -1),
        ("show", "sanctions", "periods=1000000000"),
        ("show", "sanctions", f"endowment={NESTED}"),
        ("tournament", "commons_game", "--plays", 2, "--seed", -1),
        ("tournament", "commons_game", "--plays", 2, "periods=1000000000"),
        ("patterns", "sanctions", "--groups", 2, "--seed", -1),
        (*POWER, "growth_rate=0.5", "--seed", -1),
        (*POWER, "growth_rate=0.5", "--seed", 2**63),
        (*POWER, "periods=1000000000"),
        ("rehearse", "commons", "--people", "random", "--seed", -1),
        ("rehearse", "commons", "--people", "random", "periods=1000000000"),
        ("rehearse", "commons", "--people", "random", f"periods={NESTED[:50_000]}"),
        ("check", "no_such_file.zip"),
        ("report", "no_such_file.zip"),
        ("replay", "no_such_file.jsonl"),
    ],
    ids=lambda arguments: f"{' '.join(map(str, arguments)):.60}",
)
def test_an_argument_that_is_not_a_number(arguments, capsys):
    refused(capsys, *arguments)


@pytest.mark.parametrize("game", ["commons_game", "sanctions", "gem_mining"])
def test_a_play_with_the_maximum_number_of_periods_is_shown(game):
    with bounded():
        assert main(["show", game, "periods=10000"]) == 0
