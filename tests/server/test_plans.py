"""Treatments in a session: assignment, instructions and groups."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from typing import Any

import pytest

from mixed_company.experiment.assignment import treatment_of
from mixed_company.experiment.planned import described, planned_from
from mixed_company.server import clock, live
from mixed_company.server.archive import writing
from tests.server.inside import Session, Visitor, asked, inside, posted

__all__ = ["inside"]  # a fixture

PLAN = "commons_governance"
SIZES = {"open": 4, "pool": 4}
POOL = "You can also pay points into a common pool"


def opened(people: int = 8, **changes: Any) -> Session:
    return Session(PLAN, people, **{"seed": "3", "periods": 2, **changes})


def treatments(people: list[Visitor]) -> list[str]:
    return [str(visitor.player().treatment) for visitor in people]


def to_the_lobby(visitor: Visitor) -> Visitor:
    visitor.come().send()
    assert visitor.page == "Quiz"
    return visitor.send(quiz_answers=visitor.rightly())


def test_a_person_who_starts_the_instructions_gets_the_next_slot_and_its_treatment(inside):
    session = opened()
    assert treatments(session.people) == [""] * 8
    for visitor in session.people:
        assert visitor.come().page == "Instructions"
    assigned = treatments(session.people)
    assert assigned == [treatment_of(slot, SIZES, "balanced", 3) for slot in range(8)]
    assert Counter(assigned) == SIZES
    assert [visitor.player().slot for visitor in session.people] == list(range(8))
    again = session.people[0].come()
    assert again.player().treatment == assigned[0]


def test_treatments_can_be_assigned_by_hand_group_by_group(inside, tmp_path):
    session = opened(12, treatment_order="pool, open,open")
    for visitor in session.people:
        visitor.come()
    order = [*4 * ["pool"], *4 * ["open"], *4 * ["open"]]
    assert treatments(session.people) == order
    path = tmp_path / "out.zip"
    with path.open("wb") as file:
        writing.write(file, [session.code])
    plan = json.loads(zipfile.ZipFile(path).read("manifest.json"))["sessions"][session.code]["plan"]
    assert plan["by_hand"] == ["pool", "open", "open"]
    with pytest.raises(
        AssertionError, match="treatment_order = 'pol': no such treatment; did you me"
    ):
        opened(treatment_order="pol")
    with pytest.raises(AssertionError, match="treatment_order = 'pool': this session has no plan"):
        Session("commons_four_people", 4, treatment_order="pool")


@pytest.mark.long
def test_instructions_and_quiz_are_those_of_the_treatment(inside):
    session = opened(8)
    for visitor in session.people:
        visitor.come()
        of_pool = visitor.player().treatment == "pool"
        assert (POOL in visitor.text) is of_pool
    pages = {visitor.player().treatment: visitor.send().text for visitor in session.people}
    assert pages["open"] != pages["pool"]


def test_a_person_who_reaches_no_group_gives_the_slot_back(inside):
    session = opened(consent="May we?")
    people = session.people
    assert people[0].come().page == "Consent"
    assert people[0].player().slot == -1  # nobody is assigned before the instructions
    people[0].send(consented="no")
    assert people[0].player().treatment == ""
    for visitor in people[1:4]:
        visitor.come().send(consented="yes")
    assert [visitor.player().slot for visitor in people[1:4]] == [0, 1, 2]
    to_lobby = people[2].send()  # reads
    to_lobby.send(quiz_answers=to_lobby.rightly())
    assert to_lobby.page == "Lobby"
    to_lobby.send(leaving="yes")
    assert to_lobby.player().status == "left"
    people[4].come().send(consented="yes")
    assert people[4].player().slot == 1
    assert people[4].player().treatment == people[2].player().treatment


def test_a_person_who_is_silent_too_long_gives_the_slot_back_and_keeps_the_treatment(inside):
    session = opened()
    first, second, third = session.people[:3]
    first.come()
    clock.put_on(14 * 60_000)
    second.come()
    clock.put_on(2 * 60_000)  # the first person has not reached the lobby for 16 minutes
    third.come()
    assert [person.player().slot for person in (first, second, third)] == [0, 1, 0]
    before = first.player().treatment
    first.send()
    assert first.page == "Quiz"
    assert first.player().treatment == before


def test_groups_are_formed_within_a_treatment_play_by_it_and_are_on_the_board(inside, monkeypatch):
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now)  # nobody is silent for long, however slow
    session = opened(8)
    for visitor in session.people:
        to_the_lobby(visitor)
    groups: dict[int, set[str]] = {}
    for visitor in session.people:
        live.lobby(visitor.player(), {"kind": "sync"})
    for visitor in session.people:
        visitor.come()
        player = visitor.player()
        assert (visitor.page, player.status) == ("Play", "seated")
        groups.setdefault(player.group_id, set()).add(player.treatment)
        assert player.group.treatment == player.treatment
        core = json.loads(player.group.setup)["config"]["core"]
        assert core["governance"] == {"open": "none", "pool": "per_step"}[player.treatment]
        live.play(player, {"kind": "sync"})  # a table is open once its people come to it
    assert sorted(groups.values(), key=str) == sorted([{"open"}, {"pool"}], key=str)
    on_board = session.board()["groups"]
    assert sorted(group["treatment"] for group in on_board) == ["open", "pool"]


def test_a_session_cannot_change_keys_in_which_treatments_differ(inside):
    body = {
        "session_config_name": PLAN,
        "num_participants": 8,
        "modified_session_config_fields": {"governance": "accumulating"},
    }
    answer = posted("/api/sessions", json=body)
    assert answer.status_code == 400
    assert "governance = 'accumulating': treatment 'pool' of the plan sets this key" in answer.text


def test_a_session_of_a_plan_is_one_entry_of_the_demo_page_and_the_form(inside):
    demo = asked("/demo").text
    assert demo.count("Commons: four people, with and without a pool that feeds the stock") == 1
    assert "2 treatments" in demo
    description = asked(f"/SessionDescription/{opened(8).code}").text
    assert "hypotheses" not in description  # the plan is not a key of the form


def test_each_session_of_a_plan_draws_a_seed_of_its_own(inside):
    first, second = Session(PLAN, 8), Session(PLAN, 8)
    seeds = {session.people[0].player().subsession.plan for session in (first, second)}
    assert len(seeds) == 2


@pytest.mark.parametrize(("changes", "by_hand"), [({}, False), ({"seed": "3"}, True)])
def test_a_session_remembers_whether_its_seed_was_typed(inside, changes, by_hand):
    session = Session(PLAN, 8, **changes)
    planned = planned_from(session.people[0].player().subsession.plan)
    assert planned.seed_by_hand is by_hand
    assert ("seed_by_hand" in described([planned])) is by_hand
    assert described([planned])["order"] == ["open", "pool"]


def test_before_a_session_each_treatment_is_checked():
    from mixed_company.server.preflight.session import of_session
    from settings import SESSION_CONFIG_DEFAULTS, SESSION_CONFIGS

    planned = next(config for config in SESSION_CONFIGS if config["name"] == PLAN)
    whole = {**SESSION_CONFIG_DEFAULTS, **planned}
    sentences = [finding.sentence for finding in of_session(whole, 16, 400.0)]
    assert sentences[0] == "2 treatments with 2 groups each."
    for name in SIZES:
        assert f"Treatment {name}: 8 people in groups of 4, one person per seat." in sentences
    [budget] = [sentence for sentence in sentences if "of a budget of 400" in sentence]
    assert budget.startswith("On average, in simulated plays, 16 people would be paid ")
    uneven = next(iter(of_session(whole, 12, None))).sentence
    assert uneven.startswith("12 people cannot form the same number of groups in each")


def test_the_board_shows_a_waiting_person_s_treatment_and_promise(inside):
    session = opened(8, lobby_seconds=120.0)
    first = to_the_lobby(session.people[0])
    live.lobby(first.player(), {"kind": "sync"})
    (row,) = session.board()["lobby"]
    assert row["treatment"] == first.player().treatment
    assert 100 < row["left_s"] <= 120
    before = {person["treatment"] for person in session.board()["before"]}
    assert before == {""}


def test_the_parts_of_a_session_are_filled_with_one_group_of_every_treatment_at_a_time():
    from mixed_company.server.fleet.parted import _numbers
    from settings import SESSION_CONFIGS

    planned = next(config for config in SESSION_CONFIGS if config["name"] == PLAN)
    assert _numbers({**planned, "parts": 3}) == (3, 8)
    plain = next(config for config in SESSION_CONFIGS if config["name"] == "commons_four_people")
    assert _numbers(plain) == (1, 4)
