"""The list of other players in the stage for peer points. It offers exactly what the engine
accepts, by mouse and by keyboard. It shows the costs, the points left, and what each player did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from mixed_company import engine
from mixed_company.engine import ActionError, Episode
from mixed_company.server.pages import peers, rules, wording
from mixed_company.server.pages.guide import STATIC
from tests.server.modules import AT, blank

MINUS = "\N{MINUS SIGN}"
FEHR_GAECHTER = [0, 1, 2, 4, 6, 9, 12, 16, 20, 25, 30]

BUILD = """async ([sent, view, game, accepts, texts, styles]) => {
  document.body.innerHTML = `<section class="mc-decision" id=decision tabindex=-1 data-stage=1>
    <h1 id=decision-title></h1><div id=controls></div>
    <button type=button id=confirm>Confirm</button><div id=notes></div></section>`;
  for (const name of styles) {
    const link = document.createElement("link");
    Object.assign(link, {rel: "stylesheet", href: `/mixed/${name}.css`});
    document.head.append(link);
    await new Promise((done) => { link.onload = done; });
  }
  const {form} = await import("/mixed/form.js");
  const {assigning} = await import("/mixed/peers.js");
  const at = (id) => document.getElementById(id);
  window.decided = [];
  const actions = ({observation}) => [{label: "did", values: observation[game]}];
  const later = (onChange) => assigning({peers: sent, actions, seat: 0, texts, onChange});
  const stage = {controls: [{name: game, label: "How much?"}], rest: {}, effect: () => ""};
  window.card = form({game: stage, accepts, texts, at, later, complain() {},
    decide: (action) => decided.push(action)});
  window.show = (next, open = true) => { card.fresh(next, []); card.show(next, open); };
  show(view);
}"""
STATE = """(place) => {
  const rows = [...document.querySelectorAll(".peer-row")];
  if (place) rows[place[0]].querySelectorAll("button")[place[1]].click();
  return rows.map((row) => ({
    points: Number(row.querySelector("[role=spinbutton]").getAttribute("aria-valuenow")),
    offers: [...row.querySelectorAll("button")]
      .map((button) => button.getAttribute("aria-disabled") === "false"),
  }));
}"""
"""Points and offers in each row. If a place is given, the button there is clicked first."""


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    """Yield one window for all tests in this file; each test reopens the empty page."""
    page = blank(chromium)
    yield page
    page.close()


@pytest.fixture
def page(window: Page) -> Page:
    window.goto(AT)
    return window


def good(**core: Any) -> Any:
    return engine.make("sanctions", archetype="unsanctioned", **{"peer": "punishment", **core})


def commons(**core: Any) -> Any:
    return engine.make("commons_game", archetype="lab", **{"peer": "punishment", **core})


FIRST: dict[str, dict[str, list[float]]] = {
    "sanctions": {"contribution": [5, 0, 10, 20]},
    "commons_game": {"harvest": [6, 0, 10, 2], "contribution": [0] * 4},
}


def second_stage(game: Any) -> Episode:
    """Return a play after the first stage of its first period."""
    play = Episode(game, 7)
    play.step(FIRST[game.id])
    return play


def viewed(play: Episode) -> dict[str, Any]:
    """Return the parts of seat 0's view that the control reads."""
    seats = [{"seat": seat, "you": seat == 0} for seat in range(play.game.seats)]
    observation, limits = play.observation_json(0), play.allowed(0).to_json()
    return {"observation": observation, "limits": limits, "seats": seats, "phase": "decide"}


def sent(game: Any) -> dict[str, Any]:
    """Return the data that seat 0's page gets only once."""
    setting = peers.setting(game)
    assert setting is not None
    return setting


def open_list(page: Page, play: Episode, *styles: str) -> None:
    game = play.game
    field = next(iter(FIRST[game.id]))
    texts = wording.play()
    arguments = [sent(game), viewed(play), field, rules.accepted(game), texts, list(styles)]
    page.evaluate(BUILD, arguments)


def row(page: Page, seat: int) -> Any:
    return page.get_by_role("spinbutton", name=f"Points for Player {seat + 1}", exact=True)


def button(page: Page, seat: int, more: bool) -> Any:
    name = f"One {'more' if more else 'fewer'} point for Player {seat + 1}"
    return page.get_by_role("button", name=name, exact=True)


# -- points that may be assigned --------------------------------------------------------------


def accepts(play: Episode, points: list[int]) -> bool:
    """Return whether the engine accepts these points from seat 0."""
    try:
        play.allowed(0).plain({"assign": points})
    except ActionError:
        return False
    return True


LIMITED = {
    "no limits": good(),
    "at most 2": good(peer_max=2),
    "budget": good(peer_budget=3),
    "targets": good(peer_targets=2, peer_max=2),
    "both": good(peer="both", peer_budget=4, peer_max=3),
    "held": commons(peer_cost=2.5),
    "held, with a table": commons(peer_costs=FEHR_GAECHTER, peer_effect_share=0.1),
    "held, both": commons(peer="both", peer_cost=3),
    "neighbours": commons(observation="local", neighbours="ring"),
    "costs of living": commons(living_cost=2, initial_wealth=3),
}


