"""Tests of the pages before a play: the interactive example, quiz hints, the practice, the lobby
and its alert."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from mixed_company import engine
from tests.crowd.places import config_of
from tests.door.pages import PHONE, assert_no_sideways_scrolling, read, tab_to, window

pytestmark = [pytest.mark.door]


@pytest.mark.long
def test_a_reader_moves_the_example_and_gets_a_hint_after_failing_a_question_twice(server, browser):
    session = server.session("gems", 1)
    page = window(browser, session["session_wide_url"])
    example_is_moved(page)
    read(page)
    quiz_helps_after_two_failures(page)


def example_is_moved(page: Page) -> None:
    """Change the example by keyboard, and check that its announcement matches the display."""
    for _ in range(2):
        page.locator("#forth").click()
    expect(page.locator(".mc-rule-table")).to_be_hidden()
    table = [
        [cell.strip() for cell in row.locator("td").all_text_contents()]
        for row in page.locator(".mc-rule-table tr").all()
    ]
    tab_to(page, ".mc-move input")
    for column, (workers, chance) in enumerate(zip(*table, strict=True)):
        if column:
            page.keyboard.press("ArrowRight")
        expect(page.locator(".mc-move strong")).to_have_text([workers, chance])
        slider = page.locator(".mc-move input")
        expect(slider).to_have_attribute(
            "aria-valuetext", f"Workers in the mine: {workers}; Chance in %: {chance}"
        )


@pytest.mark.long
def test_a_table_that_is_not_a_row_of_numbers_stays_a_table(server, browser):
    session = server.session("vote", 1)
    page = window(browser, session["session_wide_url"])
    page.locator("#forth").click()
    expect(page.locator(".mc-rule-table").first).to_be_visible()
    expect(page.locator(".mc-move")).to_have_count(0)


def test_a_reader_goes_forward_and_back_and_loses_nothing(server, browser):
    """Navigate by buttons, the browser's back button and a reload. Each screen has a picture."""
    session = server.session("commons", 1)
    page = window(browser, session["session_wide_url"], **PHONE)
    shown = page.locator(".mc-screen:not([hidden])")
    expect(page.locator("#back")).to_be_hidden()
    for n in range(1, 6):
        expect(shown).to_have_count(1)
        expect(shown.locator(".mc-screen-progress")).to_have_text(f"{n} of 5")
        expect(shown.locator(".mc-scene svg").first).to_be_visible()
        expect(page.locator("#next")).to_be_visible(visible=n == 5)
        assert_no_sideways_scrolling(page)
        if n == 3:
            page.locator(".mc-move input").press("ArrowRight")
        if n < 5:
            page.locator("#forth").tap()
    expect(page.locator("#forth")).to_be_hidden()
    page.locator("#back").tap()
    page.go_back()  # back to the last screen
    expect(shown.locator("h2")).to_have_text("How the game ends")
    for _ in range(2):
        page.go_back()
    expect(shown.locator("h2")).to_have_text("What happens next")
    expect(shown.locator("h2")).to_be_focused()
    expect(page.locator(".mc-move strong").first).to_have_text("25")  # unchanged
    page.reload()
    expect(shown.locator("h2")).to_have_text("What happens next")
    read(page)
    expect(page.locator("#check")).to_be_visible()


def test_without_scripts_all_screens_appear_one_below_the_other(server, browser):
    session = server.session("sanctions", 1)
    page = window(browser, session["session_wide_url"], java_script_enabled=False)
    expect(page.locator(".mc-screen")).to_have_count(5)
    for screen in page.locator(".mc-screen").all():
        expect(screen).to_be_visible()
    page.locator("#next").click()
    expect(page.locator("#check")).to_be_visible()


def quiz_helps_after_two_failures(page: Page) -> None:
    """Check that the hint is for the question that was answered wrongly twice."""
    helps = page.locator(".mc-help")
    page.locator("#check").click()  # an empty answer does not count as a failure
    answer(page, whose="Only that village", together="At most 2")
    expect(helps).to_have_count(0)
    answer(page, whose="Only that village", together="At most 1")
    expect(helps).to_have_text(["Hint: Every gem earns points for all villages."])
    expect(page.locator("[data-question=whose] .mc-help")).to_be_visible()
    answer(page, whose="All villages get the same")
    expect(helps).to_have_count(0)


def answer(page: Page, **answers: str) -> None:
    for name, option in answers.items():
        page.locator(f"input[name={name}][value='{option}']").check()
    page.evaluate("() => { window.handedIn = true; }")
    page.locator("#check").click()
    page.wait_for_function("() => !window.handedIn")


