"""Tests of talk in browsers: recipients, and rejected messages. `tests/server/test_talk_live.py`
has the tests without a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.door.pages import PHONE, assert_no_sideways_scrolling, read, tab_to, window
from tests.server.test_talk_live import TALK, people_talk

pytestmark = [pytest.mark.door]


@pytest.mark.long
def test_people_talk_on_either_database(any_server, tmp_path):
    people_talk(any_server, tmp_path)


def test_people_talk_in_browsers_by_keyboard_and_on_a_phone(server, browser):
    session = server.session("commons_two_people", 2, **{**TALK, "bots": "sustainable"})
    desk = window(browser, session["session_wide_url"])
    phone = window(browser, session["session_wide_url"], **PHONE)
    expect(desk.locator("body")).to_contain_text("You can talk for 600 seconds before each period.")
    read(desk)
    read(phone)
    log = desk.get_by_role("log", name="Talk")
    expect(desk.locator("#decision")).to_contain_text("First, there is time to talk.")
    tab_to(desk, "#talk-field")
    desk.keyboard.type("<img src=x onerror=alert(1)> two each")
    desk.keyboard.press("Enter")
    expect(log).to_contain_text("<img src=x onerror=alert(1)> two each")
    expect(phone.get_by_role("log")).to_contain_text("two each")
    expect(desk.locator("#talk-field")).to_be_focused()
    assert "/Play/" in desk.url  # Enter did not submit the page
    expect(desk.locator("#talk")).to_contain_text("All messages are recorded.")
    assert log.get_attribute("aria-live") == "polite"
    phone.locator(".mc-talk-report").click()
    expect(phone.locator(".mc-talk-report")).to_have_text("Reported")
    phone.locator("#talk-field").fill("You fool")
    phone.get_by_role("button", name="Send").click()
    expect(phone.locator("#talk [role=alert]")).to_contain_text("nobody has received it")
    expect(phone.locator("#talk-field")).to_have_value("You fool")  # stays for editing
    assert_no_sideways_scrolling(phone)
    phone.reload()
    expect(phone.get_by_role("log")).to_contain_text("two each")
    expect(phone.locator(".mc-talk-report")).to_be_disabled()
    phone.get_by_role("button", name="I am ready to continue").click()
    expect(phone.locator("#waiting")).to_contain_text("You are ready.")
    tab_to(desk, "#confirm ~ button")
    desk.keyboard.press("Enter")
    expect(desk.locator("#harvest")).to_be_enabled()
    expect(desk.locator("#talk-field")).to_be_hidden()
    expect(log).to_contain_text("two each")


@pytest.mark.long
def test_bots_are_marked_beside_their_messages_if_the_session_says_so(server, browser):
    for disclosure, marked in (("labels", ["bot"] * 3), ("none", [])):
        session = server.session("commons", 1, **{**TALK, "disclosure": disclosure})
        page = window(browser, session["session_wide_url"])
        read(page)
        page.locator("#talk-field").fill("Two each")
        page.get_by_role("button", name="Send").click()
        lines = page.locator(".mc-talk-log li:not(.mc-talk-period)")
        expect(lines).to_have_count(4)
        expect(lines.locator(".mc-tag")).to_have_text(marked)
        expect(page.locator(".mc-talk-own .mc-tag")).to_have_count(0)
        page.close()


@pytest.mark.long
def test_in_a_browser_a_person_sends_a_listed_sentence_to_one_player(server, browser):
    options = {"talk": "list", "talk_sentences": '["I take 2", "I take 3"]', "talk_with": "one"}
    more = {**TALK, "bots": "sustainable", "talk_blocklist": "", **options}
    session = server.session("commons_two_people", 2, **more)
    pages = [window(browser, session["session_wide_url"]) for _ in range(2)]
    for page in pages:
        read(page)
    for page in pages:
        expect(page.locator("#talk-field")).to_be_enabled()
    page = pages[0]
    page.locator("#talk-field").select_option("I take 3")
    page.locator("#talk-to").select_option(index=1)
    name = page.locator("#talk-to option:checked").inner_text()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("log")).to_contain_text(f"You to {name}:")
    expect(page.get_by_role("log")).to_contain_text("I take 3")
