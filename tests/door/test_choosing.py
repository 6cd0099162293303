"""Tests of a group that chooses a rule for its play in a browser; policies and oTree's bots
vote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mixed_company import analysis
from mixed_company.__main__ import main
from mixed_company.language import codes, gettext, speaking
from tests.door.harness import Server
from tests.door.otree_bots import played_by_otree
from tests.door.pages import PHONE, assert_no_sideways_scrolling, read, window
from tests.server.test_choosing_live import CHOICE, THREE, session_of
from tests.table.chosen import RULES

pytestmark = [pytest.mark.door]


DESK = {"viewport": {"width": 1280, "height": 800}}


def two_voters(server: Server, browser: Browser, **changes: Any) -> tuple[Page, Page]:
    link = session_of(server, **changes)["session_wide_url"]
    first, second = window(browser, link, **DESK), window(browser, link, **PHONE)
    for page in (first, second):
        read(page)
    for page in (first, second):
        expect(page.locator(".mc-choosing h1")).to_be_visible()
    return first, second


@pytest.mark.long
def test_two_people_vote_in_their_browsers_and_play_the_chosen_rule(server, browser):
    first, second = two_voters(server, browser)
    for page in (first, second):
        expect(page.locator("#decision")).to_be_hidden()
        expect(page.locator(".mc-choosing button")).to_be_disabled()
    assert_no_sideways_scrolling(second)
    first.keyboard.press("Tab")
    first.keyboard.press("ArrowDown")  # from the first option to the second
    first.keyboard.press("Enter")
    status = first.locator(".mc-choosing [role=status]")
    expect(status).to_contain_text("Your vote is saved")
    first.locator(".mc-choosing label", has_text="takes what he or she likes").click()
    first.get_by_role("button", name="Change my vote").click()
    expect(first.get_by_role("button", name="Change my vote")).to_be_disabled()
    first.reload()
    expect(first.locator("input[name=rule]:checked")).to_have_value("open")
    second.locator(".mc-choosing label", has_text="a pool").click()
    second.get_by_role("button", name="Vote").click()
    for page in (first, second):
        chosen = page.locator(".mc-chosen")
        expect(chosen).to_contain_text("Your group has chosen")
        expect(page.locator(".mc-chosen-rule")).to_contain_text("Everybody takes what")
        expect(chosen.locator("li")).to_have_count(2)
        expect(chosen.locator("li").first).to_contain_text("1 vote")
        expect(page.locator("#decision")).to_be_visible()
    assert_no_sideways_scrolling(second)
    for page in (first, second):
        expect(page.locator("#harvest")).to_be_enabled()
    assert first.locator("#contribution").count() == 0  # there is no pool
    first.locator("#harvest").fill("2")
    first.locator("#confirm").click()
    expect(first.locator(".mc-chosen")).to_be_hidden()


@pytest.mark.long
@pytest.mark.parametrize("language", [code for code in codes() if code != "en"])
def test_the_vote_is_held_in_the_language_of_the_session(server, browser, language):
    changes = {"language": language, "people_per_group": 1}
    link = server.session("commons", 1, **{**CHOICE, **changes})["session_wide_url"]
    page = window(browser, link, **PHONE)
    with speaking(language):
        title, votes = gettext("Which rule should your group play by?"), gettext("Vote")
    read(page)
    expect(page.locator(".mc-choosing h1")).to_have_text(title)
    expect(page.locator(".mc-choosing button")).to_have_text(votes)
    assert_no_sideways_scrolling(page)


# -- without people -------------------------------------------------------------------------------


@pytest.mark.long
def test_policies_rehearse_the_vote_and_the_audit_finds_nothing_wrong(tmp_path, capsys):
    """Policies that take 2 vote for no limit, and those that take 1 abstain."""
    rules = json.dumps({"low": THREE["low"], "open": THREE["open"]})
    path = tmp_path / "out.zip"
    command = ["rehearse", "commons_two_people", "--groups", "2", "--seed", "5"]
    command += ["--people", "fixed:harvest=1,fixed:harvest=2", "--output", str(path)]
    assert main([*command, "periods=3", f"rules={rules}"]) == 0
    capsys.readouterr()
    assert main(["check", str(path)]) == 0
    data = analysis.load(path)
    assert set(data.config["rule"]) == {"open"}
    details = data.events.loc[data.events["event"] == "chosen", "detail"].map(json.loads)
    votes = [detail["votes"] for detail in details]
    assert all(set(cast) == {"", "open"} for cast in votes)
    greedy = data.decisions.groupby(["group", "seat"])["used_harvest"].max() > 1
    people = data.decisions[data.decisions["participant"] != ""].groupby("group")["seat"].unique()
    for group, seats in people.items():
        assert {seat: votes[group - 1][seat] == "open" for seat in seats} == {
            seat: greedy[group, seat] for seat in seats
        }
    assert (data.decisions.groupby(["group", "period"])["used_harvest"].max() > 1).all()


@pytest.mark.long
def test_otree_s_bots_vote_and_play(tmp_path):
    settings = f"""
SESSION_CONFIGS = [
    dict(config, rules={json.dumps(RULES)!r}, periods=3)
    for config in SESSION_CONFIGS
    if config["name"] == "commons_two_people"
]
"""
    printed = played_by_otree(tmp_path / "project", settings)
    assert printed.count("Bots completed session") == 1
