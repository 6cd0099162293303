"""A turn without a key press counts as the person's choice if a clock sets the pace, but not if
answers do."""

from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest

from mixed_company.analysis import measures, report
from mixed_company.analysis.behaviour.decisions import decided as explained
from mixed_company.analysis.measures import Plays
from mixed_company.analysis.measures.bots import people_points
from mixed_company.analysis.measures.timing import decided, decision_time, defaulted
from tests.analysis.measures.played import played, values
from tests.analysis.report.made import with_people, words

# Seat 0 presses a key in periods 0 and 1 but not in period 2; in period 3 a policy has the seat.
BY = {(2, 0): "default", (3, 0): "policy"}
TOOK = {(period, seat): 100 * (period + 1) for period in range(4) for seat in range(2)}


def sat(pace: str, by=BY, **changes):
    """Play with two people; no key press means no harvest, and the policy takes 9."""
    harvests = [[2, 1], [4, 1], [0, 1], [9, 1]]
    periods = [{"harvest": harvest, "contribution": [0, 0]} for harvest in harvests]
    data = played("commons_game", periods, seats=2, by=by, took=TOOK, **changes)
    options = [json.dumps({**json.loads(text), "pace": pace}) for text in data.config["options"]]
    return replace(data, config=data.config.assign(options=options))


def test_on_a_clock_turns_without_a_key_count_and_policy_turns_do_not():
    """The mean is (2 + 4 + 0) / 3 with a clock, and (2 + 4) / 2 if nobody chose the 0."""
    clock, answers = (measures.people(sat(pace)).iloc[0] for pace in ("clock", "answers"))
    assert (clock["points_per_period"], answers["points_per_period"]) == (2, 3)
    assert (clock["decided"], answers["decided"]) == (3, 2)
    assert clock["points"] == answers["points"] == 6
    assert clock["taken_over"] == 0.25
    plays = Plays(sat("clock"))
    decisions = plays.decisions[plays.own & (plays.decisions["seat"] == 0)]
    assert decisions["period"].tolist() == [0, 1, 2]


def test_points_and_points_per_period_have_the_same_sign_on_a_clock():
    """A person gains in one turn. In the other turns the person stands still while others cause
    harm.
    """
    data = sat("clock", by={(1, 0): "default", (2, 0): "default", (3, 0): "default"})
    people = measures.people(data)
    assert people["points_per_period"].tolist() == (people["points"] / 4).tolist()
    assert values(people_points, data) == [people["points"].sum() / 8]


def test_a_turn_without_a_key_is_counted_and_has_no_time():
    data = sat("clock")
    assert values(defaulted, data, "person") == [pytest.approx(1 / 3), 0]
    assert values(decided, data) == [3, 4]
    assert values(decision_time, data, "person") == [150, 250]  # 100, 200; 100 ... 400


def test_a_person_who_never_presses_a_key_always_does_the_same():
    data = sat("clock", by={(period, 0): "default" for period in range(4)})
    data = replace(
        data,
        decisions=data.decisions.assign(
            sent_harvest=data.decisions["sent_harvest"].where(data.decisions["seat"] != 0, 0.0)
        ),
    )
    assert measures.people(data)["person"].tolist() == [True, True]
    data = with_people(data, {"participant": "0-0", "group": 0, "seat": 0, "session": "s"})
    limits = report.thresholds({"same_periods": 4})
    flags = report.flags.of_participants(data, limits)
    assert "same" in flags["flags"][0]
    assert "defaults" not in flags["flags"][0]


def test_a_policy_that_failed_chose_nothing_on_a_clock_either():
    data = sat("clock")
    occupants = data.decisions["occupant"].mask(data.decisions["decided_by"] == "default", "policy")
    failed = replace(data, decisions=data.decisions.assign(occupant=occupants))
    assert values(decided, failed) == [2, 4]
    assert values(defaulted, failed, "person") == [0, 0]


def test_models_of_behaviour_explain_choices_only():
    reasons = {pace: explained(sat(pace)).left_out["why"].tolist() for pace in ("clock", "answers")}
    assert reasons == {
        "clock": ["the person did not make this decision"],
        "answers": ["the person did not make this decision"] * 2,
    }


def test_an_export_in_which_no_group_has_played_has_a_report():
    """This happens, for example, if nobody got past the quiz."""
    data = sat("answers")
    tables = {name: value for name, value in vars(data).items() if isinstance(value, pd.DataFrame)}
    nobody = replace(data, **{name: table.iloc[:0] for name, table in tables.items()})
    assert measures.people(nobody).empty
    assert "0 groups" in words(nobody).text
