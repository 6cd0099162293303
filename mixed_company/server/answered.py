"""The rows of `answers` in an export: what each person was asked, in the order of the session.

A question of a period has a row if it was answered, or if the person had the seat; one of a page if
the page was shown. What was left open has no value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from mixed_company.server.blocks.way import block_shown
from mixed_company.server.played import Played
from mixed_company.server.treatments import setup_of, setups_of, treatment_shown
from mixed_company.table.beliefs import Belief, judged
from mixed_company.table.export import Row
from mixed_company.table.export.answers import PAGES_LAST, answer_row
from mixed_company.table.export.column import as_text, one_line
from mixed_company.table.export.played import answer_rows, facts_of
from mixed_company.table.questions import items_at

__all__ = ["answers", "asks"]


def asks(players: Iterable[Any]) -> bool:
    """Do the sessions of these people ask anything?"""
    own = {player.subsession_id: player.subsession for player in players}
    setups = (setup for one in own.values() for setup in setups_of(one).values())
    return any(setup.options.questions for setup in setups)


def answers(player: Any, played: Played | None) -> Iterator[Row]:
    """The rows of a person; without what was played, of one who never got a seat."""
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
        rows += answer_rows(played, player.seat)
    rows += [row for when in PAGES_LAST for row in _of_page(player, played, when)]
    for row in rows:
        yield {**base, **row}


def _of_page(player: Any, played: Played | None, when: str) -> Iterator[Row]:
    kept = json.loads(player.answers)
    if when not in kept.get("shown", {}):
        return
    last = played.periods[-1] if played is not None and played.periods else None
    for item in items_at(setup_of(player).options, when, player.seat):
        value, at_ms = kept.get("given", {}).get(item.name, (None, ""))
        belief = Belief()
        if last is not None:
            belief = judged(item, value, player.seat, facts_of(last), 0, last["period"])
        row = answer_row(item, value, belief) | {"when": when}
        if item.type == "text":
            row["value"] = as_text(one_line(row["value"]))
        yield {**row, "shown_wall_ms": kept["shown"][when], "wall_ms": at_ms}
