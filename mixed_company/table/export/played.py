"""Rows of an export that can be computed from one group's journal.

    played = Played(base, setup, journal, codes, wall_at)
    rows = list(ROWS["decisions"](played))

A server writes these rows to its export. The audit rebuilds a group's table from the config, seed
and journal, and expects the same rows (`analysis.audit`). Only the server knows the participants
and the times on the machine's clock.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from statistics import median

from mixed_company.engine import solutions
from mixed_company.engine.play.period import Decision
from mixed_company.table import pay
from mixed_company.table.beliefs import Belief, Facts, judged
from mixed_company.table.export.answers import answer_row
from mixed_company.table.export.column import as_text, one_line
from mixed_company.table.export.messages import message_rows
from mixed_company.table.export.peers import later_row
from mixed_company.table.export.rows import Row, decision_row, pair_rows, period_row, seat_rows
from mixed_company.table.items import Item
from mixed_company.table.journal import Entry, of_play
from mixed_company.table.questions import items_in
from mixed_company.table.seating import Seat
from mixed_company.table.setup import Setup


@dataclass(frozen=True)
class Played:
    """A group, as recorded in its journal.

    base      values that all rows of the group share: session, group, treatment, ...
    setup     the setup it played; if it chose a rule, that rule's setup
    journal   all entries, in order
    codes     seat -> participant, for the seats that had a person
    wall_at   converts a time of the play to the
              machine's clock, in ms; None if unknown
    """

    base: Row
    setup: Setup
    journal: Sequence[Entry]
    codes: Mapping[int, str]
    wall_at: Callable[[int], int | None]

    def wall(self, at_ms: int) -> int | str:
        """Convert a time on the play's clock to the machine's clock; empty if unknown."""
        shown = self.wall_at(at_ms)
        return "" if shown is None else shown

    @cached_property
    def log(self) -> list[Entry]:
        """Entries of the play, without a start that was replaced after a vote on the rule."""
        return of_play(self.journal)

    @cached_property
    def seed(self) -> int:
        """Seed of the play."""
        return int(next(self.entries("start"))["seed"])

    @cached_property
    def periods(self) -> list[Entry]:
        """The periods that are over."""
        return list(self.entries("period"))

    def code(self, seat: int) -> str:
        """Return the participant in a seat; empty if no person ever had the seat."""
        return self.codes.get(seat, "")

    def entries(self, kind: str) -> Iterator[Entry]:
        """Return the entries of a kind, in order."""
        return (entry for entry in self.log if entry["kind"] == kind)


def _decisions(played: Played) -> Iterator[Row]:
    for line in played.periods:
        for seat, row in enumerate(seat_rows(played.setup.game, line)):
            yield {
                **played.base,
                "period": line["period"],
                "seat": seat,
                "participant": played.code(seat),
                "shown_ms": line["shown_ms"],
                **decision_row(Decision.from_json(line["seats"][seat])),
                "wall_ms": played.wall(line["seats"][seat]["at_ms"]),
                **_later(played, line, seat),
                **row,
            }


def _later(played: Played, line: Entry, seat: int) -> Row:
    """Return who decided in a second stage of the period, and when."""
    if "later" not in line:
        return {}
    stage, decided = line["stage"], line["later"][seat]
    wall = {f"{stage}_wall_ms": played.wall(decided["at_ms"])}
    return later_row(stage, line["later_ms"], Decision.from_json(decided)) | wall


def _periods(played: Played) -> Iterator[Row]:
    game, lines = played.setup.game, played.periods
    states = (line["state"] for line in lines)
    judgements = solutions.judge_play(game, played.seed, states)
    for line, judgement in zip(lines, judgements, strict=True):
        yield {
            **played.base,
            "period": line["period"],
            "shown_ms": line["shown_ms"],
            "settled_ms": line["at_ms"],
            "wall_ms": played.wall(line["at_ms"]),
            **period_row(game, line, judgement),
        }


def _pairs(played: Played) -> Iterator[Row]:
    for line in played.periods:
        for row in pair_rows(played.setup.game, line):
            yield {**played.base, "period": line["period"], **row}


def _seats(played: Played) -> Iterator[Row]:
    entries = list(played.entries("seat"))
    for index, row in enumerate(entries):
        later = [entry for entry in entries[index + 1 :] if entry["seat"] == row["seat"]]
        until = later[0]["since_period"] if later else len(played.periods)
        yield {
            **played.base,
            **{key: row[key] for key in ("seat", "occupant", "since_period", "reason", "at_ms")},
            "wall_ms": played.wall(row["at_ms"]),
            "policy_id": row["policy_id"] or "",
            "participant": played.code(row["seat"]),
            "until_period": until - 1,
        }


def _events(played: Played) -> Iterator[Row]:
    for row in played.entries("event"):
        columns = ("kind", "at_ms", "period", "event", "seat")
        rest = {key: value for key, value in row.items() if key not in columns}
        yield {
            **played.base,
            **{key: row.get(key, "") for key in ("period", "at_ms", "event", "seat")},
            "wall_ms": played.wall(row["at_ms"]),
            "detail": json.dumps(rest) if rest else "",
        }


def _messages(played: Played) -> Iterator[Row]:
    for row in message_rows(played.log):
        yield {
            **played.base,
            **row,
            "text": as_text(row["text"]),
            "wall_ms": played.wall(row["at_ms"]),
            "participant": played.code(row["seat"]),
        }


def _journal(played: Played) -> Iterator[Row]:
    for number, entry in enumerate(played.journal):
        rest = {key: value for key, value in entry.items() if key not in ("kind", "at_ms")}
        yield {
            **played.base,
            "number": number,
            "kind": entry["kind"],
            "at_ms": entry["at_ms"],
            "entry": json.dumps(rest),
        }


ROWS: Mapping[str, Callable[[Played], Iterable[Row]]] = {
    "decisions": _decisions,
    "periods": _periods,
    "pairs": _pairs,
    "seats": _seats,
    "events": _events,
    "messages": _messages,
    "journal": _journal,
}
"""Table -> function that yields its rows from the journal of a group."""


# -- outcomes of a person -------------------------------------------------------------------------


def credited(played: Played, seat: int) -> Row:
    """Return the points and behaviour of the person in a seat, for `outcomes`."""
    options, chair = played.setup.options, Seat(seat, "person")
    occupants, taken = [], []
    for line in played.periods:
        decision = line["seats"][seat]
        chair.earn(decision["occupant"], decision["by"], line["rewards"][seat])
        occupants.append(decision["occupant"])
        if decision["by"] == "person":
            taken.append(decision["at_ms"] - line["shown_ms"])
    answers = won(played, seat)
    points = chair.points + answers
    return {
        "points": chair.points,
        "seat_points": chair.seat_points,
        "question_points": answers,
        "paid_points": pay.paid_points(points, options.pay_floor, options.pay_cap),
        "disconnections": _disconnections(played, seat),
        "reaction_ms": median(taken) if taken else "",
        "bot_share": pay.bot_share(occupants.count("policy"), len(occupants)),
    }


def _disconnections(played: Played, seat: int) -> int:
    """Return how often the person's page was silent for longer than a connected page would be."""
    silent = sum(entry["gap"] for entry in played.entries("heard") if entry["seat"] == seat)
    events = [entry["event"] for entry in played.entries("event") if entry.get("seat") == seat]
    return int(silent) + sum(event in ("takeover", "left") for event in events)


