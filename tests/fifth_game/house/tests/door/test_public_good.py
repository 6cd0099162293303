"""Tests of the public good on a real server: the form, a phone, a dropout, the data."""

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

RIGHT = {"pot": "32", "point": "\N{MINUS SIGN}0.6", "punishment": "6"}


def decide(page: Page, amount: int, spent: int | None = None) -> None:
    expect(page.locator("#contribution")).to_be_enabled(timeout=60_000)
    page.locator("#contribution").fill(str(amount))
    if spent is not None:
        page.locator("#punishment").fill(str(spent))
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
    expect(page.locator("#punishment")).to_be_disabled()
    decide(page, 20)
    # the bots give 10, 20 and 0: 50 in the pot; the free rider gave least
    expect(page.locator("#period")).to_have_text("Period 2 of 2", timeout=60_000)
    expect(page.locator(".mc-huge strong")).to_have_text("50")
    expect(page.locator("[data-least=true]")).to_contain_text("gave least")
    assert_no_sideways_scrolling(page)
    page_has_no_broken_number(page)
    page.locator("#contribution").fill("12.5")
    expect(page.locator("#problem")).to_have_text("Please enter a whole number.")
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator("#contribution").fill("12")
    page.locator("#punishment").fill("2")
    expect(page.locator("#effect")).to_contain_text("You keep 6 points.")
    expect(page.locator("#effect")).to_contain_text("would lose 6 through you")
    page.locator("#confirm").tap()
    page.locator("#leave").tap()
    expect(page.locator("h1")).to_have_text("Results")
    # 0.4 * 50 = 20; then the bots give (20 + 20 + 0) / 3 * 0.9 = 12, 20 and 0:
    # 8 + 0.4 * (12 + 12 + 20) - 2 = 23.6
    expect(page.locator(".mc-huge")).to_have_text("43.6 points earned")
    assert_no_sideways_scrolling(page)
    page_has_no_broken_number(page)
    decisions = table(server, "decisions", session)
    assert decisions.query("occupant == 'person'")["used_punishment"].tolist() == [0, 2]
    # the person and the punisher spend 2 each on the free rider: 3 * 4
    assert decisions["reward_suffered"].min() == -12


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
    first, second = window(browser, link), window(browser, link)
    for page in (first, second):
        read(page)
    decide(first, 10)
    decide(second, 10)
    expect(first.locator("#period")).to_have_text("Period 2 of 3", timeout=60_000)
    second.context.close()
    expect(first.locator(".mc-tag", has_text="bot")).to_have_count(3, timeout=60_000)
    decide(first, 15, 1 if first.locator("#punishment").is_enabled() else None)
    expect(first.locator("#period")).to_have_text("Period 3 of 3", timeout=60_000)
    decide(first, 15, 0 if first.locator("#punishment").is_enabled() else None)
    first.locator("#leave").click()
    expect(first.locator("h1")).to_have_text("Results")
    seats = table(server, "seats", session)
    assert "dropout" in seats["reason"].tolist()
    export, folder = tmp_path / "export.zip", tmp_path / "report"
    export.write_bytes(server.archive(session["code"]))
    assert main(["check", str(export)]) == 0
    assert main(["report", str(export), "--output", str(folder)]) == 0
    report = (folder / "report.html").read_text("utf-8")
    assert "Mean points that a seat spent on punishing when it could" in report
    assert report.count('data-title="Replay of') == 1


@pytest.mark.long
def test_policies_rehearse_it_in_place_of_people(tmp_path: Path) -> None:
    export = tmp_path / "out.zip"
    people = ["--people", "punisher,random", "--seed", "5", "periods=3"]
    assert main(["rehearse", "public_good_two_people", "--output", str(export), *people]) == 0
    assert main(["check", str(export)]) == 0
