"""Differences between two logs: what is compared, and the messages."""

from __future__ import annotations

from mixed_company.engine.games.commons_game import GAME
from mixed_company.engine.games.gem_mining import GAME as GEMS
from mixed_company.engine.play.record import differences
from tests.engine.plays import commons


def period(number, **content):
    return {"level": "period", "period": number, **content}


def found(ours, theirs, game=None):
    return list(differences(ours, theirs, game))


def test_equal_logs_have_no_differences():
    lines = [{"level": "episode", "config": {}, "seed": 1}, period(0, rewards=[1, 2.0])]
    assert found(lines, [dict(line) for line in lines]) == []
    assert found([period(0, rewards=[1])], [period(0, rewards=[1.0])]) == []


def test_a_number_is_named_by_line_period_seat_and_place():
    ours = [period(0, rewards=[1, 2]), period(1, components={"harvest": [1, 2, 3]})]
    theirs = [period(0, rewards=[1, 5]), period(1, components={"harvest": [1, 2, 4]})]
    assert found(ours, theirs) == [
        "line 1 (period 0, seat 1), rewards[1]: log has 2, replay has 5",
        "line 2 (period 1, seat 2), components.harvest[2]: log has 3, replay has 4",
    ]


def test_a_difference_in_a_seats_line_names_the_seat():
    ours, theirs = ({"level": "seat", "period": 2, "seat": 1, "total": value} for value in (3, 4))
    assert found([ours], [theirs]) == ["line 1 (period 2, seat 1), total: log has 3, replay has 4"]


def test_a_missing_or_extra_key_is_named():
    assert found([period(0, note=None)], [period(0, rewards=[1])]) == [
        "line 1 (period 0), note: log has None, replay has nothing",
        "line 1 (period 0), rewards: log has nothing, replay has [1]",
    ]


def test_lists_of_different_lengths_are_shown_in_full():
    assert found([period(0, rewards=[1])], [period(0, rewards=[1, 2])]) == [
        "line 1 (period 0), rewards: log has [1], replay has [1, 2]"
    ]


def test_a_flag_is_not_equal_to_a_number():
    assert found([period(0, moved=True)], [period(0, moved=1)]) == [
        "line 1 (period 0), moved: log has True, replay has 1"
    ]


def test_a_long_value_is_shortened():
    (sentence,) = found([period(0, rewards=[])], [period(0, rewards=[1] * 1000)])
    assert sentence.endswith("1, 1,  ...")
    assert len(sentence) < 250


def test_a_missing_line_is_one_difference():
    whole = [period(0), {"level": "event", "period": 0, "event": "x"}, period(1), period(2)]
    assert found([whole[0], *whole[2:]], whole) == [
        "after line 1: the event line of event x, period 0 is missing: "
        "{'level': 'event', 'period': 0, 'event': 'x'}"
    ]


def test_an_extra_line_is_one_difference():
    whole = [period(0), period(1), period(2)]
    assert found([whole[0], period(7), *whole[1:]], whole) == [
        "line 2: the period line of period 7 is not in the replay"
    ]


def test_a_different_line_is_compared_with_the_one_in_its_place():
    event = {"level": "event", "period": 0, "event": "collapse"}
    assert found([period(0), {**event, "event": "party"}], [period(0), event]) == [
        "line 2 (period 0), event: log has 'party', replay has 'collapse'"
    ]


def test_differences_in_state_and_observations_name_the_seat_if_there_is_one():
    game = commons(observation="local")
    assert isinstance(game, GAME)
    content = {"state": {"stock": 1, "wealth": [1, 2, 3, 4]}, "observations": {"pool": [0] * 4}}
    other = {"state": {"stock": 2, "wealth": [1, 0, 3, 4]}, "observations": {"pool": [0, 0, 9, 0]}}
    assert found([period(0, **content)], [period(0, **other)], game) == [
        "line 1 (period 0, seat 2), observations.pool[2]: log has 0, replay has 9",
        "line 1 (period 0), state.stock: log has 1, replay has 2",
        "line 1 (period 0, seat 1), state.wealth[1]: log has 2, replay has 0",
    ]


def test_an_axis_of_mines_is_not_an_axis_of_seats():
    game = GEMS(GEMS.resolve())
    ours, theirs = ({"state": {"workers_at": [value, 0]}} for value in (1, 2))
    assert found([period(0, **ours)], [period(0, **theirs)], game) == [
        "line 1 (period 0), state.workers_at[0]: log has 1, replay has 2"
    ]
