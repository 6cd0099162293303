"""Golden records, replayed byte for byte."""

from __future__ import annotations

import copy
import functools
import json
import random

import pytest

from mixed_company import engine
from mixed_company.engine import LogError
from mixed_company.engine.play import record
from tests.engine.golden.declared import declared
from tests.engine.golden.write import FOLDER, GAMES, SCRIPTS, files


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


def periods(name):
    return [line for line in lines(name) if line["level"] == "period"]


EVERY_FILE = [(game, name) for game in GAMES for name in files(game)]


@pytest.mark.parametrize(("game", "name"), EVERY_FILE)
def test_replaying_gives_the_same_bytes(game, name):
    assert files(game)[name].encode() == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_golden_log_replays_without_a_difference(game):
    assert record.replay(lines(f"{game}.jsonl")) == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_golden_log_covers_the_whole_script(game):
    assert [line["sent"] for line in periods(f"{game}.jsonl")] == SCRIPTS[game]


def test_every_golden_file_belongs_to_a_play():
    names = {name for _, name in EVERY_FILE}
    names |= {f"{game}_declared.jsonl" for game in GAMES}
    assert {path.name for path in FOLDER.glob("*.jsonl")} == names


@pytest.mark.parametrize("game_id", engine.game_ids())
def test_the_declarations_of_every_archetype_match_the_file(game_id):
    lines = (FOLDER / f"{game_id}_declared.jsonl").read_text("utf-8").splitlines()
    assert declared(game_id).splitlines() == lines


def test_the_record_has_a_period_with_requests_beyond_the_stock():
    before, shared = periods("commons_game.jsonl")[4:6]
    assert before["state"]["stock"] < 40
    # All four requested 10, so each got a quarter of the stock.
    assert shared["state"]["harvest"] == [before["state"]["stock"] / 4] * 4


def places(value, path=()):
    """Yield the path of every value in a log."""
    yield path
    inner = {dict: dict.items, list: enumerate}.get(type(value), lambda _: ())
    for key, part in inner(value):
        yield from places(part, (*path, key))


@pytest.mark.few(1)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_edit_is_noticed_or_refused_with_a_message(game):
    generator = random.Random(game)
    log = lines(f"{game}.jsonl")
    replayed = [
        place for place in places(log) if len(place) > 1 and place[1] not in ("config", "sent")
    ]
    rules = [place for place in places(log[:1]) if len(place) > 1 and place[1] == "config"]
    for place in generator.sample(replayed, 40) + generator.sample(rules, 40):
        edited = copy.deepcopy(log)
        inside = functools.reduce(lambda value, key: value[key], place[:-1], edited)
        inside[place[-1]] = generator.choice([None, [], {}, "x", -17, 1e308, 10**30, [[1], [2, 3]]])
        try:
            sentences = record.replay(edited)
        except LogError:
            continue
        if place in replayed:
            assert sentences, place
            assert any(sentence.startswith(f"line {place[0] + 1}") for sentence in sentences), place
