"""Tests of the punishment vote over live channels: turns with a clock, choices, exports, a
crash."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from otree import database

from mixed_company.experiment.checking import PLAN
from mixed_company.server.open.showing import MOST_PERIODS
from settings import SESSION_CONFIGS
from tests.door.audit import table, wrong_numbers
from tests.door.harness import seated, synced
from tests.server.wire import Live, Server, server

__all__ = ["server"]  # a fixture

UP, DOWN, LEFT, RIGHT, MORE, LESS, NOOP = range(7)
VOTES = [
    entry
    for entry in SESSION_CONFIGS
    if entry["app_sequence"] == ["punishment_vote"] and PLAN not in entry  # test_plans_door.py
]
MAPS = {"window", "remembered", "last_seen"}


def one(server: Server, config: str = "vote", **changes: Any) -> tuple[dict[str, Any], Live]:
    """Create a session for one person, and return it with the play page's live channel."""
    session = server.session(config, 1, quiz=False, **changes)
    [(_, live)] = seated(server, session, 1)
    return session, live


def until_over(server: Server, live: Live) -> dict[str, Any]:
    """Advance time until the last turn is over."""
    view = synced(live)
    while view["phase"] != "over":
        server.turn(view["remaining_ms"] / 1000)
        view = live.receive("view")
    return view


def own_rows(decisions: pd.DataFrame, code: str) -> pd.DataFrame:
    return decisions[decisions["participant"] == code].sort_values("period")


def make_older(milliseconds: int) -> None:
    """Backdate the only table in a stopped server's database."""
    with database.engine.begin() as line:
        groups = "SELECT id, \"table\" FROM punishment_vote_group WHERE setup != ''"
        [(key, text)] = line.execute(groups).fetchall()
        if text:
            older = json.dumps(earlier(json.loads(text), milliseconds))
            line.execute('UPDATE punishment_vote_group SET "table" = ? WHERE id = ?', (older, key))
        entries = line.execute("SELECT id, at_ms, data FROM punishment_vote_log").fetchall()
        for row, at_ms, data in entries:
            older = json.dumps(earlier(json.loads(data), milliseconds))
            change = "UPDATE punishment_vote_log SET at_ms = ?, data = ? WHERE id = ?"
            line.execute(change, (at_ms - milliseconds, older, row))


def earlier(value: Any, milliseconds: int) -> Any:
    """Return the value with every time in this century shifted back."""
    if isinstance(value, dict):
        return {name: earlier(part, milliseconds) for name, part in value.items()}
    if isinstance(value, list):
        return [earlier(part, milliseconds) for part in value]
    if isinstance(value, int | float) and 1e12 < value < 1e13:
        return value - milliseconds
    return value


# -- whole plays ------------------------------------------------------------------------------


def test_a_whole_play_uses_the_last_choices_and_replays_exactly(server):
    turns, seconds = 4, 0.6
    session = server.session(
        "vote_three_people", 3, quiz=False, turns=turns, decision_seconds=seconds
    )
    players = seated(server, session, 3)
    taken: dict[tuple[str, int], int] = {}
    for period in range(turns):
        for key, (person, live) in enumerate(players):
            chosen = [(period + key) % 4, MORE, (period + key + 2) % 6]
            if (period + key) % 3 == 2:  # silent in this turn
                continue
            for step, action in enumerate(chosen):
                answer = live.act(period, f"{key} {period} {step}", action=action)
                assert answer["kind"] == "ack"
            taken[person.code, period] = chosen[-1]
        server.turn(seconds)
    assert synced(players[0][1])["phase"] == "over"
    for person, live in players:
        assert live.act(turns, "after the end", action=UP)["reason"] == "the game is over"
        person.next()
        assert person.page_name == "Results"
    assert wrong_numbers(server, session) == []
    decisions = table(server, "decisions", session)
    assert len(decisions) == 4 * turns
    for person, _ in players:
        rows = own_rows(decisions, person.code)
        chosen = [taken.get((person.code, period), NOOP) for period in range(turns)]
        assert rows["sent_action"].tolist() == rows["used_action"].tolist() == chosen
        by = ["person" if (person.code, period) in taken else "default" for period in range(turns)]
        assert rows["decided_by"].tolist() == by
    bots = decisions[decisions["participant"].isna()]
    assert set(bots["policy_id"]) == {"noisy_person"}
    assert (bots["received_ms"] == bots["shown_ms"]).all()
    outcomes = table(server, "outcomes", session).set_index("participant")
    for person, _ in players:
        own_decisions = own_rows(decisions, person.code)
        assert outcomes.loc[person.code, "points"] == pytest.approx(own_decisions["reward"].sum())
        assert outcomes.loc[person.code, "status"] == "finished"
    assert exactly_apart(table(server, "periods", session), 600, turns)


