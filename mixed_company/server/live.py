"""Live methods, called only by oTree's own bots.

A page's socket uses `server.sockets` instead, which answers once everything is in the database.
`table.exchange` and `table.lobby` define the answers and who sees them.
"""

from __future__ import annotations

from typing import Any

from mixed_company.server.open.group import seated
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.practices import practices
from mixed_company.server.open.tables import tables
from mixed_company.table import lobby as lobby_rules
from mixed_company.table.protocol import Refusal, parse

Replies = dict[int, dict[str, Any]]


def play(player: Any, data: Any) -> Replies:
    """Handle a message on a play page from oTree's own bots, which use no socket."""
    message = parse(data)
    if isinstance(message, Refusal):
        return {player.id_in_group: message.to_json()}
    opened = tables.of(player)
    replies = opened.exchanged(player.seat, message)
    tables.settled(player)
    places = seated(opened.table)
    return {places[seat]: payload for seat, payload in replies}


def lobby(player: Any, data: Any) -> Replies:
    """Handle a message in a lobby from oTree's own bots, which use no socket."""
    message = parse(data)
    refused = message if isinstance(message, Refusal) else lobby_rules.refusal(message)
    if refused is not None:
        return {player.id_in_group: refused.to_json()}
    lobbies.admit(player)
    return {}


def practice(player: Any, data: Any) -> Replies:
    """Handle a message in a practice from oTree's own bots, which use no socket."""
    message = parse(data)
    if isinstance(message, Refusal):
        return {player.id_in_group: message.to_json()}
    opened = practices.of(player)
    (seat,) = opened.table.people
    replies = opened.exchanged(seat, message)
    return {player.id_in_group: replies[-1][1]} if replies else {}
