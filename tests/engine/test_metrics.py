"""Instrumentation: every chosen metric and artifact appears in its lines."""

from __future__ import annotations

import json

import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError, LogError
from mixed_company.engine.contract.space import Field
from mixed_company.engine.play import record
from mixed_company.engine.play.recorder import distribution
from tests.engine.plays import acts, commons

SCRIPT = [acts([1, 2, 3, 4]), acts([3, 2, 3, 12])]
ROLES = {
    "agents": {"roles": {"strong": {}, "weak": {}}, "seats": ["strong", "weak", "weak", "strong"]}
}


def log(game=None, script=None, entropy=None, **instrumentation):
    rules = game or commons(periods=2, instrumentation=instrumentation, **ROLES)
    return record.play(rules, script or SCRIPT, seed=1, entropy=entropy)


def of(level, lines):
    return [line for line in lines if line["level"] == level]


# -- metrics ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "level"), [("rewards", "period"), ("components", "period"), ("total", "seat")]
)
def test_a_metric_that_is_not_requested_is_not_written(metric, level):
    without = [name for name in ("rewards", "components", "total", "returns") if name != metric]
    assert all(metric in line for line in of(level, log(seat=1)))
    assert not any(metric in line for line in of(level, log(seat=1, metrics=without)))


def test_returns_are_in_the_last_line_only_on_request():
    # 1 + 3, 2 + 2, 3 + 3, 4 + 10
    assert log()[-1]["returns"] == [4, 4, 6, 14]
    lines = log(metrics=["rewards"])
    assert "returns" not in lines[-1]
    assert record.replay(json.loads(json.dumps(lines))) == []


def test_actions_are_distributed_by_seat_over_all_periods_so_far():
    lines = of("seat", log(seat=1, metrics=["total", "actions"]))
    assert lines[0]["actions"]["harvest"] == {"mean": 1, "sd": 0, "quantiles": [1] * 5}
    # 1 and 3 have a mean of 2, each 1 away from it; a quarter of the way is 1.5. 12 was used as 10.
    assert lines[4]["actions"]["harvest"] == {
        "mean": 2.0,
        "sd": 1.0,
        "quantiles": [1.0, 1.5, 2.0, 2.5, 3.0],
    }
    assert lines[7]["actions"]["harvest"]["mean"] == 7


def test_choices_are_counted_one_by_one():
    chosen = {"seat": 1, "metrics": ["actions"]}
    game = engine.make("gem_mining", archetype="lab", periods=3, instrumentation=chosen)
    allowed = [engine.Episode(game, 1).allowed(seat).to_json()["mine"] for seat in range(4)]
    low, high = ([int(ends[end]) for ends in allowed] for end in (0, 1))
    last = of("seat", log(game, [{"mine": mines} for mines in (low, high, low)]))[-4:]
    for seat, line in enumerate(last):
        counts = line["actions"]["mine"]["counts"]
        assert (sum(counts), counts[low[seat]], counts[high[seat]]) == (3, 2, 1)


def test_a_seat_that_takes_no_part_is_left_out_of_distributions():
    game = commons(
        seats=2,
        periods=2,
        agents={"may_leave": True},
        instrumentation={"seat": 1, "metrics": ["actions"]},
    )
    lines = record.play(game, [acts([4, 4], seats=2)] * 2, seed=1, leaving={0: [1]})
    none = {"mean": None, "sd": None, "quantiles": None}
    assert of("seat", lines)[-1]["actions"] == {"harvest": none, "contribution": none}
    assert of("seat", lines)[-2]["actions"]["harvest"]["mean"] == 4


def test_roles_have_lines_with_the_metrics_of_all_their_seats():
    lines = [
        x for x in of("seat", log(seat=1, metrics=["total", "actions", "roles"])) if "role" in x
    ]
    assert [(line["period"], line["role"], line["seats"]) for line in lines] == [
        (0, "strong", [0, 3]),
        (0, "weak", [1, 2]),
        (1, "strong", [0, 3]),
        (1, "weak", [1, 2]),
    ]
    # strong: 1 + 4 and then 3 + 10; weak: 2 + 3 and then 2 + 3
    assert [line["total"] for line in lines] == [5, 5, 18, 10]
    assert lines[2]["actions"]["harvest"]["mean"] == 18 / 4
    assert lines[3]["actions"]["harvest"]["quantiles"] == [2, 2, 2.5, 3, 3]


