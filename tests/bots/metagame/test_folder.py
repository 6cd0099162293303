"""Compositions are played once, kept, resumed and extended. Clones are treated as one policy."""

from __future__ import annotations

import csv
import json
import sys
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.engine.contract.chance import generator, play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.learning.metagame import bootstrap, report
from mixed_company.learning.metagame import composition as folder
from mixed_company.learning.metagame.composition import (
    all_played,
    compositions,
    order,
    played,
    portions,
)
from mixed_company.learning.metagame.dynamics import alpha_rank, moran, rest_points
from mixed_company.learning.metagame.game import clones, of_plays
from mixed_company.learning.metagame.report import solved
from mixed_company.learning.portions import FOLDER as PORTIONS
from mixed_company.learning.portions import kept
from mixed_company.policies import find, make
from mixed_company.policies.rollout import rollout

LAKE = {"archetype": "lab_0_7", "seats": 3, "periods": 2}


@pytest.fixture
def resting_soon(monkeypatch):
    """Run the replicator dynamics for only a fifth of the usual time, because the few policies here
    settle by then.
    """
    for module in (report, bootstrap):
        monkeypatch.setattr(module, "rest_points", partial(rest_points, times=200))
    monkeypatch.setattr(bootstrap, "RESTED", 5)


def lake(**changes):
    return engine.make("commons_game", **{**LAKE, **changes})


def test_every_composition_occurs_once_with_the_rarest_policy_first():
    # two policies in three seats: 3 + 0, 2 + 1, 1 + 2, 0 + 3; m in n seats: m + n - 1 over n
    assert compositions(["b", "a"], 3) == [
        ("b", "b", "b"),
        ("a", "b", "b"),
        ("b", "a", "a"),
        ("a", "a", "a"),
    ]
    assert len(compositions("abcde", 4)) == 70
    assert compositions("ab", 2) == [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]
    assert order(["x", "y", "x"]) == ("y", "x", "x")


def test_a_play_in_a_portion_equals_that_play_alone():
    game = lake()
    composition = order(["noisy_person", "random", "random"])
    (portion,) = portions(game, ["noisy_person", "random"], 4, 5)[composition]
    points = played(portion)["points"]
    for number in range(4):
        places = generator(5, "places", number).permutation(3).tolist()
        policies = [make(composition[place], game) for place in places]
        episode = engine.Episode(game, int(play_seeds(5, number)))
        total = sum(step.rewards for step in rollout(episode, policies))
        assert points[number, places].tolist() == total.tolist()


