"""The others wait for a person who has left (dropout `pause`), or the play ends (dropout `end`).

Decisions last 20 s. A person not heard from for 15 s has left, and the others wait 60 s. The policy
that takes over has as much time to answer as one that is asked outside the table.
"""

from __future__ import annotations

from typing import Any

from mixed_company.table.answers import LATE_MS
from mixed_company.table.directives import Directive
from mixed_company.table.table import Table
from tests.table.layered import IN_TURN, misreplayed, occupants, opened, stay
from tests.table.plays import SECOND, act, events, reopened, rows, view


def paused(people: list[int], **changes: Any) -> Table:
    """Return a table that everyone joined at time 0."""
    options = {"dropout": "pause", "pause_seconds": 60, "grace_seconds": 15, "decision_seconds": 20}
    table = opened(people, **{**options, **changes})
    for seat in people:
        table.hear(seat, 0)
    return table


def told(table: Table, name: str) -> list[tuple[int, int, int]]:
    """Return the time, seat and extra time of the events with this name."""
    return [(row["at_ms"], row["seat"], row["extra_ms"]) for row in events(table, name)]


def test_the_others_wait_for_a_silent_person_and_nobody_decides_in_that_seat() -> None:
    table = paused([0, 1])
    act(table, 0, 1 * SECOND)
    stay(table, [0], 5, 70)
    # silent since 0, so the person has left at 15 s; 15 + 60 = 75 is 55 s more than the time limit
    assert told(table, "awaited") == [(15 * SECOND, 1, 55 * SECOND + LATE_MS)]
    assert table.episode.period == 0
    assert occupants(table)[1] == "person"
    assert view(table, 0, 70 * SECOND)["remaining_ms"] == 5 * SECOND + LATE_MS
    assert view(table, 0, 70 * SECOND)["awaited"] is True
    assert "awaited" not in view(table, 1, 70 * SECOND)


def test_a_person_who_returns_has_the_whole_time_to_decide() -> None:
    table = paused([0, 1])
    act(table, 0, 1 * SECOND)
    stay(table, [0], 5, 60)
    table.hear(1, 65 * SECOND)
    # 65 + 20 = 85, 10 s more than the 75 s until which the others waited
    assert told(table, "met") == [(65 * SECOND, 1, 10 * SECOND - LATE_MS)]
    assert "awaited" not in view(table, 0, 65 * SECOND)
    assert view(table, 1, 65 * SECOND)["remaining_ms"] == 20 * SECOND
    act(table, 1, 70 * SECOND, harvest=3)
    first = rows(table, "period")[0]
    assert (first["at_ms"], first["seats"][1]["by"]) == (70 * SECOND, "person")
    assert events(table, "takeover") == []
    assert table.seats[1].gaps == 1
    assert misreplayed(table) == []


def test_a_person_who_does_not_return_is_followed_by_a_policy_when_the_wait_is_over() -> None:
    table = paused([0, 1])
    act(table, 0, 1 * SECOND)
    stay(table, [0], 5, 75)
    assert [(row["at_ms"], row["seat"]) for row in events(table, "takeover")] == [(75 * SECOND, 1)]
    first = rows(table, "period")[0]
    assert (first["at_ms"], first["seats"][1]["by"]) == (75 * SECOND, "policy")
    assert table.seats[1].gaps == 1
    table.hear(1, 80 * SECOND)
    act(table, 0, 81 * SECOND)
    assert occupants(table)[1] == "person"
    assert misreplayed(table) == []


def test_the_wait_continues_in_the_next_period_for_a_person_who_decided_before_leaving() -> None:
    table = paused([0, 1])
    act(table, 1, 1 * SECOND)
    stay(table, [0], 5, 15)
    table.hear(0, 17 * SECOND)
    # last heard from at 1 s: the person has left at 16 s, the wait would last until 76 s, and
    # nobody waits yet
    assert told(table, "awaited") == [(16 * SECOND, 1, 0)]
    act(table, 0, 18 * SECOND)
    # the second period would last until 18 + 20 = 38 s: 38 s less than 76 s
    assert told(table, "awaited")[1:] == [(18 * SECOND, 1, 38 * SECOND + LATE_MS)]
    assert view(table, 0, 18 * SECOND)["remaining_ms"] == 58 * SECOND + LATE_MS


