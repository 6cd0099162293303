"""Rules for who can write at a table and whom a message reaches, based on roles and neighbours.

Seats have neighbours only if some seats cannot see each other's numbers. Neighbours are seats that
can see them, because of the game's rule (such as `observation = "local"` in the commons) or the
graph of the information layer.
"""

from __future__ import annotations

from typing import Any

from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.engine.contract.errors import ConfigError, nearest
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.table.talk.options import TalkOptions


def neighbours(game: Game[Any]) -> Array | None:
    """Return flags (n, n): whether seat i sees the numbers of seat j; None if all seats see
    everything."""
    limits = [game.in_view(), *(layer.in_view() for layer in game.layers)]
    seen: Array | None = None
    for limit in limits:
        if limit is not None and not limit.all():
            seen = limit if seen is None else seen & limit
    return seen


def can_write(game: Game[Any], options: TalkOptions, seat: int) -> bool:
    """Return whether the seat's role can write."""
    role = roles_of_seats(game.config.agents, game.seats)[seat]
    return options.talks and (not options.talk_roles or role in options.talk_roles)


def partners(game: Game[Any], options: TalkOptions, seat: int) -> tuple[int, ...]:
    """Return the other seats that a seat's messages can reach."""
    others = (other for other in range(game.seats) if other != seat)
    if options.talk_with != "neighbours":
        return tuple(others)
    near = neighbours(game)
    return tuple(other for other in others if near is None or near[seat, other])


def readers(game: Game[Any], options: TalkOptions, seat: int, to: int | None) -> list[int]:
    """Return the seats that can read what a seat writes, including itself, in order."""
    reached = partners(game, options, seat) if to is None else (to,)
    return sorted({seat, *reached})


def check_talk(game: Game[Any], options: TalkOptions, by_clock: bool, seconds: float) -> None:
    """Check the talk options for a game with `seconds` per decision. Raises ConfigError."""
    if not options.talks:
        return
    if game.seats < 2:
        raise ConfigError(
            f"talk = {options.talk!r}: there is nobody to talk to, because seats is 1"
        )
    if game.peers is not None and game.peers.shuffles:
        raise ConfigError(
            f"talk = {options.talk!r}: messages name their writers, but peer_names 'shuffled' "
            "hides who is who; set talk to 'off', or peer_names to 'fixed'"
        )
    roles = game.config.agents.roles
    for role in options.talk_roles:
        if role not in roles:
            raise ConfigError(f"talk_roles = {role!r}: there is no such role{nearest(role, roles)}")
    if not any(can_write(game, options, seat) for seat in range(game.seats)):
        raise ConfigError(
            f"talk_roles = {list(options.talk_roles)!r}: no seat has one of these roles"
        )
    if options.talk_with == "neighbours" and neighbours(game) is None:
        raise ConfigError(
            "talk_with = 'neighbours': no seat has neighbours here; set observation to 'local' "
            "in the commons, or layers.information.graph in other games, or set 'all'"
        )
    _check_time(game, options, by_clock, seconds)


def _check_time(game: Game[Any], options: TalkOptions, by_clock: bool, seconds: float) -> None:
    if options.talk_when == "stages" and not game.stages.several:
        raise ConfigError(
            "talk_when = 'stages': a period has only one stage here; set peer to 'punishment', "
            "'reward' or 'both', or talk_when to 'periods'"
        )
    if by_clock and options.talk_when in ("periods", "stages"):
        raise ConfigError(
            f"talk_when = {options.talk_when!r}: with pace 'clock' there is no break between "
            "periods; set 'before' or 'always'"
        )
    if options.talk_when != "always" or not options.talk_seconds:
        return
    if game.sight.order is not None:
        raise ConfigError(
            f"talk_seconds = {options.talk_seconds:g}: with talk_when = 'always', this time is "
            "counted from the start of the period, but here seats decide in turn, each with "
            "its own time; set it to 0 to allow talk throughout the period"
        )
    if seconds and options.talk_seconds > seconds:
        raise ConfigError(
            f"talk_seconds = {options.talk_seconds:g}: longer than a period ("
            f"decision_seconds = {seconds:g}); with talk_when = 'always', set it to at most "
            "that, or to 0 to allow talk "
            "throughout the period"
        )
