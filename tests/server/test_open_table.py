"""An open table does not send anything before it is saved, and wakes up when something is due."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server import clock as server_clock
from mixed_company.server.keeping.storage import Row, entry_of, row_of
from mixed_company.server.keeping.writer import Batch
from mixed_company.server.open.open_table import MOST_UNSAVED, RECHECK_MS, OpenTable, Stored
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table

SECOND = 1000


class Paper:
    """Writer that saves when the test tells it to."""

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self.waiting: list[Batch] = []

    def put(self, batch: Batch) -> None:
        self.waiting.append(batch)

    def save(self, exists: bool = True) -> None:
        waiting, self.waiting = self.waiting, []
        self.batches += waiting
        for batch in waiting:
            batch.saved(exists)

    @property
    def rows(self) -> list[Row]:
        return [row for batch in self.batches for row in batch.rows]


class Page:
    """Page that keeps its messages."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def tell(self, text: str) -> None:
        sent = json.loads(text)
        assert sent["otree_success"] is True
        self.messages.append(sent["live_method_payload"])

    def take(self) -> list[str]:
        """Return the kinds of messages since the last call."""
        kinds = [message["kind"] for message in self.messages]
        self.messages.clear()
        return kinds


class Clock:
    """The plays' clock, which is moved by tests."""

    def __init__(self) -> None:
        self.now = 0

    def now_ms(self) -> int:
        return self.now


class Room:
    """Open table of two people and two bots, with a writer, pages, and alarms that do not ring."""

    def __init__(self, clock: Clock, shift_ms: int = 0, ask: Any = None, **options: Any) -> None:
        game = engine.make("commons_game", archetype="lab_0_7", periods=4)
        chosen = {"bots": "sustainable", "bot_delay": "fixed:seconds=2", **options}
        self.setup = Setup(config=game.config.model_dump(mode="json"), options=Options(**chosen))
        self.clock = clock
        table = Table.open(self.setup, [0, 2], seed=7, now=shift_ms)
        self.first = [row_of(entry) for entry in table.take_rows()]
        self.paper = Paper()
        self.alarms: list[Alarm] = []
        self.pages = {0: Page(), 2: Page()}
        past = [row for row in self.first if row.kind == "start"]
        seats: tuple[dict[int, int], dict[int, float]] = {0: 10, 2: 12}, {}
        stored = Stored("app", 1, table, past, *seats, clock, shift_ms)
        self.table = OpenTable(stored, self.paper, self.after, ask)
        for seat, page in self.pages.items():
            self.table.sit(seat, page)

    def after(self, ms: int, function: Callable[[], None]) -> Any:
        alarm = Alarm(self.clock.now + ms, function)
        self.alarms.append(alarm)
        return alarm

    def due(self) -> list[int]:
        return [alarm.at_ms for alarm in self.alarms if not alarm.over]

    def say(self, seat: int, kind: str, **more: Any) -> None:
        self.table.take(seat, Message(kind, **more))

    def act(self, seat: int, name: str, period: int = 0) -> None:
        self.say(seat, "act", id=name, period=period, action={"harvest": 1, "contribution": 0})

    def begin(self) -> None:
        for seat in self.pages:
            self.say(seat, "sync")
        self.paper.save()
        for page in self.pages.values():
            page.messages.clear()

    def stored(self) -> Table:
        """Rebuild the table from the saved rows, as a different server would."""
        return rebuilt(self.setup, [entry_of(row) for row in (*self.first, *self.paper.rows)])


class Alarm:
    def __init__(self, at_ms: int, function: Callable[[], None]) -> None:
        self.at_ms, self.function, self.over = at_ms, function, False

    def cancel(self) -> None:
        self.over = True

    def ring(self) -> None:
        self.over = True
        self.function()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_ack_and_the_views_are_sent_only_after_the_commit(clock):
    room = Room(clock)
    room.begin()
    room.act(0, "mine")
    assert [page.messages for page in room.pages.values()] == [[], []]
    assert [row.kind for row in room.paper.waiting[0].rows] == ["act"]
    room.paper.save()
    assert room.pages[0].take() == ["ack", "view"]
    assert room.pages[2].take() == ["view"]