def test_a_person_who_returns_immediately_delays_nobody_longer_than_a_decision() -> None:
    table = paused([0, 1])
    act(table, 0, 1 * SECOND)
    stay(table, [0], 5, 15)
    table.hear(1, 16 * SECOND)
    # the wait would have lasted until 75 s; 16 + 20 = 36
    assert view(table, 0, 16 * SECOND)["remaining_ms"] == 20 * SECOND
    assert told(table, "met") == [(16 * SECOND, 1, (36 - 75) * SECOND - LATE_MS)]
    stay(table, [0, 1], 20, 36)
    table.advance(36 * SECOND)
    assert rows(table, "period")[0]["at_ms"] == 36 * SECOND


def test_a_person_who_comes_and_goes_delays_a_period_only_once() -> None:
    """Each absence and each return used to add time, so a period could last an hour."""
    table = paused([0, 1], grace_seconds=10, decision_seconds=45)
    act(table, 0, 1 * SECOND)
    for second in range(5, 3600, 5):
        table.hear(0, second * SECOND)
        if second % 65 == 0:
            table.hear(1, second * SECOND)
        if table.episode.period:
            break
    # away at 10 s, awaited until 70 s, back at 65 s: the limit is 65 + 45 = 110 s, and no later
    assert rows(table, "period")[0]["at_ms"] == 110 * SECOND
    assert rows(table, "period")[0]["seats"][1]["by"] == "default"


def test_without_a_limit_nobody_gets_more_time() -> None:
    table = paused([0, 1], decision_seconds=0)
    stay(table, [0], 5, 20)
    table.hear(1, 21 * SECOND)
    assert told(table, "awaited") == [(15 * SECOND, 1, 0)]
    assert told(table, "met") == [(21 * SECOND, 1, 0)]
    assert view(table, 0, 21 * SECOND)["remaining_ms"] is None


def test_the_return_of_a_person_who_had_decided_changes_no_time() -> None:
    table = paused([0, 1], decision_seconds=60)
    act(table, 1, 1 * SECOND)
    stay(table, [0], 5, 20)
    table.hear(1, 21 * SECOND)
    assert told(table, "met") == [(21 * SECOND, 1, 0)]
    assert view(table, 0, 21 * SECOND)["remaining_ms"] == 39 * SECOND


def test_nobody_learns_that_the_play_would_wait_for_a_person_who_has_decided() -> None:
    table = paused([0, 1])
    act(table, 1, 1 * SECOND)
    stay(table, [0], 5, 15)
    table.advance(16 * SECOND)
    assert table.seats[1].awaited_ms == 16 * SECOND
    assert "awaited" not in view(table, 0, 16 * SECOND)


def test_a_stand_in_that_is_asked_elsewhere_has_time_to_answer() -> None:
    table = paused([0, 1])
    table.apart = True
    table.setup.policy("fixed:harvest=2").slow = True
    act(table, 0, 1 * SECOND)
    stay(table, [0], 5, 75)
    assert table.seats[1].occupant == "policy"
    assert 1 in table.pending
    assert events(table, "policy_fault") == []


def test_without_a_time_limit_the_others_wait_and_nothing_is_extended() -> None:
    table = paused([0, 1], decision_seconds=0)
    act(table, 0, 1 * SECOND)
    stay(table, [0], 5, 75)
    assert told(table, "awaited") == [(15 * SECOND, 1, 0)]
    assert rows(table, "period")[0]["at_ms"] == 75 * SECOND


def test_in_turn_only_the_turn_of_the_awaited_person_is_longer() -> None:
    table = paused([0, 1], agents=IN_TURN)
    # the order is 2, 0, 1, 3, and 2 has decided: seat 0 has its turn, and the page of 1 is open
    stay(table, [1], 5, 75)
    assert told(table, "awaited") == [(15 * SECOND, 0, 55 * SECOND + LATE_MS)]
    assert (occupants(table)[0], table.episode.turn) == ("policy", 1)
    assert view(table, 1, 75 * SECOND)["remaining_ms"] == 20 * SECOND
    act(table, 1, 80 * SECOND)
    assert rows(table, "period")[0]["at_ms"] == 80 * SECOND
    assert misreplayed(table) == []