def won(played: Played, seat: int) -> float:
    """Return the points that a seat's answers have won, added up in the same way as at the
    table."""
    points = 0.0
    for _, rows in groupby(answer_rows(played, seat), key=lambda row: row["period"]):
        points += sum(row["points"] or 0.0 for row in rows)
    return points


def answer_rows(played: Played, seat: int) -> Iterator[Row]:
    """Yield the rows of `answers` for questions within periods.

    A question has a row if it was answered, or was open while the person had the seat.
    """
    options = played.setup.options
    answers: dict[tuple[int, str], Entry] = {}
    for entry in played.entries("answered"):
        if entry["seat"] == seat:
            answers[entry["period"], entry["question"]] = entry
    for line in played.periods:
        facts = facts_of(line)
        for item in items_in(options, seat, line["period"]):
            answer = answers.pop((line["period"], item.name), None)
            if answer is None and facts.occupants[seat] != "person":
                continue
            value = None if answer is None else answer["value"]
            belief = judged(item, value, seat, facts, played.seed, line["period"])
            times = {"shown_ms": line["shown_ms"], "shown_wall_ms": played.wall(line["shown_ms"])}
            yield {**_answered(played, item, answer, belief), "period": line["period"], **times}
    items = {item.name: item for item in options.questions}
    for (period, name), answer in answers.items():  # in an unfinished period
        yield {**_answered(played, items[name], answer, Belief()), "period": period}


def _answered(played: Played, item: Item, entry: Entry | None, belief: Belief) -> Row:
    row = answer_row(item, None if entry is None else entry["value"], belief) | {"when": "period"}
    if item.type == "text":
        row["value"] = as_text(one_line(row["value"]))
    if entry is not None and entry["value"] is not None:
        row |= {"answered_ms": entry["at_ms"], "wall_ms": played.wall(entry["at_ms"])}
    return row


def facts_of(line: Entry) -> Facts:
    """Return the facts about a finished period that questions can ask about."""
    occupants = [decision["occupant"] for decision in line["seats"]]
    return Facts(occupants, line["used"], line["state"])
