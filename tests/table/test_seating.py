"""Who gets which seat."""

from __future__ import annotations

from collections import Counter

from table.seating import draw_seats, play_seed, policy_in_turn, seats_for, successor


def test_seats_are_drawn_without_favour() -> None:
    drawn = Counter(draw_seats(0, number, 4, 1)[0] for number in range(2000))
    # 500 each are expected; the standard error is sqrt(2000 * 1/4 * 3/4) = 19.4
    assert set(drawn) == {0, 1, 2, 3}
    assert all(abs(count - 500) < 4 * 19.4 for count in drawn.values())


def test_nobody_shares_a_seat_and_the_draw_can_be_repeated() -> None:
    for number in range(20):
        seats = draw_seats(7, number, 4, 4)
        assert sorted(seats) == [0, 1, 2, 3]
        assert seats == draw_seats(7, number, 4, 4)


def test_every_group_plays_from_a_seed_of_its_own() -> None:
    seeds = {play_seed(3, number) for number in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_policies_take_the_seats_that_people_leave_empty_in_turn() -> None:
    seats = seats_for(4, [1], ["a", "b"])
    # the empty seats are 0, 2 and 3: a, b, and a again
    assert [seat.policy_id for seat in seats] == ["a", None, "b", "a"]
    assert [seat.occupant for seat in seats] == ["policy", "person", "policy", "policy"]
    assert [seat.owner for seat in seats] == [False, True, False, False]
    assert [policy_in_turn(["a", "b"], turn) for turn in range(3)] == ["a", "b", "a"]


def test_who_follows_a_person_who_has_left_is_as_the_session_says() -> None:
    assert successor("bot", "", ["a", "b"]) == ("policy", "a")
    assert successor("bot", "c", ["a", "b"]) == ("policy", "c")
    assert successor("reduced", "c", ["a", "b"]) == ("nobody", None)