@pytest.mark.few(1)
@pytest.mark.parametrize("config", VOTES, ids=[entry["name"] for entry in VOTES])
def test_every_session_config_ends_with_an_export_that_replays_exactly(server, config):
    people = config["people_per_group"]
    quick = {"quiz": False, "turns": 4, "decision_seconds": 0.25, "spawn_probability": 0.3}
    quick["archetype"] = config["archetype"]
    session = server.session(config["name"], people, **quick)
    players = seated(server, session, people)
    for turn in range(2):
        for key, (_, live) in enumerate(players):
            assert live.act(turn, f"{key} {turn}", action=4 + key)["kind"] == "ack"
        server.turn(0.25)
    assert until_over(server, players[0][1])["period"] == 4
    assert wrong_numbers(server, session) == []
    periods = table(server, "periods", session)
    assert exactly_apart(periods, 250, 4)
    assert periods["ended"].tolist()[-1] == "horizon"
    decisions = table(server, "decisions", session)
    assert (
        decisions.groupby("period")["seat"].apply(list).tolist()
        == [list(range(decisions["seat"].nunique()))] * 4
    )


def exactly_apart(periods: pd.DataFrame, milliseconds: int, turns: int) -> bool:
    """Check that there is one row per turn, that each begins where the last ended, and that each
    lasts exactly this long.
    """
    assert periods["period"].tolist() == list(range(turns))
    shown, settled = periods["shown_ms"], periods["settled_ms"]
    assert (settled - shown).tolist() == [milliseconds] * turns
    assert shown[1:].tolist() == settled[:-1].tolist()
    return True


# -- exports and silent people -------------------------------------------------------------------


def test_turns_with_a_silent_person_are_each_settled_on_time(server):
    session, live = one(server, turns=24, decision_seconds=0.25, seed=11)
    server.turn(1.6)
    view = synced(live)
    assert (view["period"], view["phase"], view["standin"]) == (6, "decide", False)
    assert view["remaining_ms"] == 150
    assert [entry["period"] for entry in view["history"]] == list(range(-1, 6))
    decisions = table(server, "decisions", session)
    rows = decisions[decisions["occupant"] == "person"]
    assert len(rows) == 6
    assert set(rows["decided_by"]) == {"default"}
    assert set(rows["sent_action"]) == {NOOP}
    assert (rows["received_ms"] - rows["shown_ms"] == 250).all()
    assert exactly_apart(table(server, "periods", session), 250, 6)


def test_the_export_has_every_seats_position_collection_and_vote(server):
    session, live = one(server, turns=24, decision_seconds=0.25, seed=11)
    until_over(server, live)
    assert wrong_numbers(server, session) == []
    config = json.loads(table(server, "config", session).iloc[0]["config"])["core"]
    decisions = table(server, "decisions", session)
    periods = table(server, "periods", session).set_index("period")
    assert exactly_apart(periods.reset_index(), 250, 24)
    assert len(decisions) == 24 * 4
    parts = ["reward_value", "reward_punishment", "reward_vote_cost", "reward_harm"]
    assert decisions["reward"].to_numpy() == pytest.approx(decisions[parts].sum(axis=1).to_numpy())
    walks(decisions, config)
    takes(decisions, periods, config)
    votes(decisions, periods, config)


