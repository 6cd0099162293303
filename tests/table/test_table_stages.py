"""The second stage of a period at a table: its clock, its defaults, and the people who take
part."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.policies.policy import Answer
from mixed_company.table import telling
from mixed_company.table import view as shown
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.setup import Setup, resolve, session_config
from mixed_company.table.table import Table
from tests.table.plays import SECOND, events, reopened, rows, whole
from tests.table.talk.tables import done, say, texts

PROSOCIAL = "conditional_cooperator+punishes_below_average"


def open_table(people: list[int], core: dict[str, Any] | None = None, **options: Any) -> Table:
    """Return a table where four players may punish. Seat 1 and others are instant bots."""
    changes = {"peer": "punishment", "periods": 3, **(core or {})}
    if options.get("dropout") == "reduced":
        changes["agents"] = {"may_leave": True}
    game = engine.make("sanctions", archetype="unsanctioned", **changes)
    chosen = {"bot_delay": "instant", "bots": PROSOCIAL, "quiz": False, **options}
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options(**chosen))
    table = Table.open(setup, people, seed=7, now=0)
    for seat in people:
        table.hear(seat, 0)
    return table


def send(table: Table, seat: int, now: int, **action: Any) -> dict[str, Any]:
    period = table.episode.period
    name = f"{seat} {period} {sorted(action)}"
    return table.act(seat, Message("act", name, period, action), now).to_json()


def act_all(table: Table, now: int) -> None:
    """Let every person at the table decide on this stage's fields."""
    stage = {"decide": {"contribution": 5.0}, "peer": {"assign": [0] * 4}}[table.episode.stage]
    waiting = [chair.seat for chair in table.seats if chair.occupant == "person"]
    for seat in waiting:
        send(table, seat, now, **stage)


def view(table: Table, seat: int, now: int) -> dict[str, Any]:
    return shown.view(table, seat, now).to_json()


def punish(target: int, points: int) -> list[int]:
    return [points if seat == target else 0 for seat in range(4)]


def test_a_period_ends_after_everybody_has_decided_twice():
    table = open_table([0, 2])
    send(table, 0, SECOND, contribution=2.0)
    assert table.episode.stage == "decide"
    send(table, 2, 2 * SECOND, contribution=10.0)
    assert (table.episode.period, table.episode.stage) == (0, "peer")
    seen = view(table, 0, 2 * SECOND)
    assert seen["phase"] == "decide"
    assert seen["observation"]["stage"] == 1
    assert seen["observation"]["contribution"][0] == 2.0
    assert seen["observation"]["contribution"][2] == 10.0
    assert rows(table, "period") == []
    send(table, 2, 3 * SECOND, assign=punish(0, 1))
    send(table, 0, 4 * SECOND, assign=punish(2, 2))
    assert (table.episode.period, table.episode.stage) == (1, "decide")
    (line,) = rows(table, "period")
    assert line["state"]["assigned"][0] == [0, 0, 2, 0]
    assert line["state"]["assigned"][2] == [1, 0, 0, 0]
    assert line["components"]["peer_cost"][0] == -2
    assert [decided_value["by"] for decided_value in line["later"]] == [
        "person",
        "policy",
        "person",
        "policy",
    ]
    assert line["later_ms"] == 2 * SECOND
    assert [decided_value["action"].keys() for decided_value in line["seats"]] == [
        {"contribution"}
    ] * 4


def test_bots_of_the_first_stage_alone_assign_nothing_without_a_fault():
    table = open_table([0], bots="free_rider")
    send(table, 0, SECOND, contribution=20.0)
    send(table, 0, 2 * SECOND, assign=[0] * 4)
    (line,) = rows(table, "period")
    assert line["state"]["assigned"] == [[0] * 4] * 4
    assert events(table, "policy_fault") == []


