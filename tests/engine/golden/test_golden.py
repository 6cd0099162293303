"""The golden records are played again, byte for byte."""

from __future__ import annotations

import json

import pytest

from engine import record
from tests.engine.golden.write import FOLDER, GAMES, SCRIPTS, files


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


def periods(name):
    return [line for line in lines(name) if line["level"] == "period"]


EVERY_FILE = [(game, name) for game in GAMES for name in files(game)]


@pytest.mark.parametrize(("game", "name"), EVERY_FILE)
def test_the_same_play_gives_the_same_bytes(game, name):
    assert files(game)[name].encode() == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_golden_log_replays_without_a_difference(game):
    assert record.replay(lines(f"{game}.jsonl")) == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_golden_log_covers_the_whole_script(game):
    assert [line["sent"] for line in periods(f"{game}.jsonl")] == SCRIPTS[game]


def test_every_golden_file_belongs_to_a_play():
    names = {name for _, name in EVERY_FILE}
    assert {path.name for path in FOLDER.glob("*.jsonl")} == names


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
    where = [(each["period"], each["seat"]) for each in seen]
    assert where == [(period, seat) for period in range(9) for seat in range(4)]
    readings = {period: set() for period in range(9)}
    for each in seen:
        readings[each["period"]].add(each["stock"])
    assert all(len(each) == 1 for each in readings.values())
    assert 98 not in readings[1]


def test_a_period_that_asks_for_more_than_there_is_is_in_the_record():
    before, shared = periods("commons_game.jsonl")[4:6]
    assert before["state"]["stock"] < 40
    # All four asked for 10, so all four got a quarter of what there was.
    assert shared["state"]["harvest"] == [before["state"]["stock"] / 4] * 4


def test_the_first_turn_of_the_vote_is_right_by_hand():
    # Rows 1 and 2 begin with  . B 1 . .  and  B 2 0 E C. The drawn order is 0, 1, 2: 0 goes right
    # onto E, 1 down to where 0 was, 2 up onto B. All are taboo, at level 0.5 lots decide: 0 is
    # punished, 2 is not. E harms by 0.1, B by 1.
    before, first = lines("punishment_vote.jsonl")[0], periods("punishment_vote.jsonl")[0]
    assert [before["observations"][name] for name in ("row", "column")] == [[2, 1, 2], [3, 3, 2]]
    state, parts = first["state"], first["components"]
    assert (state["row"], state["column"]) == ([2, 2, 1], [4, 3, 2])
    assert state["collected"] == [5, 0, 2]
    assert parts["value"] == [1, 0, 7]
    assert parts["punishment"] == [-10, 0, 0]
    assert parts["harm"] == pytest.approx([-1, -1.1, -0.1])
    assert first["rewards"] == pytest.approx([-10, -1.1, 6.9])


def test_a_turn_of_the_vote_with_a_contested_resource_is_right_by_hand():
    # Order 2, 1, 0: 2 comes down onto the E that has just appeared beside 1, who is too late. 0
    # takes C. Level 0.9, after two votes: both are punished. C harms by 0.3, E by 0.1.
    second, third = periods("punishment_vote.jsonl")[1:3]
    assert second["state"]["level"] == pytest.approx(0.9)
    assert second["state"]["moved"] == [False, False, False]
    assert third["state"]["moved"] == [True, False, True]
    assert third["state"]["collected"] == [3, 0, 5]
    assert third["components"]["punishment"] == [-10, 0, -10]
    assert third["rewards"] == pytest.approx([2 - 10 - 0.1, -0.4, 1 - 10 - 0.3])


def test_the_level_of_the_vote_is_in_the_record_turn_by_turn():
    # 0.5; two up; no votes; one down; three down; none; two down, cut at 0; one up.
    levels = [each["state"]["level"] for each in periods("punishment_vote.jsonl")]
    assert levels == pytest.approx([0.5, 0.9, 0.9, 0.7, 0.1, 0.1, 0.0, 0.2])
