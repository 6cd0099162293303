"""The engine on a command line: what it prints, what it refuses, and nothing half written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine import record
from engine.__main__ import main
from engine.command import write_whole
from tests.engine.golden.write import FOLDER, GAMES
from tests.engine.plays import acts, commons

GOLDEN = [FOLDER / f"{game}.jsonl" for game in sorted(GAMES)]


@pytest.fixture
def run(capsys):
    """Run a command: (exit code, output, errors)."""

    def running(*arguments):
        code = main([str(each) for each in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return running


@pytest.fixture
def saved(tmp_path):
    """Save a log (or a part of its text) and get its path."""

    def saving(text=None):
        if text is None:
            text = log_text()
        path = tmp_path / "play.jsonl"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return saving


def log_text():
    """Head, period 0, period 1, its clamped action, period 2, the ending, the last line."""
    script = [acts([1, 2, 3, 4]), acts([1, 12, 1, 1]), acts(2)]
    return record.to_text(record.play(commons(archetype="lab", periods=3), script, seed=7))


# -- games, show, schema ------------------------------------------------------------------


def test_all_games_are_listed_with_their_archetypes(run):
    code, out, _ = run("games")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == engine.game_ids()
    assert "lab" in out.splitlines()[0]


def test_every_value_is_shown_with_unit_symbol_range_and_meaning(run):
    code, out, _ = run("show", "commons_game", "--archetype", "lab", "capacity=80")
    assert code == 0
    (line,) = [line for line in out.splitlines() if line.startswith("  capacity ")]
    words = "capacity 80.0 fish K more than 0, at most 1e+09 largest stock the resource can reach"
    assert " ".join(line.split()) == words


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_nothing_of_a_configuration_is_left_out(run, game_id):
    out = run("show", game_id)[1]
    lines = out.splitlines()
    shown = {line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "}

    def leaves(value, path=()):
        if isinstance(value, dict) and value and path[-1:] != ("spawn_weights",):
            return {leaf for key, part in value.items() for leaf in leaves(part, (*path, key))}
        return {".".join(path[1:])}

    assert shown == leaves(engine.make(game_id).config.model_dump(mode="json"))
    for section in ("identity", "core", "layers", "agents", "instrumentation"):
        assert section in lines


def test_columns_are_aligned(run):
    lines = run("show", "commons_game")[1].splitlines()
    layers = [line for line in lines if ".intensity" in line]
    assert len(layers) == 7
    assert len({line.index("strength") for line in layers}) == 1


def test_a_long_value_stands_whole_below_its_key(run):
    lines = run("show", "punishment_vote")[1].splitlines()
    at = next(number for number, line in enumerate(lines) if "  spawn_weights " in line)
    assert json.loads(lines[at + 1]) == dict.fromkeys("ABCDE", 1.0)


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_json_of_a_configuration_makes_the_game_again(run, game_id):
    arguments = ("show", game_id, "--archetype", "lab", "--seed", 5, "--json", "seats=3")
    code, out, _ = run(*arguments)
    made = engine.make(json.loads(out))
    assert code == 0
    assert made.config == engine.make(game_id, archetype="lab", seed=5, seats=3).config


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
    found = json.loads(out)
    for key in section.split("."):
        found = found[key]
    assert (code, found) == (0, value)


def test_a_schema_is_that_of_the_configuration(run):
    code, out, _ = run("schema", "sanctions")
    assert code == 0
    assert json.loads(out) == engine.find("sanctions").config_model().model_json_schema()


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["show", "comons_game"], "game = 'comons_game': unknown; did you mean 'commons_game'?"),
        (["schema", "sanction"], "game = 'sanction': unknown; did you mean 'sanctions'?"),
        (
            ["show", "commons_game", "--archetype", "labb"],
            "archetype = 'labb': unknown in commons_game; did you mean 'lab'?",
        ),
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
        (
            ["show", "commons_game", "seed=3"],
            "seed: is no parameter; there is --archetype and --seed",
        ),
        (
            ["show", "punishment_vote", "core.resources.A=3"],
            "core.resources.A: set a whole parameter: core.resources=JSON",
        ),
        (
            ["show", "commons_game", "layers={}", "layers.power=1", "layers.power.intensity=1"],
            "layers.power.intensity: power is set as a whole already",
        ),
        (
            ["show", "commons_game", "--seed", "-1"],
            "seed = -1: a seed is a whole number from 0 to 2**63 - 1",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(run, arguments, refusal):
    assert run(*arguments) == (2, "", refusal + "\n")


# -- replay -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_log_replays(run, path):
    code, out, err = run("replay", path)
    assert (code, err) == (0, "")
    assert out.endswith("periods: replays as it was logged\n")


def test_an_edited_log_differs_where_it_was_edited(run, saved):
    code, out, _ = run("replay", saved(log_text().replace('"returns":[4.0,', '"returns":[5.0,')))
    assert code == 1
    assert out.splitlines() == [
        "line 7 (seat 0), returns[0]: log has 5.0, replay gives 4.0",
        "commons_game (lab), seed 7, 3 periods: differs in 1 places",
    ]


def test_a_log_that_stops_after_a_whole_line_differs(run, saved):
    code, out, _ = run("replay", saved("\n".join(log_text().split("\n")[:2]) + "\n"))
    assert code == 1
    assert out.startswith("the log stops after 1 periods, before the play is over\n")


def test_many_differences_are_cut_unless_all_are_asked_for(run, saved):
    game = commons(periods=30)
    lines = record.play(game, [acts(1)] * 30, seed=7)
    for line in lines[1:-1]:
        line["rewards"] = [0.5] * 4
    path = saved(record.to_text(lines))
    code, out, _ = run("replay", path)
    assert code == 1
    assert len(out.splitlines()) == 52
    assert "and " in out.splitlines()[50]
    assert out.splitlines()[50].endswith(" more (--all)")
    assert len(run("replay", path, "--all")[1].splitlines()) == 1 + 30 * 4 + 1


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (lambda text: text[: text.index('"used":{"harvest":[1.0,10')], "line 3: cut off in the mi"),
        (lambda text: text.replace('{"level":"event"', '"level"', 1), "line 4: not JSON: Extra da"),
        (
            lambda text: text.replace('"level":"event"', '"level":"party"'),
            "line 4: no line of a log: its `level`",
        ),
        (lambda text: "", "line 1: not JSON: Expecting value"),
        (lambda text: text.encode() + b"\xff", "line 8: not text (UTF-8)"),
        (lambda text: text.split("\n", 1)[1], "line 1: a log starts with its episode line"),
        (
            lambda text: text.replace('"version":"1"', '"version":"0"'),
            "line 1: cannot be replayed: identity.version = '0': the rules of commons_game",
        ),
        (
            lambda text: text.replace('"commons_game"', '"comons_game"'),
            "line 1: cannot be replayed: game = 'comons_game': unknown; did you mean 'commons",
        ),
        (
            lambda text: text.replace('"capacity"', '"capacty"'),
            "line 1: cannot be replayed: core.capacty = 100.0: unknown key; did you mean 'cap",
        ),
        (
            lambda text: text.replace('"harvest":[1,12,1,1]', '"harvest":[1,null,1,1]'),
            "line 3: cannot be replayed: seat 1, harvest = None: must be a number",
        ),
        (
            lambda text: text.replace('"period":1,"seat":0', '"period":5,"seat":0'),
            "instrumentation.period is not 1: not every action is in this log",
        ),
    ],
)
def test_a_log_that_cannot_be_replayed_is_refused_in_a_sentence(
    run, saved, tmp_path, change, refusal
):
    path, page = saved(change(log_text())), tmp_path / "page.html"
    code, out, err = run("replay", path, "--html", page)
    assert (code, out) == (2, "")
    assert err.startswith(refusal)
    assert len(err.splitlines()) == 1
    assert not page.exists()


def test_a_cut_off_log_says_how_many_periods_are_whole(run, saved):
    text = log_text()
    code, _, err = run("replay", saved(text[: text.index('"used":{"harvest":[1.0,10')]))
    assert (code, err) == (2, "line 3: cut off in the middle; whole periods before it: 1\n")


def test_a_file_that_is_not_there_is_said_in_a_sentence(run, tmp_path):
    path = tmp_path / "nothing.jsonl"
    assert run("replay", path) == (2, "", f"{path}: No such file or directory\n")
    assert run("replay", tmp_path) == (2, "", f"{tmp_path}: Is a directory\n")


def test_a_page_is_written_whole_and_leaves_nothing_else(run, saved, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("old")
    assert run("replay", saved(), "--html", page)[0] == 0
    assert page.read_text().startswith("<!doctype html>")
    assert page.read_text().endswith("</html>\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "play.jsonl"]


def test_the_page_of_a_log_that_differs_says_so(run, saved, tmp_path):
    page = tmp_path / "page.html"
    path = saved(log_text().replace('"returns":[4.0,', '"returns":[5.0,'))
    assert run("replay", path, "--html", page)[0] == 1
    assert "returns[0]: log has 5.0, replay gives 4.0" in page.read_text()


def test_a_page_never_takes_the_place_of_its_log(run, saved):
    path = saved()
    code, _, err = run("replay", path, "--html", path)
    assert (code, err) == (2, f"{path}: is the log; the page needs a file of its own\n")
    assert path.read_text() == log_text()


def test_a_page_that_cannot_be_written_is_said_in_a_sentence(run, saved, tmp_path):
    code, _, err = run("replay", saved(), "--html", tmp_path / "no" / "page.html")
    assert code == 2
    assert err.endswith("No such file or directory\n")


def test_what_could_not_be_written_whole_leaves_what_was_there(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "arguments", [["replay", "x", "y"], ["games", "z"], ["show", "g", "--no"], []]
)
def test_unknown_arguments_are_refused(run, arguments):
    with pytest.raises(SystemExit) as error:
        run(*arguments)
    assert error.value.code == 2


# -- as a process -------------------------------------------------------------------------


def process(*arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=False,
        **more,
    )


def test_a_log_can_come_from_standard_input():
    done = process("replay", "-", input=log_text().encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"commons_game (lab), seed 7, 3 periods: replays as it was logged\n"


def test_a_reader_that_has_read_enough_is_no_traceback():
    command = f"{sys.executable} -m engine schema punishment_vote | head -c 5"
    done = subprocess.run(
        command, shell=True, cwd=Path(__file__).parents[2], capture_output=True, check=False
    )
    assert (done.stdout, done.stderr) == (b'{\n  "', b"")
