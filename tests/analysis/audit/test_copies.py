"""A copy of a group is found, also if its people exchanged their seats."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mixed_company.analysis.audit.copies import Copies
from mixed_company.analysis.audit.rows import Findings, Rows
from tests.analysis.audit.tables import exported, play, setup


@pytest.mark.parametrize(
    ("exchanged", "moved", "named"), [({}, 0, 1), ({0: 2, 2: 0}, 0, 1), ({}, 1, 0)]
)
def test_a_copy_is_named_whoever_has_which_seat(exchanged, moved, named):
    settings = setup(periods=3, people_per_group=2)
    decisions = exported(settings, [play(settings, [0, 2], 1, 0.0)]).decisions
    copy = decisions.assign(seat=decisions["seat"].replace(exchanged))
    copy = copy.sort_values(["period", "seat"], ignore_index=True)
    late = copy["received_ms"].notna() & (copy["period"] == 1)
    copy["received_ms"] += late.astype(int) * moved
    findings, copies = Findings("commons_game"), Copies()
    for session, frame in (("s", decisions), ("t", copy)):
        tables = {"decisions": Rows.of("decisions", frame)}
        config = {"session": session, "group": 1, "row": 0}
        group = SimpleNamespace(
            tables=tables, config=config, options={}, option=lambda _key, default: default
        )
        copies.check(group, findings)
    messages = [problem.what for problem in findings.problems]
    assert len(messages) == named
    assert all("is a copy of group 1 of session s" in message for message in messages)