def test_entropy_and_its_running_mean_are_logged_and_replay():
    entropies = {0: [1.0, None, 0.0, 2.0], 1: [2.0, None, 0.0, 0.0]}
    lines = log(seat=1, metrics=["total", "entropy", "roles"], entropy=entropies)
    assert [line["entropy"] for line in of("period", lines)] == [entropies[0], entropies[1]]
    seats = of("seat", lines)
    assert [line["entropy"] for line in seats[:4]] == [1.0, None, 0.0, 2.0]
    assert [line["entropy"] for line in seats[6:10]] == [1.5, None, 0.0, 1.0]
    # strong: 1, 2, 2 and 0; only one weak seat reported it
    assert [line["entropy"] for line in seats[10:]] == [1.25, 0.0]
    assert record.replay(json.loads(json.dumps(lines))) == []
    seats[10]["entropy"] = 1.26
    (problem,) = record.replay(json.loads(json.dumps(lines)))
    assert "entropy: log has 1.26, replay has 1.25" in problem


def test_seats_that_report_nothing_have_no_entropy():
    lines = log(seat=1, metrics=["entropy"])
    assert {line["entropy"] for line in of("seat", lines)} == {None}
    assert of("period", lines)[0]["entropy"] == [None] * 4


def test_entropies_of_another_number_of_seats_are_refused():
    with pytest.raises(LogError, match="should be 4 numbers"):
        log(entropy={0: [1.0]})


def test_the_games_information_is_in_the_period_lines():
    game = engine.make("sanctions", seats=3, periods=1, instrumentation={"metrics": ["info"]})
    (line,) = of("period", record.play(game, [{"contribution": [40, 50, 10]}], 1))
    assert line["info"]["step"] == 1
    assert line["info"]["memory_averages"]["2->1"] == 50
    assert "rewards" not in line


# -- artifacts --------------------------------------------------------------------------------


@pytest.mark.parametrize("artifact", ["state", "observations", "chance"])
def test_only_the_requested_artifact_is_in_every_period_line(artifact):
    game = commons(stock_noise=2.0, periods=2, instrumentation={"artifacts": [artifact]})
    periods = of("period", log(game))
    for line in periods:
        assert {"state", "observations", "chance"} & set(line) == {artifact}
    assert record.replay(json.loads(json.dumps(log(game)))) == []


def test_verbose_means_state_and_observations():
    lines = log(artifacts=["state", "observations"])
    other = log(verbose=True)
    assert lines[1:] == other[1:]


def test_the_logged_chance_is_from_the_period():
    game = commons(stock_noise=2.0, periods=2, instrumentation={"artifacts": ["chance"]})
    for period, line in enumerate(of("period", log(game))):
        assert line["chance"]["stock_noise"] == float(game.draw_chance(1, period)["stock_noise"])


# -- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (
            {"metrics": ["rewrds"]},
            r"instrumentation.metrics = \['rewrds'\]: 'rewrds' is unknown; did you mean 'rewards'?",
        ),
        (
            {"artifacts": ["observation"]},
            r"instrumentation.artifacts = .* did you mean 'observations'?",
        ),
        ({"metrics": ["total", "total"]}, "instrumentation.metrics = .*: names 'total' twice"),
        ({"metrics": ["actions"]}, "'actions' is written in seat lines, but seat = 0 turns"),
        (
            {"artifacts": ["state"], "period": 0},
            "they are written in period lines, but period = 0 turns these off",
        ),
    ],
)
def test_impossible_log_settings_are_refused_by_name(section, message):
    with pytest.raises(ConfigError, match=message):
        commons(instrumentation=section)


def test_the_distribution_of_a_flag_has_two_choices():
    flag = Field("stay", "does it stay", kind="flag", low=0, high=1)
    assert distribution(flag, [1.0, 0.0, 1.0]) == {"counts": [1, 2]}
