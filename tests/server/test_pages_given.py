"""Data for the templates and scripts of pages: each reader's data and wording."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company.server import clock, live
from mixed_company.server.blocks.way import players_of
from mixed_company.server.open.tables import tables
from mixed_company.server.pages import wording
from mixed_company.server.pages.pages import Instructions, Results
from mixed_company.server.pages.play import Lobby, Play
from mixed_company.server.pages.quiz import failures
from tests.server.blocks.planned import ABA, Blocks
from tests.server.inside import Session, Visitor, inside

__all__ = ["inside"]  # a fixture

PAID: dict[str, Any] = {
    "seed": "0",  # the first person has seat 0
    "periods": 2,
    "quiz": False,
    "participation_fee": 2.0,
    "real_world_currency_per_point": 0.1,
}


def alone(config: str = "commons", **changes: Any) -> Visitor:
    """Return a person who has read the instructions of a one-person session."""
    return Session(config, 1, **{**PAID, **changes}).people[0].come().send()


# -- every page ------------------------------------------------------------------------------


def test_in_a_later_block_nobody_sees_consent_or_quiz_again(inside, monkeypatch):
    blocks = Blocks(ABA, 2, monkeypatch, consent="May we?", practice_periods=1)
    for visitor in blocks.people:
        first, second, _ = players_of(visitor.player().participant)
        names = [
            [step["name"] for step in Play.frame(player)["steps"]] for player in (first, second)
        ]
        assert names == [
            ["Agree", "Read", "Check", "Practise", "Wait", "Play", "Results"],
            ["Read", "Wait", "Play", "Results"],
        ]


def test_the_instructions_have_the_parts_of_the_game_the_common_parts_and_the_money(inside):
    [ann] = Session("commons", 1, **PAID).people
    player = ann.come().player()
    data = Instructions.vars_for_template(player)
    text = json.dumps(data["screens"], ensure_ascii=False)
    assert "You are one of 4 players who fish in the same lake." in text
    assert "In each period, all players decide at the same time." in text
    assert "1 point = €0.10" in text
    assert "€2.00" in text
    script = Instructions.js_vars(player)
    assert script["game"] == "commons_game"
    assert script["texts"].items() >= {"next": "Next", "saved": "Saved"}.items()
    assert script["pictures"]["shared"]["pays"] == {"rate": "1 point = €0.10"}


@pytest.mark.parametrize(
    ("changes", "goes_on"), [({}, False), ({"quiz": True}, True), ({"practice_periods": 2}, True)]
)
def test_a_reader_is_hurried_to_quiz_or_practice_and_never_into_a_play(inside, changes, goes_on):
    [ann] = Session("commons", 1, **{**PAID, **changes}).people
    assert Instructions.hurry(ann.come().player()) is goes_on


# -- lobby and play --------------------------------------------------------------------------


def test_the_lobby_promises_both_waits_if_there_can_be_two(inside):
    options = {**PAID, "lobby_outcome": "extend", "lobby_seconds": 40.0}
    [ann] = Session("commons_two_people", 1, **options).people
    sent = Lobby.js_vars(ann.come().send().player())
    assert (sent["outcome"], sent["promise_ms"]) == ("extend", 80_000)


@pytest.mark.long  # test_lobby_browser.py covers promises
def test_a_later_block_promises_one_wait_because_it_begins_after_one(inside, monkeypatch):
    blocks = Blocks(ABA, 2, monkeypatch, lobby_outcome="extend", lobby_seconds=40.0)
    blocks.meet()
    blocks.play()
    sent = Lobby.js_vars(blocks.people[0].player())
    assert (sent["outcome"], sent["promise_ms"]) == ("bots", 40_000)


def test_a_person_who_leaves_the_lobby_of_a_later_block_reads_that_earnings_are_paid(
    inside, monkeypatch
):
    blocks = Blocks(ABA, 2, monkeypatch, lobby_outcome="release")
    blocks.meet()
    blocks.play()
    player = blocks.people[0].player()
    assert Lobby.vars_for_template(player)["lobby"]["leave_sure"] == wording.lobby()["leave_later"]
    assert Lobby.js_vars(player)["outcome"] == "bots"  # it begins even if someone is missing


# -- the quiz --------------------------------------------------------------------------------


def test_an_empty_answer_is_not_a_failure():
    attempts = [
        {"answers": {"a": "x"}, "wrong": ["a", "b"]},
        {"answers": {"a": "y", "b": "x"}, "wrong": ["b"]},
    ]
    assert [failures(attempts, name) for name in "abc"] == [1, 1, 0]


# -- the results -----------------------------------------------------------------------------


def test_at_the_end_players_read_points_pay_and_what_happened(inside):
    """Take 3 fish in each of 2 periods, which is 6 points: 0.60, or 2.60 with the fee."""
    ann = alone()
    ann.play(harvest=3.0)
    player = ann.send().player()
    data, words = Results.vars_for_template(player), wording.results()
    same = {
        "results": words,
        "title": "Results",
        "between": False,
        "part": "",
        "blocks": [],
        "drawn": "",
        "played": True,
        "points": "6",
        "unit": "points earned",
        "pay": "€2.60",
        "rate": "1 point = €0.10",
        "cents": [
            {"name": words["pay_fee"], "sum": "€2.00"},
            {"name": words["pay_points"], "sum": "€0.60"},
        ],
        "notes": [],
        "parts": [{"name": "Harvest", "sum": "6"}],
        "link": "",
        "goes_on": False,
    }
    assert player.seat == 0
    assert {name: data[name] for name in same} == same
    assert any("6 fish" in line for line in data["summary"])
    assert all({"head", "cells"} == set(row) for part in data["details"] for row in part["rows"])
    assert data["details"]
    assert set(data) >= {"game_title", "steps"}


def test_while_the_others_play_on_nothing_is_revealed_about_the_play(inside):
    """Let the manager end Ann's part after a period, while Ben continues."""
    session = Session("commons_two_people", 2, **PAID, decision_seconds=60.0)
    ann, ben = session.people
    for person in session.people:
        person.come().send()
    for person in session.people:
        live.lobby(person.player(), {"kind": "sync"})
    for person in (ann, ben):
        person.come()
        live.play(person.player(), {"kind": "sync"})
    clock.put_on(61_000)
    tables.settled(ann.player())
    seat = ann.player().seat
    assert session.direct("release", "r", group=1, seat=seat)[0] == 200
    data, words = Results.vars_for_template(ann.player()), wording.results()
    assert data["notes"][:2] == [words["let_go"], words["others_play"]]
    assert (data["details"], data["summary"]) == ([], [])
    assert not data["is_over"]
    assert Results.js_vars(ann.player())["history"] == []
    clock.put_on(600_000)
    assert tables.settled(ben.player()).episode.done
    later = Results.vars_for_template(ann.player())
    assert words["others_play"] not in later["notes"]
    assert later["details"]
    assert later["is_over"]
    script = Results.js_vars(ann.player())
    assert len(script["history"]) == 3  # before the first, and after each
    assert len(script["course"]["person"]) == 2


def test_between_two_blocks_only_points_are_shown(inside, monkeypatch):
    blocks = Blocks(ABA, 2, monkeypatch, completion_links={"finished": "https://panel.org"})
    blocks.meet()
    blocks.play()
    visitor = blocks.people[0]
    first = players_of(visitor.player().participant)[0]
    data = Results.vars_for_template(first)
    same = {
        "title": "Part 1 of 3 is over",
        "between": True,
        "part": "",
        "blocks": [],
        "drawn": "",
        "cents": [],
        "details": [],
        "summary": [],
        "is_over": False,
        "goes_on": True,
        "played": True,
    }
    assert {name: data[name] for name in same} == same
    assert data["parts"]
    script = Results.js_vars(first)
    assert (script["history"], script["setting"]) == ([], {})
    assert (script["picture"], script["course"]) == ({}, {})