def test_the_second_stage_has_its_own_time_and_a_seat_that_is_late_assigns_nothing():
    table = open_table([0, 2], decision_seconds=30, peer_seconds=10, grace_seconds=1000)
    send(table, 0, SECOND, contribution=2.0)
    send(table, 2, 5 * SECOND, contribution=10.0)
    assert view(table, 0, 5 * SECOND)["remaining_ms"] == 10 * SECOND
    send(table, 2, 6 * SECOND, assign=punish(0, 1))
    table.advance(15 * SECOND - 1)
    assert table.episode.stage == "peer"
    table.advance(15 * SECOND)
    assert (table.episode.period, table.episode.stage) == (1, "decide")
    (line,) = rows(table, "period")
    assert line["later"][0]["by"] == "default"
    assert line["seats"][0]["by"] == "person"
    assert line["state"]["assigned"][0] == [0] * 4
    assert view(table, 0, 15 * SECOND)["remaining_ms"] == 30 * SECOND


def test_without_a_time_of_its_own_the_second_stage_has_that_of_a_decision():
    table = open_table([0], decision_seconds=30)
    send(table, 0, SECOND, contribution=2.0)
    assert view(table, 0, SECOND)["remaining_ms"] == 30 * SECOND


def test_a_decision_of_the_first_stage_that_comes_late_is_refused_with_the_reason():
    table = open_table([0, 2], decision_seconds=30, grace_seconds=1000)
    send(table, 2, SECOND, contribution=10.0)
    table.advance(30 * SECOND)
    late = send(table, 0, 31 * SECOND, contribution=2.0)
    assert late["reason"] == "it is too late for this decision in period 1"
    assert send(table, 0, 32 * SECOND, assign=punish(2, 1))["kind"] == "ack"


def test_points_that_may_not_be_assigned_are_refused_and_nothing_changes():
    table = open_table([0], {"peer_budget": 3})
    send(table, 0, SECOND, contribution=2.0)
    before = whole(table)
    for assign, reason in (
        (punish(0, 1), "assign = [1, 0, 0, 0]: players cannot assign points to themselves"),
        (punish(1, 4), "assign = [0, 4, 0, 0]: at most 3 points in all"),
        (punish(1, -1), "assign = [0, -1, 0, 0]: must not be negative"),
    ):
        refused = table.act(0, Message("act", str(assign), 0, {"assign": assign}), SECOND)
        assert refused.to_json()["reason"] == reason
    assert whole(table) == before


def test_a_person_who_leaves_in_the_second_stage_leaves_when_the_next_period_begins():
    options: dict[str, Any] = {"dropout": "reduced", "grace_seconds": 20, "decision_seconds": 60}
    table = open_table([0, 2], **options)
    send(table, 0, SECOND, contribution=2.0)
    send(table, 2, 2 * SECOND, contribution=10.0)
    for second in range(3, 30, 3):  # seat 2 is silent
        table.hear(0, second * SECOND)
    assert table.seats[2].occupant == "nobody"
    send(table, 0, 30 * SECOND, assign=[0] * 4)
    (line,) = rows(table, "period")
    assert line["later"][2]["by"] == "absent"
    assert line["seats"][2]["by"] == "person"
    assert line["rewards"][2] == pytest.approx(line["state"]["income"][2])
    send(table, 0, 31 * SECOND, contribution=2.0)
    assert table.episode.absent == (2,)


def test_a_stand_in_takes_over_in_the_middle_of_a_period():
    options: dict[str, Any] = {"grace_seconds": 20, "decision_seconds": 60}
    table = open_table([0, 2], dropout_bot=PROSOCIAL, **options)
    send(table, 0, SECOND, contribution=0.0)
    send(table, 2, 2 * SECOND, contribution=20.0)
    for second in range(3, 30, 3):
        table.hear(0, second * SECOND)
    assert table.seats[2].occupant == "policy"
    assert table.decided[2].action["assign"][0] > 0  # seat 0 gave nothing


