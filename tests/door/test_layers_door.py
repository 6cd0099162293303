"""Layers, turns and seats that stay empty, through a real server, over sockets and in Chromium."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from tests.door.audit import differences, table, wrong_numbers
from tests.door.harness import Live, Server, seated, synced
from tests.door.pages import (
    PHONE,
    assert_no_sideways_scrolling,
    read,
    window,
)

pytestmark = [pytest.mark.door]

MINUS = "\N{MINUS SIGN}"
# Half of what is earned comes two periods later.
LATER = '{"temporal": {"intensity": 0.5, "reward_delay": 2}}'
Choose = Callable[[dict[str, Any]], dict[str, float]]


# -- simple clients --------------------------------------------------------------------------


def own_seat(view: dict[str, Any]) -> int:
    return int(next(each["seat"] for each in view["seats"] if each["you"]))


def play_to_the_end(
    lives: list[Live], choose: Choose, seconds: float = 600
) -> list[dict[str, Any]]:
    """Whoever is asked decides; the views in which somebody was."""
    asked = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        views = [synced(live) for live in lives]
        if all(view["phase"] == "over" for view in views):
            return asked
        for live, view in zip(lives, views, strict=True):
            if view["phase"] == "decide":
                asked.append(view)
                name = f"{own_seat(view)} {len(asked)}"
                live.act(view["period"], name, **choose(view))
    pytest.fail(f"not over after {seconds} s")


def least(view: dict[str, Any]) -> dict[str, float]:
    return {name: low for name, (low, _) in view["limits"].items()}


# -- every session config with layers --------------------------------------------------------

QUICK: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}
LAYERED: dict[str, dict[str, Any]] = {
    "commons_unequal": {},
    "sanctions_reputation": {"periods": 8},
    "gems_open_book": {"periods": 8},
    "vote_weighted": {"turns": 12, "decision_seconds": 0.3},
    "commons_in_turn": {"periods": 6},
}


@pytest.mark.parametrize("config", LAYERED)
def test_a_layered_play_ends_with_an_export_that_replays_exactly(
    server: Server, config: str
) -> None:
    people = 2 if config == "commons_in_turn" else 1
    session = server.session(config, people, **QUICK, **LAYERED[config])
    seats = seated(server, session, people)
    asked = play_to_the_end([live for _, live in seats], least)
    assert len(asked) >= people * 6
    assert wrong_numbers(server, session) == []
    outcomes = table(server, "outcomes", session)
    assert outcomes["status"].tolist() == ["finished"] * people
    decisions = table(server, "decisions", session)
    for person, _ in seats:
        person.next()
        assert person.page_name == "Results"
        own = decisions[decisions["participant"] == person.code]
        [outcome] = outcomes[outcomes["participant"] == person.code].to_dict("records")
        assert outcome["points"] == pytest.approx(own["reward"].sum())
    config_row = table(server, "config", session).iloc[0]
    resolved = json.loads(config_row["config"])
    assert (
        any(layer["intensity"] for layer in resolved["layers"].values())
        or resolved["agents"]["timing"] == "sequential"
    )


def test_who_decides_later_is_told_what_was_decided_before(server: Server) -> None:
    session = server.session("commons_in_turn", 2, **QUICK, periods=2, bots="fixed:harvest=2")
    lives = [live for _, live in seated(server, session, 2)]
    views = {own_seat(view): (live, view) for live in lives for view in [synced(live)]}
    (first, (early, _)), (second, (late, _)) = sorted(views.items())
    view = synced(late)
    assert (view["turn"], view["phase"]) == (first, "waiting")
    assert view["observation"]["earlier_harvest"][first] is None
    late.send({"kind": "act", "id": "x", "period": 0, "action": {"harvest": 1, "contribution": 0}})
    refused = late.receive("refused")
    assert refused["reason"] == f"it is the turn of Player {first + 1}"
    assert early.act(0, "a", harvest=3.5, contribution=0)["kind"] == "ack"
    # bots before the second seat have taken 2, those after it nothing yet
    expected = [2.0 if seat < second else None for seat in range(4)]
    expected[first], expected[second] = 3.5, None
    view = synced(late)
    assert (view["turn"], view["phase"]) == (second, "decide")
    assert view["observation"]["earlier_harvest"] == expected
    assert synced(early)["observation"]["earlier_harvest"][second] is None
    assert late.act(0, "b", harvest=1, contribution=0)["kind"] == "ack"
    assert synced(early)["period"] == 1


def test_an_edited_share_of_one_who_left_is_found_out(reduced: dict[str, Any]) -> None:
    server, session = reduced["server"], reduced["session"]
    tables = [table(server, name, session) for name in ("decisions", "periods", "config")]
    assert list(differences(*tables)) == []
    gone = tables[0].index[tables[0]["decided_by"] == "absent"]
    tables[0].loc[gone, "decided_by"] = "default"
    assert any("after_seat_reason" in each for each in differences(*tables))


# -- reduced ---------------------------------------------------------------------------------


def leave_and_finish(server: Server, **changes: Any) -> dict[str, Any]:
    """Two people take 3 and 4 a period; in the third the socket of the second is closed.

    The first plays on alone when the second is out, and both go to their results.
    """
    session = server.session(
        "commons_two_people",
        2,
        **QUICK,
        periods=5,
        bots="fixed:harvest=1",
        dropout="reduced",
        grace_seconds=10.0,
        decision_seconds=0,
        layers=LATER,
        **changes,
    )
    (stays, one), (leaves, other) = seated(server, session, 2)
    by_live = {id(one): 3.0, id(other): 4.0}

    def turn_of_both(period: int) -> None:
        for _ in range(2):
            for live in (one, other):
                view = synced(live)
                if view["phase"] == "decide" and view["period"] == period:
                    live.act(period, f"p{period}", harvest=by_live[id(live)], contribution=0)

    for period in range(2):
        turn_of_both(period)
        assert synced(one)["period"] == period + 1
    seat = own_seat(synced(other))
    other.close()
    deadline = time.monotonic() + 600
    view = synced(one)
    while view["period"] == 2 and time.monotonic() < deadline:
        if view["phase"] == "decide":
            one.act(2, "p2", harvest=3, contribution=0)
        time.sleep(0.1)  # until the grace time of the other is over
        view = synced(one)
    assert view["period"] == 3
    found = {"server": server, "session": session, "seat": seat, "leaves": leaves}
    # the one who left comes back while the other still plays
    leaves.reload()
    if leaves.page_name == "Play":
        again = leaves.live()
        late = synced(again)
        assert (late["phase"], late["ended"]["reason"]) == ("over", "left")
        refused = again.act(3, "late", harvest=1, contribution=0)
        assert (refused["kind"], refused["reason"]) == ("refused", "the game is over")
        again.close()
        leaves.next()
    assert leaves.page_name == "Results"
    found["early_results"] = leaves.page.text
    found["early_outcomes"] = table(server, "outcomes", session)
    while view["phase"] != "over":
        assert one.act(view["period"], f"p{view['period']}", harvest=3, contribution=0)["kind"] == (
            "ack"
        )
        view = synced(one)
    stays.next()
    leaves.reload()
    return {**found, "stays": stays, "results": leaves.page.text}


@pytest.fixture(scope="module")
def reduced(server: Server) -> dict[str, Any]:
    return leave_and_finish(server)


def test_who_left_has_what_was_earned_and_owed_at_once_and_at_the_end(
    reduced: dict[str, Any],
) -> None:
    # 4 and 4: half at once, the other half when the seat is out
    for name in ("early_results", "results"):
        assert "<strong>8</strong>" in reduced[name]
        assert "You left the game before it was over." in reduced[name]
        assert "stand-in decided" not in reduced[name]
        assert "€2.80" in reduced[name]
    assert "lasted all 5 periods" not in reduced["early_results"]
    for outcomes in (
        reduced["early_outcomes"],
        table(reduced["server"], "outcomes", reduced["session"]),
    ):
        [own] = outcomes[outcomes["participant"] == reduced["leaves"].code].to_dict("records")
        assert (own["status"], own["points"], own["paid_points"]) == ("left", 8.0, 8.0)
        assert (own["payment"], own["bot_share"]) == (2.8, 0.0)


def test_who_stayed_played_to_the_end(reduced: dict[str, Any]) -> None:
    stays = reduced["stays"]
    assert stays.page_name == "Results"
    assert "<strong>15</strong>" in stays.page.text  # 5 periods of 3
    outcomes = table(reduced["server"], "outcomes", reduced["session"])
    assert sorted(outcomes["status"]) == ["finished", "left"]


def test_the_export_of_a_play_in_which_a_person_left_replays_exactly(
    reduced: dict[str, Any],
) -> None:
    server, session = reduced["server"], reduced["session"]
    assert wrong_numbers(server, session) == []
    decisions = table(server, "decisions", session)
    own = decisions[decisions["seat"] == reduced["seat"]].sort_values("period")
    assert own["decided_by"].tolist() == ["person"] * 2 + ["absent"] * 3
    assert own["occupant"].tolist() == ["person"] * 2 + ["nobody"] * 3
    assert own["reward"].tolist() == [2.0, 2.0, 4.0, 0.0, 0.0]
    timeline = table(server, "seats", session).query("seat == @reduced['seat']")
    assert timeline["occupant"].tolist() == ["person", "nobody"]
    assert timeline["since_period"].tolist() == [0, 2]
    assert table(server, "events", session)["event"].tolist() == ["left", "ending"]


def test_the_same_in_turn_on_postgresql(postgres_server: Server) -> None:
    done = leave_and_finish(postgres_server, agents='{"timing": "sequential"}')
    assert "<strong>8</strong>" in done["early_results"]
    assert "<strong>8</strong>" in done["results"]
    assert wrong_numbers(postgres_server, done["session"]) == []
    outcomes = table(postgres_server, "outcomes", done["session"])
    assert sorted(outcomes["points"]) == [8.0, 15.0]


def test_a_layered_play_on_postgresql_replays_exactly(postgres_server: Server) -> None:
    session = postgres_server.session("commons_unequal", 1, **QUICK, periods=4)
    [(_, live)] = seated(postgres_server, session, 1)
    play_to_the_end([live], lambda view: {"harvest": 4.25, "contribution": 0.0})
    assert wrong_numbers(postgres_server, session) == []


# -- in Chromium -----------------------------------------------------------------------------


class Heard:
    """The views that a page received, as it received them."""

    def __init__(self, page: Page) -> None:
        self.views: list[dict[str, Any]] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._take)

    def _take(self, frame: str | bytes) -> None:
        payload = json.loads(frame).get("live_method_payload") or {}
        if payload.get("kind") == "view" and "observation" in payload:
            self.views.append(payload)

    @property
    def last(self) -> dict[str, Any]:
        return self.views[-1]


def shown(value: float | None, digits: int = 2) -> str:
    """A number as pages write it."""
    if value is None:
        return "not shown"
    # scripts round 0.625 up, Python to the even digit
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = re.sub(r"\.0+$", "", f"{rounded:f}").replace("-", MINUS)
    return "0" if text == f"{MINUS}0" else text


def decide(page: Page, field: str, amount: float) -> None:
    box = page.locator(f"#{field}")
    expect(box).to_be_enabled()
    box.fill(str(amount))
    page.locator("#confirm").click()


def wait_for_period(page: Page, number: int) -> None:
    expect(page.locator("#period")).to_have_text(re.compile(f"Period {number} of"))


def besides(page: Page) -> list[list[str]]:
    rows = page.locator(".mc-besides tbody tr")
    return [row.locator("th, td").all_inner_texts() for row in rows.all()]


def whole(page: Page) -> None:
    """Nothing on the page is a gap that was not filled, or a number that is none."""
    said = page.locator("main").inner_text()
    assert not re.search(r"NaN|undefined|\bnull\b|\{\w+\}", said), said


def test_two_people_in_turn_are_told_whose_turn_it_is_and_what_was_decided(
    server: Server, browser: Browser
) -> None:
    session = server.session(
        "commons_in_turn",
        2,
        quiz=False,
        periods=3,
        bots="fixed:harvest=2",
        bot_delay="fixed:seconds=0.2",
    )
    pages = [window(browser, session["session_wide_url"]) for _ in range(2)]
    for page in pages:
        expect(page.locator("main")).to_contain_text("one after the other")
        read(page)
    seats = []
    for page in pages:
        expect(page.locator("#confirm")).to_be_visible()
        seats.append(int(page.evaluate("() => window.js_vars.seat")))
    (first, early), (second, late) = sorted(zip(seats, pages, strict=True), key=lambda one: one[0])
    bots_before = [seat for seat in range(4) if seat not in seats]
    for period in range(3):
        for page in (early, late):
            wait_for_period(page, period + 1)
        expect(early.locator("#harvest")).to_be_enabled()
        before = [f"Player {seat + 1}: 2" for seat in bots_before if seat < first]
        if before:
            expect(early.locator("#earlier")).to_have_text(
                f"Decided before you: {'; '.join(before)}."
            )
        else:
            expect(early.locator("#earlier")).to_be_hidden()
        expect(late.locator("#waiting")).to_have_text(f"It is the turn of Player {first + 1}.")
        expect(late.locator("#harvest")).to_be_disabled()
        expect(late.locator("#earlier")).to_be_hidden()
        decide(early, "harvest", 3.5 + period)
        expect(early.locator("#waiting")).to_have_text(f"It is the turn of Player {second + 1}.")
        expect(late.locator("#harvest")).to_be_enabled()
        amounts = dict.fromkeys(bots_before, "2") | {first: shown(3.5 + period)}
        said = [f"Player {seat + 1}: {amounts[seat]}" for seat in range(second)]
        expect(late.locator("#earlier")).to_have_text(f"Decided before you: {'; '.join(said)}.")
        if period == 1:  # a page that is loaded anew shows the same
            late.reload()
            expect(late.locator("#earlier")).to_have_text(f"Decided before you: {'; '.join(said)}.")
        decide(late, "harvest", 1)
    for page in (early, late):
        expect(page.locator("#leave")).to_be_visible()
        whole(page)
        page.locator("#leave").click()
        expect(page.locator("h1")).to_have_text("Results")
    expect(early.locator(".mc-huge strong")).to_have_text("13.5")  # 3.5 + 4.5 + 5.5
    expect(late.locator(".mc-huge strong")).to_have_text("3")
    assert wrong_numbers(server, session) == []


def test_role_age_and_group_sums_of_the_unequal_commons_are_shown_as_observed(
    server: Server, browser: Browser
) -> None:
    session = server.session("commons_unequal", 1, **QUICK, periods=4)
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    rules = page.locator("main")
    expect(rules).to_contain_text("Weak: Player 2, Player 4. Harvest requested: at most 5.")
    expect(rules).to_contain_text("The stock: you see it 1 period late.")
    read(page)
    expect(page.locator("#confirm")).to_be_visible()
    seat = int(page.evaluate("() => window.js_vars.seat"))
    role, most = [("strong", 10), ("weak", 5)][seat % 2]
    sums = {
        "group_wealth": "sum over the own group: points held by each seat",
        "group_harvest": "sum over the own group: taken by each seat last period",
        "group_contribution": "sum over the own group: paid by each seat last period",
        "group_reward": "sum over the own group: points of the last period",
    }
    for period in range(4):
        wait_for_period(page, period + 1)
        expect(page.locator("#harvest")).to_be_enabled()
        expect(page.locator("#ledger")).to_contain_text(f"You are: {role}.")
        seen = heard.last["observation"]
        assert heard.last["period"] == period
        late = {0: "0 periods old", 1: "1 period old"}[min(period, 1)]
        assert besides(page) == [
            ["own group", str(seat % 2 + 1)],
            *([meaning, shown(seen[name])] for name, meaning in sums.items()),
            ["the stock", late],
        ]
        page.locator("#harvest").fill(str(most + 1))
        expect(page.locator("#problem")).to_have_text(f"Please enter a number from 0 to {most}.")
        whole(page)
        decide(page, "harvest", 3)
    # 4 periods of 3
    page.locator("#leave").click()
    expect(page.locator(".mc-huge strong")).to_have_text("12")
    assert wrong_numbers(server, session) == []


def test_reputations_are_shown_and_what_is_masked_is_said_not_to_be_shown(
    server: Server, browser: Browser
) -> None:
    session = server.session("sanctions_reputation", 1, **QUICK, periods=4)
    page = window(browser, session["session_wide_url"])
    heard = Heard(page)
    read(page)
    expect(page.locator("#confirm")).to_be_visible()
    seat = int(page.evaluate("() => window.js_vars.seat"))
    names = ["You" if each == seat else f"Player {each + 1}" for each in range(4)]
    for period in range(4):
        wait_for_period(page, period + 1)
        expect(page.locator("#contribution")).to_be_enabled()
        seen = heard.last["observation"]
        reputations = seen["mean_cooperation"]
        assert (reputations == [None] * 4) == (period == 0)
        assert besides(page) == [
            ["mean cooperation of each seat", ""],
            *([name, shown(value)] for name, value in zip(names, reputations, strict=True)),
        ]
        for hidden in ("contribution", "memory_averages", "trust"):
            assert not re.search(r"\d", json.dumps(seen[hidden]))
        expect(page.locator(".net-memory strong")).to_have_text("not shown")
        expect(page.locator("#stage")).to_contain_text("What the others give is not shown to you.")
        for made in (".net-players", ".net-trust", ".net-why"):
            expect(page.locator(made)).to_have_count(0)
        if period:
            parts = page.locator("#ledger .mc-waterfall").inner_text()
            assert "Paid now or later" in parts
        whole(page)
        decide(page, "contribution", 12)
    # 12 of 20 were given in every period
    own = heard.last["observation"]["mean_cooperation"][seat]
    assert own == pytest.approx(0.6)
    page.locator("#leave").click()
    expect(page.locator("h1")).to_have_text("Results")
    assert wrong_numbers(server, session) == []


def test_who_has_left_comes_back_to_the_results_with_the_right_points(
    server: Server, browser: Browser
) -> None:
    session = server.session(
        "commons_two_people",
        2,
        **QUICK,
        periods=4,
        bots="fixed:harvest=1",
        dropout="reduced",
        grace_seconds=10.0,
        disclosure="labels",
        layers=LATER,
    )
    link = session["session_wide_url"]
    stays, leaves = window(browser, link), window(browser, link)
    for page in (stays, leaves):
        expect(page.locator("main")).to_contain_text("you have left the game and cannot come back")
        read(page)
    decide(stays, "harvest", 3)
    decide(leaves, "harvest", 4)
    for page in (stays, leaves):
        wait_for_period(page, 2)
    address = leaves.url
    leaves.close()
    decide(stays, "harvest", 3)
    wait_for_period(stays, 3)
    expect(stays.locator(".mc-tag", has_text="has left")).to_have_count(1)
    whole(stays)
    # back on a phone while the other still plays
    back = window(browser, address, **PHONE)
    if "/Play/" in back.url:
        expect(back.locator("#decision-title")).to_have_text("The game is over")
        whole(back)
        assert_no_sideways_scrolling(back)
        back.locator("#leave").tap()
    expect(back.locator("h1")).to_have_text("Results")
    expect(back.locator(".mc-huge strong")).to_have_text("4")
    expect(back.locator("main")).to_contain_text("You left the game before it was over.")
    expect(back.locator(".mc-sum").last).to_contain_text("4")
    assert_no_sideways_scrolling(back)
    whole(back)
    for number in (3, 4):
        wait_for_period(stays, number)
        decide(stays, "harvest", 3)
    stays.locator("#leave").click()
    expect(stays.locator(".mc-huge strong")).to_have_text("12")
    back.reload()
    expect(back.locator(".mc-huge strong")).to_have_text("4")
    whole(back)
    assert wrong_numbers(server, session) == []


@pytest.mark.parametrize("config", LAYERED)
def test_a_layered_play_fits_on_a_phone(server: Server, browser: Browser, config: str) -> None:
    """Nobody chooses: the page says when time is up, and the play goes to its end."""
    changes = {**QUICK, "decision_seconds": 1.0, "people_per_group": 1}
    changes |= {"turns": 4} if config == "vote_weighted" else {"periods": 3}
    session = server.session(config, 1, **changes)
    page = window(browser, session["session_wide_url"], **PHONE)
    assert_no_sideways_scrolling(page)
    read(page)
    expect(page.locator("#period")).to_have_text(re.compile(r"\b[2-9] of"))
    assert_no_sideways_scrolling(page)
    expect(page.locator("#leave")).to_be_visible()
    assert_no_sideways_scrolling(page)
    whole(page)
    page.locator("#leave").tap()
    expect(page.locator("h1")).to_have_text("Results")
    assert_no_sideways_scrolling(page)
    whole(page)


def over_without_its_person(server: Server, session: dict[str, Any]) -> bool:
    """Has the only person of a play left, and is it over?"""
    periods = table(server, "periods", session)
    statuses = table(server, "outcomes", session)["status"].tolist()
    return statuses == ["left"] and bool(periods["ended"].notna().any())


def test_what_is_shown_to_one_who_has_left_has_no_gaps(server: Server, browser: Browser) -> None:
    """The bots play on alone, and who comes back sees the results of a play it saw nothing of."""
    addresses = {}
    for config, changes in LAYERED.items():
        given = {**QUICK, "people_per_group": 1, **changes}
        if config == "vote_weighted":  # by the clock: longer than the grace time
            given |= {"turns": 40, "decision_seconds": 0.5}
        session = server.session(config, 1, **given, dropout="reduced", grace_seconds=10.0)
        page = window(browser, session["session_wide_url"])
        read(page)
        expect(page.locator("#period")).to_have_text(re.compile(r" of \d+"))
        addresses[config] = (session, page.url)
        page.close()
    for session, _ in addresses.values():  # nobody plays on, and all goes on by itself
        deadline = time.monotonic() + 600
        while not over_without_its_person(server, session):
            assert time.monotonic() < deadline
            time.sleep(1)
    for session, address in addresses.values():
        page = window(browser, address, **PHONE)
        expect(page.locator("h1")).to_have_text("Results")
        expect(page.locator("main")).to_contain_text("You left the game before it was over.")
        assert_no_sideways_scrolling(page)
        whole(page)
        assert wrong_numbers(server, session) == []
