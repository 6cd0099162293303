"""One group: its rows in order, its game, its replay, and when and by whom its seats were taken."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from typing import Any

from mixed_company.analysis.audit.order import in_order
from mixed_company.analysis.audit.replay import Replay, replay
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.engine.game import Game
from mixed_company.table import timing
from mixed_company.table.export import Row

__all__ = ["KEYS", "LENGTHENS", "SLOW_LINE", "Group", "arranged"]

LENGTHENS = ("extended", "awaited", "met")
"""Events by which a decision has more time, as `extra_ms` says."""

SLOW_LINE = "slow_line"
"""The event that says how long a person's decisions are waited for (`analysis.audit.lines`)."""

KEYS: Mapping[str, tuple[str, ...]] = {
    "decisions": ("period", "seat"),
    "periods": ("period",),
    "pairs": ("period", "seat", "partner"),
}


@dataclass(frozen=True)
class Group:
    """One group of an export.

    config      its row of `config`
    options     how people and bots met; empty where that cannot be read
    tables      its rows, by table; the tables of KEYS in order, each row once; a table that could
                not be read is not in it
    periods     how many periods there are rows of
    replay      what config, seed and actions give
    complete    no decision is missing, and all could be played again
    """

    config: Row
    options: Mapping[str, Any]
    game: Game[Any]
    tables: Mapping[str, Rows]
    periods: int
    replay: Replay

    @property
    def complete(self) -> bool:
        return self.replay.stopped is None

    @cached_property
    def decisions(self) -> dict[tuple[int, int], Row]:
        """The rows of `decisions` by period and seat."""
        rows = self.tables["decisions"]
        return dict(zip(rows.keys(("period", "seat")), rows.records(), strict=True))

    @cached_property
    def rounds(self) -> dict[int, Row]:
        """The rows of `periods` by period."""
        rows = self.tables["periods"]
        return dict(zip(rows.columns["period"], rows.records(), strict=True))

    @cached_property
    def occupancies(self) -> dict[int, list[Row]]:
        """The rows of `seats`, by seat; nothing where the table could not be read."""
        by_seat: dict[int, list[Row]] = {}
        for row in self.tables["seats"].records() if "seats" in self.tables else ():
            by_seat.setdefault(row["seat"], []).append(row)
        return by_seat

    @cached_property
    def late(self) -> dict[tuple[int, int], int]:
        """By period and seat, how long after its thinking time a policy answered, as events say."""
        if "events" not in self.tables:
            return {}
        rows = [row for row in self.tables["events"].records() if row["event"] == "policy_late"]
        return {(row["period"], row["seat"]): _ms(row["detail"], "late_ms") for row in rows}

    @cached_property
    def managed(self) -> list[Row]:
        """The events that change what follows: the manager's, and that somebody is waited for."""
        if "events" not in self.tables:
            return []
        kinds = ("ended", "released", "excluded", *LENGTHENS)
        return [row for row in self.tables["events"].records() if row["event"] in kinds]

    @cached_property
    def _lengthened(self) -> dict[int, list[Row]]:
        """The events of LENGTHENS that have a time, by period."""
        by_period: dict[int, list[Row]] = {}
        for row in self.managed:
            if row["event"] in LENGTHENS and row["at_ms"] != "":
                by_period.setdefault(row["period"], []).append(row)
        return by_period

    @cached_property
    def _talks(self) -> dict[tuple[int, str], Row]:
        """The events `talk` and `talk_over`, by period."""
        rows = self.tables["events"].records() if "events" in self.tables else ()
        return {
            (row["period"], row["event"]): row
            for row in rows
            if row["event"] in ("talk", "talk_over") and row["at_ms"] != ""
        }

    def talk_times(self, period: int) -> tuple[int | None, int | None]:
        """When the group began to talk before a period, and when that was over; None: did not."""
        begun, over = (self._talks.get((period, name)) for name in ("talk", "talk_over"))
        return (begun and int(begun["at_ms"])) or None, (over and int(over["at_ms"])) or None

    def talk_row(self, period: int, name: str) -> int:
        """The place in the file of an event of a talk."""
        return int(self._talks[period, name]["row"])

    def occupancy_at(self, seat: int, at: int) -> Row | None:
        """Who has a seat when a talk begins: the last who sat down by then, or else the first; who
        was handed the seat in that very moment was so after it."""
        rows = self.occupancies.get(seat, [])
        sat = [row for row in rows if row["at_ms"] == "" or row["at_ms"] <= at]
        if len(sat) > 1 and sat[-1]["at_ms"] == at and sat[-1]["reason"] == "handed":
            sat.pop()
        known = sat or rows[:1]
        return known[-1] if known else None

    def extensions(self, period: int, seat: int) -> list[tuple[int, int]]:
        """When how much time was added to the decision of a seat in a period, milliseconds."""
        together = self.game.sight.order is None  # then all have the same time
        return [
            (row["at_ms"], _ms(row["detail"], "extra_ms"))
            for row in self._lengthened.get(period, ())
            if together or row["seat"] in ("", seat)
        ]

    @cached_property
    def _waits(self) -> dict[int, tuple[list[int], list[int]]]:
        """By seat: the periods since which another wait holds, and these waits, milliseconds."""
        by_seat: dict[int, tuple[list[int], list[int]]] = {}
        rows = self.tables["events"].records() if "events" in self.tables else ()
        for row in rows:
            if row["event"] == SLOW_LINE and "" not in (row["seat"], row["period"]):
                since, waits = by_seat.setdefault(row["seat"], ([], []))
                since.append(row["period"])
                waits.append(_ms(row["detail"], "wait_ms"))
        return by_seat

    def wait_ms(self, period: int, seat: int) -> int:
        """How long was waited for what the person on a seat pressed in time, as events say."""
        since, waits = self._waits.get(seat, ([], []))
        at = bisect_right(since, period)
        return waits[at - 1] if at else 0

    @cached_property
    def _latest(self) -> dict[int, tuple[list[int], list[Row]]]:
        """By seat: the periods, rising, since which another row of `seats` is the last that counts,
        and these rows."""
        by_seat: dict[int, tuple[list[int], list[Row]]] = {}
        for seat, sat in self.occupancies.items():
            since, rows = by_seat.setdefault(seat, ([], []))
            for row in sat:
                began = 0 if row["since_period"] == "" else row["since_period"]
                keep = bisect_left(since, began)  # rows above that begin later count no more
                since[keep:], rows[keep:] = [began], [row]
        return by_seat

    def occupancy(self, period: int, seat: int) -> Row | None:
        """Who has the seat in a period: the last who sat down by then."""
        since, rows = self._latest.get(seat, ([], []))
        at = bisect_right(since, period)
        return rows[at - 1] if at else None

    def option(self, name: str, otherwise: Any) -> Any:
        """One option, as how people and bots met."""
        return self.options.get(name, otherwise)

    @cached_property
    def timed(self) -> bool:
        """Do most periods have times? Plays without a server have none."""
        rows = self.tables["periods"]
        return bool(2 * sum(value != "" for value in rows.columns["shown_ms"]) > len(rows))

    @cached_property
    def participants(self) -> dict[int, str]:
        """The participant of every seat: whom most rows name; empty: it never had a person."""
        votes: dict[int, Counter[str]] = {}
        for name in ("decisions", "seats", "outcomes"):
            if name in self.tables:
                rows = self.tables[name].columns
                for seat, code in zip(rows["seat"], rows["participant"], strict=True):
                    votes.setdefault(seat, Counter())[code] += 1
        return {seat: counts.most_common(1)[0][0] for seat, counts in votes.items()}

    @property
    def limit_ms(self) -> int | None:
        """The time for a decision; None: no limit."""
        return timing.limit_ms(self.option("decision_seconds", 0))