def test_seats_in_turn_assign_points_together():
    table = open_table([0, 2], {"agents": {"timing": "sequential"}})
    send(table, 0, SECOND, contribution=2.0)
    assert view(table, 0, SECOND)["turn"] == 2
    send(table, 2, 2 * SECOND, contribution=10.0)
    assert (table.episode.stage, table.episode.turn) == ("peer", None)
    send(table, 2, 3 * SECOND, assign=punish(0, 1))
    send(table, 0, 4 * SECOND, assign=punish(2, 1))
    assert table.episode.period == 1
    assert rows(table, "period")[0]["state"]["assigned"][2][0] == 1


TALK = {"talk": "free", "talk_when": "stages", "talk_seconds": 20.0}


def test_people_talk_between_the_stages_of_a_period_and_then_assign_points():
    table = open_table([0, 1, 2, 3], **TALK, decision_seconds=30)
    assert view(table, 0, 0)["phase"] == "decide"
    act_all(table, SECOND)
    seen = view(table, 0, 2 * SECOND)
    assert (seen["phase"], seen["remaining_ms"]) == ("talk", 19 * SECOND)
    assert seen["observation"]["contribution"] == [5.0] * 4
    refused = send(table, 0, 2 * SECOND, assign=punish(1, 1))
    assert refused["reason"] == "your group is still talking; you can decide afterwards"
    assert say(table, 1, 3 * SECOND, "Sorry")["kind"] == "ack"
    table.advance(21 * SECOND)
    seen = view(table, 0, 22 * SECOND)
    assert (seen["phase"], seen["remaining_ms"]) == ("decide", 29 * SECOND)
    assert texts(seen) == ["Sorry"]
    send(table, 0, 23 * SECOND, assign=punish(1, 1))
    for seat in (1, 2, 3):
        send(table, seat, 24 * SECOND, assign=[0] * 4)
    (line,) = rows(table, "period")
    assert line["later_ms"] == 21 * SECOND
    assert line["later"][0]["at_ms"] == 23 * SECOND
    assert (view(table, 0, 24 * SECOND)["phase"], table.episode.period) == ("decide", 1)


def test_a_talk_between_the_stages_ends_once_everybody_is_ready():
    table = open_table([0, 1, 2, 3], **TALK)
    act_all(table, SECOND)
    for seat in range(4):
        assert done(table, seat, 2 * SECOND)["kind"] == "ack"
    assert view(table, 0, 2 * SECOND)["phase"] == "decide"
    assert table.episode.stage == "peer"


def test_a_policy_makes_no_promise_about_a_decision_that_is_over():
    bots = "promises_and_keeps+punishes_below_average"
    table = open_table([0], bots=bots, **TALK)
    act_all(table, SECOND)
    assert table.talking
    table.advance(40 * SECOND)
    assert rows(table, "message") == []
    before = open_table([0], bots=bots, **{**TALK, "talk_when": "periods"})
    before.advance(40 * SECOND)
    assert len(rows(before, "message")) == 3


@pytest.mark.parametrize("talk", [{}, TALK])
@pytest.mark.parametrize("timing", ["simultaneous", "sequential"])
def test_a_table_is_rebuilt_from_any_moment_of_a_period(timing, talk):
    options = {"bot_delay": "people", "disclosure": "labels", **talk}
    table = open_table([0, 2], {"agents": {"timing": timing}}, **options)
    now = 0
    while not table.over:
        now += 700
        for seat in (0, 2):
            if talk and now % 3 == 0 and view(table, seat, now)["phase"] == "talk":
                say(table, seat, now, f"at {now}")
                done(table, seat, now)
            if view(table, seat, now)["phase"] == "decide":
                first = table.episode.stage == "decide"
                action = {"contribution": 3.0} if first else {"assign": punish(2 - seat, 1)}
                send(table, seat, now, **action)
        table.advance(now)
    entries = json.loads(json.dumps(table.rows))
    assert len(rows(table, "stage")) == 3
    again = rebuilt(table.setup, entries)
    assert again.to_json() == table.to_json()
    for count in range(8, len(entries), 4):
        part = rebuilt(table.setup, entries[:count])
        assert reopened(part).to_json() == part.to_json()


