"""Table under any interleaving of messages, reloads, deadlines, takeovers and restarts.

Invariants, whatever the order and the times:

1. No message from a page raises an error: it is acknowledged or rejected.
2. A page that shows a decision to make can send it, and no other page can.
3. An acknowledged decision counts in its period, the last one if there are several. Nothing else
   counts as a person's decision.
4. A rejected message changes nothing. A message that was acknowledged before gets the same answer
   and changes nothing.
5. The journal has each period once, in order, and each begins when the previous one is over. With a
   limit, none lasts longer than all its turns; on a clock, each lasts exactly that long. This
   excludes time in which the others wait for a person (dropout `pause`) or for messages in
   transit on a slow connection. Times never go backwards.
6. A person's seat is not taken over before the grace period ends, or if there was a heartbeat
   within it.
7. A person is credited with the seat's points while no policy had it, and with nothing else.
8. Config, seed and actions reproduce every number of the journal.
9. The journal alone, or a snapshot, restores a table with the same state and the same future, so a
   server can restart at any point.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run

from mixed_company import engine
from mixed_company.table import view
from mixed_company.table.answers import LATE_MS
from mixed_company.table.journal import Entry
from mixed_company.table.options import Options
from mixed_company.table.protocol import Ack, Message
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.seating import REMEMBERED_IDS
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from tests.table.layered import misreplayed

SECOND = 1000
PEOPLE = (0, 2)
GRACE, PAUSE, LIMIT, PERIODS = 20, 30, 9, 6
LINE = 1500

HABITS: Sequence[dict[str, Any]] = (
    {},
    {"decision_seconds": 0.0, "bot_delay": "people"},
    {"pace": "clock"},
    {"dropout": "reduced", "agents": {"may_leave": True}},
    {"agents": {"timing": "sequential"}},
    {"dropout": "end"},
    {"dropout": "pause", "pause_seconds": PAUSE},
    {"dropout": "pause", "pause_seconds": PAUSE, "decision_seconds": 2.5 * GRACE},
    {"dropout": "pause", "pause_seconds": PAUSE, "decision_seconds": 0.0},
    {"countdown_seconds": 3.0},
    {"dropout": "pause", "pause_seconds": PAUSE, "pace": "clock"},
    {"dropout": "pause", "pause_seconds": PAUSE, "agents": {"timing": "sequential"}},
)
"""Variants of tables: how a period ends, and what happens if people leave."""

GAMES = ("commons_game", "sanctions")
WAITS = (0, 1, 700, 2 * SECOND, 5 * SECOND, LIMIT * SECOND, (GRACE - 1) * SECOND, GRACE * SECOND)


def make_setup(game_id: str, habits: dict[str, Any]) -> Setup:
    """Return a setup with few periods and with bots that take some time."""
    changes = dict(habits)
    game = engine.make(game_id, archetype="lab", agents=changes.pop("agents", {}), periods=PERIODS)
    options = {"bot_delay": "fixed:seconds=2", "decision_seconds": LIMIT, "grace_seconds": GRACE}
    config = game.config.model_dump(mode="json")
    return Setup(config=config, options=Options(**{**options, "bots": "random", **changes}))


def stored(rows: list[Entry]) -> list[Entry]:
    """Return entries as they are read from a database."""
    written: list[Entry] = json.loads(json.dumps(rows))
    return written


class Interleaved(RuleBasedStateMachine):
    """Table with people's actions and the promises made to them."""

    @initialize(game_id=some.sampled_from(GAMES), habits=some.sampled_from(HABITS))
    def open(self, game_id: str, habits: dict[str, Any]) -> None:
        self.setup = make_setup(game_id, habits)
        self.now = 0
        self.table = Table.open(self.setup, PEOPLE, seed=7, now=0)
        self.journal: list[Entry] = []
        self.heard: dict[int, list[int]] = {seat: [] for seat in PEOPLE}
        self.promised: dict[tuple[int, int], dict[str, Any]] = {}
        self.acks: dict[tuple[int, str], int] = {}
        self.sent = 0
        self.write()

    # -- rules --------------------------------------------------------------------

    @rule(wait=some.sampled_from(WAITS))
    def time_passes(self, wait: int) -> None:
        self.now += wait

    @rule(wait=some.sampled_from(WAITS))
    def somebody_looks(self, wait: int) -> None:
        self.now += wait
        self.table.advance(self.now)

    @rule(seat=some.sampled_from(PEOPLE), wait=some.sampled_from(WAITS[:4]))
    def a_page_is_there(self, seat: int, wait: int) -> None:
        self.now += wait
        self.hear(seat)

    @rule(seat=some.sampled_from(PEOPLE), wait=some.sampled_from(WAITS[:4]), draw=some.integers(0))
    def a_person_decides(self, seat: int, wait: int, draw: int) -> None:
        self.now += wait
        self.hear(seat)
        self.decide(seat, draw)

    @rule(wait=some.sampled_from(WAITS[:4]), draw=some.integers(0))
    def everybody_decides(self, wait: int, draw: int) -> None:
        self.now += wait
        for seat in PEOPLE:
            self.hear(seat)
            self.decide(seat, draw)

    @rule(
        seat=some.sampled_from(PEOPLE),
        off=some.sampled_from((-2, -1, 0, 1, 10**9)),
        action=some.dictionaries(
            some.sampled_from(("harvest", "contribution", "x")),
            some.one_of(some.floats(), some.integers(), some.text(max_size=3), some.none()),
            max_size=3,
        ),
    )
    def a_page_sends_anything(self, seat: int, off: int, action: dict[str, Any]) -> None:
        self.hear(seat)
        self.send(seat, Message("act", self.name(), self.table.episode.period + off, action))

    @rule(seat=some.sampled_from(PEOPLE), trip=some.sampled_from((20, 500, 2000, 60_000)))
    def a_line_is_measured(self, seat: int, trip: int) -> None:
        self.hear(seat)
        self.table.time_line(seat, trip, self.now)

    @rule(which=some.integers(0))
    def a_message_comes_again(self, which: int) -> None:
        if not self.acks:
            return
        (seat, name), period = list(self.acks.items())[which % len(self.acks)]
        self.hear(seat)
        names = [name for holder, name in self.acks if holder == seat]
        before = self.table.to_json()
        answer = self.table.act(seat, Message("act", name, period, {}), self.now)
        assert not isinstance(answer, Ack) or answer.period == period
        assert isinstance(answer, Ack) or name not in names[-REMEMBERED_IDS:]
        assert self.table.to_json() == before

    @rule(from_journal=some.booleans())
    def the_server_starts_again(self, from_journal: bool) -> None:
        self.write()
        text = self.table.to_json()
        read = Table.from_json(self.setup, text)
        again = rebuilt(self.setup, self.journal)
        for table in (self.table, read, again):
            table.advance(self.now)
        self.write()
        again.take_rows()
        read.take_rows()
        assert json.loads(again.to_json()) == json.loads(self.table.to_json())
        assert json.loads(read.to_json()) == json.loads(self.table.to_json())
        self.table = again if from_journal else read

    # -- actions -----------------------------------------------------------------------

    def name(self) -> str:
        self.sent += 1
        return f"m{self.sent}"

    def hear(self, seat: int) -> None:
        self.table.hear(seat, self.now)
        self.heard[seat].append(self.now)

    def decide(self, seat: int, draw: int) -> None:
        """Send an allowed action, and check that it is accepted only if the page offers it (2)."""
        table = self.table
        open_now = view.phase(table, seat) == "decide"
        sample = table.episode.allowed(seat).sample(np.random.default_rng(draw))
        action = {name: float(value) for name, value in sample.items()}
        answer = self.send(seat, Message("act", self.name(), table.episode.period, action))
        assert isinstance(answer, Ack) == open_now, answer

    def send(self, seat: int, message: Message) -> Any:
        """Send a decision by a person who was just heard from (1, 4)."""
        before, written = self.table.to_json(), len(self.table.rows)
        answer = self.table.act(seat, message, self.now)
        if isinstance(answer, Ack):
            assert answer.period == message.period
            self.acks[seat, message.id] = message.period
            self.promised[seat, message.period] = message.action
        else:
            assert answer.reason
            assert (self.table.to_json(), len(self.table.rows)) == (before, written)
        return answer

    def write(self) -> None:
        self.journal += stored(self.table.take_rows())

    # -- invariants ------------------------------------------------------------------

    @property
    def periods(self) -> list[Entry]:
        """Number of periods played so far."""
        self.write()
        return [entry for entry in self.journal if entry["kind"] == "period"]

    def extra_ms(self, period: int) -> int:
        """Return how long a period waited for a person."""
        events = [entry for entry in self.journal if entry["kind"] == "event"]
        return sum(
            entry["extra_ms"]
            for entry in events
            if entry["event"] in ("awaited", "met") and entry["period"] == period
        )

    def added_ms(self, period: int) -> int:
        """Return the time that the manager added to a period, which is none here."""
        return 0

    def waits_ms(self, period: int) -> int:
        """Return how long a period waits for slow connections, by the clock."""
        waits: dict[int, int] = {}
        for entry in self.journal:
            if entry.get("event") == "slow_line" and entry["period"] <= period:
                waits[entry["seat"]] = entry["wait_ms"]
        return max(waits.values(), default=0)

    @invariant()
    def promises_count_and_nothing_else_does(self) -> None:
        if not hasattr(self, "table"):
            return
        for entry in self.periods:
            for seat, decided in enumerate(entry["seats"]):
                promise = self.promised.get((seat, entry["period"]))
                assert (decided["by"] == "person") == (promise is not None), (entry, promise)
                if promise is not None:
                    assert decided["action"] == promise

    @invariant()
    def periods_follow_on_each_other(self) -> None:
        if not hasattr(self, "table"):
            return
        entries, end = self.periods, None
        turns = self.setup.game.seats if self.table.episode.game.sight.order else 1
        for number, entry in enumerate(entries):
            assert entry["period"] == number
            assert end is None or entry["shown_ms"] == end
            end = entry["at_ms"]
            lasted, options = end - entry["shown_ms"], self.setup.options
            limit = options.decision_seconds * SECOND
            longer = len(PEOPLE) * (PAUSE * SECOND + LATE_MS + limit)
            longer = longer if options.dropout == "pause" else 0
            longer += self.added_ms(number)
            if options.by_clock:
                exact = limit + self.extra_ms(number) + self.waits_ms(number)
                assert lasted == exact + self.added_ms(number)
            if options.decision_seconds:
                assert 0 <= lasted <= turns * (limit + LINE) + longer

    @invariant()
    def times_never_go_back(self) -> None:
        if hasattr(self, "table"):
            self.write()
            times = [entry["at_ms"] for entry in self.journal if entry["kind"] != "seen"]
            assert times == sorted(times)

    @invariant()
    def nobody_is_taken_over_who_is_there(self) -> None:
        if not hasattr(self, "table"):
            return
        self.write()
        for entry in self.journal:
            if entry["kind"] == "event" and entry["event"] in ("takeover", "left"):
                heard = [
                    heard_ms for heard_ms in self.heard[entry["seat"]] if heard_ms < entry["at_ms"]
                ]
                waits = PAUSE if self.setup.options.dropout == "pause" else 0
                assert entry["at_ms"] - max(heard, default=0) >= (GRACE + waits) * SECOND

    @invariant()
    def people_are_credited_with_what_they_earned(self) -> None:
        if not hasattr(self, "table"):
            return
        periods = self.periods
        for chair in self.table.seats:
            earned = sum(
                entry["rewards"][chair.seat]
                for entry in periods
                if entry["seats"][chair.seat]["occupant"] != "policy"
            )
            assert chair.points == pytest.approx(earned)

    def teardown(self) -> None:
        """Check that config, seed and actions reproduce every number (8)."""
        if hasattr(self, "table") and self.periods:
            self.table.rows = list(self.journal)
            assert misreplayed(self.table) == []


@pytest.mark.parametrize("examples", [10, pytest.param(40, marks=pytest.mark.long)])
def test_the_invariants_hold_in_any_order(examples: int) -> None:
    steps = settings(
        max_examples=examples,
        stateful_step_count=40,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],  # shrinking takes minutes
    )
    run(Interleaved, settings=steps)
