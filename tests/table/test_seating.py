"""Seating of people."""

from __future__ import annotations

from collections import Counter

from mixed_company.engine.play.period import By, Occupant
from mixed_company.table.seating import (
    MOST_GROUPS,
    REMEMBERED_IDS,
    Seat,
    block_and_number,
    draw_seats,
    group_number,
    play_seed,
    policy_in_turn,
    seats_for,
    successor,
)


def test_seats_are_drawn_fairly() -> None:
    drawn = Counter(draw_seats(0, number, 4, 1)[0] for number in range(2000))
    # 500 each are expected; the standard error is sqrt(2000 * 1/4 * 3/4) = 19.4
    assert set(drawn) == {0, 1, 2, 3}
    assert all(abs(count - 500) < 4 * 19.4 for count in drawn.values())


def test_nobody_shares_a_seat_and_the_draw_can_be_repeated() -> None:
    for number in range(20):
        seats = draw_seats(7, number, 4, 4)
        assert sorted(seats) == [0, 1, 2, 3]
        assert seats == draw_seats(7, number, 4, 4)


def test_every_group_has_a_seed_of_its_own() -> None:
    seeds = {play_seed(3, number) for number in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_policies_take_the_empty_seats_in_turn() -> None:
    seats = seats_for(4, [1], ["a", "b"])
    # the empty seats are 0, 2 and 3: a, b, and a again
    assert [seat.policy_id for seat in seats] == ["a", None, "b", "a"]
    assert [seat.occupant for seat in seats] == ["policy", "person", "policy", "policy"]
    assert [seat.owner for seat in seats] == [False, True, False, False]
    assert [policy_in_turn(["a", "b"], turn) for turn in range(3)] == ["a", "b", "a"]


def test_the_session_decides_who_follows_a_person_who_has_left() -> None:
    assert successor("bot", "", ["a", "b"]) == ("policy", "a")
    assert successor("bot", "c", ["a", "b"]) == ("policy", "c")
    assert successor("reduced", "c", ["a", "b"]) == ("nobody", None)


def test_a_new_occupant_of_a_seat_does_not_inherit_the_plans_of_the_previous_one() -> None:
    seat = Seat(2, "policy", "a", returning=True, handed=True, called=True, held=True, awaited_ms=5)
    entry = seat.take("person", None, 3, "returned")
    assert (entry.seat, entry.occupant, entry.since_period, entry.reason) == (
        2,
        "person",
        3,
        "returned",
    )
    assert (seat.occupant, seat.policy_id, seat.awaited_ms) == ("person", None, None)
    assert [seat.returning, seat.handed, seat.called, seat.held] == [False] * 4


def test_the_newest_ids_of_past_periods_are_remembered() -> None:
    seat = Seat(0, "person")
    for number in range(REMEMBERED_IDS + 2):
        seat.remember(f"past {number}", 0)
    seat.remember("now", 1)
    assert len(seat.ids) == REMEMBERED_IDS + 1
    assert list(seat.ids)[:2] == ["past 2", "past 3"]
    assert (seat.choices(0), seat.choices(1)) == (REMEMBERED_IDS, 1)


def test_groups_are_numbered_consecutively_and_in_several_blocks_with_the_block() -> None:
    numbered = {(1, 1): 1, (1, 1500): 1500, (2, 1): 2001, (2, 3): 2003, (12, MOST_GROUPS): 12999}
    for (block, number), group in numbered.items():
        assert group_number(block, number) == group
    for group, place in ((1, (1, 1)), (999, (1, 999)), (1500, (1, 1500)), (2003, (2, 3))):
        assert block_and_number(group) == place


def test_nobody_follows_if_the_play_ends_when_somebody_leaves() -> None:
    assert successor("end", "c", ["a"]) == ("nobody", None)
    assert successor("pause", "", ["a"]) == ("policy", "a")


def test_a_seat_knows_how_often_its_policy_failed_and_the_last_reason() -> None:
    seat = Seat(1, "policy", "a")
    for period, why in ((2, "too slow"), (5, "raised")):
        seat.fail(period, why)
        seat.fail_to_talk(period + 1, f"{why} too")
    assert seat.fault == {"policy": "a", "period": 5, "detail": "raised", "times": 2}
    assert seat.talk_fault == {"policy": "a", "period": 6, "detail": "raised too", "times": 2}


def test_a_seat_counts_its_earnings_and_the_periods_of_its_person() -> None:
    """Periods without a decision also count for the person, as undecided."""
    seat = Seat(0, "person")
    decisions: list[tuple[Occupant, By]] = [("person", "person"), ("person", "default")]
    decisions += [("policy", "default"), ("nobody", "absent")]
    idle = []
    for occupant, by in decisions:
        seat.earn(occupant, by, 2.0)
        idle.append(seat.idle)
    assert (seat.seat_points, seat.points, seat.periods) == (8.0, 6.0, 2)
    assert idle == [0, 1, 0, 0]


def test_earnings_of_a_policy_are_not_credited_but_people_who_left_get_what_is_owed() -> None:
    chair = Seat(0, "policy", "x")
    earned: list[tuple[Occupant, By, float]] = [
        ("person", "person", 2.5),
        ("policy", "policy", 2.5),
        ("nobody", "absent", 5.0),
    ]
    for occupant, by, points in earned:
        chair.earn(occupant, by, 2.5)
        assert chair.points == points
    assert (chair.seat_points, chair.periods) == (7.5, 1)