def test_a_view_names_the_places_that_may_get_points_and_none_that_has_left():
    options: dict[str, Any] = {"dropout": "reduced", "grace_seconds": 20, "decision_seconds": 60}
    table = open_table([0, 1, 2], **options)
    assert view(table, 0, 0)["limits"] == {"contribution": [0, 20], "assign": [0, 0]}
    act_all(table, SECOND)
    assert view(table, 0, SECOND)["limits"]["assign"] == [0, 10, [1, 2, 3]]
    assert view(table, 1, SECOND)["limits"]["assign"] == [0, 10, [0, 2, 3]]
    act_all(table, 2 * SECOND)
    for second in range(3, 60, 3):  # seat 1 is silent
        table.hear(0, second * SECOND)
        table.hear(2, second * SECOND)
    act_all(table, 60 * SECOND)
    assert table.episode.absent == (1,)
    assert view(table, 0, 60 * SECOND)["limits"]["assign"] == [0, 10, [2, 3]]


def test_a_stage_is_told_in_words_with_its_own_fields():
    table = open_table([0, 1])
    first = view(table, 0, 0)
    assert "contribution from 0 to 20" in telling.asked(table.game, first)
    assert "assign" not in telling.asked(table.game, first)
    act_all(table, SECOND)
    second = telling.asked(table.game, view(table, 0, SECOND))
    assert second.startswith(
        "Decide now: assign from 0 to 10 for each of player 2, player 3, player 4, "
        "in the order of all players."
    )
    assert "contribution" not in second
    rules = telling.rules(table.game, 0).split("\n")
    (line,) = (line for line in rules if line.startswith("- assign: "))
    assert line.endswith("once you see what the others decided")


def test_an_answer_of_a_policy_that_was_asked_in_the_first_stage_is_too_late_in_the_second():
    table = open_table([0], decision_seconds=30, grace_seconds=1000)
    table.apart = True
    table.setup.policy(PROSOCIAL).slow = True
    again = Table.open(table.setup, [0], seed=7, now=0)
    again.apart = True
    again.hear(0, 0)
    assert sorted(again.pending) == [1, 2, 3]
    send(again, 0, 100, contribution=2.0)
    for seat in (2, 3):
        again.answered(seat, 0, Answer({"contribution": 5.0}, {}), 200)
    again.advance(SECOND)  # seat 1 has run out of time
    assert again.episode.stage == "peer"
    assert sorted(again.pending) == [1, 2, 3]
    again.answered(1, 0, Answer({"contribution": 5.0}, {}), SECOND + 100)
    assert sorted(again.pending) == [1, 2, 3]
    again.answered(1, 0, Answer({"assign": punish(0, 1)}, {}), SECOND + 200)
    assert sorted(again.pending) == [2, 3]


def test_the_times_of_bots_differ_between_the_stages():
    table = open_table([0], bot_delay="people")
    first = dict(table.answers)
    send(table, 0, SECOND, contribution=2.0)
    table.advance(200 * SECOND)
    line = rows(table, "period")[0]
    delays = [(line["seats"][seat]["delay_ms"], line["later"][seat]["delay_ms"]) for seat in first]
    assert all(before != later for before, later in delays)


def test_a_session_config_has_the_keys_of_peer_points_and_resolves_them():
    config = session_config(
        "x",
        "sanctions",
        "unsanctioned",
        bots=PROSOCIAL,
        peer="punishment",
        peer_costs="[0, 1, 3]",
        peer_max=2,
    )
    setup, values = resolve("sanctions", config, config)
    assert setup.game.core.peer_costs == (0, 1, 3)
    assert values["peer_costs"] == "[0.0, 1.0, 3.0]"
    plain = session_config("x", "commons_game", "lab")
    assert (plain["peer"], plain["peer_max"], plain["peer_budget"]) == ("none", 10, "")
    setup, _ = resolve("commons_game", plain, plain)
    assert "peer" not in setup.config["core"]
    assert "peer_seconds" not in setup.options.model_dump()
