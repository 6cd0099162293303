"""Pictures of the games, drawn from a page's data. Whole figures are drawn for an inexact number, a
period is animated once, hiding a value does not move the others, and the keyboard works."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from commons_game.words import texts as lake_words
from gem_mining.words import mine as mine_name
from gem_mining.words import texts as gem_words
from mixed_company import engine
from mixed_company.server.pages.guide import guide_of
from sanctions.words import texts as pot_words
from tests.server.stages import open_stage, page, viewed, window

__all__ = ["page", "window"]  # fixtures


# -- the mines -------------------------------------------------------------------------------------


def gems(kinds: int = 2, **changes: Any) -> Any:
    shown = {"information": "all", "known_probabilities": True}
    core = {"seats": 3, "max_connectivity": 3, "gem_types": kinds, "weights": [1.0] * kinds}
    return engine.make("gem_mining", **core, **shown, **changes)


def was_at(game: Any, **observed: Any) -> dict[str, Any]:
    """Return a view after all villages went to the first mine within reach."""
    return viewed(game, {"mine": list(range(game.seats))}, **observed)


@pytest.mark.parametrize("workers", [2.37, -0.8])
@pytest.mark.parametrize("blurred", ["workforces", "workers", "workers_at"])
def test_the_map_is_drawn_if_workers_are_shown_with_an_error(page, blurred, workers):
    game = gems(layers={"information": {"intensity": 1.0, "noise": {blurred: 1.0}}})
    open_stage(page, game, gem_words(game.core))
    many = {"workforces": game.seats, "workers_at": game.core.mines}
    reading = [workers] * many[blurred] if blurred in many else workers
    page.evaluate("view => stage.draw(view, [])", was_at(game, **{blurred: reading}))
    expect(page.locator(".gems-village")).to_have_count(game.seats)
    drawn = page.locator(".gems-mine, .gems-village")
    place = {"workforces": game.core.mines + 1, "workers": game.core.mines, "workers_at": 0}
    figures = drawn.nth(place[blurred]).locator(".gems-figure")
    expect(figures).to_have_count(2 if workers > 0 else 0)


OPTION = """(view) => {
  stage.draw(view, []);
  const label = document.createElement("label");
  label.className = "mc-option";
  const radio = Object.assign(document.createElement("input"), {type: "radio"});
  label.append(radio, stage.controls[0].option(0, view, []));
  const choice = document.createElement("fieldset");
  choice.className = "mc-choice";
  choice.append(label);
  document.getElementById("card").append(choice);
}"""


@pytest.mark.parametrize("kinds", [2, 4])
def test_on_a_phone_a_mine_states_its_chances_and_its_workers(page, kinds):
    """Always read the chances aloud, and show them elsewhere if the map has no room for them."""
    page.set_viewport_size({"width": 390, "height": 800})
    game = gems(kinds)
    open_stage(page, game, gem_words(game.core), sheet=True)
    page.evaluate(OPTION, was_at(game))
    chances = page.locator(".gems-option .mc-quiet").text_content()
    crowd = page.locator(".gems-crowd").text_content()
    assert chances
    assert crowd
    expect(page.get_by_role("radio")).to_have_accessible_name(f"Mine A {chances} {crowd}")
    box = page.locator(".gems-option .mc-quiet").bounding_box()
    assert box is not None
    assert (box["width"] > 40) == (kinds > 3)
    assert (page.locator(".gems-mine .gems-track").count() > 0) == (kinds <= 3)


def test_mines_have_the_same_names_in_pictures_and_in_tables(page):
    names = page.evaluate(
        "async () => { const {letters} = await import('/gem_mining/gems.js');"
        " return Array.from({length: 1010}, (_, mine) => `Mine ${letters(mine)}`); }"
    )
    assert names == [mine_name(mine) for mine in range(1010)]


# -- the lake --------------------------------------------------------------------------------------


def lake(**changes: Any) -> Any:
    return engine.make("commons_game", archetype="lab", **changes)


NOTHING = [0.0] * 4
TAKEN = {"harvest": [4.0] * 4, "contribution": NOTHING}
PEER_TAKEN = {**TAKEN, "assign": [[0] * 4] * 4}
LOOKED = """() => ({
  water: document.querySelector(".lake-water").style.transform,
  catches: [...document.querySelectorAll(".lake-catch")].map((one) => one.textContent),
  born: document.querySelector(".lake-born").textContent,
})"""


def test_a_period_of_the_lake_is_animated_once(page):
    game = lake()
    open_stage(page, game, lake_words(game.core))
    page.evaluate("view => stage.draw(view, [])", viewed(game))
    view = viewed(game, TAKEN)
    page.evaluate("view => stage.draw(view, [])", view)
    moving = page.evaluate(LOOKED)
    page.clock.run_for(5000)
    settled = page.evaluate(LOOKED)
    assert settled != moving
    assert settled["catches"] == ["+4"] * 4
    view["seats"][1]["decided"] = True  # the other person has decided meanwhile
    page.evaluate("view => stage.draw(view, [])", view)
    assert page.evaluate(LOOKED) == settled
    page.evaluate("view => stage.draw(view, [])", viewed(game, TAKEN, TAKEN))
    assert page.evaluate(LOOKED) != settled


def in_stages(game: Any, first: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the views in the second stage of the first period, and after that period."""
    play, nothing = engine.Episode(game, 3), [[0] * game.seats] * game.seats
    start = play.observation_json(0)
    play.step(first)
    now = play.observation_json(0)
    after = viewed(game, {**first, "assign": nothing})
    shown = guide_of(game.id).derived(game, 0, [start, {**now, "period": 1}])
    return {**after, "observation": now, "shown": shown, "period": 0, "last": None}, after


