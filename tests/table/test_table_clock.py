"""A table that runs by the clock: turns last exactly so long, and the last choice counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

import engine
from engine.contract.errors import ConfigError
from table.options import Options
from table.protocol import Message
from table.seating import MOST_CHOICES, REMEMBERED_IDS
from table.setup import Setup, resolve, session_config
from table.table import Table
from tests.table.plays import SECOND, act, events, reopened, rows, started, view

UP, DOWN, LEFT, RIGHT, MORE, NOOP = 0, 1, 2, 3, 4, 6


def clock(people: list[int], seconds: float = 2, **options: Any) -> Table:
    """The commons by the clock; all people said hello at time 0."""
    return started(people, pace="clock", decision_seconds=seconds, **options)


def vote(
    people: list[int], seconds: float = 2, core: dict[str, Any] | None = None, **options: Any
) -> Table:
    """The punishment vote by the clock; all people said hello at time 0."""
    game = engine.make("punishment_vote", archetype="source", **(core or {}))
    chosen = {
        "pace": "clock",
        "decision_seconds": seconds,
        "bot_delay": "instant",
        "bots": "forager",
        **options,
    }
    setup = Setup(config=game.config.model_dump(mode="json"), options=Options(**chosen))
    made = Table.open(setup, people, seed=7, now=0)
    for seat in people:
        made.hear(seat, 0)
    return made


def press(made: Table, chair: int, now: int, action: int, **more: Any) -> dict[str, Any]:
    """A person chooses in the punishment vote; every press has an id of its own."""
    period = more.get("period", made.episode.period)
    name = more.get("id", f"seat {chair} at {now}")
    return made.act(chair, Message("act", name, period, {"action": action}), now).to_json()


def settled(made: Table) -> list[int]:
    return [row["at_ms"] for row in rows(made, "period")]


def whole(made: Table) -> tuple[Any, list[dict[str, Any]]]:
    """All that a table is and has written, to be compared."""
    data = json.loads(made.to_json())
    return {**data, "episode": json.loads(data["episode"])}, list(made.rows)


# -- when a turn ends -----------------------------------------------------------------------


def test_a_turn_does_not_end_when_all_have_decided_but_when_its_time_is_up() -> None:
    made = clock([0, 1])
    act(made, 0, 500)
    act(made, 1, 600)
    assert len(made.decided) == 4
    made.advance(1999)
    assert (made.episode.period, settled(made)) == (0, [])
    made.advance(2000)
    assert (made.episode.period, settled(made)) == (1, [2000])
    assert made.period_ms == 2000


def test_a_turn_is_settled_at_its_own_time_whenever_somebody_asks() -> None:
    made = clock([0])
    act(made, 0, 300)
    made.advance(3700)
    row = rows(made, "period")[0]
    assert (row["shown_ms"], row["at_ms"], made.period_ms) == (0, 2000, 2000)
    assert made.deadline_ms == 4000


def test_a_message_at_the_very_end_belongs_to_the_next_turn() -> None:
    made = clock([0])
    made.hear(0, 2000)
    assert made.episode.period == 1
    assert act(made, 0, 2000, period=0)["kind"] == "refused"
    assert act(made, 0, 2000, period=1)["kind"] == "ack"


def test_an_early_tick_settles_nothing() -> None:
    made = clock([0, 1])
    act(made, 0, 100)
    before = whole(made)
    for now in (100, 900, 1999):
        made.advance(now)
        assert whole(made) == before
    made.hear(1, 1999)
    assert (made.episode.period, made.period_ms, settled(made)) == (0, 0, [])


def test_the_turns_count_from_the_start_and_the_clock_stands_still_before() -> None:
    game = engine.make("punishment_vote", archetype="source", turns=3)
    options = Options(pace="clock", decision_seconds=0.5, bots="forager", grace_seconds=20)
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    made = Table.open(setup, [0, 1], seed=7, now=0)
    made.hear(0, 0)
    refused = press(made, 0, 900, UP)
    assert (refused["kind"], refused["reason"]) == ("refused", "the game has not started yet")
    made.advance(10_000)
    assert made.rows[-1]["kind"] != "period"
    made.hear(1, 10_130)
    made.advance(60_000)
    assert settled(made) == [10_630, 11_130, 11_630]


def test_many_turns_that_nobody_attended_are_settled_one_by_one_each_at_its_own_time() -> None:
    made = vote([0, 1], 0.25, {"turns": 40}, grace_seconds=600)
    made.advance(3600 * SECOND)
    assert settled(made) == [250 * turn for turn in range(1, 41)]
    assert [row["shown_ms"] for row in rows(made, "period")] == [250 * turn for turn in range(40)]
    assert [row["period"] for row in rows(made, "period")] == list(range(40))
    assert (made.episode.done, made.episode.reason) == (True, "horizon")
    assert events(made, "takeover") == []


def test_a_turn_lasts_a_whole_number_of_milliseconds_so_that_nothing_adds_up() -> None:
    made = clock([0], 1 / 3, grace_seconds=600)
    made.advance(1500)
    assert settled(made) == [333, 666, 999, 1332]


# -- what counts ------------------------------------------------------------------------------


def test_the_last_choice_of_a_turn_counts_and_each_is_acknowledged() -> None:
    made = clock([0, 1])
    for now, harvest in ((100, 1.0), (700, 9.0), (1999, 5.0)):
        answer = act(made, 0, now, id=f"at {now}", harvest=harvest)
        assert answer == {"kind": "ack", "id": f"at {now}", "period": 0}
    made.advance(2000)
    row = rows(made, "period")[0]
    assert row["sent"]["harvest"][0] == 5.0
    assert row["seats"][0]["at_ms"] == 1999
    assert (row["seats"][0]["occupant"], row["seats"][0]["by"]) == ("person", "person")


def test_an_id_seen_before_is_acknowledged_again_and_does_not_bring_the_old_choice_back() -> None:
    made = clock([0])
    act(made, 0, 100, id="first", harvest=1)
    act(made, 0, 200, id="second", harvest=5)
    assert act(made, 0, 300, id="first", harvest=1) == {"kind": "ack", "id": "first", "period": 0}
    made.advance(2000)
    row = rows(made, "period")[0]
    assert (row["sent"]["harvest"][0], row["seats"][0]["at_ms"]) == (5.0, 200)


def test_an_id_of_an_earlier_turn_is_acknowledged_and_chooses_nothing_now() -> None:
    made = clock([0])
    act(made, 0, 100, id="first", harvest=7)
    for period in (0, 1):  # as it was sent, and with a number that would fit
        answer = act(made, 0, 2500, id="first", harvest=7, period=period)
        assert answer == {"kind": "ack", "id": "first", "period": 0}
    made.advance(4000)
    assert [row["sent"]["harvest"][0] for row in rows(made, "period")] == [7.0, 0.0]
    assert rows(made, "period")[1]["seats"][0]["by"] == "default"


def test_a_choice_holds_for_its_turn_only() -> None:
    made = vote([0])
    press(made, 0, 100, 4)
    made.advance(6000)
    assert [row["sent"]["action"][0] for row in rows(made, "period")] == [4, NOOP, NOOP]
    assert [row["state"]["vote"][0] for row in rows(made, "period")] == [1, 0, 0]


def test_of_two_keys_only_the_last_one_moves_the_seat() -> None:
    made = vote([0, 1, 2], core={"height": 7, "width": 7, "initial_resources": 0})
    before = made.episode.state_record()["row"][0]
    # upwards if there is room above, else downwards; first the other way round
    last, first = (UP, DOWN) if before > 3 else (DOWN, UP)
    press(made, 0, 100, first)
    press(made, 0, 200, last)
    made.advance(2000)
    row = rows(made, "period")[0]
    assert row["used"]["action"] == [last, NOOP, NOOP]
    assert row["state"]["row"][0] == before + (-1 if last == UP else 1)


@pytest.mark.parametrize(("actions", "nothing"), [("simple", 6), ("composite", 12)])
def test_who_chooses_nothing_does_what_the_game_calls_nothing(actions: str, nothing: int) -> None:
    made = vote([0, 2], core={"actions": actions})
    press(made, 2, 400, 1)
    made.advance(2000)
    row = rows(made, "period")[0]
    assert [row["sent"]["action"][seat] for seat in (0, 2)] == [nothing, 1]
    assert [who["by"] for who in row["seats"]] == ["default", "policy", "person"]
    assert [view(made, seat, 2000)["last"]["by"] for seat in (0, 2)] == ["default", "person"]
    assert row["seats"][0]["at_ms"] == 2000


def test_a_turn_without_a_choice_still_counts_for_the_person_who_had_the_seat() -> None:
    made = clock([0], core={"initial_stock": 40})
    made.advance(2000)
    act(made, 0, 2100, harvest=4)
    made.advance(4000)
    assert (made.seats[0].periods, made.seats[0].points) == (2, 4.0)


# -- what others see ----------------------------------------------------------------------------


def test_a_choice_changes_no_view_but_ones_own() -> None:
    made = clock([0, 1])
    before = [view(made, seat, 900) for seat in range(4)]
    assert all("decided" not in each for shown in before for each in shown["seats"])
    act(made, 0, 900, id="a", harvest=3)
    act(made, 0, 900, id="b", harvest=4)
    assert [view(made, seat, 900) for seat in range(1, 4)] == before[1:]
    # the last choice counts, and so it is what all pages of this person show
    assert view(made, 0, 900) == {**before[0], "decision": {"harvest": 4.0, "contribution": 0.0}}


def test_the_phase_stays_decide_after_a_choice() -> None:
    made = vote([0, 1])
    for now in (0, 100, 1900):
        assert view(made, 0, now)["phase"] == "decide"
        press(made, 0, now, UP)
        assert view(made, 0, now)["phase"] == "decide"
    assert view(made, 0, 1900)["remaining_ms"] == 100


@pytest.mark.parametrize("disclosure", ["none", "labels"])
def test_nothing_tells_a_bot_that_has_chosen_from_a_person_who_has_not(disclosure: str) -> None:
    made = vote([0, 1], disclosure=disclosure)
    made.advance(100)  # seat 2 chose when the turn began, seat 1 did not choose
    _, person, bot = view(made, 0, 100)["seats"]
    labels = {"occupant"} if disclosure == "labels" else set()
    assert set(person) == set(bot) == {"seat", "you"} | labels


# -- too late, too early ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("period", "reason"),
    [
        (2, "period 3 is over; now is period 4"),
        (0, "period 1 is over; now is period 4"),
        (-1, "period 0 is over; now is period 4"),
        (4, "period 5 has not begun; now is period 4"),
        (10**9, "period 1000000001 has not begun; now is period 4"),
    ],
)
def test_a_choice_for_another_turn_is_refused_and_nothing_moves(period: int, reason: str) -> None:
    made, silent = vote([0, 1]), vote([0, 1])
    for each in (made, silent):
        each.hear(0, 6500)
    answer = press(made, 0, 6500, UP, period=period, id="mine")
    assert answer == {"kind": "refused", "id": "mine", "reason": reason, "period": 3}
    assert whole(made) == whole(silent)


def test_a_choice_that_comes_after_its_turn_is_refused_and_the_turn_is_over() -> None:
    made = clock([0])
    act(made, 0, 500, id="in time", harvest=2)
    answer = act(made, 0, 2001, period=0, id="late", harvest=9)
    assert answer["reason"] == "period 1 is over; now is period 2"
    assert rows(made, "period")[0]["sent"]["harvest"][0] == 2.0
    made.advance(4000)
    assert rows(made, "period")[1]["seats"][0]["by"] == "default"
    assert act(made, 0, 4100, id="late", harvest=9)["kind"] == "ack"  # it was never taken


def test_a_choice_that_is_none_leaves_the_one_before_in_force() -> None:
    made = vote([0])
    press(made, 0, 100, LEFT)
    before = whole(made)
    for wrong in (7, -1, 2.5, "up", True, None):
        assert press(made, 0, 100, wrong, id=f"{wrong}")["kind"] == "refused"  # type: ignore[arg-type]
    assert whole(made) == before
    made.advance(2000)
    assert rows(made, "period")[0]["sent"]["action"][0] == LEFT


def test_after_the_last_turn_nothing_is_taken_any_more() -> None:
    made = vote([0], core={"turns": 2}, grace_seconds=600)
    made.advance(4000)
    before = whole(made)
    answer = press(made, 0, 4000, UP, period=2)
    assert (answer["kind"], answer["reason"]) == ("refused", "the game is over")
    made.advance(9000)
    assert (made.episode.period, view(made, 0, 9000)["phase"]) == (2, "over")
    assert made.rows == before[1]


# -- how often somebody asks ---------------------------------------------------------------------


def walked(pauses: list[int]) -> Table:
    """Two people and a bot that takes its time; the second falls silent and comes back.

    The table goes through the database and is asked at each pause; what people send is the same.
    """
    sent = {900: (0, UP), 1400: (0, 5), 1500: (0, LEFT), 2600: (1, RIGHT), 3400: (1, 4)}
    sent[15_300] = (0, DOWN)
    heard = {9000: 0, 14_100: 1}
    made = vote([0, 1], 1.5, {"turns": 14}, grace_seconds=10, bot_delay="fixed:seconds=1")
    for now in sorted({*pauses, *sent, *heard}):
        log, made = made.rows, reopened(made)
        made.rows = log
        if now in sent:
            chair, action = sent[now]
            assert press(made, chair, now, action, period=now // 1500)["kind"] == "ack"
        elif now in heard:
            made.hear(heard[now], now)
        else:
            made.advance(now)
    return made


@pytest.mark.parametrize(
    "pauses",
    [
        list(range(0, 30_000, 100)),
        list(range(0, 30_000, 1500)),
        list(range(750, 30_000, 1500)),
        [1499, 1501, 13_399, 13_400, 13_401, 29_999],
    ],
)
def test_it_does_not_matter_how_often_somebody_asks(pauses: list[int]) -> None:
    once, often = walked([30_000]), walked([*pauses, 30_000])
    assert whole(often) == whole(once)
    assert settled(once) == [1500 * turn for turn in range(1, 15)]
    assert [row["sent"]["action"][0] for row in rows(once, "period")[:3]] == [5, LEFT, NOOP]
    assert [row["sent"]["action"][1] for row in rows(once, "period")[:3]] == [NOOP, RIGHT, 4]
    assert [(row["seat"], row["at_ms"]) for row in events(once, "takeover")] == [(1, 13_400)]


def test_saving_and_loading_in_the_middle_of_a_turn_keeps_the_last_choice() -> None:
    made = vote([0, 1])
    press(made, 0, 100, UP)
    press(made, 0, 200, 5, id="last")
    made = reopened(made)
    assert press(made, 0, 300, UP, id="last")["kind"] == "ack"
    made = reopened(made)
    made.advance(2000)
    row = rows(made, "period")[0]
    assert row["sent"]["action"][:2] == [5, NOOP]
    assert row["seats"][0]["at_ms"] == 200


# -- people who leave, and bots -------------------------------------------------------------------


def test_a_stand_in_sits_down_in_the_middle_of_a_turn_and_gets_up_at_the_next_one() -> None:
    made = vote([0, 1], 4, {"turns": 30}, grace_seconds=10)
    for now in (3000, 6000, 9000, 12_000):
        made.hear(0, now)
    made.hear(1, 13_000)  # not heard of since 0: replaced at 10 s, in turn 2 (from 8 s to 12 s)
    assert made.period_ms == 12_000
    shown = view(made, 1, 13_000)
    assert (shown["phase"], shown["standin"]) == ("waiting", True)
    refused = press(made, 1, 13_500, UP)
    assert "stand-in" in refused["reason"]
    made.hear(0, 16_000)
    assert view(made, 1, 16_000)["phase"] == "decide"
    assert press(made, 1, 16_500, UP)["kind"] == "ack"
    made.advance(20_000)
    assert [row["seats"][1]["by"] for row in rows(made, "period")] == [
        "default",
        "default",
        "policy",
        "policy",
        "person",
    ]
    assert rows(made, "period")[2]["seats"][1]["at_ms"] == 10_000
    assert settled(made) == [4000, 8000, 12_000, 16_000, 20_000]
    timeline = [
        (row["occupant"], row["since_period"], row["reason"], row["at_ms"])
        for row in rows(made, "seat")
        if row["seat"] == 1
    ]
    assert timeline == [
        ("person", 0, "seated", 0),
        ("policy", 2, "dropout", 10_000),
        ("person", 4, "returned", 16_000),
    ]
    assert made.seats[1].periods == 3


def test_a_stand_in_who_comes_as_the_turn_ends_still_plays_it() -> None:
    made = vote([0, 1], 2, grace_seconds=10)
    made.hear(0, 9000)
    made.advance(12_000)
    assert [row["seats"][1]["by"] for row in rows(made, "period")] == ["default"] * 4 + [
        "policy"
    ] * 2
    assert [row["at_ms"] for row in events(made, "takeover")] == [10_000]
    assert settled(made) == [2000, 4000, 6000, 8000, 10_000, 12_000]


def test_the_choice_of_a_person_who_leaves_in_the_same_turn_counts() -> None:
    made = clock([0, 1], 15, grace_seconds=10)
    act(made, 1, 1000, harvest=6)
    made.hear(0, 9000)
    made.hear(1, 12_000)  # replaced at 11 s, back in the same turn
    assert made.seats[1].occupant == "policy"
    assert "stand-in" in act(made, 1, 12_000, id="again", harvest=1)["reason"]
    made.hear(0, 15_000)
    row = rows(made, "period")[0]
    assert (row["at_ms"], row["sent"]["harvest"][1]) == (15_000, 6.0)
    assert (row["seats"][1]["by"], made.seats[1].points) == ("person", 6.0)
    assert view(made, 1, 15_000)["phase"] == "decide"


def test_bots_choose_when_a_turn_begins() -> None:
    made = vote([0], bots="forager,noisy_person")
    assert {seat: decision.at_ms for seat, decision in made.decided.items()} == {1: 0, 2: 0}
    chosen = [made.decided[seat].action["action"] for seat in (1, 2)]
    press(made, 0, 1900, UP)
    made.advance(2000)
    row = rows(made, "period")[0]
    assert row["sent"]["action"][1:] == chosen
    assert [who["at_ms"] for who in row["seats"]] == [1900, 0, 0]
    assert {seat: decision.at_ms for seat, decision in made.decided.items()} == {1: 2000, 2: 2000}


@pytest.mark.parametrize(("delay", "received"), [(1.2, 1200), (2, 2000), (60, 2000)])
def test_bots_that_think_long_choose_by_the_end_of_the_turn(delay: float, received: int) -> None:
    made = vote([0], bot_delay=f"fixed:seconds={delay}")
    made.advance(4000)
    for turn, row in enumerate(rows(made, "period")):
        assert [who["by"] for who in row["seats"]] == ["default", "policy", "policy"]
        assert [who["at_ms"] - 2000 * turn for who in row["seats"][1:]] == [received] * 2
    assert settled(made) == [2000, 4000]


# -- what can be set, and what stays as it was -----------------------------------------------------

SHIPPED = session_config("commons", "commons_game", "lab")


@pytest.mark.parametrize("seconds", [0, 0.1, 0.249])
def test_a_clock_needs_a_time_a_person_can_follow(seconds: float) -> None:
    with pytest.raises(ConfigError, match="pace is clock") as refusal:
        resolve("commons_game", {**SHIPPED, "pace": "clock", "decision_seconds": seconds}, SHIPPED)
    assert f"decision_seconds = {float(seconds)}: at least 0.25 if pace is clock" in str(
        refusal.value
    )


@pytest.mark.parametrize("seconds", [0.25, 1.5, 86_400])
def test_a_clock_may_be_as_fast_as_a_person_can_follow_or_slow(seconds: float) -> None:
    given = {**SHIPPED, "pace": "clock", "decision_seconds": seconds}
    setup, written = resolve("commons_game", given, SHIPPED)
    assert setup.options.by_clock
    assert (written["pace"], written["decision_seconds"]) == ("clock", seconds)


def test_an_unknown_pace_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="pace"):
        resolve("commons_game", {**SHIPPED, "pace": "turbo"}, SHIPPED)


def test_where_answers_set_the_pace_the_first_choice_counts_and_is_shown_as_before() -> None:
    assert Options().pace == SHIPPED["pace"] == "answers"
    made = started([0, 1], decision_seconds=2)
    act(made, 0, 100, harvest=1)
    refused = act(made, 0, 200, id="second", harvest=5)
    assert refused["reason"] == "you have decided already in this period"
    shown = view(made, 1, 200)
    assert [each["decided"] for each in shown["seats"]] == [True, False, True, True]
    assert [view(made, seat, 200)["phase"] for seat in (0, 1)] == ["waiting", "decide"]
    act(made, 1, 700)
    assert (settled(made), made.period_ms) == ([700], 700)
    assert rows(made, "period")[0]["sent"]["harvest"][0] == 1.0
    made.advance(2700)
    assert settled(made) == [700, 2700]


# -- what a client can overdo ---------------------------------------------------------------


def test_an_old_choice_never_comes_back_however_often_one_chooses_in_a_turn() -> None:
    made = vote([0, 1])
    press(made, 0, 100, UP, id="first")
    for number in range(MOST_CHOICES - 1):
        assert press(made, 0, 200, DOWN, id=f"choice {number}")["kind"] == "ack"
    assert press(made, 0, 300, LEFT, id="one too many")["kind"] == "refused"
    assert press(made, 0, 400, UP, id="first")["kind"] == "ack"  # known: nothing changes
    made.advance(2000)
    assert rows(made, "period")[0]["used"]["action"][0] == DOWN
    assert press(made, 0, 2100, LEFT)["kind"] == "ack"  # a new turn


def test_the_last_ids_of_past_turns_are_known_and_older_ones_are_dropped() -> None:
    made = vote([0, 1])
    for number in range(REMEMBERED_IDS + 5):
        press(made, 0, 2000 * number + 100, UP, id=f"turn {number}", period=number)
    assert list(made.seats[0].ids) == [f"turn {n}" for n in range(4, REMEMBERED_IDS + 5)]


def test_a_long_absence_is_settled_in_portions_that_end_where_one_go_ends() -> None:
    whole_go, portions = vote([0, 1], core={"turns": 40}), vote([0, 1], core={"turns": 40})
    assert whole_go.advance(61_000)
    rounds = 0
    while not portions.advance(61_000, most=7):
        rounds += 1
        assert portions.episode.period == 7 * rounds
    assert rounds == 4  # 30 turns are due
    assert whole(portions) == whole(whole_go)


def test_a_portion_that_is_enough_says_so() -> None:
    made = vote([0, 1])
    assert made.advance(14_000, most=7)
    assert made.episode.period == 7
    assert made.advance(14_000, most=0)


def test_what_happened_in_a_turn_is_in_the_log_of_the_table() -> None:
    made = vote([0, 1, 2])
    press(made, 0, 500, MORE)
    press(made, 1, 600, MORE)
    press(made, 2, 700, NOOP)
    made.advance(2000)
    # two votes of 0.2, from 0.1
    (event,) = events(made, "vote")
    assert (event["at_ms"], event["period"], event["from"]) == (2000, 0, 0.1)
    assert event["to"] == pytest.approx(0.5)


# -- three, two, one --------------------------------------------------------------------------


def counting(people: list[int], **options: Any) -> Table:
    """A table at which all people are there at time 0, and pages count down from 3 seconds."""
    return started(people, pace="clock", decision_seconds=2, countdown_seconds=3, **options)


def test_the_play_begins_when_the_pages_have_counted_down() -> None:
    made = counting([0, 1])
    early = view(made, 0, 1000)
    assert (early["ready"], early["started"], early["phase"]) == (True, False, "waiting")
    assert early["remaining_ms"] == 2000
    assert act(made, 0, 2999)["reason"] == "the game has not started yet"
    made.advance(3000)
    begun = view(made, 0, 3000)
    assert "ready" not in begun
    assert (begun["started"], begun["phase"], begun["remaining_ms"]) == (True, "decide", 2000)
    made.advance(60_000)
    assert settled(made)[:2] == [5000, 7000]


def test_nothing_counts_down_before_all_are_there() -> None:
    made = Table.open(counting([0]).setup, [0, 1], seed=7, now=0)
    made.hear(0, 0)
    assert "ready" not in view(made, 0, 500)
    made.hear(1, 500)
    assert view(made, 0, 500)["remaining_ms"] == 3000
    made.hear(0, 2000)  # a sign of life does not begin it anew
    assert view(made, 0, 2000)["remaining_ms"] == 1500


def test_a_countdown_goes_through_the_database() -> None:
    made = reopened(counting([0]))
    assert view(made, 0, 1000)["remaining_ms"] == 2000
    made.advance(3000)
    assert made.started_ms == 3000


def test_a_countdown_keeps_nobody_waiting_longer_than_those_who_do_not_come() -> None:
    made = Table.open(counting([0]).setup, [0, 1], seed=7, now=0)
    made.hear(0, 0)
    latest = made.come_ms
    made.hear(1, latest - 1000)
    made.advance(latest)
    assert made.started_ms == latest
