"""A group of people becomes a table, and a finished table becomes points and pay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.contract import chance
from server import storage
from table.options import Options
from table.setup import Setup, setup_from
from table.table import Table

__all__ = ["draw_seats", "finish", "paid_points", "play_seed", "seat_people", "seated"]


def play_seed(setup: Setup, number: int) -> int:
    """The seed of the play of the session's group with this number (from 1)."""
    return chance.group_seed(setup.config["identity"]["seed"], number)


def draw_seats(setup: Setup, number: int, people: int) -> list[int]:
    """The seats of the people of a group, in their order of arrival: drawn from the seed."""
    order = chance.stream(setup.config["identity"]["seed"], "seats of group", number)
    drawn: list[int] = order.order(setup.game.seats)[:people].tolist()
    return drawn


def seat_people(players: Sequence[Any], now: int) -> Any:
    """Form a group: people on randomly drawn seats, bots on the others. Returns the oTree group."""
    subsession = players[0].subsession
    setup = setup_from(subsession.setup)
    groups = type(players[0].group)
    number = subsession.groups_formed = subsession.groups_formed + 1
    seats = draw_seats(setup, number, len(players))
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
    table = Table.open(setup, sorted(seats), play_seed(setup, number), now)
    storage.save(group, table, storage.log_class(players[0]))
    return group


def seated(table: Table) -> dict[int, int]:
    """Seat -> id_in_group of the people at a table: they were numbered in the order of seats."""
    owned = [chair.seat for chair in table.seats if chair.owner]
    return {seat: place for place, seat in enumerate(owned, start=1)}


def finish(players: Sequence[Any], table: Table) -> None:
    """For those whose play is over: write down points, pay and how their part ended."""
    for player in players:
        if not table.out(player.seat):
            continue
        chair = table.seats[player.seat]
        player.points = chair.points
        player.payoff = paid_points(chair.points, table.options)
        if player.status == "seated":
            player.status = "finished" if chair.occupant == "person" else "left"


def paid_points(points: float, options: Options) -> float:
    """The points that are paid: what the person earned, within floor and cap."""
    most = options.pay_cap or float("inf")
    return min(max(points, options.pay_floor), most)
