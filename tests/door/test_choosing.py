"""A group chooses the rule of its play through a real server: over sockets, in a browser, and in
the data."""

from __future__ import annotations

import base64
import json
import signal
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import analysis
from analysis.audit import audited
from analysis.data import Data
from analysis.report import replays
from language import codes, gettext, speaking
from mixed.__main__ import main
from tests.door.harness import Live, Person, Server, seated, synced
from tests.door.otree_bots import played_by_otree
from tests.door.pages import PHONE, assert_no_sideways_scrolling, read, window
from tests.table.chosen import RULES

pytestmark = [pytest.mark.door]

LIMIT = {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 1.0}}}}
THREE = {**RULES, "low": {"meaning": "Nobody takes more than 1.", "changes": {"layers": LIMIT}}}
CHOICE: dict[str, Any] = {
    "quiz": False,
    "periods": 3,
    "rules": json.dumps(RULES),
    "rules_seconds": 600.0,
}


def session_of(server: Server, **changes: Any) -> dict[str, Any]:
    return server.session("commons_two_people", 2, **{**CHOICE, **changes})


def played_to_the_end(lives: list[Live]) -> None:
    """Both take 1 in each period, once the play has begun."""
    for number in range(3):
        for live in lives:
            view = live.ask({"kind": "sync"}, "view")
            while view["period"] < number or view["phase"] != "decide":
                view = live.receive("view")
        for live in lives:
            assert live.act(number, f"p{number}", harvest=1, contribution=0)["kind"] == "ack"


def vote(live: Live, rule: str, name: str = "v") -> dict[str, Any]:
    live.send({"kind": "choose", "id": name, "rule": rule})
    while True:
        answer = live.receive()
        if answer.get("id") == name:
            return answer


def loaded(server: Server, session: dict[str, Any], tmp_path: Path) -> Data:
    path = tmp_path / "out.zip"
    path.write_bytes(server.archive(session["code"]))
    return analysis.load(path)


def js_vars(person: Person) -> dict[str, Any]:
    text = person.page.text.split("var js_vars = ", 1)[1]
    vars_, _ = json.JSONDecoder().raw_decode(text)
    own: dict[str, Any] = vars_
    return own


def test_a_group_votes_and_plays_what_it_chose_and_the_data_tell_it(
    any_server: Server, tmp_path: Path
) -> None:
    bots = {"rules_bots": "policy", "bots": "fixed:harvest=2", "rules": json.dumps(THREE)}
    session = session_of(any_server, **bots)
    (first, here), (second, there) = seated(any_server, session, 2)
    assert js_vars(first)["rule"] == ""
    assert [own["name"] for own in js_vars(first)["rules"]] == ["open", "pool", "low"]
    assert vote(here, "lake", "wrong")["kind"] == "refused"
    assert vote(here, "pool")["kind"] == "ack"
    assert vote(there, "pool", "x")["kind"] == "ack"
    view = here.ask({"kind": "sync"}, "view")
    while "rule" not in view["vote"]:
        view = here.receive("view")
    # bots: 2 a period is earned under open and under pool alike, so they abstain
    assert view["vote"] == {"rule": "pool", "counts": {"open": 0, "pool": 2, "low": 0}}
    second.reload()
    assert (js_vars(second)["rule"], js_vars(second)["setting"]["governed"]) == ("pool", True)
    played_to_the_end([here, there])
    first.next()
    assert "There is a pool that feeds the stock." in first.page.text
    data = loaded(any_server, session, tmp_path)
    assert data.problems == ()
    assert analysis.check(tmp_path / "out.zip") == []
    (row,) = data.config.to_dict("records")
    assert row["rule"] == "pool"
    assert json.loads(row["config"])["core"]["governance"] == "per_step"
    chosen = data.events[data.events["event"] == "chosen"]["detail"].item()
    detail = json.loads(chosen)
    assert sorted(detail["votes"]) == ["", "", "pool", "pool"]
    assert sorted(detail["occupants"]) == ["fixed:harvest=2", "fixed:harvest=2", "person", "person"]
    assert data.treatments == ["commons_two_people"]
    assert replayed_title(data).endswith("rule pool chosen by the group")
    shown = replays.answers(data, row["session"], row["group"])
    assert [one["text"] for one in shown] == [vote or "abstained" for vote in detail["votes"]]
    planted(data)


def planted(data: Data) -> None:
    """Every false vote, count, rule and time is found."""
    row = data.events.index[data.events["event"] == "chosen"][0]
    true = json.loads(data.events.loc[row, "detail"])
    bot = true["occupants"].index("fixed:harvest=2")
    others = [[*true["votes"]] for _ in range(3)]
    others[0][bot] = "low"
    others[1] = ["low" if own == "pool" else own for own in true["votes"]]
    others[2] = true["votes"][:3]
    swapped = [*true["occupants"][1:], true["occupants"][0]]
    faults = [{**true, "votes": votes} for votes in others]
    faults += [{**true, "rule": "open"}, {**true, "occupants": swapped}, {}]
    for detail in faults:
        events = data.events.copy()
        events.loc[row, "detail"] = json.dumps(detail)
        assert wrong(replace(data, events=events)), detail
    late = data.events.copy()
    late.loc[row, "at_ms"] = data.periods["shown_ms"].min() + 1
    assert wrong(replace(data, events=late))
    missing = data.events.drop(index=row)
    assert wrong(replace(data, events=missing))
    for name, value in (("rule", "open"), ("rules", "")):
        config = data.config.copy()
        config[name] = value
        assert wrong(replace(data, config=config)), name
    assert not wrong(data)