def test_in_turn_nobody_has_more_time_because_a_later_person_is_awaited() -> None:
    table = paused([0, 1], agents=IN_TURN)
    stay(table, [0], 5, 15)
    assert told(table, "awaited") == [(15 * SECOND, 1, 0)]
    assert view(table, 0, 15 * SECOND)["remaining_ms"] == 5 * SECOND
    act(table, 0, 16 * SECOND)
    # its turn comes at 16 s and would last until 36 s; the wait lasts until 75 s
    assert told(table, "awaited")[1:] == [(16 * SECOND, 1, 39 * SECOND + LATE_MS)]


def test_by_the_clock_the_turn_lasts_as_long_as_somebody_is_awaited() -> None:
    table = paused([0, 1], pace="clock", decision_seconds=4)
    stay(table, [0], 1, 81)
    # three turns of 4 s; the fourth, begun at 12 s, lasts until 15 + 60 = 75 s and a policy's time
    ends = [row["at_ms"] for row in rows(table, "period")]
    assert ends[:4] == [4000, 8000, 12000, 75 * SECOND + LATE_MS]
    assert misreplayed(table) == []


def test_by_the_clock_the_turn_ends_one_turn_after_the_return() -> None:
    table = paused([0, 1], pace="clock", decision_seconds=4)
    stay(table, [0], 1, 15)
    table.advance(15 * SECOND)
    table.hear(1, 16 * SECOND)
    stay(table, [0, 1], 17, 22)
    assert [row["at_ms"] for row in rows(table, "period")] == [4000, 8000, 12000, 20000]


def test_the_manager_can_decide_for_the_awaited_person() -> None:
    table = paused([0, 1])
    act(table, 0, 1 * SECOND)
    stay(table, [0], 5, 20)
    table.manage(Directive("skip", "a", 1), 21 * SECOND)
    assert rows(table, "period")[0]["at_ms"] == 21 * SECOND
    assert table.seats[1].awaited_ms is None


def test_a_waiting_table_is_the_same_after_it_was_stored_in_the_database() -> None:
    waiting = paused([0, 1])
    stay(waiting, [0], 5, 20)
    again = reopened(waiting)
    for table in (waiting, again):
        table.hear(1, 30 * SECOND)
    assert again.to_json() == waiting.to_json()
    assert again.seats[1].awaited_ms is None


# -- the play ends ---------------------------------------------------------------------------


def test_the_play_ends_when_somebody_leaves_and_the_others_keep_their_earnings() -> None:
    table = paused([0, 1], dropout="end")
    act(table, 0, 1 * SECOND, harvest=3)
    act(table, 1, 2 * SECOND, harvest=4)
    stay(table, [0], 5, 15)
    table.advance(17 * SECOND)
    # last heard from at 2 s
    assert [(row["event"], row["at_ms"], row.get("seat")) for row in rows(table, "event")][-2:] == [
        ("left", 17 * SECOND, 1),
        ("ended", 17 * SECOND, 1),
    ]
    assert table.over
    assert (table.status(0), table.status(1)) == ("ended", "left")
    assert (table.seats[0].points, table.seats[1].points) == (3.0, 4.0)
    assert view(table, 0, 17 * SECOND)["ended"] == {"reason": "ended", "result": "neither"}
    assert len(rows(table, "period")) == 1
    assert misreplayed(table) == []


def test_a_person_who_never_came_ends_the_play_when_the_grace_time_is_over() -> None:
    table = opened([0, 1], dropout="end", grace_seconds=15, decision_seconds=20)
    table.hear(0, 0)
    stay(table, [0], 5, 14)
    assert not table.over
    table.advance(15 * SECOND)
    assert table.over
    assert (table.status(0), table.status(1)) == ("ended", "left")
