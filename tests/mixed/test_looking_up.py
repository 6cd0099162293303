"""Tests of looking up games and configurations from the command line: output and errors."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from mixed_company import engine


def test_all_games_are_listed_with_their_archetypes(run):
    code, out, _ = run("games")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == engine.game_ids()
    assert "lab" in out.splitlines()[0]


def test_every_value_is_shown_with_unit_symbol_range_and_meaning(run):
    code, out, _ = run("show", "commons_game", "--archetype", "lab", "capacity=80")
    assert code == 0
    (line,) = [line for line in out.splitlines() if line.startswith("  capacity ")]
    words = "capacity 80.0 fish K more than 0 largest stock the resource can reach"
    assert " ".join(line.split()) == words


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_a_configuration_is_shown_completely(run, game_id):
    out = run("show", game_id)[1]
    lines = out.split("\ncomponents (")[0].splitlines()
    shown = {line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "}

    def leaves(value, path=()):
        if isinstance(value, dict) and value and path[-1:] != ("spawn_weights",):
            return {leaf for key, part in value.items() for leaf in leaves(part, (*path, key))}
        return {".".join(path[1:])}

    assert shown == leaves(engine.make(game_id).config.model_dump(mode="json"))
    for section in ("identity", "core", "layers", "agents", "instrumentation"):
        assert section in lines


def test_what_plays_tell_is_shown_with_the_configuration_and_in_the_manual(run):
    drift = "layers.uncertainty.drift={'theta':0.1}".replace("'", '"')
    shown = run("show", "sanctions", "layers.uncertainty.intensity=1", drift)[1]
    manual = run("manual", "sanctions")[1]
    for out, events in ((shown, {"penalty", "drift"}), (manual, {"penalty"})):
        event_lines, info = out.split("\nevents (")[1].split("\ninfo (")
        assert {line.split()[0] for line in event_lines.splitlines()[1:] if line} >= events
        names = [field.name for field in engine.make("sanctions").declaration.info]
        assert [line.split()[0] for line in info.splitlines()[1 : 1 + len(names)]] == names
    assert "  drift    changes a rule  a `parameter` changes in this period" in shown


def test_the_payment_and_the_endings_of_a_game_are_shown(run):
    out = run("show", "commons_game", "--archetype", "subsistence")[1]
    shown = [" ".join(line.split()) for line in out.splitlines()]
    assert "living_cost -1.5 .. 0 points paid as living costs (negative)" in shown
    assert "recovery success" in shown
    assert shown[shown.index("endings (of one seat)") + 1] == "bankrupt failure"


def test_columns_are_aligned(run):
    lines = run("show", "commons_game")[1].splitlines()
    layers = [line for line in lines if ".intensity" in line]
    assert len(layers) == 7
    assert len({line.index("strength") for line in layers}) == 1


def test_a_long_value_is_shown_whole_below_its_key(run):
    lines = run("show", "punishment_vote")[1].splitlines()
    index = next(number for number, line in enumerate(lines) if "  spawn_weights " in line)
    assert json.loads(lines[index + 1]) == dict.fromkeys("ABCDE", 1.0)


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_json_of_a_configuration_recreates_the_game(run, game_id):
    reference = engine.find(game_id).reference
    arguments = ("show", game_id, "--archetype", reference, "--seed", 5, "--json", "seats=3")
    code, out, _ = run(*arguments)
    game = engine.make(json.loads(out))
    assert code == 0
    assert game.config == engine.make(game_id, archetype=reference, seed=5, seats=3).config


@pytest.mark.parametrize(
    ("pair", "section", "value"),
    [
        ("growth=linear", "core.growth", "linear"),
        ("core.capacity=50", "core.capacity", 50.0),
        ("neighbours=[[0, 1]]", "core.neighbours", [[0, 1]]),
        ("layers.power.intensity=0", "layers.power.intensity", 0.0),
        ("instrumentation.verbose=true", "instrumentation.verbose", True),
        ('agents.roles.member.acts=["harvest"]', "agents.roles.member.acts", ["harvest"]),
        ('agents={"seats": []}', "agents.seats", []),
    ],
)
def test_a_value_is_set_by_its_key(run, pair, section, value):
    code, out, _ = run("show", "commons_game", pair, "--json")
    shown = json.loads(out)
    for key in section.split("."):
        shown = shown[key]
    assert (code, shown) == (0, value)


def test_a_schema_matches_the_configuration(run):
    code, out, _ = run("schema", "sanctions")
    assert code == 0
    assert json.loads(out) == engine.find("sanctions").config_model().model_json_schema()


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["show", "comons_game"], "game = 'comons_game': unknown; did you mean 'commons_game'?"),
        (["schema", "sanction"], "game = 'sanction': unknown; did you mean 'sanctions'?"),
        (
            ["show", "commons_game", "capacty=3"],
            "core.capacty = 3: unknown key; did you mean 'capacity'?",
        ),
        (
            ["show", "commons_game", "layer.power.intensity=1"],
            "layer.power.intensity: unknown section 'layer'; did you mean 'layers'?",
        ),
        (["show", "commons_game", "capacity"], "'capacity': should be key=value"),
        (["show", "commons_game", "=3"], "'=3': should be key=value"),
        (["show", "commons_game", "layers..x=3"], "'layers..x=3': should be key=value"),
        (["show", "commons_game", "seed=3"], "seed: not a parameter; use --archetype or --seed"),
        (
            ["show", "punishment_vote", "core.resources.A=3"],
            "core.resources.A: set a whole parameter: core.resources=JSON",
        ),
        (
            ["show", "commons_game", "layers={}", "layers.power=1", "layers.power.intensity=1"],
            "layers.power.intensity: power is already set as a whole",
        ),
    ],
)
def test_mistakes_are_reported_in_a_sentence(run, arguments, refusal):
    assert run(*arguments) == (2, "", refusal + "\n")


@pytest.mark.parametrize("arguments", [["replay", "x", "y"], ["games", "z"], ["show", "g", "--no"]])
def test_unknown_arguments_are_refused(run, arguments):
    with pytest.raises(SystemExit) as error:
        run(*arguments)
    assert error.value.code == 2


def test_a_reader_that_stops_early_causes_no_traceback():
    command = f"{sys.executable} -m mixed_company schema punishment_vote | head -c 5"
    done = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b'{\n  "', b"")


def test_policies_are_listed_for_both_stages_of_a_period(run):
    def listed(game_id: str) -> list[str]:
        return [line.split()[0] for line in run("policies", game_id)[1].splitlines()[1:]]

    assert {"greedy", "+punishes_below_average"} <= set(listed("commons_game"))
    assert not [name for name in listed("gem_mining") if name.startswith("+")]