def test_kept_compositions_are_not_replayed_and_missing_ones_are(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(folder, "played", lambda portion: calls.append(portion) or played(portion))
    first = all_played(tmp_path, portions(lake(), ["random", "greedy"], 4, 0))
    assert len(calls) == 4
    # after an interruption: two files are missing, and one is broken
    files = sorted((tmp_path / PORTIONS).iterdir())
    files[0].unlink()
    files[1].write_text("{")
    calls.clear()
    again = all_played(tmp_path, portions(lake(), ["random", "greedy"], 4, 0))
    assert len(calls) == 2
    assert all((again[composition] == first[composition]).all() for composition in first)
    # a new policy adds its six compositions; more plays add all compositions of the second portion
    calls.clear()
    all_played(tmp_path, portions(lake(), ["random", "greedy", "steward"], 4, 0))
    assert [("steward" in portion.group) for portion in calls] == [True] * 6


def test_more_plays_add_portions(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "PLAYS", 2)
    calls = []
    monkeypatch.setattr(folder, "played", lambda portion: calls.append(portion) or played(portion))
    few = all_played(tmp_path, portions(lake(), ["random"], 4, 0))
    more = all_played(tmp_path, portions(lake(), ["random"], 6, 0))
    assert [portion.first for portion in calls] == [0, 2, 4]
    composition = ("random",) * 3
    assert (more[composition][:4] == few[composition]).all()


@pytest.mark.parametrize("changes", [{"periods": 3}, {"max_harvest": 9}])
def test_plays_of_another_game_or_policy_are_not_reused(tmp_path, monkeypatch, changes):
    work = portions(lake(), ["greedy"], 2, 0)
    all_played(tmp_path, work)
    (portion,) = work["greedy", "greedy", "greedy"]
    assert kept(tmp_path, portion) is not None
    (other,) = portions(lake(**changes), ["greedy"], 2, 0)["greedy", "greedy", "greedy"]
    assert kept(tmp_path, other) is None
    monkeypatch.setattr(find("greedy", "commons_game"), "version", "2")
    assert kept(tmp_path, portion) is None


def test_an_edited_policy_is_played_again(tmp_path, monkeypatch):
    work = portions(lake(), ["greedy"], 2, 0)
    all_played(tmp_path, work)
    (portion,) = work["greedy", "greedy", "greedy"]
    assert kept(tmp_path, portion) is not None
    module = sys.modules[find("greedy", "commons_game").__module__]
    edited = tmp_path / "greedy.py"
    edited.write_text(Path(module.__file__).read_text() + "# half as greedy\n")
    monkeypatch.setattr(module, "__file__", str(edited))
    assert kept(tmp_path, portion) is None


@pytest.mark.long
def test_workers_play_the_same_plays(tmp_path):
    work = portions(lake(), ["random", "greedy"], 3, 0)
    alone, shared = (all_played(tmp_path / str(count), work, count) for count in (1, 2))
    assert all((alone[composition] == shared[composition]).all() for composition in work)


def test_the_game_of_plays_has_the_means_of_each_kind():
    # one period, from a lake of 100: requests of 2 and 6 are met in full, whatever the others do
    game = lake(periods=1)
    plays = {
        composition: played(parts[0])["points"]
        for composition, parts in portions(game, ["fixed", "greedy"], 2, 0).items()
    }
    meta = of_plays(["fixed", "greedy"], plays)
    assert meta.points["greedy", "fixed", "fixed"] == {"fixed": 2.0, "greedy": 10.0}
    assert meta.earns("fixed", ["greedy", "greedy"]) == 2.0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_exact_clones_are_named(tmp_path, seats):
    # `fixed` takes 2 and pays nothing by default, and also when named with these values
    names = ("random", "fixed", "greedy", "fixed:harvest=2", "fixed:harvest=2.0000001")
    plays = all_played(tmp_path, portions(lake(seats=seats), names, 3, 0))
    assert clones(names, plays) == {"fixed": ["fixed:harvest=2"]}


def test_an_exact_clone_is_counted_once(tmp_path, resting_soon):
    names = ("random", "fixed", "greedy", "fixed:harvest=2")
    plays = all_played(tmp_path, portions(lake(), names, 3, 0))
    once = of_plays(names, plays).only(["random", "fixed", "greedy"])
    twice = solved(names, plays, 0)
    assert twice.clones == {"fixed": ["fixed:harvest=2"]}
    assert twice.game.policies == once.policies
    assert (twice.moran == moran(once)).all()
    assert (twice.alpha == alpha_rank(once)).all()


def test_the_command_writes_tables_and_pictures_and_can_be_resumed(tmp_path, capsys, resting_soon):
    output = tmp_path / "results"
    chosen = ["metagame", "commons_game", "--archetype", "lab_0_7", "seats=3", "periods=1"]
    chosen += ["--plays", "4", "--workers", "1", "--output", str(output)]
    assert main([*chosen, "--policies", "fixed,greedy"]) == 0
    text = capsys.readouterr().out
    assert text == (output / "metagame.md").read_text()
    # taking more earns more, whatever the others do, so everyone becomes greedy
    assert "| `greedy` | 10.00 | itself | 100.0 | 100.0 |" in text
    assert "| `fixed` | 2.00 | `greedy` 10.00 | 0.0 | 0.0 |" in text
    assert "| 10.00 | 100.0% `greedy` |" in text
    rows = list(csv.DictReader((output / "payoffs.csv").open()))
    assert len(rows) == 1 + 2 + 2 + 1
    assert {(row["fixed"], row["greedy"], row["policy"], row["points"]) for row in rows} >= {
        ("2", "1", "greedy", "10.0"),
        ("2", "1", "fixed", "2.0"),
    }
    for name in ("ranks.svg", "replicators.svg"):
        words = ElementTree.fromstring((output / name).read_text()).itertext()
        assert {"fixed", "greedy"} <= set(words)
    before = {path: path.stat().st_mtime_ns for path in (output / PORTIONS).iterdir()}
    assert main([*chosen, "--policies", "fixed,greedy,steward"]) == 0
    after = {path: path.stat().st_mtime_ns for path in (output / PORTIONS).iterdir()}
    assert before.items() <= after.items()
    assert (len(before), len(after)) == (4, 10)
    assert json.loads(next(iter(before)).read_text())["of"]["game"] == "commons_game"


def test_impossible_settings_are_refused(tmp_path, capsys):
    chosen = ["metagame", "commons_game", "--output", str(tmp_path / "out")]
    chosen += ["--policies", "fixed,greedy"]
    assert main([*chosen, "--plays", "1"]) == 2
    assert "plays = 1: should be at least 2" in capsys.readouterr().err
    assert main([*chosen, "--plays", "2", "--workers", "0"]) == 2
    assert "workers = 0: should be at least 1" in capsys.readouterr().err
    with pytest.raises(ConfigError, match=r"agents.timing"):
        portions(engine.make("sanctions", agents={"timing": "sequential"}), ["fixed"], 2, 0)


def test_compositions_with_an_unreadable_table_are_played_again(tmp_path):
    work = portions(lake(), ["greedy"], 2, 0)
    all_played(tmp_path, work)
    (file,) = (tmp_path / PORTIONS).iterdir()
    record = json.loads(file.read_text())
    file.write_text(json.dumps({**record, "points": [[1.0]]}))
    (portion,) = work["greedy", "greedy", "greedy"]
    assert kept(tmp_path, portion) is None
    assert np.array_equal(
        all_played(tmp_path, work)["greedy", "greedy", "greedy"], played(portion)["points"]
    )