def walks(decisions: pd.DataFrame, config: dict[str, Any]) -> None:
    """Check that seats stay inside the walls, on separate cells, and move at most one cell."""
    assert decisions["after_row"].between(1, config["height"] - 2).all()
    assert decisions["after_column"].between(1, config["width"] - 2).all()
    assert not decisions.duplicated(["period", "after_row", "after_column"]).any()
    assert decisions["after_moved"].any()
    for _, rows in decisions.sort_values("period").groupby("seat"):
        went = rows[["after_row", "after_column"]].diff().abs().sum(axis=1)[1:]
        assert went.tolist() == rows["after_moved"].astype(int).tolist()[1:]
        assert not rows.loc[rows["used_action"] > RIGHT, "after_moved"].any()


def takes(decisions: pd.DataFrame, periods: pd.DataFrame, config: dict[str, Any]) -> None:
    """Check that a collected kind pays its value, harms the others, and is punished if taboo."""
    kinds = list(config["resources"])
    value = np.array([0.0, *(config["resources"][kind]["value"] for kind in kinds)])
    harm = np.array([0.0, *(config["resources"][kind]["harm"] for kind in kinds)])
    taboo = np.array([False, *(kind in config["taboo"] for kind in kinds)])
    taken = decisions["after_collected"]
    assert taken.between(0, len(kinds)).all()
    assert taken.gt(0).any()
    assert decisions.loc[taken > 0, "after_moved"].all()
    assert decisions["reward_value"].tolist() == value[taken].tolist()
    by_all = harm[taken]
    together = pd.Series(by_all).groupby(decisions["period"].to_numpy()).transform("sum")
    assert decisions["reward_harm"].to_numpy() == pytest.approx((by_all - together).to_numpy())
    before = periods["after_level"].shift(1, fill_value=config["initial_level"])
    due = config["magnitude"] * taboo[taken] * before[decisions["period"]].to_numpy()
    assert decisions["after_punished"].to_numpy() == pytest.approx(due)
    assert decisions["reward_punishment"].to_numpy() == pytest.approx(-due)


def votes(decisions: pd.DataFrame, periods: pd.DataFrame, config: dict[str, Any]) -> None:
    """Check that the seats' votes are counted and paid for, and that they move the level."""
    cast = decisions["after_vote"]
    assert set(cast) <= {-1, 0, 1}
    assert cast.ne(0).any()
    assert cast.eq(1).tolist() == decisions["used_action"].eq(MORE).tolist()
    assert cast.eq(-1).tolist() == decisions["used_action"].eq(LESS).tolist()
    assert decisions["reward_vote_cost"].to_numpy() == pytest.approx(
        -config["vote_cost"] * cast.abs().to_numpy()
    )
    for name, sign in (("after_increases", 1), ("after_decreases", -1)):
        counted = cast.eq(sign).groupby(decisions["period"]).sum()
        assert periods[name].tolist() == counted.tolist()
    level = config["initial_level"]
    for _, row in periods.iterrows():
        level += config["vote_step"] * (row["after_increases"] - row["after_decreases"])
        level = min(max(level, 0.0), 1.0)
        assert row["after_level"] == pytest.approx(level)


# -- one choice -----------------------------------------------------------------------------------