@pytest.mark.few(5)
@pytest.mark.parametrize("name", LIMITED)
def test_the_buttons_offer_exactly_what_the_engine_accepts(page, name):
    play = second_stage(LIMITED[name])
    open_list(page, play)
    others = play.allowed(0).to_json()["assign"][2]
    draws = np.random.default_rng(5)
    place, before = None, list[int]()
    for _ in range(40):
        rows = page.evaluate(STATE, place)
        points = [0] * play.game.seats
        for seat, shown in zip(others, rows, strict=True):
            points[seat] = shown["points"]
        assert accepts(play, points)
        offered = []
        for index, (seat, shown) in enumerate(zip(others, rows, strict=True)):
            for more, offers in enumerate(shown["offers"]):
                by = 1 if more else -1
                changed = [n + by * (seat == other) for other, n in enumerate(points)]
                assert offers == accepts(play, changed), (points, changed)
                offered += [[index, more]] * offers
        assert place is None or points != before  # the click had an effect
        place, before = offered[draws.integers(len(offered))], points


def test_what_others_hold_is_not_needed_and_neighbours_alone_are_listed(page):
    open_list(page, second_stage(LIMITED["neighbours"]))  # seat 0 sits between 1 and 3
    expect(page.get_by_role("spinbutton")).to_have_count(2)
    expect(row(page, 2)).to_have_count(0)


@pytest.mark.parametrize("kind", ["punishment", "reward", "both"])
def test_the_page_has_every_word_of_the_stage_and_no_other(kind):
    paths = [STATIC / "mixed" / f"{name}.js" for name in ("peers", "ledger", "play")]
    script = "".join(path.read_text("utf-8") for path in paths)
    used = set(re.findall(r"\bwords\.(\w+)", script))
    by_kind = {"punishment", "reward"}  # words[kindOf(...)]
    assert used | by_kind == set(sent(good(peer=kind))["words"])


# -- texts in the rows ------------------------------------------------------------------------


def test_the_list_shows_what_each_player_did_and_earned(page):
    # 20 - given + 0.4 * 35 = 34 - given
    open_list(page, second_stage(good()))
    expect(page.locator(".peer-did")).to_have_text(
        ["did: 0 earned: 34", "did: 10 earned: 24", "did: 20 earned: 14"]
    )
    expect(row(page, 2)).to_have_accessible_description("did: 10 earned: 24")
    expect(page.locator(".peer-does")).to_have_text(
        "Each punishment point takes 3 points from the player who gets it. Each point that you "
        "assign costs you 1 point."
    )


def test_costs_and_what_is_left_are_told_as_they_change(page):
    core = {"peer_costs": FEHR_GAECHTER, "peer_effect_share": 0.1}
    open_list(page, second_stage(commons(**core, peer_budget=5, peer_targets=2)))  # 6 fish taken
    sums = page.get_by_role("status")
    left = "That leaves you with 6 points. You can assign 5 more points."
    expect(sums).to_have_text(
        f"If you confirm now, nobody gets points. {left} You can give points to 2 more players."
    )
    for _ in range(3):
        button(page, 1, more=True).click()
    expect(sums).to_have_text(
        "These points cost you 4 points. That leaves you with 2 points. You can assign 2 more "
        "points. You can give points to 1 more player."
    )
    button(page, 3, more=True).click()
    expect(sums).to_have_text(
        "These points cost you 5 points. That leaves you with 1 point. You can assign 1 more "
        "point. You can give points to 0 more players."
    )
    expect(page.get_by_text("What it costs to give points to one player")).to_be_visible()


def test_a_person_who_holds_nothing_reads_why_there_is_nothing_to_assign(page):
    play = Episode(commons(), 7)
    play.step({"harvest": [0, 5, 5, 5], "contribution": [0] * 4})
    open_list(page, play)
    expect(page.get_by_role("status")).to_have_text(
        "If you confirm now, nobody gets points. You do not have enough points to give any."
    )


def test_with_both_minus_punishes_and_plus_rewards(page):
    open_list(page, second_stage(good(peer="both")))
    expect(page.locator(".peer-does")).to_contain_text("Use minus to punish and plus to reward.")
    button(page, 1, more=False).click()
    button(page, 2, more=True).click()
    expect(row(page, 1)).to_have_text(f"{MINUS}1")
    expect(row(page, 1)).to_have_attribute("aria-valuetext", "1 punishment point")
    expect(row(page, 2)).to_have_text("+1")
    expect(row(page, 2)).to_have_attribute("aria-valuetext", "1 reward point")
    page.locator("#confirm").click()
    assert page.evaluate("decided") == [{"assign": [0, -1, 1, 0]}]


# -- mouse, touch and keyboard ----------------------------------------------------------------


def test_every_button_has_the_size_of_a_finger_at_360_pixels(page):
    page.set_viewport_size({"width": 360, "height": 740})
    open_list(page, second_stage(good()), "tokens", "page", "play", "peers")
    for node in page.locator(".peer-step").all():
        box = node.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