def replayed_title(data: Data) -> str:
    """What stands above the replay of the only group in a report."""
    (row,) = data.config.to_dict("records")
    text = replays.replay(data, row["session"], row["group"])
    title: str = json.loads(zlib.decompress(base64.b64decode(text)))["title"]
    return title


def wrong(data: Data) -> list[Any]:
    return list(audited(data).problems)


def test_a_server_that_is_killed_in_the_vote_goes_on_with_it(tmp_path: Path) -> None:
    with Server(tmp_path / "project") as own:
        session = session_of(own)
        (first, here), (second, _) = seated(own, session, 2)
        assert vote(here, "pool")["kind"] == "ack"
        own.stop(signal.SIGKILL)
        own.start()
        for person in (first, second):
            person.reload()
        again, other = first.live(), second.live()
        assert again.ask({"kind": "sync"}, "view")["vote"] == {"choice": "pool"}
        assert vote(other, "pool")["kind"] == "ack"
        view = synced(other)
        assert view["vote"]["rule"] == "pool"
        assert [entry["period"] for entry in view["history"]] == [-1]
        own.stop(signal.SIGKILL)
        own.start()
        second.reload()
        assert js_vars(second)["rule"] == "pool"
        again = second.live()
        assert synced(again)["history"] == view["history"]


# -- in a browser ---------------------------------------------------------------------------------

DESK = {"viewport": {"width": 1280, "height": 800}}


def two_voters(server: Server, browser: Browser, **changes: Any) -> tuple[Page, Page]:
    link = session_of(server, **changes)["session_wide_url"]
    first, second = window(browser, link, **DESK), window(browser, link, **PHONE)
    for page in (first, second):
        read(page)
    for page in (first, second):
        expect(page.locator(".mc-choosing h1")).to_be_visible()
    return first, second


def test_two_people_vote_in_their_browsers_and_play_what_they_chose(
    server: Server, browser: Browser
) -> None:
    first, second = two_voters(server, browser)
    for page in (first, second):
        expect(page.locator("#decision")).to_be_hidden()
        expect(page.locator(".mc-choosing button")).to_be_disabled()
    assert_no_sideways_scrolling(second)
    first.keyboard.press("Tab")
    first.keyboard.press("ArrowDown")  # from the first option to the second
    first.keyboard.press("Enter")
    status = first.locator(".mc-choosing [role=status]")
    expect(status).to_contain_text("Your vote is saved")
    first.locator(".mc-choosing label", has_text="takes what he or she likes").click()
    first.get_by_role("button", name="Change my vote").click()
    expect(first.get_by_role("button", name="Change my vote")).to_be_disabled()
    first.reload()
    expect(first.locator("input[name=rule]:checked")).to_have_value("open")
    second.locator(".mc-choosing label", has_text="a pool").click()
    second.get_by_role("button", name="Vote").click()
    for page in (first, second):
        chosen = page.locator(".mc-chosen")
        expect(chosen).to_contain_text("Your group has chosen")
        expect(page.locator(".mc-chosen-rule")).to_contain_text("Everybody takes what")
        expect(chosen.locator("li")).to_have_count(2)
        expect(chosen.locator("li").first).to_contain_text("1 vote")
        expect(page.locator("#decision")).to_be_visible()
    assert_no_sideways_scrolling(second)
    for page in (first, second):
        expect(page.locator("#harvest")).to_be_enabled(timeout=60_000)
    assert first.locator("#contribution").count() == 0  # there is no pool
    first.locator("#harvest").fill("2")
    first.locator("#confirm").click()
    expect(first.locator(".mc-chosen")).to_be_hidden()


@pytest.mark.parametrize("language", [code for code in codes() if code != "en"])
def test_the_vote_is_held_in_the_language_of_the_session(
    server: Server, browser: Browser, language: str
) -> None:
    changes = {"language": language, "people_per_group": 1}
    link = server.session("commons", 1, **{**CHOICE, **changes})["session_wide_url"]
    page = window(browser, link, **PHONE)
    with speaking(language):
        title, votes = gettext("Which rule shall your group play with?"), gettext("Vote")
    read(page)
    expect(page.locator(".mc-choosing h1")).to_have_text(title)
    expect(page.locator(".mc-choosing button")).to_have_text(votes)
    assert_no_sideways_scrolling(page)


# -- without people -------------------------------------------------------------------------------


def test_policies_rehearse_the_vote_and_the_audit_finds_nothing_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A policy that takes 2 earns most where that is not limited; one that takes 1 abstains."""
    rules = json.dumps({"low": THREE["low"], "open": THREE["open"]})
    path = tmp_path / "out.zip"
    command = ["rehearse", "commons_two_people", "--groups", "2", "--seed", "5"]
    command += ["--people", "fixed:harvest=1,fixed:harvest=2", "--output", str(path)]
    assert main([*command, "periods=3", f"rules={rules}"]) == 0
    capsys.readouterr()
    assert main(["check", str(path)]) == 0
    data = analysis.load(path)
    assert set(data.config["rule"]) == {"open"}
    details = data.events.loc[data.events["event"] == "chosen", "detail"].map(json.loads)
    assert [sorted(detail["votes"]) for detail in details] == [["", "", "", "open"]] * 2
    assert (data.decisions.groupby(["group", "period"])["used_harvest"].max() > 1).all()


def test_the_bots_of_otree_vote_and_play(tmp_path: Path) -> None:
    own = f"""
SESSION_CONFIGS = [
    dict(config, rules={json.dumps(RULES)!r}, periods=3)
    for config in SESSION_CONFIGS
    if config["name"] == "commons_two_people"
]
"""
    printed = played_by_otree(tmp_path / "project", own)
    assert printed.count("Bots completed session") == 1
