"""A group of people becomes a table, and a finished table becomes points and pay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server import storage
from table.pay import paid_points, status
from table.seating import draw_seats, play_seed
from table.setup import setup_from
from table.table import Table

__all__ = ["finish", "seat_people", "seated"]


def seat_people(players: Sequence[Any], now: int) -> Any:
    """Form a group: people on randomly drawn seats, bots on the others. Returns the oTree group."""
    subsession = players[0].subsession
    setup = setup_from(subsession.setup)
    groups = type(players[0].group)
    number = subsession.groups_formed = subsession.groups_formed + 1
    session_seed = setup.config["identity"]["seed"]
    seats = draw_seats(session_seed, number, setup.game.seats, len(players))
    group = groups.objects_create(
        session=subsession.session,
        subsession=subsession,
        round_number=subsession.round_number,
        id_in_subsession=number + 1,
        setup=subsession.setup,
    )
    for place, (seat, player) in enumerate(
        sorted(zip(seats, players, strict=True), key=lambda pair: pair[0]), start=1
    ):
        player.group, player.id_in_group = group, place
        player.seat, player.status = seat, "seated"
    storage.flush()
    table = Table.open(setup, sorted(seats), play_seed(session_seed, number), now)
    storage.save(group, table, storage.log_class(players[0]))
    return group


def seated(table: Table) -> dict[int, int]:
    """Seat -> id_in_group of the people at a table: they were numbered in the order of seats."""
    return {seat: place for place, seat in enumerate(table.people, start=1)}


def finish(players: Sequence[Any], table: Table) -> None:
    """For those whose play is over: write down points, pay and how their part ended."""
    options = table.options
    for player in players:
        if not table.out(player.seat):
            continue
        chair = table.seats[player.seat]
        player.points = chair.points
        player.payoff = paid_points(chair.points, options.pay_floor, options.pay_cap)
        if player.status == "seated":
            player.status = status(chair.occupant, out=True)