def test_with_peer_points_the_lake_is_animated_in_the_second_stage_alone(page):
    game = lake(peer="punishment")
    open_stage(page, game, lake_words(game.core))
    page.evaluate("view => stage.draw(view, [])", viewed(game))
    later, after = in_stages(game, TAKEN)
    page.evaluate("view => stage.draw(view, [])", later)
    moving = page.evaluate(LOOKED)
    expect(page.locator(".lake-told")).to_have_text(re.compile("This period: 16 fish taken"))
    page.clock.run_for(5000)
    settled = page.evaluate(LOOKED)
    assert settled != moving
    assert settled["catches"] == ["+4"] * 4
    page.evaluate("view => stage.draw(view, [])", after)
    assert page.evaluate(LOOKED) == settled
    expect(page.locator(".lake-told")).to_have_text(re.compile("Previous period: 16 fish taken"))


def test_with_peer_points_the_pot_and_the_table_show_this_period(page):
    game = engine.make("sanctions", archetype="unsanctioned", peer="punishment")
    open_stage(page, game, pot_words(game.core))
    page.evaluate("view => stage.draw(view, [])", viewed(game))
    expect(page.locator(".pot")).to_have_attribute("aria-label", "Nothing has been given yet.")
    later, _after = in_stages(game, {"contribution": [1.0, 2.0, 3.0, 4.0]})
    page.evaluate("view => stage.draw(view, [])", later)
    expect(page.locator(".pot")).to_have_attribute("aria-label", re.compile("Total given: 10"))
    expect(page.locator("caption")).to_have_text("What each player gave in this period")
    cells = page.locator(".net-players tbody td").all_text_contents()
    assert [cell.strip() for cell in cells] == ["1", "2", "3", "4"]


def test_players_with_new_names_in_every_period_have_one_common_bar(page):
    """A single bar per player would combine the catches of different people."""
    game = lake(peer="punishment", peer_names="shuffled")
    open_stage(page, game, lake_words(game.core))
    past = [{"period": 0, "observation": viewed(game, PEER_TAKEN)["observation"]}]
    page.evaluate("([view, past]) => stage.draw(view, past)", [viewed(game, PEER_TAKEN), past])
    expect(page.locator("#past section").last.locator(".mc-legend li")).to_have_text(
        ["total harvest"]
    )


def test_if_the_stock_is_hidden_the_boats_still_show_the_harvests(page):
    game = lake()
    open_stage(page, game, lake_words(game.core), sheet=True)
    page.evaluate("view => stage.draw(view, [])", viewed(game, stock=None))
    top = "document.querySelector('.lake-boat').getBoundingClientRect().top"
    edge = "document.querySelector('.lake').getBoundingClientRect().top"
    assert page.evaluate(f"{top} > {edge}")  # no boat is cut off
    expect(page.locator(".lake-water")).to_be_hidden()
    page.evaluate("view => stage.draw(view, [])", viewed(game, TAKEN))
    page.clock.run_for(5000)
    expect(page.locator(".lake-born")).not_to_have_text("")
    expect(page.locator(".lake-water")).to_be_visible()
    then = viewed(game, TAKEN, {**TAKEN, "harvest": [3.0] * 4}, stock=None)
    page.evaluate("view => stage.draw(view, [])", then)
    page.clock.run_for(5000)
    expect(page.locator(".lake-catch")).to_have_text(["+3"] * 4)
    expect(page.locator(".lake-born")).to_have_text("")
    expect(page.locator(".lake-fish").first).to_be_hidden()


