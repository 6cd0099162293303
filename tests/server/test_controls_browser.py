"""Controls: a slider for a bounded number and a box for any other number, numbers that are accepted
as typed or rejected, a pad with the buttons that a seat can use, and a chart of the numbers it is
given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mixed_company import engine
from mixed_company.server.pages import wording
from punishment_vote.stage import setting
from punishment_vote.words import texts as vote_words
from sanctions.stage import derived as sanctions_derived
from sanctions.stage import setting as sanctions_setting
from sanctions.words import texts as sanctions_words
from tests.server.modules import AT, blank

BUILD = """async ([limits, words, accepts]) => {
  const {control} = await import("/mixed/controls.js");
  const label = "How much?";
  const box = control({name: "amount", label, accepts, onChange() {}, words});
  document.body.append(box.node);
  box.limit(limits);
  box.disable(false);
  window.box = box;
}"""


AMOUNT, WHOLE = {"kind": "real", "step": "any", "grain": 0.5}, {"kind": "whole", "step": 1}


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    """Yield one window for all tests in this file; each test reopens the empty page."""
    page = blank(chromium, has_touch=True)
    yield page
    page.close()


@pytest.fixture
def page(window: Page) -> Page:
    window.goto(AT)
    return window


@pytest.mark.parametrize(
    ("limits", "label", "right", "wrong", "reason"),
    [
        ([0, 8], "How much? (0\N{EN DASH}8)", 8, 9, "Please enter a number from 0 to 8."),
        ([0, None], "How much? (at least 0)", 1e6, -1, "Please enter a number that is at least 0."),
        ([None, 5], "How much? (at most 5)", -1e6, 6, "Please enter a number that is at most 5."),
        ([None, None], "How much?", -1e6, None, "Please enter a number."),
    ],
)
def test_a_missing_bound_is_no_bound(page, limits, label, right, wrong, reason):
    page.evaluate(BUILD, [limits, wording.play(), AMOUNT])
    expect(page.locator("label")).to_have_text(label)
    expect(page.locator("#amount-slider")).to_be_visible(visible=None not in limits)
    page.locator("#amount").fill(f"{right:g}")
    assert page.evaluate("box.value()") == right
    assert page.evaluate("box.problem()") is None
    page.locator("#amount").fill("" if wrong is None else f"{wrong:g}")
    assert page.evaluate("box.value()") is None
    assert page.evaluate("box.problem()") == reason


CHOICE = """async ([limits, view]) => {
  const {choice} = await import("/mixed/choice.js");
  const option = (value, seen) => `${value} of ${seen.period}`;
  const field = choice({name: "mine", label: "Where?", option, onChange() {}});
  document.body.append(field.node);
  field.limit(limits, view, []);
}"""


@pytest.mark.parametrize(
    ("limits", "values"), [([0, 2], [0, 1, 2]), ([0, 3, [0, 3]], [0, 3]), ([1, 2, [1]], [1])]
)
def test_a_choice_has_the_options_that_a_role_leaves_open(page, limits, values):
    page.evaluate(CHOICE, [limits, {"period": 3}])
    assert page.locator("label").all_inner_texts() == [f"{value} of 3" for value in values]


PAD = """async ([moves, words, limits]) => {
  const {pad} = await import("/mixed/pad.js");
  const {choices} = await import("/punishment_vote/moves.js");
  const at = (id) => document.getElementById(id);
  window.decided = [];
  const game = {choices: choices(moves, false, "the vote", words, () => {})};
  const decide = (action) => window.decided.push(action.action);
  const card = pad({game, texts: words, at, decide});
  card.show({phase: "decide", limits}, true);
}"""
EVERY = ["up", "left", "noop", "right", "down", "vote_increase", "vote_decrease"]


@pytest.mark.parametrize(
    ("archetype", "choices", "offered"),
    [
        ("source", "all", EVERY),
        ("source", ["up", "down", "left", "right", "noop"], EVERY[:5]),
        ("source", ["vote_increase", "noop"], ["noop", "vote_increase"]),
        ("composite", ["up_no_vote", "up_decrease", "noop"], ["up", "noop", "vote_decrease"]),
    ],
)
def test_a_pad_has_the_buttons_that_do_something_for_a_seat(page, archetype, choices, offered):
    agents = {"roles": {"member": {"acts": {"action": choices}}}}
    game = engine.make("punishment_vote", archetype=archetype, agents=agents)
    limits = engine.Episode(game).allowed(0).to_json()
    page.evaluate("document.body.innerHTML = '<div id=controls></div><button id=confirm></button>'")
    words = {**dict.fromkeys(EVERY, "a word"), "chosen": "{what}"}
    page.evaluate(PAD, [setting(game, 0)["moves"], words, limits])
    buttons = page.locator(".mc-pad-button:not([hidden])")
    assert buttons.evaluate_all("all => all.map((one) => one.dataset.choice)") == offered
    votes = any(name.startswith("vote") for name in offered)
    expect(page.get_by_text("the vote")).to_be_visible(visible=votes)
    for key in ("w", "v", "b"):  # a key without a button does nothing
        page.keyboard.press(key)
    pressed = {"w": "up", "v": "vote_increase", "b": "vote_decrease"}.values()
    assert (page.evaluate("decided.length") > 0) == any(name in offered for name in pressed)


@pytest.mark.parametrize("limits", [[0, 8], [None, None], [-3, None]])
def test_a_fraction_is_refused_immediately_if_only_whole_numbers_are_accepted(page, limits):
    page.evaluate(BUILD, [limits, wording.play(), WHOLE])
    page.locator("#amount").fill("2.5")
    assert page.evaluate("box.value()") is None
    assert page.evaluate("box.problem()") == "Please enter a whole number."
    page.locator("#amount").fill("2")
    assert page.evaluate("box.value()") == 2
    assert page.evaluate("box.problem()") is None


@pytest.mark.parametrize(("accepts", "stops"), [(AMOUNT, [2.5, 3]), (WHOLE, [3])])
def test_a_slider_stops_where_a_number_is_accepted(page, accepts, stops):
    page.evaluate(BUILD, [[0, 8], wording.play(), accepts])
    slider = page.locator("#amount-slider")
    for stop in stops:
        slider.fill(f"{stop:g}")
        assert page.evaluate("box.value()") == stop
    slider.press("ArrowRight")
    assert page.evaluate("box.value()") == 3 + (0.5 if accepts is AMOUNT else 1)


def test_a_fractional_amount_is_accepted(page):
    page.evaluate(BUILD, [[0, 8], wording.play(), AMOUNT])
    page.locator("#amount").fill("2.5")
    assert page.evaluate("box.value()") == 2.5
    assert page.evaluate("box.problem()") is None


@pytest.mark.parametrize(
    ("language", "typed", "value"),
    [
        ("en", "1,5", 1.5),
        ("en", "1.5", 1.5),
        ("en", "1.500", 1.5),  # as numbers are written on an English page
        ("en", "0,125", 0.125),  # a number with thousands never begins with a zero
        ("de", "1,500", 1.5),
        ("de", "1.5", 1.5),
        ("fr", " 2,5 ", 2.5),
        ("en", ",5", 0.5),
    ],
)
def test_a_typed_number_is_read_with_either_separator(page, language, typed, value):
    page.evaluate("language => { document.documentElement.lang = language; }", language)
    page.evaluate(BUILD, [[0, 8], wording.play(), AMOUNT])
    page.locator("#amount").press_sequentially(typed)
    assert page.evaluate("box.value()") == value
    assert page.evaluate("box.problem()") is None
    assert page.locator("#amount-slider").input_value() in ("0.5", "1.5", "2.5", "0")


@pytest.mark.parametrize(
    ("language", "typed", "reason"),
    [
        ("en", "1,500", "1,500 could mean 1500 or 1.5. Please enter one of these."),
        ("de", "1.500", "1.500 could mean 1500 or 1,5. Please enter one of these."),
        ("en", "1,2,3", "Please enter a number from 0 to 9000."),
        ("en", "1 5", "Please enter a number from 0 to 9000."),
        ("en", "four", "Please enter a number from 0 to 9000."),
        ("en", "-", "Please enter a number from 0 to 9000."),
    ],
)
def test_invalid_and_ambiguous_numbers_are_refused(page, language, typed, reason):
    page.evaluate("language => { document.documentElement.lang = language; }", language)
    page.evaluate(BUILD, [[0, 9000], wording.play(), AMOUNT])
    page.locator("#amount").press_sequentially(typed)
    assert page.evaluate("box.value()") is None
    assert page.evaluate("box.problem()") == reason
    expect(page.locator("#amount")).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize("way", ["a click", "a finger", "a key"])
def test_a_slider_chooses_the_number_at_its_position(page, way):
    page.evaluate(BUILD, [[0, 8], wording.play(), AMOUNT])
    page.evaluate("box.reset()")
    slider = page.locator("#amount-slider")
    assert page.evaluate("box.value()") is None
    expect(slider).to_have_attribute("aria-valuetext", "not chosen yet")
    slider.focus()
    page.keyboard.press("Shift")  # chooses nothing
    assert page.evaluate("box.value()") is None
    if way == "a click":
        slider.click(position={"x": 2, "y": 8})
    elif way == "a finger":
        slider.tap(position={"x": 2, "y": 8})
    else:
        slider.press("Home")
    assert page.evaluate("box.value()") == 0
    expect(page.locator("#amount")).to_have_value("0")
    expect(slider).not_to_have_attribute("aria-valuetext", "not chosen yet")


def test_a_button_of_the_pad_is_named_after_its_label(page):
    game = engine.make("punishment_vote", archetype="lab")
    limits = engine.Episode(game).allowed(0).to_json()
    page.evaluate("document.body.innerHTML = '<div id=controls></div><button id=confirm></button>'")
    page.evaluate(
        PAD, [setting(game, 0)["moves"], {**vote_words(game.core), **wording.play()}, limits]
    )
    buttons = page.locator(".mc-pad-button")
    expect(buttons).to_have_count(7)
    for button in buttons.all():
        expect(button).to_have_accessible_name(" ".join(button.inner_text().split()))


BOARD = """async ([setting, seen]) => {
  const {board} = await import("/punishment_vote/board.js");
  const {codes} = await import("/punishment_vote/board.js");
  const own = board({field: setting, means: setting.means, seat: 0, label: "a board"});
  const picture = own.node;
  own.show(codes(seen.window), seen);
  document.body.replaceChildren(picture);
}"""


def in_a_corner(page: Page, **changes: Any) -> dict[str, Any]:
    """Draw the board for a seat in the upper-left corner of its field, and return its setting."""
    game = engine.make("punishment_vote", vision=1, seats=1, **{"initial_resources": 0, **changes})
    play = engine.Episode(game, seed=3)
    while (play.state_record()["row"], play.state_record()["column"]) != ([1], [1]):
        play.step({"action": [0 if play.state_record()["row"][0] > 1 else 2]})
    sent = setting(game, 0)
    page.evaluate(BOARD, [sent, play.observation_json(0)])
    return sent


def test_the_field_is_drawn_whole_and_its_walls_once(page):
    """Draw a window of 3 x 3 in the corner of a field of 6 x 6, without walls beyond it."""
    in_a_corner(page, height=6, width=6, spawn_probability=0)
    expect(page.locator(".vote-cell")).to_have_count(6 * 6)
    expect(page.locator(".vote-wall")).to_have_count(36 - 16)
    expect(page.locator(".vote-cell:has(.vote-wall) .vote-hatch")).to_have_count(0)
    # unseen cells inside: 16 less the 4 in the window
    expect(page.locator(".vote-fog")).to_have_count(12)
    # the picture omits a part of each wall and is as wide as the walls it shows
    box = [
        float(number)
        for number in str(page.locator("svg.vote-board").get_attribute("viewBox")).split()
    ]
    assert box[0] == box[1] > 0
    assert box[2] == box[3] == 6 * 40 - 2 * box[0]
    expect(page.locator(".vote-frame")).to_have_attribute("width", str(3 * 40))


CARD = """async ([words, told]) => {
  const {form} = await import("/mixed/form.js");
  const {outcome} = await import("/mixed/controls.js");
  document.body.innerHTML = `<section id=decision tabindex=-1><div id=controls></div>
    <button type=button id=confirm></button><div id=notes></div></section>`;
  const rows = [{value: 0, left: 79.3}, {value: 3, left: 67.3}];
  const foretell = (shown, field, value) =>
    `${field}: ${outcome(shown.rows, value)?.left ?? "?"} are left`;
  const game = {controls: [{name: "amount", label: "How much?"}], rest: {}, effect: () => "",
    preview: told ? foretell : undefined};
  window.decided = [];
  const accepts = {amount: {kind: "real", step: "any", grain: 1}};
  const decide = (action) => decided.push(action);
  const at = (id) => document.getElementById(id);
  const card = form({game, accepts, texts: words, at, decide, complain() {}});
  const view = {phase: "decide", limits: {amount: [0, 8]}, shown: {rows}, decision: null};
  card.fresh(view, []);
  card.show(view, true);
}"""


def test_the_effect_of_a_choice_is_shown_beside_the_slider(page):
    page.evaluate(CARD, [wording.play(), True])
    preview, slider = page.locator("#amount-preview"), page.locator("#amount-slider")
    expect(preview).to_have_text("not chosen yet")
    expect(page.locator("#confirm")).to_be_disabled()
    slider.press("Home")  # an empty answer is a choice too
    expect(preview).to_have_text("amount: 79.3 are left")
    expect(slider).to_have_attribute("aria-valuetext", "0. amount: 79.3 are left")
    page.locator("#amount").fill("3")
    expect(preview).to_have_text("amount: 67.3 are left")
    page.locator("#amount").fill("2.5")  # no row covers it
    expect(preview).to_have_text("amount: ? are left")
    page.locator("#amount").fill("9")
    expect(preview).to_have_text("")
    page.locator("#amount").fill("3")
    page.locator("#confirm").click()
    assert page.evaluate("decided") == [{"amount": 3}]


def test_a_stage_without_predictions_has_no_such_line(page):
    page.evaluate(CARD, [wording.play(), False])
    page.locator("#amount").fill("3")
    expect(page.locator("#amount-preview")).to_be_hidden()


CHART = """async () => {
  const {chart, roundTop} = await import("/mixed/chart.js");
  const series = (name, values) => ({name, colour: "grey", values});
  const bars = [series("one", [4, null]), series("other", [6, 2])];
  const ghost = series("best", [8, 8, 8]);  // play ended after the second period
  const words = {period: "Period", table: "As a table", hidden: "not shown"};
  const size = {width: 400, height: 190};
  document.body.append(...chart({periods: 4, top: 20, bars, ghost, words, ...size}));
  return [0, 0.3, 16, 22, 44, 100].map((most) => roundTop([0, most]));
}"""


def test_bars_are_stacked_and_the_table_has_the_same_numbers(page):
    tops = page.evaluate(CHART)
    assert tops == pytest.approx([4, 0.4, 20, 40, 60, 100])
    # 190 less 12 above and 28 below leave 150 pixels for 20: 7.5 for each
    places = "all => all.map((bar) => ['x', 'y', 'height'].map((of) => +bar.getAttribute(of)))"
    (x, y, high), (on, above, more), (_, lone, least) = page.locator(
        "rect:not(li rect)"
    ).evaluate_all(places)
    assert (y, high) == pytest.approx((162 - 30, 30))
    assert (on, above, more) == pytest.approx((x, 162 - 75, 45))
    assert (lone, least) == pytest.approx((162 - 15, 15))  # one of the second period is hidden
    expect(page.locator("polyline[stroke-dasharray]")).to_have_count(1)
    page.locator("summary").click()
    rows = [row.inner_text().split("\t") for row in page.locator("tbody tr").all()]
    assert rows == [
        ["1", "4", "6", "8"],
        ["2", "not shown", "2", "8"],
        ["3", "\N{EN DASH}", "\N{EN DASH}", "8"],
    ]


def test_only_a_moving_part_of_a_large_field_is_drawn(page):
    in_a_corner(page, height=30, width=40, spawn_probability=0)
    expect(page.locator(".vote-cell")).to_have_count(16 * 16)
    expect(page.locator(".vote-wall")).to_have_count(16 + 15)  # its first row and column
    expect(page.locator(".vote-own")).to_have_attribute("style", re.compile(r"40px, 40px"))


def test_a_seat_that_does_not_know_its_position_sees_only_its_window(page):
    hidden = {"information": {"intensity": 1.0, "hide": ["row", "column"]}}
    sent = in_a_corner(page, height=6, width=6, spawn_probability=0, layers=hidden)
    assert not sent["placed"]
    expect(page.locator(".vote-cell")).to_have_count(3 * 3)
    expect(page.locator(".vote-wall")).to_have_count(5)
    expect(page.locator(".vote-own")).to_have_attribute("style", re.compile(r"40px, 40px"))


def test_an_object_shows_its_value(page):
    """Show two kinds, one of them taboo and harmful, with the numbers from the rules in the
    picture."""
    kinds = {"A": {"value": 2.5}, "B": {"value": -1, "harm": 0.5}}
    worth = {"resources": kinds, "spawn_weights": {"A": 0, "B": 1}, "taboo": ["B"]}
    in_a_corner(page, height=3, width=6, initial_resources=3, spawn_probability=1, **worth)
    expect(page.locator(".vote-resource").first.locator("text")).to_have_text(
        ["\u22121", "\u22120.5"]
    )
    expect(page.locator(".vote-resource").first.locator(".vote-taboo-level")).to_have_count(1)


STAGE = """async ([sent, words, views]) => {
  const {create} = await import("/punishment_vote/stage.js");
  document.body.innerHTML = "<main></main><aside></aside>";
  const [stage, past] = ["main", "aside"].map((name) => document.querySelector(name));
  const own = {setting: sent, seat: 0, texts: words};
  const game = create({...own, periods: 9, byClock: false, stage, past});
  const history = [];
  for (const view of views) {
    if (history.at(-1)?.period !== view.period - 1) {
      history.push({period: view.period - 1, observation: view.observation, ...view.last});
    }
    game.draw(view, history);
  }
  return [...document.querySelectorAll(".vote-float")].map((one) => {
    const frames = one.getAnimations()[0].effect.getKeyframes();
    return [one.textContent, frames[0].transform, frames.at(-1).transform];
  });
}"""
FIELD = {"height": 3, "width": 8, "vision": 1, "map_memory": True, "initial_resources": 0}


def seen_at(column: int, codes: int, **cells: int) -> dict[str, Any]:
    """Return the observation of a seat in the middle row, with only walls and these codes by
    column.
    """
    row = [cells.get(f"at_{other}", 0) for other in range(column - 1, column + 2)]
    window = [[[int(code == cell) for code in range(codes)] for cell in line]
              for line in ([1] * 3, row, [1] * 3)]  # fmt: skip
    return {"window": window, "row": 1, "column": column, "level": 0.1, "collected": 0,
            "increases": 0, "decreases": 0, "pending_harm": 0}  # fmt: skip


@pytest.mark.parametrize(("column", "begins"), [(2, "140px, 64px"), (3, "140px, 124px")])
def test_points_float_once_and_from_the_seat_that_was_seen_to_take_them(page, column, begins):
    """Put a B in column 3, in sight, or in column 4, remembered. Seat 1 goes there, and 3
    points are lost. They appear at seat 1, 60 pixels below its mark, or below seat 0 itself."""
    kinds = {"A": {"value": 3}, "B": {"value": 5, "harm": 3}}
    game = engine.make("punishment_vote", seats=2, resources=kinds, **FIELD)
    sent = setting(game, 0)
    codes = len(sent["means"])
    bad, other = codes - 3, codes - 1
    maps = {"remembered": [[0] * 8, [0] * 4 + [bad] + [0] * 3, [0] * 8],
            "last_seen": [[-1] * 8, [-1] * 4 + [0] + [-1] * 3, [-1] * 8]}  # fmt: skip
    start = {**seen_at(2, codes, at_3=bad if column == 2 else 0), **maps}
    after = {**seen_at(column, codes, **{f"at_{column + 1}": other}), **maps}
    last = {"components": {"value": 0, "punishment": 0, "vote_cost": 0, "harm": -3},
            "reward": -3, "used": {"action": 6}}  # fmt: skip
    more = {"points": 0, "shown": {"net": None}, "seats": []}
    turn = {"period": 1, "observation": after, "last": last, **more}
    views = [{"period": 0, "observation": start, "last": None, **more}, turn, turn, turn]
    words = {**vote_words(game.core), **wording.play()}
    [[points, start_at, _]] = page.evaluate(STAGE, [sent, words, views])
    assert (points, start_at) == ("\u22123", f"translate({begins})")


def test_points_lost_through_several_seats_never_float_over_each_other(page):
    """Seat 0 stays in column 3, in the middle of (140, 64) pixels. Seats 1 and 2 each take a B, to
    its left and to its right."""
    kinds = {"A": {"value": 3}, "B": {"value": 5, "harm": 1.5}}
    game = engine.make("punishment_vote", seats=3, resources=kinds, **FIELD)
    sent = setting(game, 0)
    codes = len(sent["means"])
    bad, left, right = codes - 4, codes - 2, codes - 1
    start = seen_at(3, codes, at_2=bad, at_4=bad)
    after = seen_at(3, codes, at_2=left, at_4=right)
    maps = {"remembered": [[0] * 8] * 3, "last_seen": [[-1] * 8] * 3}
    last = {"components": {"value": 0, "punishment": 0, "vote_cost": 0, "harm": -3},
            "reward": -3, "used": {"action": 6}}  # fmt: skip
    more = {"points": 0, "shown": {"net": None}, "seats": []}
    views = [{"period": 0, "observation": {**start, **maps}, "last": None, **more},
             {"period": 1, "observation": {**after, **maps}, "last": last, **more}]  # fmt: skip
    words = {**vote_words(game.core), **wording.play()}
    floated = page.evaluate(STAGE, [sent, words, views])
    assert [words for words, _, _ in floated] == ["\u22121.5"] * 2
    assert [end for _, _, end in floated] == ["translate(100px, 64px)", "translate(180px, 64px)"]


MEMORY = """async ([sent, shown, words]) => {
  const {memory} = await import("/sanctions/memory.js");
  const own = memory(sent, words);
  own.show(shown, []);
  document.body.replaceChildren(own.node);
}"""


def remembered(page: Page, contributions: list[list[float]], **changes: Any) -> None:
    """Show the top of the sanctions page to seat 0 after these contributions."""
    game = engine.make("sanctions", archetype="lab", seats=2, mpcr=0.7, **changes)
    play = engine.Episode(game, seed=3)
    seen = [play.observation_json(0)]
    for period, amounts in enumerate(contributions, start=1):
        play.step({"contribution": amounts})
        seen.append({**play.observation_json(0), "period": period})
    shown = sanctions_derived(game, 0, [{"period": 0, **observation} for observation in seen])
    words = {**wording.play(), **sanctions_words(game.core)}
    page.evaluate(MEMORY, [sanctions_setting(game, 0), shown, words])


@pytest.mark.parametrize(("signal", "drawn"), [("baseline", "true"), ("deviation", "false")])
def test_the_expected_amount_is_drawn_only_where_something_is_compared_with_it(page, signal, drawn):
    """Let seat 0 give exactly the expected amount."""
    remembered(page, [[20.0, 3.0]], signal=signal, baseline=20.0)
    expect(page.locator(".net-strip")).to_have_attribute("data-expected", drawn)
