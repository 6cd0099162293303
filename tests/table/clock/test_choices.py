"""Choices in plays on a clock: the last one in a turn counts. Also rejections, and what other pages
see."""

from __future__ import annotations

import pytest

from mixed_company.table.seating import MOST_CHOICES, REMEMBERED_IDS
from tests.table.clock.tables import DOWN, LEFT, MORE, NOOP, UP, clock, press, vote
from tests.table.plays import act, events, rows, view, whole

# -- the choice that counts ------------------------------------------------------------


def test_the_last_choice_of_a_turn_counts_and_each_is_acknowledged():
    table = clock([0, 1])
    for now, harvest in ((100, 1.0), (700, 9.0), (1999, 5.0)):
        answer = act(table, 0, now, id=f"at {now}", harvest=harvest)
        assert answer == {"kind": "ack", "id": f"at {now}", "period": 0}
    table.advance(2000)
    row = rows(table, "period")[0]
    assert row["sent"]["harvest"][0] == 5.0
    assert row["seats"][0]["at_ms"] == 1999
    assert (row["seats"][0]["occupant"], row["seats"][0]["by"]) == ("person", "person")


def test_a_repeated_id_is_acknowledged_again_and_does_not_restore_the_old_choice():
    table = clock([0])
    act(table, 0, 100, id="first", harvest=1)
    act(table, 0, 200, id="second", harvest=5)
    assert act(table, 0, 300, id="first", harvest=1) == {"kind": "ack", "id": "first", "period": 0}
    table.advance(2000)
    row = rows(table, "period")[0]
    assert (row["sent"]["harvest"][0], row["seats"][0]["at_ms"]) == (5.0, 200)


def test_an_id_of_an_earlier_turn_is_acknowledged_and_chooses_nothing_now():
    table = clock([0])
    act(table, 0, 100, id="first", harvest=7)
    for period in (0, 1):  # as sent, and with a number that would be valid
        answer = act(table, 0, 2500, id="first", harvest=7, period=period)
        assert answer == {"kind": "ack", "id": "first", "period": 0}
    table.advance(4000)
    assert [row["sent"]["harvest"][0] for row in rows(table, "period")] == [7.0, 0.0]
    assert rows(table, "period")[1]["seats"][0]["by"] == "default"


def test_a_choice_is_valid_only_in_its_turn():
    table = vote([0])
    press(table, 0, 100, 4)
    table.advance(6000)
    assert [row["sent"]["action"][0] for row in rows(table, "period")] == [4, NOOP, NOOP]
    assert [row["state"]["vote"][0] for row in rows(table, "period")] == [1, 0, 0]


def test_of_two_keys_only_the_last_one_moves_the_seat():
    table = vote([0, 1, 2], core={"height": 7, "width": 7, "initial_resources": 0})
    before = table.episode.state_record()["row"][0]
    # up if there is room above, else down; the opposite key comes first
    last, first = (UP, DOWN) if before > 3 else (DOWN, UP)
    press(table, 0, 100, first)
    press(table, 0, 200, last)
    table.advance(2000)
    row = rows(table, "period")[0]
    assert row["used"]["action"] == [last, NOOP, NOOP]
    assert row["state"]["row"][0] == before + (-1 if last == UP else 1)


@pytest.mark.parametrize(("actions", "nothing"), [("simple", 6), ("composite", 12)])
def test_a_person_who_chooses_nothing_takes_the_default_action(actions, nothing):
    table = vote([0, 2], core={"actions": actions})
    press(table, 2, 400, 1)
    table.advance(2000)
    row = rows(table, "period")[0]
    assert [row["sent"]["action"][seat] for seat in (0, 2)] == [nothing, 1]
    assert [who["by"] for who in row["seats"]] == ["default", "policy", "person"]
    assert [view(table, seat, 2000)["last"]["by"] for seat in (0, 2)] == ["default", "person"]
    assert row["seats"][0]["at_ms"] == 2000


def test_a_turn_without_a_choice_still_counts_for_the_person_who_had_the_seat():
    table = clock([0], core={"initial_stock": 40})
    table.advance(2000)
    act(table, 0, 2100, harvest=4)
    table.advance(4000)
    assert (table.seats[0].periods, table.seats[0].points) == (2, 4.0)


# -- other pages -----------------------------------------------------------------------


def test_a_choice_changes_only_the_views_of_the_same_person():
    table = clock([0, 1])
    before = [view(table, seat, 900) for seat in range(4)]
    assert all("decided" not in seat for shown in before for seat in shown["seats"])
    act(table, 0, 900, id="a", harvest=3)
    act(table, 0, 900, id="b", harvest=4)
    assert [view(table, seat, 900) for seat in range(1, 4)] == before[1:]
    # the last choice counts, so all pages of this person show it
    assert view(table, 0, 900) == {**before[0], "decision": {"harvest": 4.0, "contribution": 0.0}}


