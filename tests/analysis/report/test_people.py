"""Participants in a report: each is counted once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pandas as pd
import pytest

from mixed_company.analysis.paper.results import participants as participants_in_words
from mixed_company.analysis.report.participants import STAGES, head_count, participants, taking_part
from mixed_company.table.pay import UNSEATED, Seated
from tests.analysis.report.made import played, two_treatments, with_people, with_row

NEVER = (
    {"participant": "a", "status": "arriving"},
    {"participant": "b", "status": "arriving", "quiz_attempts": 3},
    {"participant": "c", "status": "waiting", "quiz_attempts": 1},
    {"participant": "d", "status": "left", "quiz_attempts": 1},
    {"participant": "e", "status": "released", "quiz_attempts": 2},
)


def test_everybody_who_arrived_is_counted_once_by_the_stage_reached():
    """With two groups of two people, and five people who never got a seat, nine arrived and four
    are in groups.
    """
    (row,) = taking_part(with_people(played(), *NEVER)).to_dict("records")
    assert row["arrived"] == 9
    assert row["grouped"] == 4
    far = {"finished": 4, "left_in_instructions": 1, "left_in_quiz": 1, "left_in_lobby": 2}
    far |= {"released": 1, "still_playing": 0, "left_in_play": 0}
    assert {name: row[name] for name in far} == far
    # mean of 3, 1, 1 and 2 attempts; simulated people have 0
    assert row["quiz_attempts_mean"] == pytest.approx(7 / 4)
    assert row["quiz_attempts_max"] == 3


def test_people_without_a_group_count_in_the_treatment_of_the_session():
    data = with_people(two_treatments(), *NEVER, {"participant": "f", "session": "third"})
    table = participants(data).set_index("participant")["treatment"]
    assert table["a"] == "open"
    assert table["f"] == "no group formed"
    assert taking_part(data)["treatment"].tolist() == ["open", "other", "no group formed"]
    assert taking_part(data)["arrived"].sum() == len(data.outcomes)


def test_seats_that_changed_hands_are_counted_per_person():
    """In seat 0 of group 1 a policy takes over and the person returns; seat 1 is left empty."""
    data = played()
    seats = data.seats.copy()
    for reason, occupant, of in (
        ("dropout", "policy", 0),
        ("returned", "person", 0),
        ("dropout", "nobody", 1),
    ):
        row = seats.loc[of].copy()
        row["reason"], row["occupant"] = reason, occupant
        seats.loc[len(seats)] = row
    data = replace(data, seats=seats)
    table = participants(data).set_index("participant")
    assert table.loc["open-1-0", ["dropouts", "takeovers", "returns"]].tolist() == [1, 1, 1]
    assert table.loc["open-1-1", ["dropouts", "takeovers", "returns"]].tolist() == [1, 0, 0]
    (row,) = taking_part(data).to_dict("records")
    assert [row[name] for name in ("dropped_out", "taken_over", "returned")] == [2, 1, 1]


def test_a_person_who_plays_two_blocks_is_one_participant_and_drops_out_of_one_of_them() -> None:
    """Groups 1 and 2 are two blocks with the same two people. Person 0 leaves the first block."""
    data = played()
    people = data.outcomes["participant"].str.replace("open-2", "open-1")
    seats = data.seats.assign(participant=data.seats["participant"].str.replace("open-2", "open-1"))
    left = seats.iloc[[0]].assign(reason="dropout", occupant="nobody")
    both = replace(
        data,
        outcomes=data.outcomes.assign(participant=people),
        seats=pd.concat([seats, left], ignore_index=True),
    )
    table = participants(both).set_index("participant")
    assert table.loc["open-1-0", "dropouts"].tolist() == [1, 0]
    assert (len(both.outcomes), head_count(both.outcomes)) == (4, 2)


def test_a_person_who_leaves_between_two_blocks_counts_in_the_later_block() -> None:
    """Group 1 plays the first block and group 2 the second; person 0 of group 1 leaves between."""
    data = played()
    data = replace(data, config=data.config.assign(treatment="open", block=["first", "second"]))
    gone = {"participant": "open-1-0", "status": "left", "treatment": "open", "block": "second"}
    rows = taking_part(with_people(data, gone)).set_index("treatment")
    assert rows["arrived"].to_dict() == {"open, first": 2, "open, second": 3}
    assert rows.loc["open, second", "left_in_lobby"] == 1


def test_people_who_leave_before_any_group_of_the_later_block_forms_are_counted_once() -> None:
    """The two people of each group finish the first block. Those of the first treatment play the
    second block in group 3; the others leave."""
    data = played(groups=3)
    names = data.outcomes["participant"].str.replace("open-3", "open-1")
    treated = data.config.assign(treatment=["a", "b", "a"], block=["first", "first", "second"])
    blocks = {"a, first": ["treatment=a", "block=first"], "a, second": ["block=second"]}
    both = replace(data, config=treated, outcomes=data.outcomes.assign(participant=names))
    both = both.named({**blocks, "b, first": ["treatment=b"]})
    about = {"status": "left", "treatment": "b", "block": "second"}
    gone = [{"participant": f"open-2-{seat}", **about} for seat in (0, 1)]
    alone = {"participant": "alone"}
    who = taking_part(with_people(both, *gone, alone))
    assert who.set_index("treatment")["arrived"].to_dict() == {
        "a, first": 2,
        "a, second": 2,
        "b, first": 2,
        "b, second": 2,
        "no group formed": 1,
    }
    words = participants_in_words(who, False, ["first", "second"])
    assert words.startswith(
        "Of 5 participants who arrived, 4 joined a group and 2 stayed until its game in block "
        "second ended (a: 2; b: 0). "
    )


def test_pay_covers_only_people_who_finished():
    data = played()
    outcomes = data.outcomes.assign(payment=[4.0, 6.0, 8.0, 100.0])
    outcomes = with_row(outcomes, 3, status="left")
    (row,) = taking_part(replace(data, outcomes=outcomes)).to_dict("records")
    assert [row[f"payment_{kind}"] for kind in ("mean", "min", "max")] == [6.0, 4.0, 8.0]
    assert row["left_in_play"] == 1


def test_the_stages_add_up_to_everybody_who_arrived_for_every_status() -> None:
    """Six people with a seat have one status each, and seven people never had a seat."""
    data = played(groups=3)
    data = replace(data, outcomes=data.outcomes.assign(status=list(get_args(Seated))))
    data = with_people(data, *({"participant": name, "status": name} for name in UNSEATED))
    assert set(participants(data)["stage"]) <= set(STAGES)
    who = taking_part(data)
    assert who["arrived"].tolist() == [13]
    assert who.loc[:, "finished":"left_in_instructions"].to_numpy().sum() == 13
    (row,) = who.to_dict("records")
    expected = {"excluded": 2, "quiz_failed": 1, "no_consent": 1, "released": 1, "let_go": 1}
    assert {name: row[name] for name in expected} == expected
    stayed, others = participants_in_words(who).split(" Nobody dropped out of the game. ")
    assert "13 participants who arrived, 6 joined a group and 2 stayed until its game" in stayed
    # and one person is still playing
    assert sum(map(int, re.findall(r"[0-9]+", others.partition(".")[0]))) == 10
    assert others.startswith(
        "The last stages of the others: 1 left in play; 1 let go; 2 excluded; 1 released; 2 left "
        "in lobby; 1 quiz failed; 1 no consent; 1 left in instructions."
    )


def test_every_stage_is_explained():
    stages = set(participants(with_people(played(), *NEVER))["stage"])
    assert stages <= set(STAGES)