def test_a_request_after_an_unsaved_decision_waits_for_it_too(clock):
    room = Room(clock)
    room.begin()
    room.act(0, "mine")
    room.say(2, "tick")
    assert room.pages[2].messages == []
    room.paper.save()
    assert room.pages[0].take() == ["ack", "view"]
    assert room.pages[2].take() == ["view", "view"]


def test_a_decision_repeated_before_it_is_saved_is_accepted_and_answered_once(clock):
    room = Room(clock)
    room.begin()
    for _ in range(5):
        room.act(0, "mine")
    assert len(room.paper.waiting) == 1
    room.paper.save()
    assert room.pages[0].take() == ["ack", "view"]
    room.act(0, "mine")  # a late duplicate
    assert room.pages[0].take() == ["ack"]


def test_a_person_with_too_many_unsaved_decisions_is_refused_and_the_others_are_not(clock):
    room = Room(clock, pace="clock", decision_seconds=9.0)
    room.begin()
    for number in range(MOST_UNSAVED + 3):
        room.act(0, f"m{number}")
    refused = room.pages[0].messages
    assert [message["id"] for message in refused] == ["m8", "m9", "m10"]
    assert {message["reason"] for message in refused} == {
        "too many decisions at once; wait until they are saved"
    }
    room.act(2, "other")
    room.paper.save()
    assert room.pages[2].take() == ["ack"]
    assert room.pages[0].take() == ["refused"] * 3 + ["ack"] * MOST_UNSAVED
    room.act(0, "m9")
    room.paper.save()
    assert room.pages[0].take() == ["ack"]


def test_an_answer_is_acknowledged_when_it_is_saved_and_a_flood_of_answers_is_refused(clock):
    item = {"name": "q", "text": "?", "every": 1, "type": "number", "required": False}
    room = Room(clock, questions=[item])
    room.begin()
    for number in range(MOST_UNSAVED + 1):
        room.say(0, "answer", id=f"m{number}", period=0, question="q", value=number)
    room.say(0, "answer", id="m0", period=0, question="q", value=0)  # sent again before it is saved
    (refused,) = room.pages[0].messages
    assert refused["id"] == f"m{MOST_UNSAVED}"
    room.paper.save()
    assert room.pages[0].take() == ["refused"] + ["ack"] * MOST_UNSAVED
    assert room.pages[2].take() == []
    assert room.stored().replies.of(0) == {"q": MOST_UNSAVED - 1}


def test_a_table_wakes_when_a_bot_answers_and_when_time_is_up_and_shows_it(clock):
    room = Room(clock, decision_seconds=9.0)
    room.begin()
    assert room.due() == [2 * SECOND]  # the bots have finished thinking
    room.act(0, "mine")
    room.paper.save()
    room.pages[0].take()
    clock.now = 2 * SECOND
    room.alarms[-1].ring()
    assert room.pages[0].take() == ["view"]
    assert room.due() == [9 * SECOND]
    clock.now = 9 * SECOND + 40
    room.alarms[-1].ring()
    assert room.pages[0].messages == []  # a period has been settled, but it has not been saved yet
    room.paper.save()
    assert [page.messages[-1]["period"] for page in room.pages.values()] == [1, 1]
    assert [page.messages[-1]["remaining_ms"] for page in room.pages.values()] == [8960] * 2


def test_waking_late_or_never_changes_nothing(clock):
    plays = [Room(clock, decision_seconds=3.0) for _ in range(3)]
    for number, room in enumerate(plays):
        clock.now = 0
        room.begin()
        for time_ms in (2000, 3000, 5000, 6000, 8000, 9000, 12_500)[:: (1, 3, 8)[number]]:
            clock.now = time_ms
            room.table.wake()
        clock.now = 20_000
        room.say(0, "sync")
        room.paper.save()
    assert plays[0].stored().episode.done
    kinds = ("period", "event", "seat")
    texts = [[row for row in room.paper.rows if row.kind in kinds] for room in plays]
    assert texts[0] == texts[1] == texts[2]


