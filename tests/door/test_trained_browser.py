"""Tests that a person in a real Chromium can play each game against policies trained for it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.door.audit import table, wrong_numbers
from tests.door.pages import read, window

pytestmark = [pytest.mark.door, pytest.mark.long]


def asks(field: str, amount: str) -> Callable[[Page, int], None]:
    """Return a function that enters an amount and confirms."""

    def decide(page: Page, number: int) -> None:
        expect(page.locator("#period")).to_have_text(re.compile(f"Period {number} of"))
        box = page.locator(field)
        expect(box).to_be_enabled()
        box.fill(amount)
        page.locator("#confirm").click()

    return decide


def mines(page: Page, number: int) -> None:
    """Choose the first mine and confirm."""
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {number} of"))
    first = page.locator(".mc-choice:enabled input").first
    first.check()
    page.locator("#confirm").click()


def walks(page: Page, number: int) -> None:
    """Press a key in a turn."""
    expect(page.locator("#period")).to_have_text(re.compile(f"Turn {number} of"))
    expect(page.locator("[data-choice=up]")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("ArrowUp")


@pytest.mark.parametrize(
    ("config", "decide", "length", "trained"),
    [
        (
            "commons_trained",
            asks("#harvest", "2"),
            {"periods": 4},
            {"commons_ppo_lab_group", "commons_ppo_lab_own"},
        ),
        # a turn ends with the person's key, so no turn is over before the test checks it
        ("vote_trained", walks, {"turns": 4, "pace": "answers"}, {"vote_ppo_lab_group"}),
        (
            "sanctions_trained",
            asks("#contribution", "10"),
            {"periods": 4},
            {"sanctions_ppo_lab_group", "sanctions_ppo_lab_own"},
        ),
        ("gems_trained", mines, {"periods": 4}, {"gems_ppo_lab_group"}),
    ],
)
def test_a_person_plays_against_trained_policies_to_the_end(
    server, browser, config, decide, length, trained
):
    changes = {"archetype": "lab", "bot_delay": "instant", **length}
    session = server.session(config, 1, quiz=False, **changes)
    page = window(browser, session["session_wide_url"])
    read(page)
    for number in range(1, 5):
        decide(page, number)
    page.locator("#leave").click()
    expect(page.locator("h1")).to_have_text("Results")
    decisions = table(server, "decisions", session)
    bots = decisions[decisions["occupant"] == "policy"]
    assert set(bots["policy_id"]) == trained
    assert set(bots["decided_by"]) == {"policy"}  # never the default: no fault, in time
    assert len(bots) == 12
    assert wrong_numbers(server, session) == []
