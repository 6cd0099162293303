"""Texts that tell people about the parts of their session."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.experiment.planned import Planned
from mixed_company.server.pages import blocks, instructions
from mixed_company.server.treatments import planned_of
from mixed_company.table.setup import setup_from
from tests.server.blocks.planned import ABA, Blocks
from tests.server.inside import inside

__all__ = ["inside"]  # a fixture


def planned(matching: str = "partners", pay: str = "all", many: int = 3, number: int = 2) -> Any:
    course = SimpleNamespace(matching=matching, pay_blocks=pay)
    names = tuple(f"block {place}" for place in range(many))
    about = {"blocks": names, "parts": names, "number": number}
    return Planned.model_construct(**about, course=course, setups={})


@pytest.mark.parametrize(
    ("matching", "before", "between"),
    [
        (
            "partners",
            "You stay in the same group for all parts.",
            "You are in the same group as before.",
        ),
        (
            "strangers",
            "New groups are formed at random for each part.",
            "New groups have been formed at random.",
        ),
        (
            "perfect_strangers",
            "You never play with the same person twice.",
            "You will not play with anyone you have already played with.",
        ),
    ],
)
def test_people_read_with_whom_they_play(matching, before, between):
    about, _ = instructions.about(planned(matching))
    assert about["lines"][0].startswith("This session has 3 parts.")
    assert about["lines"][1:] == [before]
    assert (about["title"], about["screen"]) == ("", "about")
    assert blocks.company(planned(matching)) == between


@pytest.mark.parametrize(
    ("pay", "line"),
    [
        ("all", "You are paid for what you earn in every part."),
        (
            "one",
            "At the end, one part is drawn at random for you. You are paid for what you earn in "
            "that part.",
        ),
    ],
)
def test_people_read_which_parts_are_paid(pay, line):
    _, paid = instructions.about(planned(pay=pay))
    assert (paid["lines"], paid["screen"]) == ([line], "pays")


def test_a_single_play_has_no_text_about_parts():
    for plan in (None, planned(many=0)):
        assert instructions.about(plan) == []
        assert blocks.earned(None, plan) == []
        assert blocks.drawn(None, plan) == ""
        assert blocks.headed(SimpleNamespace(seat=0), plan, between=False) == ""
    assert blocks.title(None, between=True) == {}


def test_people_read_which_part_it_is():
    assert blocks.part_of(planned()) == "Part 2 of 3"
    assert blocks.title(planned(), between=True) == {"title": "Part 2 of 3 is over"}
    assert blocks.title(planned(), between=False) == {}
    seated, nobody = SimpleNamespace(seat=0), SimpleNamespace(seat=-1)
    assert blocks.headed(seated, planned(), between=False) == "Part 2 of 3"
    assert blocks.headed(seated, planned(), between=True) == ""
    assert blocks.headed(nobody, planned(), between=False) == ""


@pytest.mark.parametrize(
    ("paid", "line"),
    [
        (None, ""),
        (0, "The part drawn for you was not played, so you are not paid for any points."),
        (2, "Part 2 was drawn for you, so you are paid for your points from that part."),
    ],
)
def test_people_read_which_part_was_drawn(paid, line, monkeypatch):
    monkeypatch.setattr(blocks, "paid_number", lambda player, planned: paid)
    assert blocks.drawn(None, planned()) == line


def test_every_session_keeps_its_own_plan_in_the_app_of_every_block(inside, monkeypatch):
    from otree.common import get_models_module
    from otree.models import Session as Stored

    codes = [Blocks(ABA, 2, monkeypatch, seed=seed).code for seed in ("11", "12")]
    for code, seed in zip(codes, (11, 12), strict=True):
        session = Stored.objects_first(code=code)
        apps = session.config["app_sequence"]
        subsessions = [
            get_models_module(app).Subsession.objects_first(session=session) for app in apps
        ]
        plans = [planned_of(subsession) for subsession in subsessions]
        assert [plan.number for plan in plans if plan is not None] == [1, 2, 3]
        assert {plan.seed for plan in plans if plan is not None} == {seed}
        assert all(
            setup_from(subsession.setup).game.id == "sanctions" for subsession in subsessions
        )