def test_the_keyboard_alone_assigns_points(page):
    open_list(page, second_stage(good(peer_max=4, peer_budget=7)))
    page.locator("#decision").focus()
    page.keyboard.press("Tab")
    expect(row(page, 1)).to_be_focused()
    for key, value in [("ArrowUp", 1), ("ArrowRight", 2), ("End", 4), ("ArrowDown", 3)]:
        page.keyboard.press(key)
        expect(row(page, 1)).to_have_attribute("aria-valuenow", str(value))
    page.keyboard.press("Tab")  # the buttons are for the mouse
    expect(row(page, 2)).to_be_focused()
    page.keyboard.press("End")
    expect(row(page, 2)).to_have_attribute("aria-valuenow", "4")  # 3 + 4 = 7
    page.keyboard.press("Enter")  # does not confirm
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    expect(row(page, 2)).to_have_attribute("aria-valuenow", "0")
    assert page.evaluate("decided") == []
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("decided") == [{"assign": [0, 3, 0, 0]}]


def test_the_stages_of_a_period_have_their_own_controls_and_the_focus_follows(page):
    game = good()
    play = second_stage(game)
    open_list(page, play)
    first = viewed(Episode(game, 7))
    page.evaluate("view => show(view)", first)
    box = page.locator("#contribution")
    expect(box).to_be_visible()
    expect(page.get_by_role("spinbutton")).to_have_count(0)
    box.fill("4")
    box.press("Enter")
    assert page.evaluate("decided") == [{"contribution": 4}]
    page.evaluate("view => card.show({...view, decision: {contribution: 4}}, false)", first)
    page.evaluate("view => show(view)", viewed(play))
    expect(box).to_be_hidden()
    expect(row(page, 1)).to_be_focused()


def test_the_second_click_of_a_double_click_does_not_confirm_the_points(page):
    open_list(page, second_stage(good()))
    page.locator("#confirm").dblclick()
    assert page.evaluate("decided") == [{"assign": [0, 0, 0, 0]}]


def test_a_saved_decision_is_shown_again_and_cannot_be_changed(page):
    play = second_stage(good())
    open_list(page, play)
    waiting = {**viewed(play), "phase": "waiting", "decision": {"assign": [0, 2.0, 0, 1.0]}}
    page.evaluate("view => show(view, false)", waiting)
    assert [shown["points"] for shown in page.evaluate(STATE)] == [2, 0, 1]
    assert not any(offer for shown in page.evaluate(STATE) for offer in shown["offers"])
    row(page, 1).press("ArrowUp")
    expect(row(page, 1)).to_have_text("2")
    expect(page.locator("#confirm")).to_be_disabled()
    expect(page.get_by_role("status")).to_have_text("These points cost you 3 points.")
    page.evaluate("view => show(view, false)", {**waiting, "decision": None})  # a stand-in decides
    expect(page.get_by_role("status")).to_have_text("")


# -- sentences after the period ---------------------------------------------------------------

READ = """async ([sent, view, texts, lapsed]) => {
  const {sentences} = await import("/mixed/peers.js");
  return sentences(view, lapsed, {peers: sent, seat: 0, texts});
}"""


def told(page: Page, game: Any, points: list[list[int]], lapsed: bool = False) -> list[str]:
    """Return what seat 0 reads after a period with these points, from row to column."""
    play = second_stage(game)
    period = play.step({"assign": points})
    used = {name: value[0].tolist() for name, value in period.used.items()}
    view = {"observation": play.observation_json(0), "last": {"used": used}}
    lines: list[str] = page.evaluate(READ, [sent(game), view, wording.play(), lapsed])
    return lines


NOTHING = [[0] * 4 for _ in range(4)]


def test_a_person_reads_what_he_or_she_assigned_and_got(page):
    points = [[0, 1, 0, 0], [2, 0, 0, 0], [1, 0, 0, 0], [0] * 4]
    total = ["You assigned 1 punishment point.", "You got 3 punishment points."]
    assert told(page, good(), points) == total
    givers = ["From Player 2: 2 punishment points", "From Player 3: 1 punishment point"]
    assert told(page, good(peer_tells="who"), points) == [*total, *givers]
    rewards = ["You assigned 1 reward point.", "You got 3 reward points."]
    assert told(page, good(peer="reward"), points) == rewards


def test_with_both_a_person_reads_the_balance(page):
    points = [[0, 1, -2, 0], [2, 0, 0, 0], [-3, 0, 0, 0], [0] * 4]
    total = ["You assigned 3 points.", "On balance, you got 1 punishment point."]
    assert told(page, good(peer="both"), points) == total
    givers = ["From Player 2: 2 reward points", "From Player 3: 3 punishment points"]
    assert told(page, good(peer="both", peer_tells="who"), points) == [*total, *givers]


def test_a_person_whose_time_was_up_reads_that(page):
    lines = told(page, good(), NOTHING, lapsed=True)
    assert lines == ["Time was up, so you assigned no points.", "You got 0 punishment points."]