def test_a_play_that_everybody_left_continues_to_its_end_and_is_then_forgotten(clock):
    room = Room(clock, bot_delay="instant", decision_seconds=3.0)
    room.begin()
    for seat, page in room.pages.items():
        room.table.leave(seat, page)
    while room.due():
        assert not room.table.idle
        clock.now = room.due()[0]
        room.alarms[-1].ring()
    assert clock.now == 4 * 3 * SECOND  # four periods, all without a decision
    assert room.table.table.episode.done
    assert not room.table.idle  # it has not been saved yet
    room.paper.save()
    assert room.table.idle
    assert {outcome.status for outcome in room.paper.batches[-1].outcomes} == {"finished"}


def test_an_alarm_rings_again_if_the_clock_stood_still_meanwhile(clock):
    room = Room(clock, decision_seconds=9.0)
    room.begin()
    assert room.due() == [2 * SECOND]
    clock.now = SECOND  # one of the two seconds that the loop counted was not served
    room.alarms[-1].ring()
    assert room.due() == [2 * SECOND]
    clock.now = 2 * SECOND - 1
    room.alarms[-1].ring()
    assert room.due() == [2 * SECOND - 1 + RECHECK_MS]  # no earlier, while the clock does not move
    clock.now = 2 * SECOND
    room.alarms[-1].ring()
    assert sorted(room.table.table.decided) == [1, 3]


def test_a_table_begins_at_the_time_of_day_whatever_its_clock_says(clock):
    clock.now = 40 * SECOND
    room = Room(clock, shift_ms=1_750_000_000_000 - 40 * SECOND, decision_seconds=9.0)
    assert room.table.now_ms() == 1_750_000_000_000


def test_after_a_crash_the_table_is_as_it_was_saved(clock):
    room = Room(clock)
    room.begin()
    room.act(0, "saved")
    room.paper.save()
    room.act(2, "lost")
    again = room.stored()
    assert list(again.decided) == [0]
    assert (again.seats[0].ids, again.seats[2].ids) == ({"saved": 0}, {})


def test_the_end_is_written_with_everybody_s_earnings_and_a_last_snapshot(clock):
    room = Room(clock, bot_delay="instant")
    room.begin()
    for period in range(4):
        clock.now += SECOND
        for seat in (0, 2):
            room.act(seat, f"{seat} {period}", period)
        room.paper.save()
    assert [batch for batch in room.paper.batches[:-1] if batch.outcomes or batch.snapshot] == []
    last = room.paper.batches[-1]
    assert {(outcome.player_id, outcome.points, outcome.status) for outcome in last.outcomes} == {
        (10, 4.0, "finished"),
        (12, 4.0, "finished"),
    }
    assert last.snapshot is not None
    assert rebuilt(room.setup, [], last.snapshot).episode.done
    assert room.pages[0].messages[-1]["phase"] == "over"


def test_entries_are_numbered_consecutively_from_batch_to_batch(clock):
    room = Room(clock, bot_delay="instant")
    room.begin()
    room.act(0, "a")
    room.act(2, "b")
    room.paper.save()
    count = len(room.first)
    for batch in room.paper.batches:
        assert batch.first == count
        count += len(batch.rows)
    assert room.table.table.entries == count


def test_signs_of_life_are_written_occasionally(clock):
    room = Room(clock, decision_seconds=0.0, bot_delay="fixed:seconds=3000", grace_seconds=600.0)
    room.begin()
    for second in range(1, 31):
        clock.now = second * SECOND
        room.say(0, "alive")
        room.paper.save()
    seen = [entry_of(row) for row in room.paper.rows if row.kind == "seen"]
    assert [entry["at_ms"] for entry in seen] == [6000, 12_000, 18_000, 24_000, 30_000]


