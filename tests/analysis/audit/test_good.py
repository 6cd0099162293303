"""The audit raises no false alarms: valid exports have no problems, whatever people did."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from mixed_company import analysis, engine
from mixed_company.analysis.audit import NOTES, audited
from mixed_company.policies.policy import Answer, seat_chance
from mixed_company.table import answers
from tests.analysis.audit.tables import exported, play, setup

LATER: dict[str, Any] = {
    "temporal": {"intensity": 1, "reward_delay": 2},
    "uncertainty": {"intensity": 1, "shocks": {"stock": 0.1}},
    "interaction": {"intensity": 1, "share": 0.5},
}
IN_TURN = {"timing": "sequential", "order": [2, 0, 1, 3]}
REDUCED: dict[str, Any] = {"dropout": "reduced", "agents": {"may_leave": True}}
CASES: dict[str, dict[str, Any]] = {
    "time limit": {"decision_seconds": 5.0},
    "no limit": {"decision_seconds": 0.0},
    "clock": {"pace": "clock", "decision_seconds": 5.0},
    "cap": {"pay_cap": 8.0, "pay_floor": 3.0},
    "in turn": {"agents": IN_TURN, "decision_seconds": 5.0},
    "reduced": {**REDUCED, "decision_seconds": 5.0},
    "in turn, reduced, layers": {
        "dropout": "reduced",
        "agents": {**IN_TURN, "may_leave": True},
        "layers": LATER,
        "decision_seconds": 5.0,
    },
    "layers": {**REDUCED, "layers": LATER},
    "sanctions": {"game": "sanctions", "periods": 8},
    "sanctions reduced": {"game": "sanctions", "periods": 8, **REDUCED},
    "vote": {"game": "punishment_vote", "turns": 30, "pace": "clock", "decision_seconds": 1.5},
    "vote in turn": {
        "game": "punishment_vote",
        "archetype": "sequential",
        "turns": 20,
        "decision_seconds": 3.0,
    },
    "gems": {"game": "gem_mining", "periods": 8},
    "gems reduced": {"game": "gem_mining", "periods": 8, **REDUCED},
}


@pytest.mark.few(5)
@pytest.mark.parametrize("case", CASES)
def test_people_who_leave_and_come_back_raise_no_alarm(case):
    settings = setup(**{"grace_seconds": 10.0, **CASES[case]})
    data = exported(settings, [play(settings, 2, number, 0.05) for number in (1, 2, 3)])
    audit = audited(data)
    assert [str(problem) for problem in audit.problems] == []
    assert (audit.groups, audit.periods) == (3, len(data.periods))
    assert audit.numbers > 10 * audit.periods
    assert "dropout" in set(data.seats["reason"])


def test_an_unfinished_group_is_valid_up_to_its_last_period():
    settings = setup("gem_mining", decision_seconds=5.0, grace_seconds=10.0)
    data = exported(settings, [play(settings, 2, number, 0.05, seconds=6) for number in (1, 2)])
    assert set(data.periods["ended"]) == {""}
    assert audited(data).problems == ()


@pytest.mark.parametrize(("minutes", "noted"), [(0, False), (12, True)])
def test_a_play_that_stops_long_before_the_export_is_noted(minutes, noted):
    """A truncated journal leaves no other trace."""
    settings = setup("gem_mining", decision_seconds=5.0, grace_seconds=10.0)
    data = exported(settings, [play(settings, 2, 1, 0.0, seconds=6)])
    last_ms = int(data.journal["at_ms"].max()) + 5000 + 60_000 * minutes
    moment = datetime.fromtimestamp(last_ms / 1000, UTC).isoformat(timespec="seconds")
    problems = audited(replace(data, manifest={**data.manifest, "made": moment})).problems
    sentence = "group 1 of session s: its play stops, although its next event was due 12 minutes"
    assert [sentence in str(problem) for problem in problems] == [True] * noted
    assert all(problem.kind in NOTES for problem in problems)


@pytest.mark.parametrize(("outcome", "named"), [("bots", False), ("release", True)])
def test_a_group_without_all_of_its_people_is_named_if_the_lobby_releases(outcome, named):
    settings = setup("gem_mining", periods=2, people_per_group=3, lobby_outcome=outcome)
    problems = audited(exported(settings, [play(settings, 2, 1, 0.0)])).problems
    rule = "2 people, but with lobby_outcome = 'release', groups start with 3"
    assert [rule in str(problem) for problem in problems] == [True] * named


def test_a_failing_policy_is_no_difference(monkeypatch):
    right = answers.answer

    def faulty(of, episode, chair, recalled=None, *talk):
        if seat_chance(episode.seed, chair.seat, episode.period).random() < 0.3:
            default = episode.allowed(chair.seat).default_action()
            return Answer(default, chair.memory, "is tired")
        return right(of, episode, chair, recalled)

    monkeypatch.setattr(answers, "answer", faulty)
    monkeypatch.setattr(answers, "together", lambda *_: {})
    settings = setup("sanctions", periods=8, grace_seconds=10.0)
    data = exported(settings, [play(settings, 2, number, 0.05) for number in (1, 2)])
    assert (data.events["event"] == "policy_fault").any()
    assert audited(data).problems == ()
    events = data.events[data.events["event"] != "policy_fault"]
    missing = audited(replace(data, events=events)).problems
    assert {problem.what.split(" (")[0].rsplit(" ", 1)[1] for problem in missing} == {
        "policy_fault"
    }


@pytest.mark.few(2)
@pytest.mark.parametrize("game", engine.game_ids())
@pytest.mark.parametrize("archetype", ["lab", "all"])
def test_plays_of_policies_raise_no_alarm(game, archetype):
    names = [archetype] if archetype == "lab" else list(engine.find(game).archetypes)[:4]
    for name in names:
        short = {"turns": 6} if game == "punishment_vote" else {"periods": 3}
        if game == "gem_mining" and name.startswith("momaland"):
            short["information"] = "all"
        options = {"people": ["random"], "bots": ["random"], "groups": 2, "seed": 3, **short}
        audit = audited(analysis.simulated(game, archetype=name, **options))
        assert [str(problem) for problem in audit.problems if problem.kind not in NOTES] == []
        assert audit.groups == 2
