"""Tests of `mixed power` with populations of every game, and of its errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mixed_company.__main__ import main
from mixed_company.analysis.behaviour import calibrated
from mixed_company.analysis.simulated import simulated
from mixed_company.policies import populations

HEAD = 'game = "{}"\nsentence = "Typed."\nsource = "made up"\n\n[[types]]\nname = "all"\n'
TYPED = {
    "commons_game": "policy = 'straight_line'\nfirst = { mean = 0.4, sd = 0, mean_error = 0.05 }\n"
    "parameters = { intercept = 1.0, slope = 0.5, noise = 1.0 }",
    "sanctions": "policy = 'straight_line'\nfirst = { mean = 0.5, sd = 0.1, mean_error = 0.05 }\n"
    "parameters = { intercept = 2.0, slope = 0.6, noise = 2.0 }",
    "gem_mining": "policy = 'quantal_response'\n"
    "parameters.precision = { mean = 1.0, sd = 0.3, mean_error = 0.2, log = true }",
    "punishment_vote": "policy = 'quantal_response_reach'\n"
    "parameters = { precision = { mean = 0.5, sd = 0.2, mean_error = 0.1, log = true } }",
}
PLAYS = {
    "commons_game": ("periods=3", "growth_rate=0.6"),
    "sanctions": ("periods=3", "mpcr=0.6"),
    "gem_mining": ("periods=3", "worker_bonus=0.9"),
    "punishment_vote": ("turns=4", "initial_level=0.7"),
}


def population(folder: Path, game_id: str) -> str:
    file = folder / f"{game_id}.toml"
    file.write_text(f"{HEAD.format(game_id)}share = 1.0\nsource = 'made up'\n{TYPED[game_id]}\n")
    return f"population:{file}"


def treatment(name: str, spec: str, *parameters: str) -> list[str]:
    return ["--treatment", name, f"simulated={','.join([spec] * 4)}", "archetype=lab", *parameters]


def simulation(spec: str, game_id: str) -> list[str]:
    """Return the command that simulates two treatments with a population."""
    length, change = PLAYS[game_id]
    both = [*treatment("one", spec, length), *treatment("other", spec, length, change)]
    return ["power", game_id, "--measure", "points", "--groups", "2", "--workers", "1", *both]


@pytest.mark.long
@pytest.mark.parametrize("game_id", TYPED)
def test_a_population_of_every_game_feeds_power(tmp_path, capsys, game_id):
    """Simulate as the file says, and compute power from simulated groups."""
    spec = population(tmp_path, game_id)
    assert main([*simulation(spec, game_id), "--repetitions", "10", "--pool", "20"]) == 0
    assert " 20" in capsys.readouterr().out.splitlines()[1]
    computed = ["--effect", "20", "--measure", "points", "--pool", "8"]
    assert main(["power", game_id, *computed, *treatment("one", spec, PLAYS[game_id][0])]) == 0
    assert capsys.readouterr().out.startswith("Pilot of 8 groups: points, mean ")


@pytest.mark.long
@pytest.mark.parametrize("game_id", TYPED)
def test_populations_drawn_from_the_errors_of_a_file_feed_power(tmp_path, capsys, game_id):
    command = simulation(population(tmp_path, game_id), game_id)
    assert main([*command, "--repetitions", "25", "--pool", "50", "--uncertain"]) == 0
    assert " 50" in capsys.readouterr().out.splitlines()[1]


REFUSED = {
    "another game": ("commons_game", "sanctions", (), "a policy for sanctions, not commons_game"),
    "not shown": (
        *("gem_mining", "gem_mining", ("information=own",)),
        "type 'all': quantal_response: needs workers_at, which gem_mining does not show",
    ),
    "not seen": (
        *("punishment_vote", "punishment_vote", ("vision=0",)),
        "type 'all': quantal_response_reach: vision = 0: must be above 0",
    ),
}


@pytest.mark.parametrize("which", REFUSED)
def test_an_unsuitable_population_is_refused(tmp_path, capsys, which):
    game_id, population_game, parameters, text = REFUSED[which]
    spec = population(tmp_path, population_game)
    both = [*treatment("one", spec, *parameters), *treatment("other", spec, *parameters)]
    assert main(["power", game_id, "--measure", "points", "--workers", "1", *both]) == 2
    assert text in capsys.readouterr().err
    single = treatment("one", spec, *parameters)
    assert main(["power", game_id, "--effect", "3", "--measure", "points", *single]) == 2
    assert text in capsys.readouterr().err


def test_one_treatment_is_played_as_a_pilot(capsys):
    treatment_options = ["--treatment", "one", "people=free_rider", "bots=free_rider"]
    effect = ["power", "sanctions", "--effect", "3", "--measure", "points"]
    for arguments, text in (
        ([], "--treatment: 0 named; --effect needs exactly one to simulate"),
        (
            [*treatment_options, "--treatment", "two", *treatment_options[2:]],
            "--treatment: 2 named; --effect needs exactly one",
        ),
        (
            [*treatment_options, "--sd", "3"],
            "--sd: has no effect if a pilot is simulated for --effect",
        ),
        ([*treatment_options, "--groups", "3"], "--groups: has no effect if a pilot is simulated"),
    ):
        assert main([*effect, *arguments]) == 2
        assert text in capsys.readouterr().err
    assert main(["power", "sanctions", "--icc", "0.1", *treatment_options]) == 2
    assert (
        "--icc: applies only with --effect, when the answer is computed" in capsys.readouterr().err
    )


@pytest.mark.long
def test_a_calibrated_population_of_the_commons_feeds_power(tmp_path, capsys):
    data = simulated(
        *("commons_game", ["noisy_person"] * 4), groups=6, seed=1, archetype="lab", periods=6
    )
    file = tmp_path / "own.toml"
    file.write_text(populations.text(calibrated(data, types=1)))
    spec = f"population:{file}"
    both = [*treatment("one", spec, "periods=2"), *treatment("two", spec, "periods=2")]
    few = ["--groups", "2", "--workers", "1", "--repetitions", "25", "--pool", "50", "--uncertain"]
    assert main(["power", "commons_game", "--measure", "points", *few, *both]) == 0
    assert "mann_whitney" in capsys.readouterr().out