def test_a_table_whose_session_was_deleted_says_nothing_more(clock):
    room = Room(clock)
    room.begin()
    room.act(0, "mine")
    outcomes: list[str] = []
    room.table.when_saved(lambda: outcomes.append("saved"), lambda: outcomes.append("not there"))
    room.paper.save(exists=False)
    assert outcomes == ["not there"]  # nobody waits in vain for a save that never comes
    assert room.table.gone
    assert room.pages[0].messages == []
    assert room.due() == []


def test_a_table_with_an_unwritable_row_is_closed_and_read_anew(clock, monkeypatch):
    """Guard against a gap in the journal caused by rows that were taken but not written."""

    def unwritten(_: object) -> None:
        raise TypeError("str is not valid UTF-8")

    room = Room(clock)
    room.begin()
    monkeypatch.setattr("mixed_company.server.open.open_table.row_of", unwritten)
    with pytest.raises(TypeError):
        room.act(0, "a")
    assert room.table.gone


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the times of the server's clock, which measures connections. The last one counts."""
    shown = [SECOND]
    monkeypatch.setattr(server_clock, "now_ms", lambda: shown[-1])
    return shown


def answers(room: Room, hands: list[int], seat: int, after_ms: int) -> bool:
    """Answer the last view that asks for an acknowledgement, `after_ms` later. Return whether there
    was one."""
    room.paper.save()
    times = [view["sent_ms"] for view in room.pages[seat].messages if "sent_ms" in view]
    room.pages[seat].messages.clear()
    for sent_ms in times[-1:]:
        hands.append(sent_ms + after_ms)
        room.say(seat, "shown", sent_ms=sent_ms)
    return bool(times)


def test_a_line_is_slow_if_views_are_answered_late_and_the_quickest_answer_counts(clock, hands):
    room = Room(clock, decision_seconds=10)
    room.say(0, "sync")
    assert answers(room, hands, 0, 2000)
    room.say(2, "sync")
    assert answers(room, hands, 2, 40)
    room.say(0, "tick")
    assert answers(room, hands, 0, 2600)
    assert [room.table.table.seats[seat].line_ms for seat in (0, 2)] == [1050, 0]
    room.paper.save()
    assert room.stored().seats[0].line_ms == 1050  # another server waits as well


def test_after_the_first_views_a_page_is_asked_occasionally(clock, hands):
    room = Room(clock, decision_seconds=10)
    room.say(0, "sync")
    assert answers(room, hands, 0, 20)
    for is_asked in (True, True, False):
        room.say(0, "tick")
        assert answers(room, hands, 0, 20) == is_asked
    hands.append(hands[-1] + 10 * SECOND)
    room.say(0, "tick")
    assert answers(room, hands, 0, 20)


def test_a_page_that_comes_over_another_line_is_measured_anew(clock, hands):
    room = Room(clock, decision_seconds=10)
    for took in (20, 2000):
        room.say(0, "sync")
        answers(room, hands, 0, took)
    assert room.table.table.seats[0].line_ms == 1050


@pytest.mark.parametrize("off", [{"line_seconds": 0}, {"decision_seconds": 0}])
def test_no_line_is_measured_if_nobody_would_wait(clock, hands, off):
    room = Room(clock, **off)
    room.say(0, "sync")
    assert not answers(room, hands, 0, 20)


def test_a_play_by_the_clock_wakes_when_a_timely_key_press_has_arrived(clock, hands):
    """Play turns of 1.5 s over a connection of 1 s each way, for which the table waits 1,050 ms."""
    room = Room(clock, pace="clock", decision_seconds=1.5, bot_delay="instant")
    for seat in room.pages:
        room.say(seat, "sync")
    answers(room, hands, 0, 2000)
    assert room.due() == [1500]
    clock.now = 1500
    room.alarms[-1].ring()
    assert room.due() == [3000 + 1050]
    clock.now = 3900
    room.act(0, "pressed before 3,000", period=1)
    room.paper.save()
    assert "ack" in room.pages[0].take()
