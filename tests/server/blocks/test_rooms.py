"""A room's link leads to a plan's treatment, and to the first page of its first block."""

from __future__ import annotations

from typing import Any

import otree.room
import pytest

from mixed_company.experiment.assignment import treatment_of
from mixed_company.server.blocks.apps import block_of
from tests.server.blocks.planned import ABA, Blocks, BlockVisitor
from tests.server.inside import asked, inside, newcomer

__all__ = ["inside"]  # a fixture

TWO = (
    ABA
    + """
[treatments.poor]
meaning = "little is won"
changes = { mpcr = 0.3 }
"""
)
OPEN = "/room/lab?welcome_page_ok=1"
SEED = 5


def led(answer: Any, blocks: Blocks) -> BlockVisitor:
    """Return the person on whose page this response ended."""
    assert answer.status_code == 200, answer.text[-2000:]
    visitor = BlockVisitor(answer.url.split("/p/")[1].split("/")[0], blocks.code)
    visitor.text, visitor.url = answer.text, answer.url.removeprefix("http://testserver")
    return visitor


def opened(monkeypatch: pytest.MonkeyPatch, room: str) -> Blocks:
    return Blocks(TWO, 4, monkeypatch, room=room, seed=str(SEED))


def check_seated(blocks: Blocks, people: list[BlockVisitor]) -> None:
    """Check that people start in the first block, in order of arrival, in the treatments of their
    slots. Check that they get seats in groups of their treatment."""
    assert {visitor.page for visitor in people} == {"Instructions"}
    assert len({visitor.code for visitor in people}) == 4
    players = [visitor.player() for visitor in people]
    assert {block_of(player.get_folder_name()) for player in players} == {1}
    sizes = {"all": 2, "poor": 2}
    should = [treatment_of(slot, sizes, "balanced", SEED) for slot in range(4)]
    assert [player.treatment for player in players] == should
    blocks.meet(*people)
    groups = {(visitor.player().group_id, visitor.player().treatment) for visitor in people}
    assert len(groups) == 2
    assert {visitor.page for visitor in people} == {"Play"}


def test_browsers_that_open_the_link_of_a_room_are_led_into_the_plan(inside, monkeypatch):
    assert "Click the button to start." in newcomer("/room/lab").text
    assert "Waiting for your session to begin" in asked(OPEN).text
    blocks = opened(monkeypatch, "lab")
    assert blocks.session.link == "/room/lab"
    first = led(asked(OPEN), blocks)  # as the page does once a session exists
    assert led(asked(OPEN), blocks).code == first.code
    people = [first, *(led(newcomer(OPEN), blocks) for _ in range(3))]
    full = newcomer(OPEN)
    assert (full.status_code, "All places are taken" in full.text) == (404, True)
    check_seated(blocks, people)


@pytest.mark.long  # tests/server/test_joining_live.py covers labels
def test_the_labels_of_a_room_are_personal_places_in_the_plan(inside, monkeypatch, tmp_path):
    labels = ["PC_1", "PC_2", "PC_3", "PC_4"]
    file = tmp_path / "labels.txt"
    file.write_text("\n".join(labels), encoding="utf-8")
    cabins = otree.room.LabelRoom("cabins", "Cabins", str(file))
    monkeypatch.setitem(otree.room.ROOM_DICT, "cabins", cabins)
    link = "/room/cabins?welcome_page_ok=1&participant_label="
    blocks = opened(monkeypatch, "cabins")
    people = [led(newcomer(f"{link}{label}"), blocks) for label in labels]
    assert led(newcomer(f"{link}PC_2"), blocks).code == people[1].code
    assert newcomer(f"{link}PC_9").status_code == 404
    assert [person.player().participant.label for person in people] == labels
    check_seated(blocks, people)
