"""Tests of the gem mining map and the card beside it, which show the observation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from gem_mining import words
from mixed_company import engine
from mixed_company.server.pages.texts import number
from tests.door.audit import table, wrong_numbers
from tests.door.gems import (
    AT_ONCE,
    LONGER,
    NBSP,
    assert_own_village_is_seen,
    begun,
    code_of,
    found_in,
    heard_in,
    leave,
    offered,
    radio,
    send,
    shows_what_is_observed,
    wait_for_period,
)
from tests.door.pages import PHONE, read, window

pytestmark = [pytest.mark.door, pytest.mark.long]


def chosen_on_map(page: Page) -> list[int]:
    chosen = page.locator(".gems-mine[data-chosen=true]").all()
    return [int(node.get_attribute("data-mine") or "") for node in chosen]


def test_on_a_phone_a_mine_of_a_wide_map_can_be_tapped_without_moving_the_map(server, browser):
    session = server.session("gems_published", 1, **AT_ONCE, periods=2)
    page = window(browser, session["session_wide_url"], **PHONE)
    read(page)
    wait_for_period(page, 1)
    mines = offered(page)
    place = page.evaluate("() => document.querySelector('.gems-scroll').scrollLeft")
    page.locator(f".gems-mine[data-mine='{mines[0]}'] .gems-letter").tap()
    expect(radio(page, mines[0])).to_be_checked()
    page.locator("#confirm").tap()
    wait_for_period(page, 2)
    assert page.evaluate("() => document.querySelector('.gems-scroll').scrollLeft") == place
    assert_own_village_is_seen(page)


@pytest.mark.parametrize("config", ["gems", *LONGER])
def test_a_click_chooses_a_mine_in_reach_and_ignores_one_out_of_reach(server, browser, config):
    session, page = begun(server, browser, config, periods=1, disclosure="labels")
    bots = len(page.locator(".gems-people tbody tr").all()) - 1
    expect(page.locator(".gems-people .mc-tag", has_text="bot")).to_have_count(bots)
    mines = offered(page)
    letters = page.locator(".gems-letter").all_text_contents()
    assert [f"Mine {letter}" for letter in letters] == list(map(words.mine, range(len(letters))))
    total = page.locator(".gems-mine").count()
    opened = page.locator(".gems-mine[data-open=true]").all()
    assert [int(node.get_attribute("data-mine") or "") for node in opened] == mines
    others = [mine for mine in range(total) if mine not in mines]
    for mine in others:
        page.locator(f".gems-mine[data-mine='{mine}'] .gems-letter").click()
    assert chosen_on_map(page) == []
    expect(page.locator("[name=mine]:checked")).to_have_count(0)
    expect(page.locator("#confirm")).to_be_disabled()
    for mine in (*mines, mines[0]):
        page.locator(f".gems-mine[data-mine='{mine}'] .gems-letter").click()
        expect(radio(page, mine)).to_be_checked()
        assert chosen_on_map(page) == [mine]
        expect(page.locator(".gems-road-chosen")).to_have_count(1)
        expect(page.locator("#effect")).to_contain_text(words.mine(mine))
        expect(page.locator("#confirm")).to_be_enabled()
    if others:
        page.locator(f".gems-mine[data-mine='{others[0]}'] .gems-letter").click()
    assert chosen_on_map(page) == [mines[0]]
    radio(page, mines[1]).check()  # the card shows the same choice
    assert chosen_on_map(page) == [mines[1]]
    page.locator("#confirm").click()
    leave(page)
    decisions = table(server, "decisions", session)
    assert decisions[decisions["occupant"] == "person"]["used_mine"].tolist() == [mines[1]]


def test_the_map_is_disabled_while_waiting_for_the_others(server, browser):
    session = server.session("gems", 2, **AT_ONCE, people_per_group=2, periods=2)
    pages = [window(browser, session["session_wide_url"]) for _ in range(2)]
    for page in pages:
        read(page)
    for page in pages:
        wait_for_period(page, 1)
    first, other = pages
    mines, theirs = offered(first), offered(other)
    radio(other, theirs[1]).check()
    send(first, mines[0])
    expect(first.locator("#waiting")).to_contain_text("one other player")
    first.locator(f".gems-mine[data-mine='{mines[1]}'] .gems-letter").click()
    expect(radio(first, mines[0])).to_be_checked()
    assert chosen_on_map(first) == [mines[0]]
    expect(
        radio(other, theirs[1])
    ).to_be_checked()  # others' decisions do not change this person's choice
    assert chosen_on_map(other) == [theirs[1]]
    other.locator("#confirm").click()
    wait_for_period(first, 2)
    assert chosen_on_map(first) == []
    decisions = table(server, "decisions", session)
    for page, mine in ((first, mines[0]), (other, theirs[1])):
        own_decisions = decisions[decisions["participant"] == code_of(page)]
        assert own_decisions["used_mine"].tolist() == [mine]


@pytest.mark.parametrize(
    ("config", "changes"),
    [
        ("gems", {"information": "own"}),
        ("gems", {"information": "none"}),
        ("gems", {"information": "none", "known_probabilities": True}),
        ("gems_three_kinds", {}),
        ("gems_published", {}),
    ],
)
def test_the_map_shows_and_describes_only_what_is_observed(server, browser, config, changes):
    session, page, heard = heard_in(server, browser, config, **changes, periods=3)
    for period in range(1, 4):
        wait_for_period(page, period)
        shows_what_is_observed(page, heard, period)
        send(page, offered(page)[period % len(offered(page))])
    leave(page)
    assert wrong_numbers(server, session) == []


@pytest.mark.parametrize("information", ["own", "all"])
def test_the_card_and_the_ledger_count_the_finds_seen_in_each_mine_in_reach(
    server, browser, information
):
    session, page = begun(server, browser, "gems", periods=7, information=information)
    for note in page.locator(".gems-option .mc-quiet").all_inner_texts():
        assert note == "not mined yet"
    for period in range(1, 7):
        wait_for_period(page, period)
        send(page, offered(page)[period % 2])
    wait_for_period(page, 7)
    periods = table(server, "periods", session)
    assert len(periods) == 6
    decisions = table(server, "decisions", session)
    chosen_mines = (
        decisions[decisions["occupant"] == "person"].sort_values("period")["used_mine"].to_numpy()
    )
    rows = page.locator("#ledger table.mc-seats").first.locator("tbody tr").all()
    notes = page.locator(".gems-option .mc-quiet").all_inner_texts()
    for mine, row, note in zip(offered(page), rows, notes, strict=True):
        seen_periods = (
            periods[f"after_workers_at_{mine}"] > 0
            if information == "all"
            else chosen_mines == mine
        )
        gems = [
            int(periods.loc[seen_periods, f"after_found_{mine}_{kind}"].sum()) for kind in (0, 1)
        ]
        times = int(seen_periods.sum())
        expect(row.locator("th")).to_have_text(words.mine(mine))
        cells = row.locator("td").all_inner_texts()
        assert [cell.split()[0] for cell in cells] == [str(number) for number in (times, *gems)]
        many = "1 period" if times == 1 else f"{times} periods"
        assert note == (f"{many}: {found_in(gems)}" if times else "not mined yet")


def test_if_nothing_is_seen_the_card_only_names_the_mines(server, browser):
    _, page = begun(server, browser, "gems", periods=3, information="none")
    for period in (1, 2, 3):
        wait_for_period(page, period)
        named = [words.mine(mine) for mine in offered(page)]
        assert page.locator(".gems-option").all_inner_texts() == named
        radio(page, offered(page)[0]).check()
        expect(page.locator("#effect")).to_have_text(f"Your workers go to {named[0]}.")
        expect(page.locator("#ledger")).not_to_contain_text("Mines in reach")
        page.locator("#confirm").click()


def test_known_chances_are_shown_on_the_card_for_the_workers_of_the_person(server, browser):
    _, page, heard = heard_in(server, browser, "gems_three_kinds", periods=2, truncation=0.25)
    seen = heard.views[-1]["observation"]
    workers = int(seen["workers"])
    bonus = engine.make("gem_mining", archetype="lab_0_7").core.worker_bonus
    options = page.locator(".gems-option .mc-quiet").all_inner_texts()

    def told(mine: int, count: int) -> str:
        chances = [min(0.25, p * bonus ** (count - 1)) for p in seen["base_probabilities"][mine]]
        return ", ".join(f"{number(100 * p)}{NBSP}% {words.kind(k)}" for k, p in enumerate(chances))

    for mine, option in zip(offered(page), options, strict=True):
        assert option == told(mine, workers)
        radio(page, mine).check()
        sent = "Your worker goes" if workers == 1 else f"Your {workers} workers go"
        expect(page.locator("#effect")).to_have_text(
            f"{sent} to {words.mine(mine)}. If only your workers are there: {told(mine, workers)}."
        )


def test_bots_are_marked_if_the_session_says_so(server, browser):
    for disclosure, marked in (("labels", 3), ("none", 0)):
        _, page = begun(server, browser, "gems", disclosure=disclosure)
        expect(page.locator(".gems-people tbody tr")).to_have_count(4)
        expect(page.locator(".gems-people .mc-tag", has_text="bot")).to_have_count(marked)
        page.close()
