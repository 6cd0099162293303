"""Table under any interleaving of actions by people and the manager.

The invariants without a manager (`tests.table.test_interleavings`) also hold with one, by the
table's clock, which stops while the group is paused. Time that the manager adds makes a period
longer. Further invariants:

10. A rejected directive changes nothing, and a repeated one counts once.
11. Nothing happens by itself while the group is paused, however long that is.
12. Once the manager has ended a person's part in the play, that person decides nothing more.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as some
from hypothesis.stateful import invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run

from mixed_company.table.directives import OF_DOOR, Directive, parse_directive
from mixed_company.table.protocol import Ack
from tests.table.test_interleavings import PEOPLE, SECOND, WAITS, Interleaved

OF_TABLES = ("skip", "stand_in", "give_back", "pause", "go_on", "extend", "message")
OF_ENDS = ("release", "exclude", "end")


class Managed(Interleaved):
    """The same table with a manager."""

    running = 0  # by a clock that never stops
    done: list[Directive] = []

    @property
    def now(self) -> int:
        """Time on the table's clock."""
        return self.table.clock_ms(self.running) if hasattr(self, "table") else self.running

    @now.setter
    def now(self, value: int) -> None:
        self.running += value - self.now

    @rule(
        kind=some.sampled_from(OF_TABLES),
        seat=some.sampled_from((*PEOPLE, 1, None)),
        wait=some.sampled_from(WAITS[:5]),
    )
    def the_manager_acts(self, kind: str, seat: int | None, wait: int) -> None:
        self.now += wait
        self.manage(kind, seat)

    @rule(
        kind=some.sampled_from(OF_ENDS), seat=some.sampled_from(PEOPLE), rarely=some.integers(0, 5)
    )
    def the_manager_ends(self, kind: str, seat: int, rarely: int) -> None:
        if rarely == 0:
            self.manage(kind, None if kind == "end" else seat)

    @rule()
    def the_manager_sends_it_again(self) -> None:
        for directive in self.done[-3:]:
            self.table.advance(self.now)
            before, written = self.table.to_json(), len(self.table.rows)
            assert isinstance(self.table.manage(directive, self.now), Ack)
            assert (self.table.to_json(), len(self.table.rows)) == (before, written)

    def manage(self, kind: str, seat: int | None) -> None:
        """Apply a directive as the board sends it (10)."""
        sent: dict[str, Any] = {"kind": kind, "id": self.name(), "text": "Hello", "seconds": 5}
        directive = parse_directive({**sent, **({} if seat is None else {"seat": seat})})
        if not isinstance(directive, Directive):
            return
        if kind == "go_on":
            directive = Directive("go_on", directive.id, ms=self.table.stands_ms(self.running))
        self.table.advance(self.now)
        before, written = self.table.to_json(), len(self.table.rows)
        shown = self.now
        answer = self.table.manage(directive, shown)
        if isinstance(answer, Ack):
            self.done = [*self.done, directive]
            assert self.now == shown  # 11: a pause begins and ends at the same time of the clock
        else:
            assert answer.reason
            assert (self.table.to_json(), len(self.table.rows)) == (before, written)

    def added_ms(self, period: int) -> int:
        """Return the time that the manager has added to a period."""
        added = [entry for entry in self.journal if entry.get("event") == "extended"]
        return sum(entry["extra_ms"] for entry in added if entry["period"] == period)

    @invariant()
    def no_time_passes_and_nobody_decides_in_a_pause(self) -> None:
        if hasattr(self, "table") and self.table.paused_ms is not None:
            before = json.loads(self.table.to_json())
            self.table.advance(self.table.clock_ms(self.running + 3600 * SECOND))
            assert json.loads(self.table.to_json()) == before

    @invariant()
    def whose_part_was_ended_decides_no_more(self) -> None:
        if not hasattr(self, "table"):
            return
        self.write()
        ended: dict[int, int] = {}
        for entry in self.journal:
            if entry.get("event") in ("released", "excluded"):
                ended.setdefault(entry["seat"], entry["period"])
        for entry in self.periods:
            for seat, period in ended.items():
                assert entry["period"] <= period or entry["seats"][seat]["by"] != "person"
        for seat in ended:
            assert self.table.parted(seat)


def test_every_directive_that_a_table_takes_is_tried() -> None:
    from mixed_company.table.directives import DIRECTIVES

    assert {*OF_TABLES, *OF_ENDS, *OF_DOOR} == set(DIRECTIVES)


@pytest.mark.parametrize("examples", [25, pytest.param(100, marks=pytest.mark.long)])
def test_the_invariants_hold_in_any_order(examples: int) -> None:
    steps = settings(
        max_examples=examples,
        stateful_step_count=40,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],  # shrinking takes minutes
    )
    run(Managed, settings=steps)
