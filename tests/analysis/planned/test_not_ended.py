"""A plan's tests leave out unfinished groups, and the report names groups that were stopped
early."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.data import Data
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import planned as part
from mixed_company.experiment.plan import Plan
from tests.analysis.planned.made import TEXT, content, played, sealed
from tests.experiment.planned import plan

SHARE = """
[hypotheses.share]
meaning = "more is left with a pool"
measure = "stock_share"
test = "mann_whitney"
"""


def cut(data: Data, group: int) -> Data:
    """Return the data as if a group of the first treatment had played only its first period."""
    frames = {}
    for name in ("decisions", "periods"):
        frame = getattr(data, name)
        later = (frame["session"] == "open") & (frame["group"] == group) & (frame["period"] > 0)
        frames[name] = frame[~later].reset_index(drop=True)
    return replace(data, **frames)


def stopped(data: Data, group: int, seat: int | None) -> Data:
    """Return the data as if the manager, or a person who left the seat, had stopped this group."""
    row = {"session": "open", "group": group, "event": "ended", "seat": seat}
    events = pd.concat([data.events, pd.DataFrame([row])], ignore_index=True)
    return replace(data, events=events)


def reported(data: Data, study: Plan) -> tuple[dict[str, pd.DataFrame], part.Planned]:
    planned = part.of_plan(of_plan(data, "small", study), study, content(study), sealed(study))
    return {table.name: table.frame for table in planned.tables}, planned


def test_a_group_that_has_not_ended_is_left_out_and_named() -> None:
    study = plan(TEXT)
    tables, planned = reported(cut(played(study, 4), 2), study)
    hypotheses = tables["hypotheses"].set_index("hypothesis")
    assert hypotheses["groups"].to_dict() == {
        "harvest": "open 3, pool 4",
        "points": "pool 4, open 3",
    }
    means = tables["hypotheses_means"].query("hypothesis == 'points' and treatment == 'open'")
    values = measures.groups(of_plan(played(study, 4), "small", study), ["mean_points"])
    ended = values[(values["session"] == "open") & (values["group"] != 2)]["mean_points"]
    assert means["mean"].item() == ended.mean()
    for notes in hypotheses["notes"]:
        assert "1 group that has not ended left out: open-2" in notes
    assert (
        "group 2 has not ended, and the tests of hypotheses leave out such groups"
        in tables["deviations"]["what"].tolist()
    )
    assert "No group is left out of the tests." not in planned.words
    assert "1 group that has not ended is left out of the tests." in planned.words


def test_a_group_that_was_stopped_early_stays_in_and_is_named() -> None:
    study = plan(TEXT + SHARE)
    for seat, line in (
        (None, "the manager ended the game of group 2"),
        (1, "group 2 was stopped because somebody dropped out; it is included in tests of measures "
            "that do not need the whole play"),
    ):  # fmt: skip
        tables, planned = reported(stopped(cut(played(study, 4), 2), 2, seat), study)
        row = tables["hypotheses"].set_index("hypothesis").loc["share"]
        assert row["groups"] == "open 4, pool 4"
        assert "1 group stopped early: open-2" in row["notes"]
        assert line in tables["deviations"]["what"].tolist()
        assert "No group is left out of the tests." in planned.words
