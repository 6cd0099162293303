"""A group chooses the rule for its play, over live channels and in the data."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import audited
from mixed_company.analysis.data import Data
from mixed_company.analysis.report import replays
from tests.door.harness import seated, synced
from tests.server.wire import Live, Person, Server, server
from tests.table.chosen import RULES

__all__ = ["server"]  # a fixture

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
    """Let both people take 1 in each period once the play has begun."""
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
    data: dict[str, Any] = vars_
    return data


def test_a_group_votes_plays_the_chosen_rule_and_the_data_show_it(server, tmp_path):
    bots = {"rules_bots": "policy", "bots": "fixed:harvest=2", "rules": json.dumps(THREE)}
    session = session_of(server, **bots)
    (first, first_live), (second, second_live) = seated(server, session, 2)
    assert js_vars(first)["rule"] == ""
    assert [rule["name"] for rule in js_vars(first)["rules"]] == ["open", "pool", "low"]
    assert vote(first_live, "lake", "wrong")["kind"] == "refused"
    assert vote(first_live, "pool")["kind"] == "ack"
    assert vote(second_live, "pool", "x")["kind"] == "ack"
    view = first_live.ask({"kind": "sync"}, "view")
    while "rule" not in view["vote"]:
        view = first_live.receive("view")
    # bots earn 2 per period under both open and pool, so they abstain
    assert view["vote"] == {"rule": "pool", "counts": {"open": 0, "pool": 2, "low": 0}}
    second.reload()
    assert (js_vars(second)["rule"], js_vars(second)["setting"]["governed"]) == ("pool", True)
    played_to_the_end([first_live, second_live])
    first.next()
    assert "There is a pool that feeds the stock." in first.page.text
    data = loaded(server, session, tmp_path)
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
    shown = replays.answers(data.of_group(row["session"], row["group"]))
    assert [entry["text"] for entry in shown] == [vote or "abstained" for vote in detail["votes"]]
    planted(data)


def planted(data: Data) -> None:
    """Check that the audit finds every false vote, count, rule and time."""
    row = data.events.index[data.events["event"] == "chosen"][0]
    true = json.loads(data.events.loc[row, "detail"])
    bot = true["occupants"].index("fixed:harvest=2")
    others = [[*true["votes"]] for _ in range(3)]
    others[0][bot] = "low"
    others[1] = ["low" if rule == "pool" else rule for rule in true["votes"]]
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
    """Return the title of the only group's replay in a report."""
    (row,) = data.config.to_dict("records")
    text = replays.replay(data.of_group(row["session"], row["group"]))
    title: str = json.loads(zlib.decompress(base64.b64decode(text.play)))["title"]
    return title


def wrong(data: Data) -> list[Any]:
    return list(audited(data).problems)


@pytest.mark.long  # test_started_again.py covers it
def test_a_server_that_is_killed_during_the_vote_continues_it(server):
    session = session_of(server)
    (first, here), (second, _) = seated(server, session, 2)
    assert vote(here, "pool")["kind"] == "ack"
    server.crash()
    for person in (first, second):
        person.reload()
    again, other = first.live(), second.live()
    assert again.ask({"kind": "sync"}, "view")["vote"] == {"choice": "pool"}
    assert vote(other, "pool")["kind"] == "ack"
    view = synced(other)
    assert view["vote"]["rule"] == "pool"
    assert [entry["period"] for entry in view["history"]] == [-1]
    server.crash()
    second.reload()
    assert js_vars(second)["rule"] == "pool"
    assert synced(second.live())["history"] == view["history"]
