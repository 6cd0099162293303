"""The live methods: what a page sends comes in here, what pages show goes out.

A decision is acknowledged after it is in the database. Everybody's view follows in the same
breath. An error rolls everything back, so that nothing is half done. What is answered, and who
sees what, `table.exchange` and `table.lobby` say.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from otree.channels import utils as channels

from server import clock, storage
from server.group import finish, seat_people, seated
from server.showing import shown, with_shown
from table import lobby as lobby_rules
from table import view as table_view
from table.exchange import exchange
from table.lobby import Waiting
from table.options import Options
from table.protocol import LobbyView, Message, Refusal, View, parse
from table.setup import setup_from
from table.table import Table

__all__ = ["arrive", "history", "lobby", "play", "settle_lobby", "settle_now"]

PORTION = 100
"""How many periods one message settles at most: a play left alone for long must not keep the others
waiting. The page that sent it sees that no time is left, and sends again."""

MOST_PERIODS = 200
"""How many periods a page's history goes back."""

Replies = dict[int, dict[str, Any]]


def play(player: Any, data: Any) -> Replies:
    """The live method of every play page."""
    message = parse(data)
    if isinstance(message, Refusal):
        return {player.id_in_group: message.to_json()}
    try:
        return _play(player, message)
    except Exception:
        storage.rollback()
        raise


def _play(player: Any, message: Message) -> Replies:
    group = player.group
    table = storage.load(group)
    outcome = exchange(table, player.seat, message, clock.now_ms(), PORTION)
    _keep(player, group, table)
    views = {
        seat: with_shown(player, table, seat, view) for seat, view in outcome.views.items()
    }
    if message.kind == "sync":
        views[player.seat] = _with_history(player, table, views[player.seat])
    places = seated(table)
    replies = {places[seat]: view.to_json() for seat, view in views.items()}
    if outcome.answer is not None:
        if not replies:
            return {player.id_in_group: outcome.answer.to_json()}
        _send_now(player, outcome.answer.to_json())
    return replies


def _with_history(player: Any, table: Table, view: View) -> View:
    """The view of a page that knows nothing yet."""
    entries = history(player, table)
    seen = [*(entry["observation"] for entry in entries[:-1]), view.observation]
    return replace(view, history=entries, shown=shown(table, player.seat, seen))


def _keep(player: Any, group: Any, table: Table) -> None:
    """Save and commit, if there is anything new; those whose play is over get their points."""
    if not storage.save(group, table, storage.log_class(player)):
        return
    if any(table.out(chair.seat) for chair in table.seats):
        finish(group.get_players(), table)
    storage.commit()


def _send_now(player: Any, payload: dict[str, Any]) -> None:
    """Send to the player's own page ahead of what the live method returns."""
    participant = player.participant
    to = channels.live_group(
        participant._session_code, participant._index_in_pages, participant.code
    )
    data = {"otree_success": True, "live_method_payload": payload}
    channels.sync_group_send(group=to, data=data)


def settle_now(player: Any) -> Table:
    """Bring a player's table up to now outside a live message (a page is loaded or times out)."""
    group = player.group
    table = storage.load(group)
    while not table.advance(clock.now_ms(), PORTION):
        _keep(player, group, table)
    _keep(player, group, table)
    return table


def history(player: Any, table: Table) -> list[dict[str, Any]]:
    """What the seat of this player saw and earned, one entry per period (and the start).

    Of the last MOST_PERIODS: reading it must not slow down long plays.
    """
    log = storage.last_of(storage.log_class(player), player.group, MOST_PERIODS + 1)
    too_long = len(log) > MOST_PERIODS and log[0]["kind"] == "period"
    return table_view.history(table.game, log[too_long:], player.seat)


# -- the lobby ----------------------------------------------------------------------------


def lobby(player: Any, data: Any) -> Replies:
    """The live method of every lobby."""
    message = parse(data)
    refused = message if isinstance(message, Refusal) else lobby_rules.refusal(message)
    if refused is not None:
        return {player.id_in_group: refused.to_json()}
    try:
        return _lobby(player)
    except Exception:
        storage.rollback()
        raise


def _lobby(player: Any) -> Replies:
    """Everybody is addressed by name: who has a group by now has another number than before."""
    now = clock.now_ms()
    arrive(player, now)
    waiting = {other.id: other for other in _waiting(player)}
    changed = settle_lobby(player, now)
    storage.commit()
    for other in (waiting | {player.id: player}).values() if changed else (player,):
        _send_now(other, _lobby_view(other, now).to_json())
    return {}


def arrive(player: Any, now: int) -> None:
    """The person is in the lobby; the promise counts from the first time."""
    if player.status == "arriving":
        player.status, player.arrived_ms = "waiting", now
    player.heard_ms = now


def _waiting(player: Any) -> list[Any]:
    players = type(player)
    return list(players.objects_filter(subsession=player.subsession, status="waiting"))


def _person(player: Any) -> Waiting:
    return Waiting(player.id, int(player.arrived_ms), int(player.heard_ms), player.extended)


def _options(player: Any) -> Options:
    return setup_from(player.subsession.setup).options


def settle_lobby(player: Any, now: int) -> bool:
    """Form groups, extend and release as the lobby's rules say. Did anything change?"""
    people = {other.id: other for other in _waiting(player)}
    queue = [_person(other) for other in people.values()]
    changes = lobby_rules.changes(queue, _options(player), now)
    for change in changes:
        named = [people[key] for key in change.keys]
        if change.kind == "form":
            seat_people(named, now)
        elif change.kind == "extend":
            named[0].extended = True
        else:
            named[0].status = "released"
    newcomer = player.arrived_ms == now
    return bool(changes) or newcomer


def _lobby_view(player: Any, now: int) -> LobbyView:
    """What the lobby shows a person."""
    if player.status != "waiting":
        return LobbyView(player.status)
    waiting = [_person(other) for other in _waiting(player)]
    return lobby_rules.waiting_view(_person(player), waiting, _options(player), now)
