"""The log of a table: what happened, in order, as plain JSON.

Every entry has `kind` and `at_ms`, when it took effect:

start    seed, and what all seats see; again where a group has chosen the rule of its play
seat     who sits down: an `Occupancy`
period   what was sent and used, what it gave, the state after it, who decided (`seats`)
event    what the rules, or people who come and go, let happen; `late`: that the server was late

What is `bulk` is left out: config, seed and actions give it again. These four are what `HAPPENED`,
and what exports and pages read. All else follows from what people did, which stands between them:

act      a decision of a person was taken: seat, id, period, action
choose   a vote of a person on the rule of the play was taken: seat, id, rule
heard    a sign of life that changed something: the first one, one after a silence (`gap`), or of a
         person whose seat a stand-in has
seen     when people were last heard of: pairs of seat and time, written before the next entry

answered a person answered a question of the period: seat, id, period, question, value

line     the line of a person became slow, or is so no more: seat, round_trip_ms

asked    a policy that could keep others waiting was asked elsewhere: seat, period
answer   what it answered, or the default that counts for it: seat, period, action, memory, fault

message  something was said: number, period, seat, occupant, policy_id, to, text, sentence, blocked;
         and the id, where it was a person
report   a person reported a message: seat, id, message
done     a person was ready to go on before the time for talk was over: seat, id, period

manager  the manager had something done: what, id, and what belongs to it (`table.directives`)
back     a person whose seat the manager had handed to a policy is there again: seat, id

From the setup and its journal a table can be built anew (`table.rebuilding`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mixed_company.engine.contract import space
from mixed_company.engine.contract.space import Arrays, Field
from mixed_company.engine.game import Game
from mixed_company.engine.play.period import Period

__all__ = ["HAPPENED", "LATE", "Entry", "of_play", "period", "shown"]

HAPPENED = ("start", "seat", "period", "event")
"""The kinds of entries that say what happened at a table."""

LATE = "late"
"""The event that says that the server was late: by how many seconds at worst (`late_s`), within how
many by the clock of the play (`for_s`), and how many the play stood still (`stood_s`)."""

Entry = dict[str, Any]
"""One row of a log: kind, at_ms, and what belongs to its kind."""


def of_play(entries: Sequence[Entry]) -> list[Entry]:
    """Without the start that a group has put aside by choosing another rule."""
    starts = [index for index, entry in enumerate(entries) if entry["kind"] == "start"]
    aside = set(starts[:-1])
    return [entry for index, entry in enumerate(entries) if index not in aside]


def period(game: Game[Any], played: Period) -> Entry:
    """A period that is over."""
    state = _without_bulk(game.declaration.state, played.state)
    seen = shown(game, played.observations)
    return {**played.to_json(world=False), "state": state, "observations": seen}


def shown(game: Game[Any], observations: Arrays) -> Entry:
    """What all seats see."""
    return _without_bulk(game.declaration.observations, observations)


def _without_bulk(layout: Sequence[Field], values: Arrays) -> dict[str, Any]:
    return space.to_json({field.name: values[field.name] for field in layout if not field.bulk})
