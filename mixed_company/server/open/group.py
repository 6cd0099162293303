"""Turns a group of people into a table, and a finished table into points and pay."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from mixed_company.server.archive import REHEARSED
from mixed_company.server.keeping.storage import row_of
from mixed_company.server.keeping.writer import NewGroup, Outcome
from mixed_company.table.pay import paid_points
from mixed_company.table.seating import group_number, play_seed, seats_of_people
from mixed_company.table.setup import Setup
from mixed_company.table.stored import stored
from mixed_company.table.table import Table


def new_group(
    setup: Setup,
    number: int,
    people: Sequence[int],
    now: int,
    shift_ms: int,
    treatment: str = "",
    block: int = 1,
    seats: Sequence[int] | None = None,
) -> NewGroup:
    """Return the group with this number in this block (both count from 1). `people` has player ids
    in the order of arrival, and `seats` the seats that these people keep from an earlier block.
    Without `seats`, people get random seats or the first ones, as the session specifies. Bots get
    the rest. `now` is in milliseconds; it is `shift_ms` ahead of the session's clock.
    """
    drawn_by = group_number(block, number)
    seed, how = setup.config["identity"]["seed"], setup.options.people_seats
    drawn = seats or seats_of_people(how, seed, drawn_by, setup.game.seats, len(people))
    by_seat = sorted(zip(drawn, people, strict=True))
    table = Table.open(setup, sorted(drawn), play_seed(seed, drawn_by), now)
    rows = [row_of(entry) for entry in table.take_rows()]
    taken = {player_id: seat for seat, player_id in by_seat}
    if os.environ.get(REHEARSED):
        setup = setup.changed(rehearsed=True)
    columns = {"setup": stored(setup.checked()), "treatment": treatment}
    return NewGroup(number, taken, rows, shift_ms, now, columns)


def seated(table: Table) -> dict[int, int]:
    """Return a mapping from seat to `id_in_group` for the people at a table; ids count up in seat
    order."""
    return {seat: place for place, seat in enumerate(table.people, start=1)}


def outcomes(
    table: Table, people: Mapping[int, int], credited: dict[int, tuple[float, float]]
) -> list[Outcome]:
    """Return the points, pay and status of people who have finished playing, if these have
    changed.

    `people` maps seats to player ids. `credited` maps seats to the points and the share of periods
    that have been written; this function updates it. A person who has left can still be credited
    later.
    """
    options, news = table.options, []
    for seat, player_id in people.items():
        chair = table.seats[seat]
        share = chair.periods / table.game.horizon
        if table.parted(seat) and credited.get(seat) != (chair.points, share):
            credited[seat] = chair.points, share
            won, status = table.replies.won(seat), table.status(seat)
            paid = paid_points(chair.points + won, options.pay_floor, options.pay_cap)
            news.append(Outcome(player_id, chair.points, paid, status, share, won))
    return news
