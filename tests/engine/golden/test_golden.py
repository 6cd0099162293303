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
from tests.engine.golden.write import FOLDER, GAMES, SCRIPTS, SEED, files, game


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


def test_the_first_period_of_the_commons_is_right_by_hand():
    # 14 of 100 are taken, no growth at the capacity, 6 are paid: 100 - 14 + 2 * 6 = 98.
    first = periods("commons_game.jsonl")[0]
    assert first["rewards"] == [2, 2, 2, 2]
    assert first["state"]["stock"] == 98
    assert first["state"]["pool"] == 6
    # 5 + harvest - contribution.
    assert first["state"]["wealth"] == [7, 7, 7, 7]


def test_a_period_with_clamped_actions_is_right_by_hand():
    # Held before: 7 + 2.5 - 0.5 = 9. So 12 is used as 10, -1 as 0, 99 as 9, -5 as 0.
    third = periods("commons_game.jsonl")[2]
    assert third["used"] == {"harvest": [10, 10, 10, 0], "contribution": [0, 0, 9, 0]}
    assert third["rewards"] == [10, 10, 1, 0]


def test_every_seat_of_the_commons_saw_every_period_and_the_same_noisy_stock():
    seen = lines("commons_game_seen.jsonl")
    where = [(line["period"], line["seat"]) for line in seen]
    assert where == [(period, seat) for period in range(9) for seat in range(4)]
    readings = {period: set() for period in range(9)}
    for line in seen:
        readings[line["period"]].add(line["stock"])
    assert all(len(stocks) == 1 for stocks in readings.values())
    assert 98 not in readings[1]


def test_the_record_has_a_period_with_requests_beyond_the_stock():
    before, shared = periods("commons_game.jsonl")[4:6]
    assert before["state"]["stock"] < 40
    # All four requested 10, so each got a quarter of the stock.
    assert shared["state"]["harvest"] == [before["state"]["stock"] / 4] * 4


def test_the_first_period_of_the_sanctions_is_right_by_hand():
    # All give the baseline, so nothing changes. The good pays 0.4 * 120 = 48, so 108, 108 and 88
    # are earned. Trust is one half, dependence one half or a quarter: 108 / 4 + 88 / 8 = 38, and 54
    # for seat 2.
    first = periods("sanctions.jsonl")[0]
    assert first["state"]["trust"] == [[1, 0.5, 0.5], [0.5, 1, 0.5], [0.5, 0.5, 1]]
    assert first["components"]["kept"] == [60, 60, 40]
    assert first["components"]["production"] == [48, 48, 48]
    assert first["components"]["others"] == pytest.approx([38, 38, 54])
    assert first["components"]["sanctions"] == [0, 0, 0]


def test_a_clamped_period_of_the_sanctions_is_right_by_hand():
    # 120 is used as 100 and 90 as 80, all that seat 2 has. Averages (40 + 100) / 2 and so on;
    # all above the baseline, so trust grows from 0.5 by 0.1 * 0.5.
    second = periods("sanctions.jsonl")[1]
    assert second["used"] == {"contribution": [100, 70, 80]}
    assert second["state"]["memory_averages"] == [70, 55, 60]
    assert second["state"]["mean_trust"] == pytest.approx(0.55)


def test_every_seat_of_the_sanctions_saw_all_trust():
    seen = lines("sanctions_seen.jsonl")
    assert [(line["period"], line["seat"]) for line in seen] == [
        (period, seat) for period in range(7) for seat in range(3)
    ]
    state = periods("sanctions.jsonl")[2]["state"]
    for line in seen[9:12]:
        assert line["trust"] == state["trust"]
        assert line["reciprocity_effects"] == state["reciprocity_effects"]


