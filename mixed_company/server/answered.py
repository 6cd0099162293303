"""The rows of `answers` in an export: what each person was asked, in the order of the session.

A question of a period has a row if it was answered, or if the person had the seat; one of a page if
the page was shown. What was left open has no value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from mixed_company.server.blocks.way import block_shown
from mixed_company.server.gate.labels import as_text
from mixed_company.server.played import Played
from mixed_company.server.treatments import setup_of, setups_of, treatment_shown
from mixed_company.table.beliefs import Belief, Facts, judged
from mixed_company.table.export import Row
from mixed_company.table.export.answers import PAGES_LAST, answer_row
from mixed_company.table.items import Item
from mixed_company.table.journal import Entry
from mixed_company.table.questions import items_at, items_in

__all__ = ["answers", "asks", "one_line", "won"]


def asks(players: Iterable[Any]) -> bool:
    """Return whether the sessions of these people ask anything."""
    own = {player.subsession_id: player.subsession for player in players}
    setups = (setup for one in own.values() for setup in setups_of(one).values())
    return any(setup.options.questions for setup in setups)


def answers(player: Any, played: Played | None) -> Iterator[Row]:
    """Yield the rows of a person; without a play, of one who never got a seat."""
    base = {
        "session": player.session.code,
        "treatment": treatment_shown(player),
        "block": block_shown(player),
        **({} if played is None else {**played.base, "seat": player.seat}),
        "participant": player.participant.code,
    }
    if not setup_of(player).options.questions:
        return
    rows = [*_of_page(player, played, "before")]
    if played is not None:
        rows += _of_periods(played, player.seat)
    rows += [row for when in PAGES_LAST for row in _of_page(player, played, when)]
    for row in rows:
        text = row["type"] == "text"
        yield {**base, **row, "value": as_text(one_line(row["value"])) if text else row["value"]}


def won(played: Played, seat: int) -> float:
    """Return the points that a person's answers have won, as the table sums them up."""
    points = 0.0
    for _, rows in groupby(_of_periods(played, seat), key=lambda row: row["period"]):
        points += sum(row["points"] or 0.0 for row in rows)
    return points


def _of_periods(played: Played, seat: int) -> Iterator[Row]:
    options = played.setup.options
    given: dict[tuple[int, str], Entry] = {}
    for taken in played.entries("answered"):
        if taken["seat"] == seat:
            given[taken["period"], taken["question"]] = taken
    for line in played.periods:
        facts = _facts(line)
        for item in items_in(options, seat, line["period"]):
            key = line["period"], item.name
            entry: Entry | None = given.pop(key) if key in given else None
            if entry is None and facts.occupants[seat] != "person":
                continue
            value = None if entry is None else entry["value"]
            belief = judged(item, value, seat, facts, played.seed, line["period"])
            times = {"shown_ms": line["shown_ms"], "shown_wall_ms": played.wall(line["shown_ms"])}
            yield {**_answered(played, item, entry, belief), "period": line["period"], **times}
    known = {item.name: item for item in options.questions}
    for (period, name), left in given.items():  # of a period that is not over
        yield {**_answered(played, known[name], left, Belief()), "period": period}


def _answered(played: Played, item: Item, entry: Entry | None, belief: Belief) -> Row:
    row = answer_row(item, None if entry is None else entry["value"], belief) | {"when": "period"}
    if entry is not None and entry["value"] is not None:
        row |= {"answered_ms": entry["at_ms"], "wall_ms": played.wall(entry["at_ms"])}
    return row


def _facts(line: Entry) -> Facts:
    occupants = [decision["occupant"] for decision in line["seats"]]
    return Facts(occupants, line["used"], line["state"])


def _of_page(player: Any, played: Played | None, when: str) -> Iterator[Row]:
    kept = json.loads(player.answers)
    if when not in kept.get("shown", {}):
        return
    last = played.periods[-1] if played is not None and played.periods else None
    for item in items_at(setup_of(player).options, when, player.seat):
        value, at_ms = kept.get("given", {}).get(item.name, (None, ""))
        belief = Belief()
        if last is not None:
            belief = judged(item, value, player.seat, _facts(last), 0, last["period"])
        row = answer_row(item, value, belief) | {"when": when}
        yield {**row, "shown_wall_ms": kept["shown"][when], "wall_ms": at_ms}


def one_line(text: str) -> str:
    """Return a text from outside on one line: a sign that would end it is a space."""
    return "".join(sign if sign >= " " else " " for sign in text)
