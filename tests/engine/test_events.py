"""Fees, drifts and votes cause events only when they happen. Old logs stay readable."""

from __future__ import annotations

import json

import pytest

from mixed_company import engine
from mixed_company.engine import ConfigError
from mixed_company.engine.play import record
from mixed_company.engine.play.events import event_kinds
from tests.engine.games.votes import MORE, NOOP
from tests.engine.plays import acts, commons, play


def named(event, *steps):
    """Return (period, event without its name) of all events of a kind."""
    return [
        (step.number, {key: value for key, value in line.items() if key != "event"})
        for step in steps
        for line in step.events
        if line["event"] == event
    ]


def test_a_fee_names_the_seat_and_the_amount():
    # above 3 each fish costs s fee = 0.5 * 2: the seats take 0, 0, 2 and 7 more than that.
    fees = {"incentives": {"intensity": 0.5, "quota": {"harvest": 3}, "fee": {"harvest": 2}}}
    (step,) = play(commons(layers=fees), acts([2, 3, 5, 10]))
    assert named("fee", step) == [(0, {"seat": 2, "points": 2.0}), (0, {"seat": 3, "points": 7.0})]
    assert step.components["fee"].tolist() == [0, 0, -2, -7]


def test_a_seat_that_leaves_pays_no_fee():
    fees = {"incentives": {"intensity": 1, "fee": {"harvest": 1}}}
    game = commons(seats=2, layers=fees, agents={"may_leave": True})
    step = engine.Episode(game, 1).step(acts([4, 4], seats=2), leaving=[1])
    assert named("fee", step) == [(0, {"seat": 0, "points": 4.0})]


def test_a_drift_is_reported_from_the_period_in_which_the_parameter_changes():
    # 0.4 (1 + 0.5 t): 0.4, 0.6, 0.8.
    drift = {"uncertainty": {"intensity": 1, "drift": {"growth_rate": 0.5}}}
    game = commons(growth_rate=0.4, layers=drift)
    steps = play(game, *[acts(0)] * 3)
    assert named("drift", *steps) == [
        (1, {"parameter": "growth_rate", "from": 0.4, "to": pytest.approx(0.6)}),
        (2, {"parameter": "growth_rate", "from": pytest.approx(0.6), "to": pytest.approx(0.8)}),
    ]


def test_a_parameter_at_the_end_of_its_range_stops_drifting():
    # 0.5 (1 - t): 0.5 in the first period, 0 from then on.
    drift = {"uncertainty": {"intensity": 1, "drift": {"growth_rate": -1.0}}}
    steps = play(commons(growth_rate=0.5, layers=drift), *[acts(0)] * 4)
    assert named("drift", *steps) == [(1, {"parameter": "growth_rate", "from": 0.5, "to": 0.0})]


def test_there_is_no_fee_or_drift_without_their_layers():
    steps = play(commons(), *[acts([0, 1, 9, 10])] * 3)
    assert [line for step in steps for line in step.events] == []


def test_kinds_of_events_state_which_of_them_change_a_rule():
    drift = {"uncertainty": {"intensity": 1, "drift": {"vote_step": 0.1}}}
    vote = engine.make("punishment_vote", archetype="lab_0_7", layers=drift)
    kinds = event_kinds(vote)
    assert {name for name, kind in kinds.items() if kind.changes_rule} == {"vote", "drift"}
    step = engine.Episode(vote, 1).step({"action": [MORE, *[NOOP] * (vote.seats - 1)]})
    ((_, level),) = named("vote", step)
    assert level["to"] - level["from"] == pytest.approx(vote.core.vote_step)


# -- the choice of events -------------------------------------------------------------------------

BUSY = {
    "archetype": "lab_0_7",
    "periods": 3,
    "layers": {
        "incentives": {"intensity": 1, "fee": {"harvest": 1}},
        "uncertainty": {"intensity": 1, "drift": {"growth_rate": 0.1}, "shocks": {"stock": 1}},
    },
}
SCRIPT = [acts([2, 2, 2, 12])] * 3


def log(**instrumentation):
    return record.play(commons(**BUSY, instrumentation=instrumentation), SCRIPT, seed=3)


def kinds_of(lines):
    return {line["event"] for line in lines if line["level"] == "event"}


def test_the_log_has_only_events_of_the_requested_kinds():
    every = kinds_of(log())
    assert every == {"clamped", "drift", "ending", "fee", "shock"}
    for kind in every:
        assert kinds_of(log(events=[kind])) == {kind}
    assert kinds_of(log(events=[])) == set()


def test_an_unknown_event_is_refused_with_the_nearest_name():
    with pytest.raises(ConfigError, match=r"instrumentation.events = \['fees'\].*mean 'fee'"):
        commons(instrumentation={"events": ["fees"]})
    with pytest.raises(ConfigError, match=r"'conflict' is not an event of commons_game"):
        commons(instrumentation={"events": ["conflict"]})


def test_a_log_from_before_fees_and_drifts_replays():
    lines = json.loads(json.dumps(log()))
    assert record.replay(lines) == []
    old = [line for line in lines if line.get("event") not in ("fee", "drift")]
    assert len(old) < len(lines)
    assert record.replay(old)
    for key in ("events", "metrics", "artifacts"):
        del old[0]["config"]["instrumentation"][key]
    assert record.replay(old) == []


def test_a_fee_removed_from_a_current_log_is_noticed():
    lines = json.loads(json.dumps(log()))
    fee = next(line for line in lines if line.get("event") == "fee")
    lines.remove(fee)
    assert any("the event line of event fee" in problem for problem in record.replay(lines))
