"""The settings on the form that creates a session: search, folds, marks, and whole groups."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.inside import asked, inside
from tests.server.modules import AT, blank

__all__ = ["inside"]  # a fixture

BEGIN = """async (fields) => {
  const {searchable, reveal} = await import("/mixed/session_settings.js");
  document.body.innerHTML = `<form><div id="session-fields">${fields}</div></form>`;
  searchable(document.getElementById("session-fields"));
  window.reveal = (name) => reveal(document.getElementById(name));
}"""


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    """Yield one window for all tests in this file; each test reopens the empty page."""
    page = blank(chromium)
    yield page
    page.close()


@pytest.fixture
def page(window: Page, inside: None) -> Page:
    """Return a page with the settings of the commons."""
    window.goto(AT)
    window.evaluate(BEGIN, asked("/session_form/commons").text)
    return window


def shown(page: Page) -> list[str | None]:
    """Return the names of the visible settings."""
    return [row.get_attribute("data-key") for row in page.locator(".mc-key:visible").all()]


def test_ten_settings_are_shown_and_a_theme_unfolds_its_own_by_keyboard(page):
    assert len(shown(page)) == 10
    page.locator("summary", has_text="Time").focus()
    page.keyboard.press("Enter")
    assert set(shown(page)[10:]) == {"pace", "line_seconds", "countdown_seconds", "peer_seconds"}


def test_a_search_unfolds_its_settings_and_ends_as_it_began(page):
    page.locator("summary", has_text="Time").click()
    search = page.get_by_label("Find a setting")
    search.fill("Lobby promised")
    assert shown(page) == ["lobby_seconds", "lobby_outcome"]
    total = page.locator(".mc-key").count()
    expect(page.locator("[role=status]").first).to_have_text(f"2 of {total} settings")
    search.fill("people_per_group")  # one of the ten
    assert shown(page) == ["people_per_group"]
    search.fill("no such words")
    assert shown(page) == []
    search.press("Enter")  # sends no form
    assert page.url.rstrip("/") == AT
    search.fill("")
    assert len(shown(page)) == 14
    expect(page.locator("[role=status]").first).to_have_text("")


def test_changed_settings_are_marked_and_counted_in_their_theme(page):
    page.locator("summary", has_text="Time").click()
    page.locator("[name='commons.pace']").select_option("clock")
    page.locator("[name='commons.line_seconds']").fill("0.5")
    count = page.locator("summary", has_text="Time").locator(".mc-changed")
    expect(count).to_have_text("2 changed")
    page.locator("[name='commons.line_seconds']").fill("1.5")
    expect(count).to_have_text("1 changed")
    page.locator("summary", has_text="Before the play").click()
    page.locator("[name='commons.quiz']").uncheck()
    marked = [row.get_attribute("data-key") for row in page.locator("[data-changed]").all()]
    assert marked == ["pace", "quiz"]


def test_a_wrong_setting_is_shown_wherever_it_is(page):
    page.get_by_label("Find a setting").fill("lobby")
    expect(page.locator("[name='commons.talk_length']")).to_be_hidden()
    page.evaluate("reveal('commons.talk_length')")
    expect(page.locator("[name='commons.talk_length']")).to_be_visible()
    expect(page.get_by_label("Find a setting")).to_have_value("")


AFTER = "After the wait in the lobby, "


@pytest.mark.parametrize(
    ("people", "size", "outcome", "sentence", "fills"),
    [
        (0, 1, "bots", "", True),
        (3, 1, "bots", "", True),
        (0, 2, "bots", "Groups of 2: choose 2, 4, 6 \N{HORIZONTAL ELLIPSIS}", True),
        (2, 2, "bots", "1 group of 2.", True),
        (40, 4, "bots", "10 groups of 4.", True),
        (
            3,
            2,
            "bots",
            f"1 group of 2, and 1 person left over. {AFTER}bots take the empty seats. "
            "Choose 2 or 4 to fill all groups.",
            False,
        ),
        (
            3,
            4,
            "release",
            f"Too few people for a group of 4. {AFTER}these people are paid and leave. "
            "Choose 4 to fill all groups.",
            False,
        ),
    ],
)
def test_the_form_says_whether_the_participants_fill_their_groups(
    page, people, size, outcome, sentence, fills
):
    answer = page.evaluate(
        """async ([people, size, outcome]) => {
          const {groupsFilled} = await import("/mixed/session_settings.js");
          return groupsFilled(people, size, outcome);
        }""",
        [people, size, outcome],
    )
    assert answer == {"sentence": sentence, "fills": fills}
