"""The live methods: what a page sends comes in here, what pages show goes out.

A decision is acknowledged after it is in the database. Everybody's view follows in the same
breath. An error rolls everything back, so that nothing is half done.
"""

from __future__ import annotations

from gettext import gettext as _
from typing import Any

from otree.channels import utils as channels

from engine.contract.space import of_seat
from server import storage
from server.group import finish, seat_people, seated
from server.showing import shown, view_of
from table import lobby as lobby_rules
from table.lobby import Waiting
from table.protocol import Message, Refusal, parse
from table.setup import setup_from
from table.table import Table

__all__ = ["history", "lobby", "lobby_view", "play", "settle_now"]

PORTION = 100
"""How many periods one message settles at most: a play left alone for long must not keep the others
waiting. The page that asked sees that no time is left, and asks again."""

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
    now = storage.now_ms()
    group = player.group
    table = storage.load(group)
    before = _public(table)
    answer = None
    if not table.advance(now, PORTION):
        if message.kind == "act":
            reason = _("the game is catching up with the time; please choose again")
            answer = Refusal(reason, message.id).to_json()
    elif message.kind == "act":
        answer = table.act(player.seat, message, now)
    else:
        table.hear(player.seat, now)
    _keep(player, group, table)
    replies: Replies = {}
    if _public(table) != before:
        replies = {
            place: view_of(player, table, seat, now) for seat, place in seated(table).items()
        }
    elif message.kind in ("sync", "tick"):
        replies = {player.id_in_group: view_of(player, table, player.seat, now)}
    if message.kind == "sync":
        replies[player.id_in_group] |= _whole_play(player, table, replies[player.id_in_group])
    if answer is not None:
        if not replies:
            return {player.id_in_group: answer}
        _send_now(player, answer)
    return replies


def _whole_play(player: Any, table: Table, mine: dict[str, Any]) -> dict[str, Any]:
    """What a page that knows nothing yet is sent besides its view."""
    entries = history(player, table)
    seen = [*(entry["observation"] for entry in entries[:-1]), mine["observation"]]
    return {"history": entries, "shown": shown(table, player.seat, seen)}


def _public(table: Table) -> dict[str, Any]:
    """What the views of all could show differently after a message."""
    labelled = table.options.disclosure == "labels"
    return {
        "period": table.episode.period,
        "over": _out(table),
        "started": table.started_ms,
        "turn": table.episode.turn,
        "decided": [] if table.options.by_clock else sorted(table.decided),
        # an unasked view would tell that somebody has become a bot
        "occupants": [chair.occupant for chair in table.seats] if labelled else [],
    }


def _out(table: Table) -> list[int]:
    """The seats for which the play is over."""
    return [chair.seat for chair in table.seats if table.out(chair.seat)]


def _keep(player: Any, group: Any, table: Table) -> None:
    """Save and commit, if there is anything new; those whose play is over get their points."""
    if not storage.save(group, table, storage.log_class(player)):
        return
    if _out(table):
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
    while not table.advance(storage.now_ms(), PORTION):
        _keep(player, group, table)
    _keep(player, group, table)
    return table


def history(player: Any, table: Table) -> list[dict[str, Any]]:
    """What the seat of this player saw and earned, one entry per period (and the start).

    Of the last MOST_PERIODS, and without maps: reading it must not slow down long plays.
    """
    layout = [field for field in table.game.declaration.observations if not field.bulk]
    entries = []
    rows = storage.last_of(storage.log_class(player), player.group, MOST_PERIODS + 1)
    for row in rows[len(rows) > MOST_PERIODS and rows[0]["kind"] == "period" :]:
        if row["kind"] == "start":
            entries.append({"period": -1, "observation": _seen(layout, row, player.seat)})
        elif row["kind"] == "period":
            entries.append(
                {
                    "period": row["period"],
                    "observation": _seen(layout, row, player.seat),
                    "reward": row["rewards"][player.seat],
                    "components": {
                        name: values[player.seat] for name, values in row["components"].items()
                    },
                    "used": {name: values[player.seat] for name, values in row["used"].items()},
                }
            )
    return entries


def _seen(layout: Any, row: dict[str, Any], seat: int) -> dict[str, Any]:
    return of_seat(layout, row["observations"], seat)


# -- the lobby ----------------------------------------------------------------------------


def lobby(player: Any, data: Any) -> Replies:
    """The live method of every lobby."""
    message = parse(data)
    if isinstance(message, Refusal):
        return {player.id_in_group: message.to_json()}
    if message.kind == "act":
        refusal = Refusal("the game has not started yet", message.id)
        return {player.id_in_group: refusal.to_json()}
    try:
        return _lobby(player)
    except Exception:
        storage.rollback()
        raise


def _lobby(player: Any) -> Replies:
    """Everybody is told by name: whoever has a group by now has another number than before."""
    now = storage.now_ms()
    arrive(player, now)
    waiting = {each.id: each for each in _waiting(player)}
    changed = settle_lobby(player, now)
    storage.commit()
    for each in (waiting | {player.id: player}).values() if changed else (player,):
        _send_now(each, lobby_view(each, now))
    return {}


def arrive(player: Any, now: int) -> None:
    """The person is in the lobby; the promise counts from the first time."""
    if player.status == "arriving":
        player.status, player.arrived_ms = "waiting", now
    player.heard_ms = now


def _waiting(player: Any) -> list[Any]:
    players = type(player)
    return list(players.objects_filter(subsession=player.subsession, status="waiting"))


def settle_lobby(player: Any, now: int) -> bool:
    """Form groups, extend and release as the lobby's rules say. Did anything change?"""
    options = setup_from(player.subsession.setup).options
    people = {each.id: each for each in _waiting(player)}
    queue = [
        Waiting(each.id, int(each.arrived_ms), int(each.heard_ms), each.extended)
        for each in people.values()
    ]
    decisions = lobby_rules.decide(queue, options, now)
    for decision in decisions:
        named = [people[key] for key in decision.keys]
        if decision.kind == "form":
            seat_people(named, now)
        elif decision.kind == "extend":
            named[0].extended = True
        else:
            named[0].status = "released"
    newcomer = player.arrived_ms == now
    return bool(decisions) or newcomer


def lobby_view(player: Any, now: int) -> dict[str, Any]:
    """What the lobby shows a person."""
    options = setup_from(player.subsession.setup).options
    view: dict[str, Any] = {"kind": "view", "phase": player.status}
    if player.status == "waiting":
        person = Waiting(player.id, int(player.arrived_ms), int(player.heard_ms), player.extended)
        here = [each for each in _waiting(player) if now - each.heard_ms <= lobby_rules.PRESENT_MS]
        view["here"] = min(len(here), options.people_per_group)
        view["needed"] = options.people_per_group
        view["extended"] = player.extended
        view["remaining_ms"] = max(lobby_rules.promise_ms(person, options) - now, 0)
    return view
