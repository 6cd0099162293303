"""Session options: valid and conflicting combinations."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from mixed_company.table.options import FASTEST_SECONDS, STATUSES, Options, recorded


def test_a_cap_may_equal_the_floor_but_not_be_less():
    assert Options(pay_cap=5, pay_floor=5).pay_cap == 5
    assert Options(pay_cap=0, pay_floor=5).pay_cap == 0  # no cap
    with pytest.raises(ValidationError, match=r"pay_cap = 4.0: should be at least pay_floor, 5.0"):
        Options(pay_cap=4, pay_floor=5)


def test_a_clock_is_no_faster_than_people_can_be():
    assert Options(pace="clock", decision_seconds=FASTEST_SECONDS).by_clock is True
    assert Options(decision_seconds=0).by_clock is False
    with pytest.raises(ValidationError, match=r"decision_seconds = 0.0: should be at least"):
        Options(pace="clock", decision_seconds=0)


@pytest.mark.parametrize(
    ("links", "rule"),
    [
        ({"finish": "https://a.org"}, "'finish': unknown status; did you mean 'finished'"),
        ({"left": "a.org"}, "left = 'a.org': should start with https:// or http://"),
    ],
)
def test_a_link_belongs_to_a_status_and_starts_as_links_do(links, rule):
    assert Options(completion_links={"left": "http://a.org"}).completion_links
    with pytest.raises(ValidationError, match=rule):
        Options(completion_links=links)


LONG = "p" * 40
TALK = {"talk": "free"}
MANY = tuple(f"Number {number}" for number in range(50))
WORDS = tuple(f"word{number}" for number in range(1000))


@pytest.mark.parametrize(
    ("right", "wrong", "rule"),
    [
        (
            {"panel_parameters": f" PID , {LONG}"},
            {"panel_parameters": f"PID,{LONG}p"},
            "'p+': should be 1 to 40 letters, digits, _ or -",
        ),
        (
            {"panel_parameters": ""},
            {"panel_parameters": "a b"},
            "'a b': should be 1 to 40 letters, digits",
        ),
        (
            {},
            {"panel_parameters": "PID,hash"},
            "'hash': oTree uses this parameter in its own links",
        ),
        ({"fee_shares": {"left": 0}}, {"fee_shares": {"left": -0.1}}, "left = -0.1: should be"),
        ({"fee_shares": {"left": 1}}, {"fee_shares": {"left": 1.1}}, "left = 1.1: should be from"),
        (
            {"fee_shares": dict.fromkeys(STATUSES[:-1], 0.5)},
            {"fee_shares": {"full": 0.5}},
            "'full': unknown status",
        ),
        (
            {"completion_links": dict.fromkeys(STATUSES, "https://a.org")},
            {"completion_links": {"waiting": "https://a.org"}},
            "'waiting': unknown status",
        ),
        ({"bot_delay": "fixed"}, {"bot_delay": "fast"}, "'fast': unknown delay"),
        (
            {"agent_misses": 1, "bots": "greedy,outside:gpt"},
            {"agent_misses": 1, "bots": "outside:gpt,greedy"},
            "agent_misses = 1: dropout_bot should name a policy",
        ),
        (
            {"agent_misses": 0, "bots": "outside:gpt"},
            {"agent_misses": 1, "dropout_bot": "outside:gpt"},
            "agent_misses = 1: dropout_bot should name a policy",
        ),
        (
            {"practice_bots": "greedy,random"},
            {"practice_bots": "greedy,outside:gpt"},
            "practice_bots = 'greedy,outside:gpt': should name policies, not outside agents",
        ),
        (
            {"talk": "list", "talk_sentences": MANY},
            {"talk": "list", "talk_sentences": (*MANY, "Last")},
            "51 sentences; at most 50 are allowed",
        ),
        (
            {"talk": "list", "talk_sentences": ("a" * 1000,)},
            {"talk": "list", "talk_sentences": ("a" * 1001,)},
            "the message has 1001 characters, but at most 1000 are allowed",
        ),
        (
            {"talk": "list", "talk_sentences": ("a",)},
            {"talk": "list", "talk_sentences": ("a ",)},
            "'a ': has leading or trailing spaces",
        ),
        (
            {**TALK, "talk_blocklist": WORDS},
            {**TALK, "talk_blocklist": (*WORDS, "last")},
            "1001 words; at most 1000 are allowed",
        ),
    ],
)
def test_the_limit_of_an_option_is_the_last_accepted_value(right, wrong, rule):
    options = Options(**right)
    assert {name: getattr(options, name) for name in right} == right
    with pytest.raises(ValidationError, match=rule):
        Options(**wrong)


def test_lists_in_one_line_are_read_without_the_spaces_around_their_names():
    options = Options(bots=" greedy , ,fixed:harvest=2,", panel_parameters="PID, STUDY")
    assert options.bot_list == ["greedy", "fixed:harvest=2"]
    assert options.panel == ["PID", "STUDY"]


def test_a_practice_is_the_same_session_without_waiting_talk_and_questions():
    chosen: dict[str, Any] = {
        "pace": "clock",
        "ready": True,
        "countdown_seconds": 3.0,
        "talk": "list",
        "talk_sentences": ("a",),
        "bots": "outside:gpt,greedy",
        "practice_bots": "steward,random",
        "disclosure": "labels",
    }
    changed = {
        "decision_seconds": 0.0,
        "grace_seconds": 1e9,
        "dropout": "end",
        "pace": "answers",
        "bot_delay": "instant",
        "ready": False,
        "countdown_seconds": 0.0,
        "line_seconds": 0.0,
        "talk": "off",
        "talk_sentences": (),
        "talk_blocklist": (),
        "questions": (),
        "bots": "steward,random",
    }
    options = Options(**chosen)
    assert dict(options.in_practice()) == {**dict(options), **changed}


def test_options_of_another_release_are_ignored():
    options = Options(bots="greedy", talk="free")
    assert recorded(options.model_dump_json()) == options
    assert recorded('{"of_a_later_release": 1}') is None
    assert recorded("") is None