def test_the_first_period_of_gem_mining_is_right_by_hand():
    # Every village is at home: 3, 1, 5 and 3 workers. Found: type 2 at mine 0, types 1 and 2 at
    # mine 2. Weights 1, 2 and 0.5: 0 + 2 + 1.
    first = periods("gem_mining.jsonl")[0]
    assert first["state"]["workers_at"] == [3, 1, 5, 3, 0, 0, 0]
    gems = first["state"]["found"]
    assert [(m, k) for m in range(7) for k in range(3) if gems[m][k]] == [(0, 2), (2, 1), (2, 2)]
    assert first["state"]["gems"] == [0, 1, 2]
    assert [part[0] for part in first["components"].values()] == [0, 2, 1]
    assert first["rewards"] == [3, 3, 3, 3]


def test_every_period_of_gem_mining_finds_what_its_luck_allows():
    # Chances by the formula, exact in binary: base * 1.5^(w-1), cut at 0.75.
    mining = game("gem_mining")
    for line in periods("gem_mining.jsonl"):
        state = line["state"]
        luck = mining.draw_chance(SEED, line["period"])["luck"]
        for m, workers in enumerate(state["workers_at"]):
            for k, base in enumerate(state["base_probabilities"][m]):
                chance = min(0.75, base * 1.5 ** (workers - 1)) if workers else 0
                assert state["found"][m][k] == (luck[m, k] < chance)


def test_every_village_of_gem_mining_saw_what_was_found():
    seen = lines("gem_mining_seen.jsonl")
    assert [(line["period"], line["seat"]) for line in seen] == [
        (period, seat) for period in range(6) for seat in range(4)
    ]
    # In period 1 villages 0 and 1 meet at mine 1, villages 2 and 3 at mine 3.
    assert [line["own_mine"] for line in seen[8:12]] == [1, 1, 3, 3]
    assert seen[8]["workers_at"] == [0, 4, 0, 8, 0, 0, 0]
    assert seen[8]["own_found"] == seen[9]["own_found"] == seen[8]["found"][1]
    assert [line["reach"] for line in seen[:4]] == [3, 4, 4, 3]


def test_the_first_turn_of_the_vote_is_right_by_hand():
    # 0 goes right onto A, 1 down onto D, 2 up onto an empty cell. All kinds are taboo. At level 0.5
    # chance decides: 0 and 1 are punished. A harms by 0.5, D by 1.5.
    before, first = lines("punishment_vote.jsonl")[0], periods("punishment_vote.jsonl")[0]
    assert [before["observations"][name] for name in ("row", "column")] == [[4, 3, 2], [3, 5, 5]]
    state, parts = first["state"], first["components"]
    assert (state["row"], state["column"]) == ([4, 4, 1], [4, 5, 5])
    assert state["collected"] == [1, 4, 0]
    assert parts["value"] == [3, -2, 0]
    assert parts["punishment"] == [-10, -10, 0]
    assert parts["harm"] == [-1.5, -0.5, -2]
    assert first["rewards"] == [3 - 10 - 1.5, -2 - 10 - 0.5, -2]


def test_a_turn_of_the_vote_with_a_contested_resource_is_right_by_hand():
    # 0 goes up onto E. 1 goes up and 2 down to the C between them; 1 is first. At level
    # 0.1 nobody is drawn for punishment. C harms by 0.3, E by 0.1.
    fifth, sixth = periods("punishment_vote.jsonl")[4:6]
    assert fifth["state"]["grid"][0][3][4] == 0  # C appears in this very turn
    assert (fifth["state"]["row"], fifth["state"]["column"]) == ([4, 4, 2], [3, 4, 4])
    assert sixth["state"]["moved"] == [True, True, False]
    assert sixth["state"]["collected"] == [5, 3, 0]
    assert sixth["components"]["punishment"] == [0, 0, 0]
    assert sixth["rewards"] == pytest.approx([1 - 0.3, 2 - 0.1, -0.4])


def test_the_record_has_the_level_of_the_vote_in_every_turn():
    # 0.5; two up; no votes; one down; three down; none; two down, cut at 0; one up.
    levels = [line["state"]["level"] for line in periods("punishment_vote.jsonl")]
    assert levels == pytest.approx([0.5, 0.9, 0.9, 0.7, 0.1, 0.1, 0.0, 0.2])


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