def test_the_last_key_of_a_turn_counts(server):
    session, live = one(server, turns=2, decision_seconds=1.2)
    keys = list(zip("abc", (UP, LEFT, MORE), strict=True))
    keys.append(keys[0])  # sent again, as after a lost ack
    answers = [live.act(0, name, action=action) for name, action in keys]
    assert [(answer["kind"], answer["period"]) for answer in answers] == [("ack", 0)] * 4
    server.turn(1.2)
    entry = synced(live)["history"][1]
    assert entry["used"] == {"action": MORE}
    assert entry["components"]["vote_cost"] == -0.1
    decisions = table(server, "decisions", session)
    [row] = decisions[decisions["occupant"].eq("person")].index
    assert decisions.loc[row, ["decided_by", "used_action"]].tolist() == ["person", MORE]
    late = live.act(0, "late", action=LESS)
    assert (late["kind"], late["reason"]) == ("refused", "period 1 is over; this is period 2")


def test_a_choice_sends_nothing_to_other_people(server):
    session = server.session("vote_three_people", 3, quiz=False, decision_seconds=600)
    lives = [live for _, live in seated(server, session, 3)]
    for live in lives:
        synced(live)
    for number, action in enumerate((UP, UP, MORE, NOOP)):
        lives[0].send({"kind": "act", "id": f"{number}", "period": 0, "action": {"action": action}})
        assert lives[0].heard() == [{"kind": "ack", "id": f"{number}", "period": 0}]
    assert lives[0].ask([])["kind"] == "refused"
    for live in lives[1:]:
        assert live.heard() == []
        assert all("decided" not in entry for entry in synced(live)["seats"])


def test_a_person_can_choose_only_for_their_own_seat(server):
    session = server.session("vote", 2, quiz=False, turns=4, decision_seconds=1.5)
    (hers, her), (his, him) = [seated(server, session, 1)[0] for _ in range(2)]
    other = {"seat": 0, "group": 2, "participant": his.code, "player": 2, "id_in_group": 2}
    for key, value in other.items():
        message = {"kind": "act", "period": 0, "action": {"action": MORE}}
        taken = her.ask({**message, key: value, "id": f"with {key}"})
        assert taken["kind"] == "ack"  # for the sender; other seats named are ignored
        refused = her.ask({**message, "action": {"action": MORE, key: value}, "id": f"no {key}"})
        assert refused["kind"] == "refused"
        assert key in refused["reason"]
    assert him.heard() == []
    until_over(server, her)
    until_over(server, him)
    decisions = table(server, "decisions", session)
    assert decisions.groupby("group").size().tolist() == [16, 16]
    assert own_rows(decisions, hers.code)["sent_action"].tolist() == [MORE] + [NOOP] * 3
    assert own_rows(decisions, his.code)["decided_by"].tolist() == ["default"] * 4
    bots = decisions[decisions["participant"].isna()]
    assert set(bots["decided_by"]) == {"policy"}
    assert wrong_numbers(server, session) == []


def wrong(name: str, period: Any = 0, **action: Any) -> dict[str, Any]:
    return {"kind": "act", "id": name, "period": period, "action": {"action": UP, **action}}


HOSTILE: list[Any] = [
    [UP],
    [wrong("a list")],
    wrong("one too many", action=7),
    wrong("one too few", action=-1),
    wrong("between two", action=2.5),
    wrong("a name", action="up"),
    wrong("a number as text", action="1"),
    wrong("a flag", action=True),
    wrong("nothing", action=None),
    wrong("all seats", action=[UP, UP, UP, UP]),
    wrong("an object", action={"seat 2": UP}),
    wrong("not a number", action=float("nan")),
    wrong("infinity", action=float("-inf")),
    wrong("huge", action=10**500),
    wrong("another seat", seat=2),
    wrong("a vote besides", vote=1),
    wrong("next turn", period=1),
    wrong("the turn before", period=-1),
    wrong("a far turn", period=10**9),
    wrong("a farther turn", period=10**12),
    wrong("a turn without end", period=10**500),
    wrong("a turn in between", period=0.5),
    wrong("a turn as text", period="0"),
    wrong("a flag as turn", period=False),
    wrong("turns", period=[0]),
    {"kind": "act", "id": "no action", "period": 0, "action": {}},
    {"kind": "act", "id": "a bare number", "period": 0, "action": UP},
    {"kind": "act", "id": "a list as action", "period": 0, "action": [UP]},
    {"kind": "act", "id": "no turn", "action": {"action": UP}},
    {"kind": "act", "period": 0, "action": {"action": UP}},
    {"kind": "act", "id": "x" * 65, "period": 0, "action": {"action": UP}},
    {"kind": "settle", "period": 0},
    {"kind": "tick", "period": 10**12},
]


