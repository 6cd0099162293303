"""Tests of the public good on a real server: both stages on a phone, a dropout, the data."""

from __future__ import annotations

from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from mixed_company import engine
from mixed_company.__main__ import main
from mixed_company.table.options import Options
from tests.door.audit import table
from tests.door.harness import Server
from tests.door.pages import (
    PHONE,
    assert_no_sideways_scrolling,
    page_has_no_broken_number,
    read,
    window,
)

pytestmark = [pytest.mark.door]

RIGHT = {"pot": "32", "point": "\N{MINUS SIGN}0.6", "peer_cost": "3", "peer_effect": "9"}


def decide(page: Page, amount: int, punished: int | None = None) -> None:
    """Give points to the pot, and then 2 punishment points to each listed player in turn."""
    expect(page.locator("#contribution")).to_be_enabled(timeout=60_000)
    page.locator("#contribution").fill(str(amount))
    page.locator("#confirm").click()
    expect(page.locator("#decision-title")).to_have_text("Punishment points for others")
    if punished is not None:
        more = page.locator(".peer-row").nth(punished).get_by_role("button", name="more")
        more.click()
        more.click()
        expect(page.locator(".peer-sums")).to_contain_text("cost you 2 points")
    assert_no_sideways_scrolling(page)
    page_has_no_broken_number(page)
    page.locator("#confirm").click()


def test_the_form_of_a_session_lists_every_key(server: Server) -> None:
    page = requests.get(f"{server.url}/create_session", timeout=60).text
    assert "Public good: you and three bots" in page
    form = requests.get(f"{server.url}/session_form/public_good", timeout=60).text
    for name in (*engine.find("public_good").Core.model_fields, *Options.model_fields):
        assert f"public_good.{name}" in form, name


def test_a_person_on_a_phone_reads_answers_and_plays_two_periods(
    server: Server, browser: Browser
) -> None:
    session = server.session("public_good", 1, periods=2, bot_delay="instant")
    page = window(browser, session["session_wide_url"], **PHONE)
    expect(page.locator("main")).to_contain_text("share a pot")
    assert_no_sideways_scrolling(page)
    read(page)
    for name, right in RIGHT.items():
        page.locator(f"input[name={name}][value='{right}']").check()
    page.locator("input[name=when]").first.check()
    page.locator("input[name=pay][value='€2.20']").check()
    page.locator("#check").tap()
    expect(page.locator("#confirm")).to_be_in_viewport()
    page.locator("#contribution").fill("12.5")
    expect(page.locator("#problem")).to_have_text("Please enter a whole number.")
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator("#contribution").fill("12")
    expect(page.locator("#effect")).to_contain_text("You keep 8 points.")
    # The bots give 10, 10 and 0: 40 in the pot. Player 4 gave nothing.
    decide(page, 20, punished=2)
    expect(page.locator("#period")).to_have_text("Period 2 of 2", timeout=60_000)
    expect(page.locator(".mc-huge strong")).to_have_text("40")
    expect(page.locator(".mc-said").first).to_have_text("You assigned 2 punishment points.")
    assert_no_sideways_scrolling(page)
    page_has_no_broken_number(page)
    # The bots give (20 + 10 + 0) / 3 * 0.9 = 9, 10 and 0.
    decide(page, 12)
    page.locator("#leave").tap()
    expect(page.locator("h1")).to_have_text("Results")
    expect(page.locator("main")).to_contain_text("You gave 2 punishment points.")
    assert_no_sideways_scrolling(page)
    page_has_no_broken_number(page)
    decisions = table(server, "decisions", session)
    people = decisions.query("occupant == 'person'")
    assert people["used_contribution"].tolist() == [20, 12]
    assert people["reward_peer_cost"].tolist() == [-2, 0]
    # 0.4 * 40 = 16; then 8 + 0.4 * 31 = 20.4. Player 4 got 2 points from the person and 2 from
    # player 3, and returns them all to the most generous: 3 * 4.
    assert people["income"].tolist() == [16, pytest.approx(20.4)]
    assert people["reward_peer_received"].tolist() == [0, -12]


@pytest.mark.long
def test_a_bot_replaces_a_dropout_and_the_report_replays_it(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    session = server.session(
        "public_good_two_people",
        2,
        quiz=False,
        periods=3,
        grace_seconds=10.0,
        bot_delay="instant",
        disclosure="labels",
    )
    link = session["session_wide_url"]
    first, second = window(browser, link, **PHONE), window(browser, link)
    for page in (first, second):
        read(page)
    for page in (first, second):
        page.locator("#contribution").fill("10")
        page.locator("#confirm").click()
    for page in (first, second):
        expect(page.locator("#decision-title")).to_have_text("Punishment points for others")
        page.locator("#confirm").click()
    expect(first.locator("#period")).to_have_text("Period 2 of 3", timeout=60_000)
    second.context.close()
    expect(first.locator(".mc-tag", has_text="bot").nth(2)).to_be_visible(timeout=60_000)
    decide(first, 15, punished=0)
    expect(first.locator("#period")).to_have_text("Period 3 of 3", timeout=60_000)
    decide(first, 15)
    first.locator("#leave").click()
    expect(first.locator("h1")).to_have_text("Results")
    seats = table(server, "seats", session)
    assert "dropout" in seats["reason"].tolist()
    export, folder = tmp_path / "export.zip", tmp_path / "report"
    export.write_bytes(server.archive(session["code"]))
    assert main(["check", str(export)]) == 0
    assert main(["report", str(export), "--output", str(folder)]) == 0
    report = (folder / "report.html").read_text("utf-8")
    assert "Mean number of punishment points that a seat assigned to others in a period" in report
    assert report.count('data-title="Replay of') == 1


@pytest.mark.long
def test_policies_rehearse_it_in_place_of_people(tmp_path: Path) -> None:
    export = tmp_path / "out.zip"
    people = ["--people", "random+antisocial,random", "--seed", "5", "periods=3"]
    assert main(["rehearse", "public_good_two_people", "--output", str(export), *people]) == 0
    assert main(["check", str(export)]) == 0
