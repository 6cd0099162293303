"""People talk, through sockets and in browsers: what reaches whom, and what is refused."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import analysis
from analysis.audit import NOTES
from tests.door.harness import Live, Server, seated, synced
from tests.door.pages import PHONE, assert_no_sideways_scrolling, read, tab_to, window

pytestmark = [pytest.mark.door]

TALK: dict[str, Any] = {
    "quiz": False,
    "talk": "free",
    "talk_seconds": 600.0,
    "bots": "promises_and_keeps,promises_and_breaks",
    "bot_delay": "fixed:seconds=1",
    "talk_blocklist": '["fool"]',
}
_names = itertools.count()


def tell(live: Live, message: dict[str, Any]) -> dict[str, Any]:
    """Send something with an id of its own; the ack or refusal."""
    name = f"t{next(_names)}"
    live.send({"id": name, **message})
    while True:
        answer = live.receive()
        if answer["kind"] in ("ack", "refused") and answer["id"] in (name, message.get("id")):
            return answer


def texts(live: Live) -> list[str]:
    return [one["text"] for one in synced(live)["talk"]["messages"]]


def wait_until(live: Live, reached: Callable[[dict[str, Any]], bool]) -> None:
    """Wait for a view of the page that is as it should be."""
    view = synced(live)
    while not reached(view):
        view = live.receive("view")


HOSTILE: list[tuple[dict[str, Any], str]] = [
    ({"kind": "say", "text": "a" * 10_000}, "10000 characters; at most 200"),
    ({"kind": "say", "text": "a\x00b"}, "a character that cannot be shown"),
    ({"kind": "say", "text": " "}, "the message is empty"),
    ({"kind": "say", "text": ["a"]}, "text = ['a']: should be a text"),
    ({"kind": "say", "text": "a", "sentence": 0}, "text, sentence: one of the two"),
    ({"kind": "say"}, "text, sentence: one of the two"),
    ({"kind": "say", "sentence": 0}, "there is no list of sentences"),
    ({"kind": "say", "sentence": True}, "sentence = True: should be a whole number"),
    ({"kind": "say", "text": "a", "to": 99}, "not for one player"),
    ({"kind": "say", "text": "a", "to": "0"}, "to = '0': should be a whole number"),
    ({"kind": "say", "text": "a", "to": 10**30}, "should be a whole number"),
    ({"kind": "say", "text": "you FOOL"}, "a word that is not used here"),
    ({"kind": "report", "message": 99}, "no such message"),
    ({"kind": "report", "message": None}, "message = None: should be a whole"),
    ({"kind": "done"}, "period: is missing"),
]


@pytest.mark.long
def test_people_talk_by_sockets_and_their_export_is_in_order(
    any_server: Server, tmp_path: Path
) -> None:
    session = any_server.session("commons_two_people", 2, periods=2, **TALK)
    (_, one), (_, two) = seated(any_server, session, 2)
    assert synced(one)["phase"] == "talk"
    for message, words in HOSTILE:
        answer = tell(one, message)
        assert answer["kind"] == "refused", message
        assert words in answer["reason"], message
    assert tell(one, {"kind": "say", "text": "<b>=1+1</b>", "id": "same"})["kind"] == "ack"
    assert tell(one, {"kind": "say", "text": "<b>=1+1</b>", "id": "same"})["kind"] == "ack"
    assert texts(two).count("<b>=1+1</b>") == 1
    number = next(
        m["number"] for m in synced(two)["talk"]["messages"] if m["text"] == "<b>=1+1</b>"
    )
    assert tell(two, {"kind": "report", "message": number})["kind"] == "ack"
    flood = [tell(one, {"kind": "say", "text": f"{n}"})["kind"] for n in range(30)]
    assert flood.count("ack") == 12 - 2  # one was blocked, one was said before
    for period in range(2):
        for live in (one, two):
            assert tell(live, {"kind": "done", "period": period})["kind"] == "ack"
        wait_until(one, lambda view: view["phase"] != "talk")
        for live in (one, two):
            assert live.act(period, f"a{period}", harvest=2, contribution=0)["kind"] == "ack"
        wait_until(one, lambda view: view["period"] > period or view["phase"] == "over")  # noqa: B023
    assert tell(one, {"kind": "say", "text": "Bye"})["reason"] == "the game is over"
    path = tmp_path / "talk.zip"
    path.write_bytes(io.BytesIO(any_server.archive(session["code"])).getvalue())
    assert [str(one) for one in analysis.check(path) if one.kind not in NOTES] == []
    messages = analysis.load(path, "commons_game").messages
    assert messages is not None
    own = messages[messages["text"] == "<b>=1+1</b>"].iloc[0]
    assert own["reported_by"] != ""
    assert messages["blocked"].sum() == 1
    assert {"I will take 2."} == set(messages.loc[messages["occupant"] == "policy", "text"])


@pytest.mark.long
def test_a_session_without_talk_exports_no_such_table(server: Server, tmp_path: Path) -> None:
    session = server.session("commons", 1, quiz=False, bot_delay="instant", periods=1)
    ((_, live),) = seated(server, session)
    assert "talk" not in synced(live)
    assert tell(live, {"kind": "say", "text": "a"})["reason"] == "nobody talks in this game"
    live.act(0, "a", harvest=1, contribution=0)
    path = tmp_path / "silent.zip"
    path.write_bytes(server.archive(session["code"]))
    assert analysis.load(path, "commons_game").messages is None


def test_people_talk_in_browsers_by_keyboard_and_on_a_phone(
    server: Server, browser: Browser
) -> None:
    session = server.session("commons_two_people", 2, **{**TALK, "bots": "sustainable"})
    desk = window(browser, session["session_wide_url"])
    phone = window(browser, session["session_wide_url"], **PHONE)
    expect(desk.locator("body")).to_contain_text("Before each period you can talk")
    read(desk)
    read(phone)
    log = desk.get_by_role("log", name="Talk")
    expect(desk.locator("#decision")).to_contain_text("First you can talk with the others.")
    tab_to(desk, "#talk-field")
    desk.keyboard.type("<img src=x onerror=alert(1)> two each")
    desk.keyboard.press("Enter")
    expect(log).to_contain_text("<img src=x onerror=alert(1)> two each")
    expect(phone.get_by_role("log")).to_contain_text("two each")
    expect(desk.locator("#talk-field")).to_be_focused()
    assert "/Play/" in desk.url  # Enter did not hand the page in
    expect(desk.locator("#talk")).to_contain_text("What is written here is recorded.")
    assert log.get_attribute("aria-live") == "polite"
    phone.locator(".mc-talk-report").click()
    expect(phone.locator(".mc-talk-report")).to_have_text("Reported")
    phone.locator("#talk-field").fill("You fool")
    phone.get_by_role("button", name="Send").click()
    expect(phone.locator("#talk [role=alert]")).to_contain_text("it reached nobody")
    expect(phone.locator("#talk-field")).to_have_value("You fool")  # to be mended
    assert_no_sideways_scrolling(phone)
    phone.reload()
    expect(phone.get_by_role("log")).to_contain_text("two each")
    expect(phone.locator(".mc-talk-report")).to_be_disabled()
    phone.get_by_role("button", name="I am ready to go on").click()
    expect(phone.locator("#waiting")).to_contain_text("You are ready.")
    tab_to(desk, "#confirm ~ button")
    desk.keyboard.press("Enter")
    expect(desk.locator("#harvest")).to_be_enabled()
    expect(desk.locator("#talk-field")).to_be_hidden()
    expect(log).to_contain_text("two each")


@pytest.mark.long
def test_bots_are_marked_beside_what_they_say_where_the_session_says_that_they_are(
    server: Server, browser: Browser
) -> None:
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
def test_in_a_browser_one_chooses_a_sentence_for_one_player(
    server: Server, browser: Browser
) -> None:
    own = {"talk": "list", "talk_sentences": '["I take 2", "I take 3"]', "talk_with": "one"}
    more = {**TALK, "bots": "sustainable", "talk_blocklist": "", **own}
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
