"""The first periods of every archetype match the file, and every game has a record."""

from __future__ import annotations

import copy
import json

import pytest

from mixed_company import engine
from tests.engine.golden import openings
from tests.engine.golden.openings import again, archetypes, near, path, without_record
from tests.engine.shelf import shelved

EVERY = list(archetypes(engine.game_ids()))
TOY = """
from tests.engine.toys import Toy

class GAME(Toy):
    archetypes = {"lab": {}}
"""


def on_file(game_id, archetype):
    return [json.loads(line) for line in path(game_id, archetype).read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("game_id", "archetype"), EVERY)
def test_the_first_periods_of_an_archetype_match_the_file(game_id, archetype):
    lines = on_file(game_id, archetype)
    assert near(again(game_id, archetype, lines), lines)


def test_every_game_and_every_archetype_has_a_golden_record():
    assert without_record(engine.game_ids()) == []


def test_every_file_belongs_to_an_archetype():
    files = set((openings.FOLDER / "archetypes").rglob("*.jsonl"))
    assert files == {path(*names) for names in EVERY}


def test_a_game_without_a_record_is_named(tmp_path):
    with shelved(tmp_path, "toy", TOY):
        assert without_record(engine.game_ids()) == [
            "toy.jsonl",
            "toy_seen.jsonl",
            "toy_declared.jsonl",
            "archetypes/toy/lab.jsonl",
        ]
    assert "toy" not in engine.game_ids()


def test_a_record_can_be_written_for_a_game_that_had_none(tmp_path):
    with shelved(tmp_path, "toy", TOY):
        openings.write(["toy"], tmp_path)
        assert without_record(["toy"], tmp_path) == [
            "toy.jsonl",
            "toy_seen.jsonl",
            "toy_declared.jsonl",
        ]


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [(1, "rewards", [0.0] * 4), (0, "seed", 1), (0, "config", {}), (2, "more", 1), (1, "level", 0)],
)
def test_a_changed_record_is_noticed(line, key, value):
    lines = on_file("commons_game", "lab")
    edited = copy.deepcopy(lines)
    edited[line][key] = value
    assert not near(edited, lines)


def test_numbers_are_compared_to_nine_digits():
    assert near({"a": [1.0]}, {"a": [1.0 + 2e-16]})
    assert not near({"a": [1.0]}, {"a": [1.0 + 1e-8]})
    assert not near({"a": [1.0]}, {"a": [1]})
    assert not near({"a": True}, {"a": 1})
