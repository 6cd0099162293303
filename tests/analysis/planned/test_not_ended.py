"""A plan's tests leave out unfinished groups, and the report names groups that were stopped
early."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.data import Data
from mixed_company.analysis.planned.tested import of_plan
from mixed_company.analysis.report import planned as part
from mixed_company.analysis.report.excluded import Excluded
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


def reported(
    data: Data, study: Plan, *excluded: Excluded
) -> tuple[dict[str, pd.DataFrame], part.Planned]:
    data = of_plan(data, "small", study)
    planned = part.of_plan(data, study, content(study), sealed(study), excluded=excluded)
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


RULE = "Groups in which somebody left."
EXCLUDING = TEXT.replace("groups = 2", f'groups = 2\nexclusions = ["{RULE}"]')


def test_an_excluded_group_is_in_no_test_whether_it_was_stopped_or_has_not_ended() -> None:
    """Groups 2 and 3 are excluded. Group 2 was stopped early, and group 3 has not ended."""
    study = plan(EXCLUDING + SHARE)
    data = stopped(cut(cut(played(study, 4), 2), 3), 2, 1)
    gone = [Excluded("open", group, "", RULE, "2026-11-02") for group in (2, 3)]
    tables, planned = reported(data, study, *gone)
    row = tables["hypotheses"].set_index("hypothesis").loc["share"]
    assert row["groups"] == "open 2, pool 4"
    assert "open-2" not in row["notes"]
    assert "open-3" not in row["notes"]
    lines = tables["deviations"]["what"].tolist()
    stop = "group 2 was stopped because somebody dropped out"
    assert [line for line in lines if "included in tests" in line] == []
    assert f"{stop}; an exclusion leaves it out of the tests" in lines
    hence = "Hence 2 groups are left out of the tests of hypotheses, but not of anything else."
    assert hence in planned.words
    assert [line for line in planned.words if "not ended" in line] == []


def test_a_group_that_is_still_playing_can_still_be_excluded() -> None:
    """A person left group 2, which has not ended."""
    study = plan(EXCLUDING)
    data = cut(played(study, 4), 2)
    left = (data.seats["session"] == "open") & (data.seats["group"] == 2)
    left &= data.seats["seat"] == 0
    reason = data.seats["reason"].astype("str").mask(left, "dropout")
    tables, _ = reported(replace(data, seats=data.seats.assign(reason=reason)), study)
    lines = tables["deviations"]["what"].tolist()
    assert [line for line in lines if "not excluded" in line] == []
    assert any("group 2 has not ended" in line for line in lines)