# -- on a phone ------------------------------------------------------------------------------------

TABLE = """async () => {
  const heads = ["Period", "you gave", "remembered", "sanctions and rewards", "points"];
  const cells = ["1", "12", "12", "-11.47", "16.93"];
  const row = (all, kind) => `<tr>${all.map((cell) => `<${kind}>${cell}</${kind}>`).join("")}</tr>`;
  document.body.innerHTML = `<main class=mc-page><section class="mc-card mc-text">
    <div class=mc-scroll><table class=mc-seats><thead>${row(heads, "th")}</thead>
    <tbody>${row(cells, "td")}</tbody></table></div></section></main>`;
  for (const name of ["tokens", "page", "play"]) {
    const link = document.createElement("link");
    Object.assign(link, {rel: "stylesheet", href: `/mixed/${name}.css`});
    document.head.append(link);
    await new Promise((done) => { link.onload = done; });
  }
}"""
GAPS = """() => {
  const ends = (cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect();
  };
  return [...document.querySelectorAll("tr")].flatMap(({cells}) => [...cells].slice(1)
    .map((cell, before) => ends(cell).left - ends(cells[before]).right));
}"""


def test_numbers_of_two_columns_never_touch(page):
    """Guard against reading them as one number: -11.4716.93."""
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate(TABLE)
    assert min(page.evaluate(GAPS)) >= 5


def test_a_table_that_scrolls_has_a_shade(page):
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate(TABLE)
    shade = page.locator(".mc-scroll").evaluate("box => getComputedStyle(box).backgroundAttachment")
    assert shade == "local, local, scroll, scroll"


SPLIT = """async () => {
  const {scenes} = await import("/sanctions/scenes.js");
  const scene = {whole: 20, given: 10, given_words: "contributed: 10", kept_words: "kept: 10"};
  const place = document.createElement("div");
  place.className = "mc-scene";
  place.append(scenes.decides(scene));
  document.body.replaceChildren(place);
  for (const sheet of ["mixed/tokens", "mixed/page", "sanctions/stage"]) {
    const link = document.createElement("link");
    Object.assign(link, {rel: "stylesheet", href: `/${sheet}.css`});
    document.head.append(link);
    await new Promise((done) => { link.onload = done; });
  }
  const [given, kept] = document.querySelectorAll(".net-split p span");
  return kept.getBoundingClientRect().left - given.getBoundingClientRect().right;
}"""


def test_given_and_kept_amounts_are_written_apart(page):
    """Guard against reading both texts as one: "contributed: 10kept: 10"."""
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(SPLIT) > 8


# -- the keyboard ----------------------------------------------------------------------------------

EXAMPLE = """async () => {
  document.body.innerHTML = `<form><div><table class=mc-rule-table>
    <tr><th>Workers</th><td>0</td><td>1</td><td>2</td></tr>
    <tr><th>Chance</th><td>0</td><td>10</td><td>20</td></tr></table></div>
    <button id=leave>Leave</button></form>`;
  window.sent = 0;
  document.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    sent += 1;
  });
  await import("/mixed/rules.js");
}"""


def test_enter_on_the_example_of_the_rules_submits_nothing(page):
    page.evaluate(EXAMPLE)
    slider = page.get_by_role("slider")
    slider.press("Enter")
    assert page.evaluate("sent") == 0
    slider.press("ArrowRight")
    expect(page.locator(".mc-move strong")).to_have_text(["1", "10"])


FOLDS = """async () => {
  const {keepFocus} = await import("/mixed/dom.js");
  const fold = (name) => `<details><summary>${name}</summary>more</details>`;
  document.body.innerHTML = `<section id=ledger></section><section id=past></section>
    <button>Confirm</button>`;
  const places = ["ledger", "past"].map((id) => document.getElementById(id));
  const fill = (ledger, past) => {
    places[0].innerHTML = ledger.map(fold).join("");
    places[1].innerHTML = past.map(fold).join("");
  };
  fill([], ["stock", "catches"]);
  window.remake = () => keepFocus(places, () => fill(["why"], ["stock", "catches"]));
}"""


def test_a_redrawn_fold_keeps_the_keyboard_focus(page):
    """Keep each fold in its place, so another fold before it does not matter."""
    page.evaluate(FOLDS)
    for name in ("stock", "catches"):
        page.get_by_text(name, exact=True).focus()
        page.evaluate("remake()")
        expect(page.get_by_text(name, exact=True)).to_be_focused()
    page.get_by_role("button").focus()
    page.evaluate("remake()")
    expect(page.get_by_role("button")).to_be_focused()
