"""Flags follow their rules, have all thresholds in one place, and exclude nobody."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from mixed_company.analysis.report.collected import collected
from mixed_company.analysis.report.flags import (
    RULES,
    Thresholds,
    of_participants,
    rules,
    thresholds,
)
from mixed_company.engine.contract.errors import ConfigError, UnknownName
from tests.analysis.report.made import played, strangers, with_people, with_row


def flags(data, limits=None):
    return of_participants(data, limits).set_index("participant")["flags"].to_dict()


def of_first(data, limits=None):
    return flags(data, limits)["open-1-0"]


def decisions(data, **values):
    """Return data in which the person in seat 0 of group 1 always makes this decision."""
    of_seat = (data.decisions["group"] == 1) & (data.decisions["seat"] == 0)
    changed = data.decisions.copy()
    for name, value in values.items():
        changed.loc[of_seat, name] = value
    return replace(data, decisions=changed)


def of_people(data):
    """Return the same export without the rehearsal mark, as if people had played."""
    return replace(data, manifest={})


def outcome(data, **values):
    return replace(data, outcomes=with_row(data.outcomes, 0, **values))


def test_good_data_have_no_flag():
    assert set(flags(played()).values()) == {""}


@pytest.mark.parametrize(
    ("values", "flag"),
    [
        ({"quiz_attempts": 4}, "quiz"),
        ({"quiz_attempts": 3}, ""),
        ({"disconnections": 3}, "connection"),
        ({"disconnections": 2}, ""),
        ({"status": "left"}, "unfinished"),
        ({"status": "seated"}, ""),
    ],
)
def test_a_participant_is_flagged_from_the_threshold_on(values, flag):
    assert of_first(outcome(of_people(played()), **values)) == flag


def test_deciding_the_same_every_time_is_flagged():
    data = played()
    assert of_first(decisions(data, sent_harvest=3.0, sent_contribution=0.0)) == "same"


def test_a_median_below_the_threshold_is_flagged():
    timed = decisions(played(), shown_ms=1000, received_ms=1999)
    assert of_first(timed) == "fast"
    assert of_first(timed, Thresholds(median_ms=999)) == ""


def test_running_out_of_time_is_flagged_but_on_a_clock_it_is_a_choice():
    late = decisions(played(), decided_by="default")
    assert of_first(late) == "defaults"
    options = json.dumps(json.loads(late.config["options"][0]) | {"pace": "clock"})
    assert of_first(replace(late, config=late.config.assign(options=options))) == ""


def test_people_are_flagged_for_their_own_decisions_in_each_play_of_a_repeated_block():
    """Person 0 of group 2 is fast in group 4 of the second play; everybody else takes 2 s."""
    data = strangers(of_people(played(groups=4, periods=2)))
    timed = data.decisions.assign(shown_ms=1000, received_ms=3000)
    fast = (timed["group"] == 4) & (timed["seat"] == 0)
    data = replace(data, decisions=timed.assign(received_ms=timed["received_ms"].mask(fast, 1500)))
    table = collected(data)["participants"].frame
    assert len(table) == 8
    flagged = table[table["flags"] == "fast"]
    assert flagged[["participant", "group", "seat"]].to_numpy().tolist() == [["open-2-0", 4, 0]]


def test_a_person_with_a_flag_in_several_plays_is_one_participant():
    data = strangers(of_people(played(groups=4, periods=2)))
    first = data.outcomes["participant"] == "open-1-0"
    tries = data.outcomes["quiz_attempts"].mask(first, 9)
    table = of_participants(replace(data, outcomes=data.outcomes.assign(quiz_attempts=tries)))
    assert (table["flags"] == "quiz").sum() == 2
    assert rules(table).set_index("flag").loc["quiz", "participants"] == 1


def test_a_lost_seat_is_flagged():
    data = played()
    row = data.seats.iloc[0].copy()
    row["reason"], row["occupant"] = "dropout", "policy"
    seats = data.seats.copy()
    seats.loc[len(seats)] = row
    assert of_first(replace(data, seats=seats)) == "away"


def test_all_participants_are_listed_whatever_their_flags():
    data = with_people(of_people(played()), {"participant": "a", "quiz_attempts": 9})
    assert list(flags(data)) == list(data.outcomes["participant"])
    assert flags(data)["a"] == "unfinished, quiz"


def test_rehearsing_policies_try_the_quiz_until_they_pass():
    data = outcome(played(), quiz_attempts=9)
    assert (of_first(data), of_first(of_people(data))) == ("", "quiz")


def test_every_rule_is_explained_with_its_threshold_and_count():
    table = rules(of_participants(outcome(of_people(played()), quiz_attempts=9)))
    assert table["flag"].tolist() == [rule.name for rule in RULES]
    by_flag = table.set_index("flag")
    assert by_flag.loc["quiz", "rule"].startswith("submitted the quiz 4 times or more")
    assert by_flag.loc["quiz", "participants"] == 1
    assert not table["rule"].str.contains("[{}]|None").any()


def test_thresholds_can_be_changed_and_a_wrong_one_is_named():
    assert thresholds({"quiz_attempts": 2}).quiz_attempts == 2
    with pytest.raises(UnknownName, match=r"unknown threshold 'quiz'.*quiz_attempts"):
        thresholds({"quiz": 2})
    with pytest.raises(ConfigError, match="median_ms = 'fast': should be a number, 0 or more"):
        thresholds({"median_ms": "fast"})


def test_the_document_states_the_current_thresholds():
    document = Path(__file__).resolve().parents[3] / "docs" / "report.md"
    for field in fields(Thresholds):
        assert f"`{field.name}={field.default}`" in document.read_text(encoding="utf-8")
