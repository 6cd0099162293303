"""Log of a table: what happened, in order, as plain JSON.

Every entry has `kind` and `at_ms`, the time at which the entry took effect:

start    seed, and what all seats see; logged again if the group has chosen the rule of its play
seat     a seat got a new occupant: an `Occupancy`
period   actions as sent and as used, rewards, the state afterwards, and who decided (`seats`);
         with peer points also who decided at the second stage (`later`), shown at `later_ms`
stage    a later stage of the period began (`after`: the stage that is over)
event    an event from the rules, or from people who come and go; `late`: the server was late

Values of fields marked `bulk` are left out, because config, seed and actions reproduce them.
Exports and pages read only the four kinds above, `HAPPENED`. Everything else can be computed from
people's actions, which are logged between those entries:

act      a person's decision was accepted: seat, id, period, action
choose   a person's vote on the rule of the play was accepted: seat, id, rule
heard    a sign that a person is present, if it changed something: the first, one after a gap
         (`gap`), or one from a person whose seat a stand-in has
seen     when people were last heard from: pairs of seat and time, written before the next entry

answered a person answered a question of the period: seat, id, period, question, value

line     a person's connection became slow, or normal again: seat, round_trip_ms

asked    a policy that could delay the others was asked by the table's host: seat, period
answer   its answer, or the default in its place: seat, period, action, memory, fault

message  something was said: number, period, seat, occupant, policy_id, to, text, sentence, blocked;
         and the id, if a person said it
report   a person reported a message: seat, id, message
done     a person was ready to go on before the talk phase was over: seat, id, period

manager  a directive from the manager: what, id, and its fields (`table.directives`)
back     a person is back after the manager handed the seat to a policy: seat, id

A table can be rebuilt from its setup and its journal (`table.rebuilding`). The contents of entries
fall into three classes, which `analysis.audit` treats differently:

computed      `period`, `stage`, `seat`, `event` (except `late`), messages of policies, and the
              action and memory in an `answer`: the rebuilt table writes them again, and every field
              is compared. A policy that fails plays the default and keeps its memory
compared      the seed of `start` is the seed in `config`, which follows from the session's seed
from outside  `act`, `choose`, `answered`, `heard`, `seen`, `line`, `report`, `done`, `manager`,
              `back`, `late`, people's messages, the people in the first `seat` entries, answers of
              outside agents, and whether and when a policy was `asked` elsewhere, answered or
              failed. They are not confirmed by any other data; everything that follows from them is
              computed. `analysis.audit.UNKNOWN` lists them as actions, messages and `journal:
              times`
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

HAPPENED = ("start", "seat", "period", "event")
"""The kinds of entries that exports and pages read."""

LATE = "late"
"""Event logged when the server was late: the longest delay in seconds (`late_s`), the length of the
interval on the play's clock (`for_s`), and how long the play was stopped (`stood_s`).
"""

Entry = dict[str, Any]
"""Row of a log: kind, at_ms, and the fields of its kind."""


def of_play(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries without any start that was discarded when the group chose another rule."""
    starts = [index for index, entry in enumerate(entries) if entry["kind"] == "start"]
    aside = set(starts[:-1])
    return [entry for index, entry in enumerate(entries) if index not in aside]