@pytest.mark.long
@pytest.mark.parametrize("disclosure", ["labels", "none"])
def test_the_lobby_counts_people_and_programs_if_disclosed_and_calls_by_its_title(
    server, browser, disclosure
):
    options = {"people_per_group": 2, "disclosure": disclosure, "lobby_seconds": 300.0}
    session = server.session("gems", 2, quiz=False, bot_delay="instant", **options)
    first, second = (window(browser, session["session_wide_url"]) for _ in range(2))
    read(first)
    expect(first.locator("#sound")).to_be_visible()
    disclosed = disclosure == "labels"
    expect(first.locator("#bots")).to_be_visible(visible=disclosed)
    if disclosed:
        expect(first.locator("#bots")).to_have_text(
            "There are also 2 computer programs in your group."
        )
    expect(first.locator("#dots li")).to_have_count(2 if disclosed else 0)
    expect(first).to_have_title("1/2 Villages and mines" if disclosed else "Villages and mines")
    tab_to(first, "#sound")
    first.keyboard.press("Enter")
    expect(first.locator("#heard")).to_have_text("You will hear this sound when the game starts.")
    # simulates a hidden tab: the page's title shows an alert until the page is seen
    first.add_init_script("Object.defineProperty(document, 'hidden', {get: () => !window.seen})")
    read(second)
    expect(first.locator("#controls fieldset")).to_be_enabled()
    expect(first).to_have_title("\N{BLACK RIGHT-POINTING TRIANGLE} Villages and mines")
    first.evaluate(
        "() => { window.seen = true; document.dispatchEvent(new Event('visibilitychange')); }"
    )
    expect(first).to_have_title("Villages and mines")


@pytest.mark.long
def test_the_play_begins_when_everybody_has_said_that_they_are_ready(server, browser):
    options = {"people_per_group": 2, "ready": True, "lobby_seconds": 300.0, "quiz": False}
    session = server.session("gems", 2, bot_delay="instant", **options)
    first, second = (window(browser, session["session_wide_url"]) for _ in range(2))
    for page in (first, second):
        read(page)
    for page in (first, second):
        expect(page.get_by_role("alert").filter(has_text="Are you ready?")).to_be_visible()
        expect(page.locator("#controls input").first).to_be_disabled()
        page.get_by_role("button", name="I am ready").click()
    for page in (first, second):
        expect(page.locator("#controls fieldset")).to_be_enabled()
        expect(page.get_by_text("Are you ready?")).to_have_count(0)


@pytest.mark.long
def test_the_bar_of_a_turn_runs_only_once_the_person_is_ready(server, browser):
    session = server.session("vote", 1, quiz=False, ready=True, decision_seconds=20.0)
    page = window(browser, session["session_wide_url"])
    read(page)
    ready = page.get_by_role("button", name="I am ready")
    expect(ready).to_be_visible()
    expect(page.locator("#turn")).to_be_hidden()
    ready.click()
    expect(page.locator("#turn")).to_be_visible()
    expect(ready).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("game_id", engine.game_ids())
def test_a_practice_looks_like_the_play_and_says_that_it_is_a_practice(server, browser, game_id):
    """Play one period by keyboard on a phone, without script errors, and continue to the play."""
    options = {"archetype": "lab", "quiz": False, "practice_periods": 1, "people_per_group": 1}
    session = server.session(str(config_of(game_id)["name"]), 1, **options)
    page = window(browser, session["session_wide_url"], **PHONE)
    read(page)
    expect(page.locator(".mc-practice")).to_have_text("Practice. Nothing here counts.")
    expect(page.locator("#period")).to_contain_text("1 of 1")
    expect(page.locator("#clock-label")).to_have_text("no time limit")
    assert_no_sideways_scrolling(page)
    decide(page)
    expect(page.locator("#decision-title")).to_have_text("The practice is over")
    expect(page.locator("#leave")).to_have_text("Continue")
    expect(page.locator("#state")).to_have_text("Connected")
    page.locator("#leave").click()
    expect(page.locator("#period")).not_to_contain_text("1 of 1")
    expect(page.locator(".mc-practice")).to_have_count(0)


@pytest.mark.long  # tests/server/test_soft_landing.py covers redirects
def test_back_from_a_play_never_asks_to_submit_a_form_again(server, browser):
    """Give missing and wrong answers, skip the practice, and then go back as far as the browser
    allows."""
    options = {"practice_periods": 1, "ready": True, "quiz_tries": 2, "quiz_failed": "go_on"}
    session = server.session("commons", 1, **options)
    page = window(browser, session["session_wide_url"])
    read(page)
    questions = page.locator("fieldset.mc-question")
    page.locator("#check").click()
    expect(page.locator(".mc-missing")).to_have_count(questions.count())
    expect(page.locator(".otree-form-errors")).to_contain_text("answer every question")
    page.reload()
    for _ in range(2):
        for question in questions.all():
            question.locator("input").first.check()
        page.locator("#check").click()
        expect(page.locator(".mc-wrong, #confirm").first).to_be_visible()
    decide(page)
    page.locator("#leave").click()
    expect(page.locator(".mc-told button")).to_be_visible()
    visited = 0
    while page.go_back() is not None:
        expect(page.locator(".mc-told button")).to_be_visible()
        assert "/Play/" in page.url
        visited += 1
    assert visited >= 3  # practice, quiz, instructions


def decide(page: Page) -> None:
    """Choose the first option, on a pad or in a form."""
    pad = page.locator(".mc-pad-button:visible")
    confirm = page.locator("#confirm")
    expect(pad.first.or_(confirm).first).to_be_visible()
    if pad.count():
        pad.last.click()
        return
    for control in page.locator("#controls input[type=range]").all():
        control.press("ArrowRight")
    options = page.locator("#controls input[type=radio]")
    if options.count():
        options.first.check(force=True)
    expect(confirm).to_be_enabled()
    tab_to(page, "#confirm")
    page.keyboard.press("Enter")
