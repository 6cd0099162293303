"""Saves lobby batches: people's statuses, and newly formed groups.

Either a group is saved completely, with its table and all of its people in their seats, or nothing
is saved. If the server is killed before then, everybody is still waiting.
"""

from __future__ import annotations

from typing import Any

from otree.common import get_models_module
from sqlalchemy import case

from mixed_company.server.blocks.apps import block_of
from mixed_company.server.keeping.saving_rows import insert_rows
from mixed_company.server.keeping.writer import LobbyBatch, NewGroup, Standing


class Overtaken(RuntimeError):
    """Error raised if the session in the database differs from the lobby's state; nothing is
    written."""


def write_lobby(connection: Any, batch: LobbyBatch, again: bool) -> None:
    """Write a batch inside a transaction; a retry (`again`) skips groups already committed.

    Raises Overtaken.
    """
    models = get_models_module(batch.app)
    for standing in batch.standings:
        _stand(connection, models.Player.__table__, standing)
    for group in batch.groups:
        if not (again and _is_there(connection, models.Subsession.__table__, batch, group)):
            _form(connection, models, batch, group)


def _stand(connection: Any, players: Any, standing: Standing) -> None:
    whose = players.c.id == standing.player_id
    change = players.update().where(whose & players.c.status.in_(standing.before))
    waited = {} if standing.waited is None else {"waited_ms": _waited(players, standing.waited)}
    connection.execute(change.values(**standing.values, **waited))


def _waited(players: Any, until_ms: int) -> Any:
    """Return the time since a person's arrival in the lobby, at least 0.

    It is 0 if no arrival was recorded, or if the arrival appears to be in the future because the
    clock was set back.
    """
    came = (players.c.arrived_ms > 0) & (players.c.arrived_ms < until_ms)
    since = case([(came, players.c.arrived_ms)], else_=until_ms)
    return until_ms - since


def _is_there(connection: Any, subsessions: Any, batch: LobbyBatch, group: NewGroup) -> bool:
    """Return whether a group was committed despite an error."""
    wanted = subsessions.select().where(subsessions.c.id == batch.subsession_id)
    row = connection.execute(wanted).first()
    return row is not None and int(row.groups_formed) >= group.number


def _form(connection: Any, models: Any, batch: LobbyBatch, group: NewGroup) -> None:
    subsessions, groups = models.Subsession.__table__, models.Group.__table__
    players = models.Player.__table__
    is_next = (subsessions.c.id == batch.subsession_id) & (
        subsessions.c.groups_formed == group.number - 1
    )
    counted = subsessions.update().where(is_next).values(groups_formed=group.number)
    if connection.execute(counted).rowcount != 1:
        raise Overtaken(f"group {group.number} is not the next group")
    shared = {**batch.group, "subsession_id": batch.subsession_id}
    values = {**shared, **group.columns, "shift_ms": group.shift_ms}
    new = groups.insert().values(**values, id_in_subsession=group.number + 1)
    group_id = connection.execute(new).inserted_primary_key[0]
    # people who are still in the previous block also get a seat (`table.meeting`)
    before = ("waiting",) if block_of(batch.app) == 1 else ("waiting", "arriving")
    for place, (player_id, seat) in enumerate(group.seats.items(), start=1):
        waits = (players.c.id == player_id) & players.c.status.in_(before)
        seated = {"group_id": group_id, "id_in_group": place, "seat": seat, "status": "seated"}
        seated["treatment"] = group.columns.get("treatment", "")
        seated["waited_ms"] = _waited(players, group.at_ms)
        if connection.execute(players.update().where(waits).values(**seated)).rowcount != 1:
            raise Overtaken(f"player {player_id} is no longer waiting")
    insert_rows(connection, models.Log.__table__, [(group_id, row) for row in group.rows])