def test_the_phase_stays_decide_after_a_choice():
    table = vote([0, 1])
    for now in (0, 100, 1900):
        assert view(table, 0, now)["phase"] == "decide"
        press(table, 0, now, UP)
        assert view(table, 0, now)["phase"] == "decide"
    assert view(table, 0, 1900)["remaining_ms"] == 100


@pytest.mark.parametrize("disclosure", ["none", "labels"])
def test_nothing_distinguishes_a_bot_that_has_chosen_from_a_person_who_has_not(disclosure):
    table = vote([0, 1], disclosure=disclosure)
    table.advance(100)  # seat 2 chose when the turn began, and seat 1 did not choose
    _, person, bot = view(table, 0, 100)["seats"]
    labels = {"occupant"} if disclosure == "labels" else set()
    assert set(person) == set(bot) == {"seat", "you"} | labels


# -- too late, too early ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("period", "reason"),
    [
        (2, "period 3 is over; this is period 4"),
        (0, "period 1 is over; this is period 4"),
        (-1, "period 0 is over; this is period 4"),
        (4, "period 5 has not begun yet; this is period 4"),
        (10**9, "period 1000000001 has not begun yet; this is period 4"),
    ],
)
def test_a_choice_for_another_turn_is_refused_and_nothing_moves(period, reason):
    chosen, silent = vote([0, 1]), vote([0, 1])
    for table in (chosen, silent):
        table.hear(0, 6500)
    answer = press(chosen, 0, 6500, UP, period=period, id="mine")
    assert answer == {"kind": "refused", "id": "mine", "reason": reason, "period": 3}
    assert whole(chosen) == whole(silent)


def test_a_choice_that_arrives_after_its_turn_is_refused_and_the_turn_is_over():
    table = clock([0])
    act(table, 0, 500, id="in time", harvest=2)
    answer = act(table, 0, 2001, period=0, id="late", harvest=9)
    assert answer["reason"] == "period 1 is over; this is period 2"
    assert rows(table, "period")[0]["sent"]["harvest"][0] == 2.0
    table.advance(4000)
    assert rows(table, "period")[1]["seats"][0]["by"] == "default"
    assert act(table, 0, 4100, id="late", harvest=9)["kind"] == "ack"  # it was never taken


def test_an_invalid_choice_leaves_the_previous_one_in_force():
    table = vote([0])
    press(table, 0, 100, LEFT)
    before = whole(table)
    for wrong in (7, -1, 2.5, "up", True, None):
        assert press(table, 0, 100, wrong, id=f"{wrong}")["kind"] == "refused"  # type: ignore[arg-type]
    assert whole(table) == before
    table.advance(2000)
    assert rows(table, "period")[0]["sent"]["action"][0] == LEFT


def test_after_the_last_turn_no_choice_is_accepted():
    table = vote([0], core={"turns": 2}, grace_seconds=600)
    table.advance(4000)
    before = whole(table)
    answer = press(table, 0, 4000, UP, period=2)
    assert (answer["kind"], answer["reason"]) == ("refused", "the game is over")
    table.advance(9000)
    assert (table.episode.period, view(table, 0, 9000)["phase"]) == (2, "over")
    assert table.rows == before[1]


# -- excessive clients -----------------------------------------------------------------


def test_an_old_choice_never_returns_however_often_a_person_chooses_in_a_turn():
    table = vote([0, 1])
    press(table, 0, 100, UP, id="first")
    for number in range(MOST_CHOICES - 1):
        assert press(table, 0, 200, DOWN, id=f"choice {number}")["kind"] == "ack"
    assert press(table, 0, 300, LEFT, id="one too many")["kind"] == "refused"
    assert (
        press(table, 0, 400, UP, id="first")["kind"] == "ack"
    )  # the id is known, so nothing changes
    table.advance(2000)
    assert rows(table, "period")[0]["used"]["action"][0] == DOWN
    assert press(table, 0, 2100, LEFT)["kind"] == "ack"  # a new turn


def test_the_last_ids_of_past_turns_are_known_and_older_ones_are_dropped():
    table = vote([0, 1])
    for number in range(REMEMBERED_IDS + 5):
        press(table, 0, 2000 * number + 100, UP, id=f"turn {number}", period=number)
    assert list(table.seats[0].ids) == [f"turn {n}" for n in range(4, REMEMBERED_IDS + 5)]


def test_the_events_of_a_turn_are_in_the_log_of_the_table():
    table = vote([0, 1, 2])
    press(table, 0, 500, MORE)
    press(table, 1, 600, MORE)
    press(table, 2, 700, NOOP)
    table.advance(2000)
    # two votes of 0.2, from 0.1
    (event,) = events(table, "vote")
    assert (event["at_ms"], event["period"], event["from"]) == (2000, 0, 0.1)
    assert event["to"] == pytest.approx(0.5)
