"""The page on which a session is created, in a real Chromium."""

from __future__ import annotations

import re

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.door.harness import Server
from tests.door.pages import window
from tests.door.test_accessible import found, look_through

pytestmark = [pytest.mark.door]


def choose(page: Page, config: str, key: str) -> None:
    """Choose a session config, and wait for a field that only its game has."""
    page.locator("#session_config").select_option(config)
    expect(page.locator(f"[name='{config}.{key}']")).to_be_attached()


def test_a_session_is_created_with_the_fields_of_the_chosen_config(
    server: Server, browser: Browser
) -> None:
    page = window(browser, f"{server.url}/create_session")
    choose(page, "commons", "capacity")
    page.get_by_text("Configure session").click()
    page.locator("[name='commons.capacity']").fill("80")
    choose(page, "sanctions", "mpcr")
    expect(page.locator("[name='commons.capacity']")).to_have_count(0)
    choose(page, "commons", "capacity")
    expect(page.locator("[name='sanctions.mpcr']")).to_have_count(0)
    expect(page.locator("[name='commons.capacity']")).to_have_value("80")
    look_through(page, "create_session", axes=False)
    assert [fault for fault in found(page) if "contrast" in fault] == []

    page.locator("#num_participants").fill("2")
    page.locator("[name='commons.periods']").fill("-3")
    page.get_by_text("Configure session").click()
    page.get_by_role("button", name="Create").click()
    refused = page.locator("[data-key=periods] .mc-refused")
    expect(refused).to_have_text("-3: should be greater than or equal to 1")
    expect(refused).to_be_visible()
    expect(page.locator("[name='commons.periods']")).to_be_focused()
    expect(page.locator("#create-session-error")).to_be_hidden()

    page.locator("[name='commons.periods']").fill("3")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url(re.compile("/SessionStartLinks/"))
    code = page.url.rpartition("/")[2]
    made = requests.get(f"{server.url}/api/sessions/{code}", timeout=60).json()
    assert len(made["participants"]) == 2
    assert made["config"]["capacity"] == 80
    assert made["config"]["periods"] == 3


def test_settings_that_cannot_be_loaded_are_said_to_be_missing_and_create_nothing(
    server: Server, browser: Browser
) -> None:
    page = window(browser, f"{server.url}/create_session")
    choose(page, "commons", "capacity")
    page.route("**/session_form/*", lambda route: route.fulfill(status=500))
    page.locator("#session_config").select_option("sanctions")
    expect(page.locator("#create-session-error")).to_contain_text(
        "The settings of sanctions could not be loaded (the server answered 500)."
    )
    expect(page.get_by_role("button", name="Create")).to_be_disabled()
