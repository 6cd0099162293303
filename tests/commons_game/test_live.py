"""Tests of the commons over live channels: whole plays, exports, rejections, pay."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

from tests.docs.blocks import blocks
from tests.door.audit import differences, table, wrong_numbers
from tests.door.harness import seated
from tests.server.wire import Live, Person, Server, server

__all__ = ["server"]  # a fixture

AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}


def seat(server: Server, session: dict[str, Any]) -> tuple[Person, Live]:
    """Open the play page of a one-person session, and synchronize it with the table."""
    person = server.join(session)
    person.walk_to("Play")
    live = person.live()
    live.ask({"kind": "sync"})
    return person, live


def test_a_whole_play_ends_with_an_export_that_replays_exactly(server):
    session = server.session("commons", 1, **AT_ONCE, bots="noisy_person,greedy,random")
    person, live = seat(server, session)
    view = live.ask({"kind": "sync"}, "view")
    while view["phase"] != "over":
        assert live.act(view["period"], f"p{view['period']}", harvest=2.25, contribution=0)[
            "kind"
        ] == ("ack")
        view = live.receive("view")
    person.next()
    assert person.page_name == "Results"
    assert wrong_numbers(server, session) == []
    outcome = table(server, "outcomes", session).iloc[0]
    decisions = table(server, "decisions", session)
    own_decisions = decisions[decisions["participant"] == person.code]
    assert outcome["status"] == "finished"
    assert outcome["points"] == pytest.approx(own_decisions["reward"].sum())
    assert outcome["bot_share"] == 0
    assert set(own_decisions["decided_by"]) == {"person"}
    others = decisions[decisions["participant"].isna()]
    assert set(others["policy_id"]) == {"noisy_person", "greedy", "random"}


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "config", ["commons_governed", "commons_local_view", "commons_noisy_stock"]
)
def test_an_export_replays_exactly_whatever_people_saw(server, config):
    session = server.session(config, 1, **AT_ONCE, periods=4, bots="noisy_person,steward,random")
    _, live = seat(server, session)
    for number in range(4):
        answer = live.act(number, f"p{number}", harvest=4.5, contribution=1.5)
        assert answer["kind"] == "ack"
    assert wrong_numbers(server, session) == []
    assert len(table(server, "periods", session)) == 4


def test_an_edited_export_is_detected(server):
    session = server.session("commons", 1, **AT_ONCE, periods=2)
    _, live = seat(server, session)
    for number in range(2):
        live.act(number, f"p{number}", harvest=3, contribution=0)
    tables = [table(server, name, session) for name in ("decisions", "periods", "config")]
    assert list(differences(*tables)) == []
    for name, column in ((0, "reward"), (0, "after_wealth"), (1, "after_stock"), (1, "reward_sum")):
        edited = [frame.copy() for frame in tables]
        edited[name].loc[1, column] += 0.5
        assert any(f", {column}:" in line for line in differences(*edited))


def test_the_recipe_in_the_readme_recomputes_the_rewards(server, tmp_path, monkeypatch, capsys):
    sessions = [server.session("commons", 1, **AT_ONCE, bots="noisy_person") for _ in range(2)]
    for session in sessions:
        _, live = seat(server, session)
        live.act(0, "a", harvest=3, contribution=0)
    for name in ("decisions", "config"):  # both sessions together, as on oTree's Data page
        both = [table(server, name, session) for session in sessions]
        pd.concat(both).to_csv(tmp_path / f"{name}.csv", index=False)
    monkeypatch.chdir(tmp_path)
    example = next(block for block in blocks("docs/analysis.md") if "replayed" in block.text)
    exec(example.text, {})
    rewards = table(server, "decisions", sessions[0])["reward"].tolist()
    shown = capsys.readouterr().out
    assert [float(number) for number in re.findall(r"[\d.]+", shown)] == pytest.approx(rewards)


def test_two_people_meet_in_the_lobby_and_see_each_others_decisions(server):
    session = server.session("commons_two_people", 2, **AT_ONCE, disclosure="labels")
    people = [server.join(session) for _ in range(2)]
    rooms = []
    for person in people:
        person.walk_to("Lobby")
        rooms.append(person.live())
    first = rooms[0].ask({"kind": "sync"})
    assert (first["phase"], first["here"], first["needed"]) == ("waiting", 1, 2)
    assert rooms[1].ask({"kind": "sync"})["phase"] == "seated"
    assert rooms[0].receive("view")["phase"] == "seated"
    lives = []
    for person in people:
        person.next()
        assert person.page_name == "Play"
        lives.append(person.live())
    for live in lives:
        live.send({"kind": "sync"})
    started = [live.receive("view") for live in lives]
    mine = next(entry["seat"] for entry in started[0]["seats"] if entry["you"])
    assert lives[0].act(0, "a", harvest=3, contribution=0)["kind"] == "ack"
    seen = lives[1].receive("view")
    while not next(entry for entry in seen["seats"] if entry["seat"] == mine)["decided"]:
        seen = lives[1].receive("view")
    assert seen["period"] == 0
    assert lives[1].act(0, "b", harvest=4, contribution=0)["kind"] == "ack"
    seen = lives[0].receive("view")
    while seen["period"] == 0:
        seen = lives[0].receive("view")
    assert seen["observation"]["harvest"][mine] == 3.0
    assert seen["last"]["reward"] == 3.0


def test_an_acknowledged_decision_survives_a_crash(server):
    session = server.session("commons_two_people", 2, **AT_ONCE)
    people, lives = zip(*seated(server, session, 2), strict=True)
    assert lives[0].act(0, "mine", harvest=3, contribution=0)["kind"] == "ack"
    server.crash()
    people[0].reload()
    again = people[0].live()
    view = again.ask({"kind": "sync"}, "view")
    assert view["phase"] == "waiting"
    assert again.act(0, "mine", harvest=9, contribution=0)["kind"] == "ack"
    people[1].reload()
    other = people[1].live()
    other.ask({"kind": "sync"})
    assert other.act(0, "theirs", harvest=4, contribution=0)["kind"] == "ack"
    decisions = table(server, "decisions", session)
    own_decisions = decisions[decisions["participant"] == people[0].code]
    assert own_decisions["sent_harvest"].tolist() == [3.0]
    assert wrong_numbers(server, session) == []


def wrong_act(name: str, period: Any = 0, **action: Any) -> dict[str, Any]:
    fields = {"harvest": 1, "contribution": 0, **action}
    return {"kind": "act", "id": name, "period": period, "action": fields}


HOSTILE: list[Any] = [
    None,
    17,
    "x" * 60_000,
    [1, 2, 3],
    {},
    {"kind": "nuke"},
    {"kind": "act"},
    {"kind": "tick", "period": [0]},
    {"kind": "act", "id": 5, "period": 0, "action": {}},
    {"kind": "act", "id": "text", "period": 0, "action": "x" * 60_000},
    wrong_act("period as text", period="0"),
    wrong_act("an old period", period=-1),
    wrong_act("a future period", period=99),
    wrong_act("not a number", harvest=float("nan")),
    wrong_act("infinity", harvest=float("inf")),
    wrong_act("huge", harvest=10**500),
    wrong_act("another seat", seat=2),
    wrong_act("text", harvest="4"),
]


def test_messages_of_a_hostile_page_are_rejected_and_the_table_is_unchanged(server):
    session = server.session("commons", 1, **AT_ONCE)
    _, live = seat(server, session)
    for message in HOSTILE:
        answer = live.ask(message, "refused")
        assert 0 < len(answer["reason"]) < 300
    view = live.ask({"kind": "sync"}, "view")
    assert (view["period"], view["phase"], view["points"]) == (0, "decide", 0.0)
    assert live.act(0, "good", harvest=1, contribution=0)["kind"] == "ack"


def test_nobody_leaves_the_play_page_before_the_end(server):
    session = server.session("commons", 1, **AT_ONCE)
    person, _ = seat(server, session)
    person.next()
    assert person.page_name == "Play"
    assert "The game is not over yet." in person.page.text
    person.next(timeout_happened=1)
    assert person.page_name == "Play"


def test_a_reload_shows_the_same_table_and_what_happened(server):
    session = server.session("commons", 1, **AT_ONCE)
    person, live = seat(server, session)
    live.act(0, "a", harvest=3, contribution=0)
    before = live.ask({"kind": "sync"}, "view")
    while "history" not in before:
        before = live.receive("view")
    person.reload()
    after = person.live().ask({"kind": "sync"}, "view")
    assert after["history"] == before["history"]
    assert after["observation"] == before["observation"]
    assert [entry["period"] for entry in after["history"]] == [-1, 0]
    assert after["history"][1]["used"] == {"harvest": 3.0, "contribution": 0.0}


@pytest.mark.long  # tests/server/test_archive.py covers it
def test_an_export_contains_no_rows_of_other_sessions(server):
    sessions = [server.session("commons", 1, **AT_ONCE) for _ in range(2)]
    for session in sessions:
        _, live = seat(server, session)
        live.act(0, "a", harvest=3, contribution=0)
    for name in ("decisions", "periods", "seats", "outcomes", "config"):
        rows = table(server, name, sessions[0])
        assert set(rows["session"]) == {sessions[0]["code"]}


def test_pay_is_capped_explained_and_followed_by_the_link_back(server):
    session = server.session(
        "commons",
        1,
        **AT_ONCE,
        periods=2,
        pay_cap=5.0,
        completion_links='{"finished": "https://example.org/done"}',
    )
    person, live = seat(server, session)
    for number in range(2):
        live.act(number, f"p{number}", harvest=4, contribution=0)
    person.next()
    assert person.page_name == "Results"
    assert "<strong>8</strong>" in person.page.text
    assert "You are paid for only 5 points. That is the maximum." in person.page.text
    assert "€2.50" in person.page.text  # 5 points at 0.10, and 2.00 for taking part
    assert 'href="https://example.org/done"' in person.page.text
    outcome = table(server, "outcomes", session).iloc[0]
    assert (outcome["points"], outcome["paid_points"], outcome["payment"]) == (8.0, 5.0, 2.5)