def arranged(
    config: Row,
    options: Mapping[str, Any],
    game: Game[Any],
    tables: Mapping[str, Rows],
    findings: Findings,
) -> Group:
    """The group with its rows in order, played again; what is missing or doubled is named."""
    periods = _periods(game, tables)
    ordered = dict(tables)
    for name, keys in KEYS.items():
        if name in tables:
            ordered[name] = in_order(
                tables[name], keys, _places(name, periods, game.seats), findings
            )
    again = replay(game, int(config["seed"]), ordered["decisions"], periods, "pairs" in tables)
    return Group(config, options, game, ordered, periods, again)


def _periods(game: Game[Any], tables: Mapping[str, Rows]) -> int:
    """How many periods were played; a number beyond the last there can be is a wrong one."""
    counts: Sequence[int] = [
        period + 1
        for name in KEYS
        if name in tables
        for period in tables[name].columns["period"]
        if 0 <= period < game.horizon
    ]
    return max(counts, default=0)


def _places(table: str, periods: int, seats: int) -> dict[tuple[int, ...], int]:
    """Every key there should be, in order."""
    if table == "periods":
        keys: list[Any] = [(period,) for period in range(periods)]
    elif table == "decisions":
        keys = list(product(range(periods), range(seats)))
    else:
        pairs = list(permutations(range(seats), 2))
        keys = [(period, *pair) for period in range(periods) for pair in pairs]
    return {key: at for at, key in enumerate(keys)}


def _ms(detail: str, name: str) -> int:
    """The milliseconds that the detail of an event has by a name; 0 where it has none."""
    try:
        told_ms = json.loads(detail)[name]
    except (KeyError, RecursionError, TypeError, ValueError):
        return 0
    return told_ms if type(told_ms) is int else 0
