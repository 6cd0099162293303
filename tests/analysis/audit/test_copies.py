"""A copy of a group is found, also if its people exchanged their seats, or if its bots decide
differently."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mixed_company.analysis.audit.copies import Copies
from mixed_company.analysis.audit.rows import Findings, Rows
from tests.analysis.audit.tables import exported, play, setup


def copies(game, *frames, rehearsed=""):
    """Check these groups' decisions, and return the messages about copies."""
    findings, checked = Findings(game.id), Copies()
    for session, frame in zip("stu", frames, strict=False):
        tables = {"decisions": Rows.of("decisions", frame)}
        config = {"session": session, "group": 1, "row": 0, "rehearsed": rehearsed}
        group = SimpleNamespace(
            tables=tables,
            config=config,
            options={},
            game=game,
        )
        checked.check(group, findings)
    messages = [problem.what for problem in findings.problems]
    assert all("is a copy of group 1 of session s" in message for message in messages)
    return messages


@pytest.mark.parametrize(
    ("exchanged", "moved", "named"), [({}, 0, 1), ({0: 2, 2: 0}, 0, 1), ({}, 1, 0)]
)
def test_a_copy_is_named_whoever_has_which_seat(exchanged, moved, named):
    settings = setup(periods=3, people_per_group=2)
    decisions = exported(settings, [play(settings, 2, 1, 0.0)]).decisions
    copy = decisions.assign(seat=decisions["seat"].replace(exchanged))
    copy = copy.sort_values(["period", "seat"], ignore_index=True)
    late = copy["received_ms"].notna() & (copy["period"] == 1)
    copy["received_ms"] += late.astype(int) * moved
    assert len(copies(settings.game, decisions, copy)) == named


def test_a_copy_is_named_although_its_bots_decide_differently():
    first, second = (setup("sanctions", seed=seed, bots="random", periods=3) for seed in (1, 2))
    frames = [exported(s, [play(s, 2, 1, 0.0)]).decisions for s in (first, second)]
    bots = [frame.loc[frame["decided_by"] == "policy", "sent_contribution"] for frame in frames]
    assert not bots[0].equals(bots[1])
    assert len(copies(first.game, *frames)) == 1


@pytest.mark.parametrize(("by", "named"), [("policy", 1), ("person", 0)])
def test_points_that_bots_assigned_do_not_tell_groups_apart(by, named):
    settings = setup(peer="both", periods=3, people_per_group=2)
    decisions = exported(settings, [play(settings, 2, 1, 0.0)]).decisions
    copy, rows = decisions.copy(), decisions["peer_by"] == by
    assert rows.any()
    copy.loc[rows, "sent_assign_0"] += 1
    assert len(copies(settings.game, decisions, copy)) == named


@pytest.mark.parametrize(("rehearsed", "named"), [("", 1), (True, 0)])
def test_a_copy_is_named_at_other_times_unless_policies_decided(rehearsed, named):
    settings = setup(periods=3, people_per_group=2)
    decisions = exported(settings, [play(settings, 2, 1, 0.0)]).decisions
    copy = decisions.assign(received_ms=decisions["received_ms"] + 500)
    assert len(copies(settings.game, decisions, copy, rehearsed=rehearsed)) == 1
    copy["wall_ms"] += 500
    assert len(copies(settings.game, decisions, copy, rehearsed=rehearsed)) == named
