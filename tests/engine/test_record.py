"""Logs: four levels, reproducible bytes, and a replay that finds every difference."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from mixed_company.engine import Episode, LogError
from mixed_company.engine.play.record import Recorder, from_text, play, replay, replayed, to_text
from tests.engine.plays import acts, commons

SCRIPT = [acts([4, 3, 2, 1], 1), acts([1, 12, 1, 1]), acts(2, 3), acts(0)]
RULES = {"governance": "per_step", "initial_wealth": 5, "stock_noise": 3, "periods": 4}


def game(**instrumentation):
    return commons(**RULES, instrumentation=instrumentation)


def log(**instrumentation):
    return play(game(**instrumentation), SCRIPT, seed=7)


def of(level, lines):
    return [line for line in lines if line["level"] == level]


def stored(lines):
    """Return a log as it would be read from a file."""
    return [json.loads(line) for line in to_text(lines).splitlines()]


# -- contents of a log --------------------------------------------------------------------


def test_a_log_begins_with_config_and_seed_and_ends_with_the_result():
    lines = log()
    assert lines[0]["config"] == game().config.model_dump(mode="json")
    assert lines[0]["seed"] == 7
    # 4 - 1 + 1 + 2 - 3, 3 - 1 + 10 + 2 - 3, 2 - 1 + 1 + 2 - 3, 1 - 1 + 1 + 2 - 3.
    assert lines[-1] == {
        "level": "episode",
        "periods": 4,
        "reason": "horizon",
        "result": "neither",
        "returns": [3, 11, 1, 0],
    }


def test_a_period_is_logged_as_sent_and_as_used():
    second = of("period", log())[1]
    assert second["period"] == 1
    assert second["sent"]["harvest"] == [1, 12, 1, 1]
    assert second["used"]["harvest"] == [1, 10, 1, 1]
    assert second["rewards"] == [1, 10, 1, 1]
    assert second["components"]["harvest"] == [1, 10, 1, 1]


def test_a_clamped_action_and_the_ending_are_events():
    assert of("event", log()) == [
        {
            "level": "event",
            "period": 1,
            "event": "clamped",
            "seat": 1,
            "field": "harvest",
            "sent": 12,
            "used": 10.0,
        },
        {"level": "event", "period": 3, "event": "ending", "reason": "horizon"},
    ]


def test_an_action_that_was_too_low_is_an_event_too():
    (event,) = of("event", play(game(), [acts([1, 1, -2, 1])], seed=7))
    assert (event["seat"], event["sent"], event["used"]) == (2, -2, 0)


def test_a_collapse_is_an_event():
    lines = play(commons(archetype="lab_0_7"), [acts(10)] * 15, seed=0)
    events = [(line["period"], line["event"]) for line in of("event", lines)]
    assert events == [(2, "collapse"), (2, "ending")]


def test_a_log_of_the_same_play_has_the_same_bytes():
    texts = {to_text(log(verbose=True, seat=1)) for _ in range(2)}
    assert len(texts) == 1
    assert to_text(play(game(), SCRIPT, seed=8)) != to_text(log())


def test_a_log_in_text_is_one_json_object_per_line():
    lines = log(verbose=True)
    assert stored(lines) == json.loads(json.dumps(lines))


# -- levels -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("switched", "level"), [({"episode": False}, "episode"), ({"event": False}, "event")]
)
def test_a_disabled_level_is_not_written(switched, level):
    assert of(level, log())
    assert not of(level, log(**switched))
    assert of("period", log(**switched)) == of("period", log())


@pytest.mark.parametrize(
    ("every", "periods"), [(0, []), (1, [0, 1, 2, 3]), (2, [0, 2]), (3, [0, 3])]
)
def test_periods_are_thinned_to_every_kth(every, periods):
    assert [line["period"] for line in of("period", log(period=every))] == periods


def test_seat_lines_are_off_by_default_and_hold_running_totals():
    assert of("seat", log()) == []
    lines = of("seat", log(seat=2))
    assert [(line["period"], line["seat"]) for line in lines] == [
        (period, seat) for period in (0, 2) for seat in range(4)
    ]
    # Seat 1 after periods 0 to 2: 3 - 1, + 10, + 2 - 3.
    assert [line["total"] for line in lines if line["seat"] == 1] == [2, 11]


def test_verbose_periods_have_the_true_state_and_the_observations():
    plain, verbose = of("period", log())[0], of("period", log(verbose=True))[0]
    assert "state" not in plain
    assert "observations" not in plain
    # 100 - 10 + 0 growth at the capacity + 0.5 * 4.
    assert verbose["state"]["stock"] == 92
    assert verbose["observations"]["stock"] != 92
    assert verbose["observations"]["wealth"] == [8, 7, 6, 5]
    assert {name: verbose[name] for name in plain} == plain


def test_instrumentation_never_changes_the_play():
    loud = game(verbose=True, seat=1)
    quiet = game(episode=False, period=0, event=False)
    plays = [Episode(loud, 7), Episode(quiet, 7)]
    recorders = [Recorder(episode) for episode in plays]
    for actions in SCRIPT:
        for episode, recorder in zip(plays, recorders, strict=True):
            recorder.take(episode.step(actions))
        assert plays[0].state_json() == plays[1].state_json()
    assert recorders[1].lines == []


# -- replay -------------------------------------------------------------------------------


@pytest.mark.parametrize("instrumentation", [{}, {"verbose": True}, {"seat": 3}, {"event": False}])
def test_a_log_replays_without_a_difference(instrumentation):
    assert replay(stored(log(**instrumentation))) == []


def test_a_log_of_a_collapse_replays():
    assert replay(stored(play(commons(archetype="lab_0_7"), [acts(10)] * 15, seed=0))) == []


def test_an_edited_reward_is_found():
    lines = stored(log())
    lines[1]["rewards"][2] += 0.001
    (problem,) = replay(lines)
    assert problem == ("line 2 (period 0, seat 2), rewards[2]: log has 1.001, replay has 1.0")


def test_an_edited_action_is_found():
    lines = stored(log())
    lines[1]["sent"]["harvest"][0] = 3
    problems = replay(lines)
    assert any("used" in line for line in problems)
    assert any("returns" in line for line in problems)


def test_another_seed_is_found_by_the_observations():
    lines = stored(log(verbose=True))
    lines[0]["seed"] = 8
    assert any("observations" in line for line in replay(lines))


def test_edited_rules_are_found():
    lines = stored(log(verbose=True))
    lines[0]["config"]["core"]["growth_rate"] = 0.31
    assert any("state" in line for line in replay(lines))


@pytest.mark.parametrize("missing", range(4))
def test_a_missing_period_is_found(missing):
    lines = [line for line in stored(log()) if line.get("period") != missing]
    assert replay(lines)


def test_a_log_without_its_last_line_is_found():
    (problem,) = replay(stored(log())[:-1])
    assert problem.startswith("after line 7: the last line is missing: {'level': 'episode', 'per")


def test_a_log_with_thinned_periods_is_refused():
    with pytest.raises(LogError, match=r"instrumentation.period is not 1, so this log"):
        replay(stored(log(period=2)))


@pytest.mark.parametrize("lines", [[], log(episode=False), log()[1:]])
def test_a_log_without_its_first_line_is_refused(lines):
    with pytest.raises(LogError, match="line 1: should be the episode line"):
        replay(lines)


def test_a_log_of_an_unknown_game_is_refused():
    lines = stored(log())
    lines[0]["config"]["identity"]["game"] = "chess"
    with pytest.raises(LogError, match=r"cannot be replayed: game = 'chess'"):
        replay(lines)


def test_a_log_of_an_impossible_action_is_refused():
    lines = stored(log())
    lines[1]["sent"]["harvest"] = [1, 2]
    with pytest.raises(LogError, match="line 2: cannot be replayed: action field 'harvest'"):
        replay(lines)


def test_a_log_without_the_sent_actions_is_refused():
    lines = stored(log())
    del lines[1]["sent"]
    with pytest.raises(
        LogError, match="line 2: cannot be replayed: a period line should contain `sent`"
    ):
        replay(lines)


def test_replaying_does_not_change_the_log():
    lines = stored(log(verbose=True))
    kept = copy.deepcopy(lines)
    replay(lines)
    assert lines == kept


def test_the_steps_of_a_log_can_be_recomputed():
    lines = stored(log())
    sent = [line["sent"] for line in of("period", lines)]
    steps = list(replayed(lines[0]["config"], 7, sent))
    assert [step.rewards.tolist() for step in steps] == [
        line["rewards"] for line in of("period", lines)
    ]


def test_a_log_whose_play_was_given_no_config_is_refused():
    lines = stored(log())
    for config in (None, [], {"instrumentation": 1}):
        with pytest.raises(LogError, match=r"line 1: should be|instrumentation.period is not 1"):
            replay([{**lines[0], "config": config}, *lines[1:]])


def test_a_log_with_an_invalid_seed_is_refused():
    lines = stored(log())
    with pytest.raises(LogError, match="line 1: cannot be replayed: seed = 'x': should be a whole"):
        replay([{**lines[0], "seed": "x"}, *lines[1:]])


# -- logs written by release 0.7.0 --------------------------------------------------------


def of_release_0_7(name):
    return from_text((Path(__file__).with_name("release_0_7") / f"{name}.jsonl").read_text())


def test_a_log_of_release_0_7_replays_if_its_draws_are_unchanged():
    assert replay(of_release_0_7("commons_game")) == []


def test_a_log_with_rules_no_longer_supported_is_refused_by_their_version():
    with pytest.raises(LogError, match=r"identity\.version = '1'.* are version '2'; new in '2': "):
        replay(of_release_0_7("punishment_vote"))


def test_a_log_of_release_0_7_with_changed_shocks_is_refused_by_its_release():
    message = (
        r"line 1: identity\.version = '1': this log is from release 0\.7\.0 or earlier, .*; "
        r"replay it with that release\. Found 8 differences; the first is line 3 \(period 0\)"
    )
    with pytest.raises(LogError, match=message):
        replay(of_release_0_7("commons_game_shocks"))