def test_messages_of_a_hostile_page_are_rejected_and_earlier_choices_stay(server):
    _, live = one(server, decision_seconds=600)
    assert live.act(0, "mine", action=MORE)["kind"] == "ack"
    before = synced(live)
    for message in HOSTILE:
        answer = live.ask(message)
        assert answer["kind"] == "refused", message
        assert 0 < len(answer["reason"]) < 300
    live.send({"kind": "tick", "period": 5})  # a tick that comes too early
    assert live.receive()["period"] == 0
    after = synced(live)
    assert {**after, "remaining_ms": 0} == {**before, "remaining_ms": 0}
    assert live.act(0, "mine", action=UP)["kind"] == "ack"  # a known id does not count again


# -- a crash, and a long history --------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "{", "[" * 60_000, "9" * 5000])
def test_an_invalid_message_is_rejected_and_the_socket_stays_open(server, text):
    _, live = one(server, decision_seconds=600)
    live.socket.send(text)
    assert live.receive()["kind"] == "refused"
    live.socket.send_binary(b"\xff\xfe")
    assert live.receive()["kind"] == "refused"
    assert live.act(0, "still there", action=UP)["kind"] == "ack"


@pytest.mark.long
def test_a_history_goes_back_200_turns_and_contains_no_maps(server):
    """Backdate the table by a minute."""
    options = {"turns": 230, "decision_seconds": 0.25, "grace_seconds": 86_400}
    session = server.session("vote", 1, quiz=False, **options)
    [(sleeper, _)] = seated(server, session, 1)
    server.stop()
    make_older(58_000)
    server.start()
    live = sleeper.live()
    view = synced(live)
    assert view["phase"] == "over"
    assert set(view["observation"]) >= MAPS
    history = view["history"]
    assert [entry["period"] for entry in history] == list(range(230 - MOST_PERIODS, 230))
    for entry in history:
        assert not MAPS & set(entry["observation"])
        assert {"level", "increases", "decreases", "collected"} <= set(entry["observation"])
        assert set(entry["components"]) == {"value", "punishment", "vote_cost", "harm"}
    assert wrong_numbers(server, session) == []
    periods = table(server, "periods", session)
    assert set(periods["settled_ms"] - periods["shown_ms"]) == {250}
    assert len(periods) == 230


def test_an_acknowledged_choice_survives_a_crash_within_its_turn(server):
    options = {"turns": 2, "decision_seconds": 8, "grace_seconds": 600}
    session = server.session("vote", 1, quiz=False, **options)
    [(person, live)] = seated(server, session, 1)
    assert live.act(0, "first", action=UP)["kind"] == "ack"
    assert live.act(0, "second", action=MORE)["kind"] == "ack"
    server.crash()
    person.reload()
    live = person.live()
    assert live.act(0, "first", action=UP)["kind"] == "ack"  # an old key has no effect
    assert until_over(server, live)["phase"] == "over"
    assert synced(live)["history"][1]["used"] == {"action": MORE}
    rows = own_rows(table(server, "decisions", session), person.code)
    assert rows["sent_action"].tolist() == [MORE, NOOP]
    assert rows["decided_by"].tolist() == ["person", "default"]
    assert exactly_apart(table(server, "periods", session), 8000, 2)
    assert wrong_numbers(server, session) == []
