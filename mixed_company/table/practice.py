"""Practice: a few periods of the session's game that a person plays before the lobby.

Bots have all other seats and answer immediately, and there is no time limit, so nobody has to wait
(`Options.in_practice`). The bots are those of `practice_bots`, so they reveal nothing about the
bots in the play. Configuration, archetype, layers and roles are those of the session. Each
participant has a different seed, so practice reveals nothing about random events in the play. A
fixed part of the configuration, such as an `instance` in gem mining, is the same in both.

    table = open_practice(setup, code, now=0)    its first period begins at once

Practice ends after `practice_periods`, or when the rules end the play. Its journal is not stored. A
participant who starts over after a server restart gets the same seat and the same random numbers.
"""

from __future__ import annotations

from mixed_company.engine.contract.chance import generator
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table


def practice_seed(code: str) -> int:
    """Return the practice seed for the participant with this code, below 2**53."""
    return int(generator(0, f"practice of {code}").integers(2**53))


def practice_seat(setup: Setup, code: str) -> int:
    """Draw the practice seat from those that people may have in the play.

    It does not depend on the person's seat in the play.
    """
    first = setup.options.people_seats == "first"
    seats = setup.options.people_per_group if first else setup.game.seats
    return int(generator(0, f"seat in practice of {code}").integers(seats))


def open_practice(setup: Setup, code: str, now: int) -> Table:
    """Return a new practice table for the participant with this code."""
    seat = practice_seat(setup, code)
    table = Table.open(setup.practice, [seat], practice_seed(code), now)
    table.most_periods = setup.options.practice_periods
    table.hear(seat, now)
    return table
