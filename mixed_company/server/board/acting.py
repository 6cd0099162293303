"""Directives from a session's manager to tables and to people without a seat.

A directive names its target: a group by its number in the session, a seat in that group, or a
participant by code. If the session has several apps, the directive also names the `app`. A
directive without a target applies to all groups. The response is sent once the effects are
committed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from otree.models import Session

from mixed_company.server import clock
from mixed_company.server.board.groups import open_tables
from mixed_company.server.board.people import Person, directives_to, player_of
from mixed_company.server.keeping import storage
from mixed_company.server.open import door
from mixed_company.server.open.going_on import with_database
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.open_lobby import OpenLobby
from mixed_company.server.open.open_table import OpenTable
from mixed_company.server.open.tables import PATIENCE_SECONDS, tables
from mixed_company.table.directives import OF_DOOR, OF_PERSONS, Directive, parse_directive
from mixed_company.table.protocol import Ack, Refusal, short

_OF_ALL = ("pause", "go_on", "message")
"""Directives that can be sent to all groups at once."""

"""Directives that can be sent to a person without a seat."""

_NOT_SAVED = "not saved yet: the database is not accepting writes"
_NOT_THERE = "not saved: this session no longer exists"

_one_at_a_time = asyncio.Lock()


@dataclass(frozen=True)
class Answer:
    """Response to the manager: `refused` says why nothing was done, and is empty on success."""

    id: str | None
    refused: str = ""

    def to_json(self) -> dict[str, Any]:
        kind = "refused" if self.refused else "ack"
        answer = {"kind": kind, "id": self.id}
        return {**answer, "reason": self.refused} if self.refused else answer


async def direct(code: str, session_id: int, people: Sequence[Person], data: Any) -> Answer:
    """Carry out a manager's directive in a session; return once it is committed."""
    directive = parse_directive(data)
    if isinstance(directive, Refusal):
        return Answer(directive.id, directive.reason)
    if directive.kind in OF_DOOR:
        async with _one_at_a_time:
            moved: Answer = await with_database(lambda: _move_door(code, directive))
        return moved
    participant = data.get("participant")
    if participant is not None:
        async with _one_at_a_time:
            return await _direct_person(code, participant, directive)
    chosen = _chosen(open_tables(tables, session_id), people, data, directive)
    if isinstance(chosen, str):
        return Answer(directive.id, chosen)
    answers = [await _manage(opened, directive) for opened in chosen]
    refused = [answer.reason for answer in answers if isinstance(answer, Refusal)]
    return Answer(directive.id, refused[0] if len(refused) == len(answers) else "")


def _chosen(
    opened: Sequence[OpenTable], people: Sequence[Person], data: Any, directive: Directive
) -> list[OpenTable] | str:
    """Return the tables that a directive applies to, or the reason why there are none."""
    group, app = data.get("group"), data.get("app")
    if group is None:
        if directive.kind not in _OF_ALL or directive.seat is not None:
            return f"group: is missing; {directive.kind} applies to one group"
        return list(opened) or "no group is playing"
    keys = {
        (person.app, person.group_id)
        for person in people
        if person.seat >= 0 and person.group == group and app in (None, person.app)
    }
    named = [candidate for candidate in opened if candidate.key in keys]
    return named or f"group = {short(group)}: no group with this number is playing"


async def _manage(opened: OpenTable, directive: Directive) -> Ack | Refusal:
    """Carry out a directive at an open table, and wait until it is committed."""
    answer = opened.manage(directive)
    unsaved = await _why_unsaved(opened)
    return Refusal(unsaved, directive.id) if unsaved else answer


async def _why_unsaved(opened: OpenTable | OpenLobby) -> str:
    """Wait until everything written so far is committed. Return the reason if that failed,
    otherwise ""."""
    reason: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def tell(why: str) -> None:
        if not reason.done():
            reason.set_result(why)

    opened.when_saved(lambda: tell(""), lambda: tell(_NOT_THERE))
    try:
        return await asyncio.wait_for(reason, PATIENCE_SECONDS)
    except TimeoutError:
        return _NOT_SAVED


def _move_door(code: str, directive: Directive) -> Answer:
    session = Session.objects_first(code=code)
    if session is None:
        return Answer(directive.id, _NOT_THERE)
    refused = door.move(session, directive.kind, directive.id)
    storage.commit()
    return Answer(directive.id, refused)


# -- people without a seat --------------------------------------------------------------------


async def _direct_person(code: str, participant: Any, directive: Directive) -> Answer:
    """Release a person, or send a message to a person in the lobby; repeating it has no effect."""
    if directive.kind not in OF_PERSONS:
        allowed = " or ".join(OF_PERSONS)
        return Answer(
            directive.id, f"{directive.kind}: applies to a seat; for a participant, use {allowed}"
        )
    standing = await with_database(lambda: _standing(code, participant))
    if standing is None:
        return Answer(directive.id, f"participant = {short(participant)}: not in this session")
    opened, player_id, status, past = standing
    if any(entry["id"] == directive.id for entry in past):
        return Answer(directive.id)
    if status not in ("arriving", "waiting"):
        return Answer(directive.id, "this person already has a seat or has finished")
    entry = {"at_ms": clock.now_ms(), **directive.to_json()}
    managed = json.dumps([*past, entry])
    ways_out = {"release": "released", "exclude": "excluded"}
    way_out = ways_out.get(directive.kind)
    if way_out is not None and not opened.release(player_id, managed, way_out):
        return Answer(directive.id, "this person already has a seat or has finished")
    note = {"id": directive.id, "text": directive.text}
    if directive.kind == "message" and not opened.write(player_id, note, managed):
        return Answer(directive.id, "only people who are in the lobby or playing can get messages")
    return Answer(directive.id, await _why_unsaved(opened))


_Standing = tuple[OpenLobby, int, str, list[dict[str, Any]]]


def _standing(code: str, participant: Any) -> _Standing | None:
    """Return a person's lobby, player id, status and directives, or None for an unknown person."""
    player = player_of(code, participant) if isinstance(participant, str) else None
    if player is None:
        return None
    return lobbies.of(player), player.id, player.status, directives_to(player)
