"""The replay page shows messages as text, with their period."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("playwright", reason="needs the `dev` extra")

from playwright.sync_api import expect

from mixed_company.engine.play import record
from mixed_company.engine.play.replay_page import data, player
from tests.engine.plays import acts, commons


def test_messages_are_shown_with_their_period_and_run_no_script(browser, tmp_path):
    lines = record.play(commons(periods=2), [acts(1), acts(2)], seed=7)
    message: dict[str, Any] = {"seat": 1, "to": None, "blocked": False, "reported_by": ""}
    markup = "<img src=x onerror=\"document.title='broken'\">"
    content = data(lines) | {
        "messages": [
            {**message, "period": 0, "seconds": 2.5, "text": markup},
            {**message, "period": 1, "seconds": 9.0, "text": "Two", "to": 3, "reported_by": "3"},
        ],
        "answers": [
            {"period": -1, "seat": 2, "question": "vote on the rule", "text": "pool"},
            {"period": 2, "seat": 0, "question": "content", "text": "very"},
        ],
    }
    written = json.dumps(content).replace("<", "\\u003c")
    file = tmp_path / "talk.html"
    file.write_text(player("Talk", written), encoding="utf-8")
    window = browser.new_page()
    window.goto(file.as_uri())
    place = window.locator("#messages")
    expect(place).to_have_text("Nothing.")
    expect(window.locator("#answers")).to_have_text("seat 2, vote on the rule: pool")
    window.keyboard.press("ArrowRight")
    expect(place).to_contain_text(f"seat 1, 2.5 s: {markup}")
    window.keyboard.press("ArrowRight")
    expect(place).to_have_text("seat 1 to seat 3, 9 s: Two (reported by seat 3)")
    expect(window.locator("#answers")).to_have_text("seat 0, content: very")
    assert window.title() == "Talk"
    file.write_text(player("Silent", json.dumps(data(lines)).replace("<", "\\u003c")), "utf-8")
    window.goto(file.as_uri())
    expect(window.locator("#talk")).to_be_hidden()
    expect(window.locator("#answers")).to_be_hidden()
